"""Walks through the product and writes docs/images: every page and main state, some in the dark and on a phone.

    make screenshots

It runs a real server with its own data and the built-in model. Where words must come slowly, a scripted provider
says them. It ends with an error if a page shows one, or if a picture is too large.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect
from tests.support.agent import call, calls
from tests.support.browser.agent_page import Caller, cards, message_field, provider_beside, say, slowly
from tests.support.browser.chrome import browser_page, running_browser
from tests.support.browser.web import add_sample, organization_id
from tests.support.made.documents import pdf
from tests.support.models.provider import ScriptedProvider, Then
from tests.support.services.server import ADMIN_EMAIL, ADMIN_PASSWORD, RunningServer, running_server

from scripts.camera import DESK, PHONE, Camera

TARGET = Path(__file__).parents[1] / "docs" / "images"
MOST_BYTES = 80_000
MOST_FILES = 50
MOST_BYTES_IN_ALL = 2_500_000
NAME = "Lindqvist & Daughters"
PLAN = """# Move to Harbour Street

We move in **May**, when the lease of the old office ends.

## Steps

- [x] Sign the new lease
- [ ] Order desks for 12 people
- [ ] Tell the post office

## Costs

| What | When | Amount |
|---|---|---|
| Deposit | March | 6,000 |
| Desks | April | 3,600 |
| Removal van | on the day | 1,200 |

> The landlord wants the keys back on the last day.
"""
SECTIONS = ("organisation", "members", "providers", "models", "agent", "usage", "tokens", "appearance")
ANSWER = (
    """The invoice is from **Northwind Office Supply Ltd** and asks for **2348.56 EUR** by 13 April 2026.

The positions, from the largest:

1. Standing desks, 825.00
2. Office chairs, 756.00
3. Desk lamps, 233.40

"""
    + "Delivery and assembly come on top of that, with 95.00. " * 8
)
"""Twice as much as the picture shows, because the provider stops in the middle."""


class Walk:
    """One visit to the product. Each part begins where the one before ended."""

    def __init__(self, page: Page, camera: Camera, server: RunningServer, provider: ScriptedProvider) -> None:
        self._page = page
        self._camera = camera
        self._server = server
        self._provider = provider
        self._caller = Caller(server)
        self._org = ""

    def all(self) -> None:
        parts: tuple[Callable[[], None], ...] = (
            self._sign_in,
            self._first_documents,
            self._set_up,
            self._waiting,
            self._approve,
            self._extraction,
            self._forms,
            self._projects,
            self._conversation,
            self._schemas_and_prompts,
            self._others,
            self._settings,
            self._keys,
        )
        for part in parts:
            part()

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        return self._caller.call(method, f"/v0/orgs/{self._org}/{path}", body)

    def _open(self, path: str) -> None:
        self._page.goto(f"{self._server.url}/orgs/{self._org}/{path}")
        expect(self._page.get_by_role("heading", level=1).first).to_be_attached()

    def _open_document(self, name: str, query: str = "") -> None:
        listed = self._call("GET", "documents")["documents"]
        found = next(document["id"] for document in listed if document["document_name"] == name)
        self._open(f"documents/{found}{query}")
        expect(self._canvas()).to_be_visible()

    def _canvas(self) -> Locator:
        return self._page.locator('section[data-page="1"] canvas')

    def _log(self) -> Locator:
        return self._page.get_by_role("log", name="Conversation")

    def _sign_in(self) -> None:
        page = self._page
        page.goto(self._server.url)
        page.get_by_label("E-mail").fill(ADMIN_EMAIL)
        self._camera.take("sign-in", dark=True, phone=True)
        page.get_by_label("Password").fill(ADMIN_PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name="An invoice")).to_be_visible()
        self._org = organization_id(page)
        self._caller.call("PUT", f"/v0/account/organizations/{self._org}", {"name": NAME})
        page.reload()
        expect(page.get_by_role("button", name="An invoice")).to_be_visible()

    def _first_documents(self) -> None:
        page = self._page
        self._camera.take("documents-empty", phone=True)
        add_sample(page, "An invoice")
        expect(page.get_by_role("row", name="Invoice 2041.pdf").get_by_text("Summarised")).to_be_visible()
        for sample in ("receipt", "contract"):
            self._call("POST", f"samples/{sample}")
        page.reload()
        extracted = page.get_by_role("table", name="Documents").get_by_text("Summarised", exact=True)
        expect(extracted).to_have_count(3)
        colours = {"invoices": "#3b82f6", "receipts": "#10b981", "contracts": "#a855f7"}
        tags = {
            name: self._call("POST", "tags", {"name": name, "color": colour})["id"]
            for name, colour in colours.items()
        }
        for document in self._call("GET", "documents")["documents"]:
            kind = {"I": "invoices", "R": "receipts", "S": "contracts"}[document["document_name"][0]]
            self._call("PUT", f"documents/{document['id']}", {"tag_ids": [tags[kind]]})
        page.reload()
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder) / "Offer of Lindqvist.pdf", Path(folder) / "setup.exe"
            good.write_bytes(
                pdf(["Offer 117", "Seller: Lindqvist AB", "Date: 2026-02-03", "Total: 912.50 EUR"])
            )
            bad.write_bytes(b"MZ")
            with page.expect_file_chooser() as chooser:
                page.get_by_role("button", name="Upload documents").first.click()
            chooser.value.set_files([bad, good])
            uploads = page.get_by_role("region", name="Uploads")
            expect(uploads.get_by_role("alert")).to_contain_text(".exe")
            expect(extracted).to_have_count(4)
        self._camera.take("upload-refused", alerts=1)
        uploads.get_by_role("button", name="Dismiss setup.exe").click()

    def _set_up(self) -> None:
        self._open_document("Invoice 2041.pdf", "?tab=agent")
        expect(self._page.get_by_role("list", name="Things to try")).to_be_visible()
        self._camera.take("agent-empty")
        self._page.get_by_role("button", name="Set this up").click()
        expect(self._page.get_by_role("group", name="Needs your approval: Create schema")).to_be_focused()
        self._camera.take("agent-waiting", dark=True, phone=True)

    def _waiting(self) -> None:
        self._open("inbox")
        expect(cards(self._page).first).to_be_visible()
        self._camera.take("inbox", phone=True)
        self._open("documents")
        expect(self._page.get_by_role("link", name="Waits for you").locator("visible=true")).to_be_visible()
        self._camera.take("documents", dark=True, phone=True)

    def _approve(self) -> None:
        self._open_document("Invoice 2041.pdf", "?tab=agent")
        for what in ("Create schema", "Create prompt", "Run prompt"):
            card = self._page.get_by_role("group", name=f"Needs your approval: {what}")
            card.get_by_role("button", name="Approve").click()
        expect(self._log()).to_contain_text("tokens in")
        self._camera.take("agent-done")

    def _extraction(self) -> None:
        page = self._page
        page.get_by_role("tab", name="Extraction").click()
        total = page.locator('button[data-field$="/total_amount"]:not([data-field^="default/"])').first
        total.click()
        lit = page.locator('[data-mark="lit"]').first
        expect(lit).to_be_in_viewport()
        self._camera.take("extraction", dark=True)
        page.set_viewport_size(PHONE)
        page.get_by_role("tab", name="Document").click()
        expect(lit).to_be_in_viewport()
        self._camera.take_on_a_phone("extraction")
        page.get_by_role("tab", name="Extraction").click()
        expect(self._canvas()).to_be_visible()
        page.keyboard.press("Control+f")
        page.keyboard.type("chair")
        expect(page.get_by_role("search").get_by_role("status")).to_contain_text("of")
        self._camera.take("find")
        page.keyboard.press("Escape")

    def _forms(self) -> None:
        prompt = self._call("GET", "prompts")["prompts"][0]
        tag = next(tag["id"] for tag in self._call("GET", "tags")["tags"] if tag["name"] == "invoices")
        source = {"promptRevId": prompt["prompt_revid"], "promptName": prompt["name"]}
        fields = {"number": "invoice_number", "date": "date", "sum": "total_amount"}
        components = [
            {"type": "textfield", "key": "number", "label": "Invoice number", "validate": {"required": True}},
            {"type": "textfield", "key": "date", "label": "Dated"},
            {"type": "number", "key": "sum", "label": "Sum to pay"},
            {"type": "checkbox", "key": "checked", "label": "Checked against the order"},
            {"type": "textarea", "key": "remark", "label": "Remark"},
        ]
        mapping = {
            key: {"sources": [{**source, "schemaFieldPath": path}], "mappingType": "direct"}
            for key, path in fields.items()
        }
        form = {"json_formio": components, "json_formio_mapping": mapping}
        made = self._call(
            "POST", "forms", {"name": "Payment order", "response_format": form, "tag_ids": [tag]}
        )
        self._open_document("Invoice 2041.pdf", "?tab=forms")
        expect(self._page.get_by_label("Sum to pay")).to_have_value("2348.56")
        self._camera.take("forms")
        self._open(f"forms/{made['form_id']}")
        expect(self._page.get_by_role("region", name="Preview").get_by_label("Sum to pay")).to_be_visible()
        self._camera.take("form-editor")

    def _projects(self) -> None:
        page = self._page
        texts = {
            "Open questions": "1. Who keeps the plants?\n2. Does the north room get sun?\n",
            "Costs": "# Costs\n\nWhat was offered, and what was paid.\n",
            "Plan": PLAN,
        }
        about = "Everything about the move to Harbour Street"
        made = self._call("POST", "projects", {"name": "Move to the new office", "description": about})["id"]
        for name, content in texts.items():
            self._call("POST", f"projects/{made}/documents", {"name": name, "content": content})
        self._call(
            "POST", "projects", {"name": "Annual report", "description": "Texts and figures for the year"}
        )
        self._open(f"projects/{made}")
        expect(page.get_by_role("region", name="Text of Plan")).to_contain_text("We move in")
        say(page, "Replace '**May**' with '**June**' in Plan")
        expect(cards(page)).to_be_focused()
        self._camera.take("project", dark=True, phone=True)
        cards(page).get_by_role("button", name="Approve").click()
        expect(page.get_by_role("region", name="Text of Plan")).to_contain_text("June")
        page.get_by_role("button", name="History").click()
        expect(page.get_by_role("region", name="What version 2 changed")).to_be_visible()
        self._camera.take("project-history")
        self._open("projects")
        expect(page.get_by_role("table", name="Projects")).to_be_visible()
        self._camera.take("projects")

    def _conversation(self) -> None:
        page, provider = self._page, self._provider
        added = {"name": "demo", "base_url": provider.base_url, "models": ["assistant"], "token": "sk-demo"}
        self._caller.call("POST", "/v0/account/llm/providers", added)
        self._call("PUT", "llm/default_model", {"model": "demo/assistant"})
        self._open_document("Invoice 2041.pdf", "?tab=agent&thread=new")
        expect(page.get_by_role("list", name="Things to try")).to_be_visible()
        provider.add(calls(call("r1", "get_ocr_text", page_num=1)), slowly(ANSWER, seconds=2, then=Then.HANG))
        say(page, "Who sent this, and what is the largest position?")
        expect(self._log()).to_contain_text("2348.56")
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        page.wait_for_timeout(1500)
        self._camera.take("agent-streaming")
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("button", name="Stop")).to_have_count(0)
        question = call("q1", "request_input", question="Which total do you mean?", choices=["Net", "Gross"])
        provider.add(calls(question), "The gross total is **2348.56 EUR**.")
        page.get_by_role("button", name="New", exact=False).first.click()
        say(page, "Put the total into the remark of the payment order")
        card = page.get_by_role("group", name="The agent asks: Which total do you mean?")
        expect(card).to_be_focused()
        self._camera.take("agent-question")
        card.get_by_role("button", name="Gross").click()
        expect(message_field(page)).to_be_focused()
        self._call("PUT", "llm/default_model", {"model": None})

    def _schemas_and_prompts(self) -> None:
        page = self._page
        schema = self._call("GET", "schemas")["schemas"][0]
        fields = schema["response_format"]["json_schema"]["schema"]
        fields["properties"]["paid"] = {"type": "boolean", "description": "Whether it says that it is paid"}
        fields["properties"]["currency"] = {"type": "string", "enum": ["EUR", "USD", "GBP"]}
        fields["required"] = [*fields["properties"]]
        self._call(
            "PUT",
            f"schemas/{schema['schema_id']}",
            {"name": schema["name"], "response_format": schema["response_format"]},
        )
        self._open("schemas")
        expect(page.get_by_role("table")).to_be_visible()
        self._camera.take("schemas")
        self._open(f"schemas/{schema['schema_id']}")
        expect(page.get_by_role("textbox", name="Response format as JSON")).to_be_visible()
        self._camera.take("schema", dark=True, phone=True)
        page.get_by_role("tab", name="Versions").click()
        expect(page.get_by_role("heading", name="From version 1 to version 2")).to_be_visible()
        self._camera.take("schema-diff")
        self._open("prompts")
        expect(page.get_by_role("table")).to_be_visible()
        self._camera.take("prompts")
        self._open(f"prompts/{self._call('GET', 'prompts')['prompts'][0]['prompt_id']}")
        expect(page.get_by_label("What to look for")).to_be_visible()
        self._camera.take("prompt")

    def _others(self) -> None:
        self._open("tags")
        expect(self._page.get_by_text("contracts", exact=True).first).to_be_visible()
        self._camera.take("tags")
        self._open("activity")
        expect(self._page.get_by_role("table", name="Activity")).to_be_visible()
        self._camera.take("activity", phone=True)

    def _settings(self) -> None:
        self._call("POST", "payments/usage", {"spus": 7, "operation": "document_llm"})
        for section in SECTIONS:
            self._open(f"settings/{section}")
            expect(self._page.get_by_role("heading", level=1)).to_be_visible()
            self._camera.take(f"settings-{section}")

    def _keys(self) -> None:
        self._open_document("Invoice 2041.pdf")
        self._page.keyboard.press("Control+k")
        expect(self._page.get_by_role("dialog")).to_be_visible()
        self._camera.take("palette", dark=True)
        self._page.keyboard.press("Escape")
        self._page.keyboard.press("?")
        expect(self._page.get_by_role("dialog")).to_be_visible()
        self._camera.take("keys")


def main() -> int:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.mkdir(parents=True, exist_ok=True)
    with (
        running_server() as server,
        provider_beside() as provider,
        running_browser() as browser,
        browser_page(browser) as (page, problems),
    ):
        page.set_viewport_size(DESK)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        camera = Camera(page, problems, target)
        Walk(page, camera, server, provider).all()
    large = {name: size for name, size in camera.sizes.items() if size > MOST_BYTES}
    total = sum(camera.sizes.values())
    sys.stdout.write(f"{len(camera.sizes)} pictures, {total / 1000:.0f} kB\n")
    if large or total > MOST_BYTES_IN_ALL or len(camera.sizes) > MOST_FILES:
        sys.stdout.write(f"Too large: {large or total}, or more than {MOST_FILES} pictures\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
