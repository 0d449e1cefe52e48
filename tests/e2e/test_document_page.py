"""The page of a document: from upload to a verified extraction, the pages beside the fields, forms, long documents."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser.web import (
    IS_WIDE,
    TWO_FRAMES,
    check_accessibility,
    fits_the_window,
    go_to,
    look_into,
    sign_in,
)
from tests.support.made.documents import base64_of, pdf, scanned_pdf
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer

MOST_CANVASES = 6
PASSWORD = "open sesame"
LETTER = (
    ["Invoice", "Invoice number: 2041", "Invoice date: 2026-03-14", "Seller: Northwind Ltd"],
    ["Terms of payment", *[f"Clause {number} of the terms" for number in range(1, 30)]],
    ["Summary", "Total: 1617.30", "Currency: EUR"],
)
SCHEMA: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "invoice",
        "strict": True,
        "schema": {
            "type": "object",
            "additionalProperties": False,
            "required": ["invoice_number", "invoice_date", "total", "currency"],
            "properties": {
                "invoice_number": {"type": "string", "description": "As the seller gave it"},
                "invoice_date": {"type": "string", "format": "date"},
                "total": {"type": "number", "maximum": 100000},
                "currency": {"type": "string", "enum": ["EUR", "USD"]},
            },
        },
    },
}


@dataclass(frozen=True)
class Organization:
    """The organisation of whoever signs in, through the API."""

    client: httpx2.Client
    id: str

    def call(self, method: str, path: str, **options: Any) -> Any:
        answer = self.client.request(method, f"/v0/orgs/{self.id}/{path}", **options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def upload(self, name: str, content: bytes, *tag_ids: str, until: str = "llm_completed") -> str:
        """Wait until the document is in the state; its id."""
        document = {"name": name, "content": base64_of(content), "tag_ids": list(tag_ids)}
        stored = self.call("POST", "documents", json={"documents": [document]})
        document_id: str = stored["documents"][0]["document_id"]
        self.wait_for(document_id, until)
        return document_id

    def wait_for(self, document_id: str, state: str) -> None:
        deadline = time.monotonic() + SECONDS
        while (found := self.call("GET", f"documents/{document_id}?include_content=false"))["state"] != state:
            assert time.monotonic() < deadline, found
            time.sleep(0.2)


@pytest.fixture(scope="module")
def organization(server: RunningServer) -> Iterator[Organization]:
    with httpx2.Client(base_url=server.url, timeout=60) as client:
        login = {"email": server.email, "password": server.password}
        token = client.post("/v0/account/auth/login", json=login).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        found = client.get("/v0/account/organizations").json()["organizations"]
        yield Organization(client, found[0]["id"])


@pytest.fixture(scope="module")
def invoices(organization: Organization) -> dict[str, str]:
    """A tag, and a prompt that runs on every document with it."""
    tag = organization.call("POST", "tags", json={"name": "invoices"})
    schema = organization.call("POST", "schemas", json={"name": "Invoice", "response_format": SCHEMA})
    prompt = organization.call(
        "POST",
        "prompts",
        json={
            "name": "Invoice fields",
            "content": "Extract the fields of the invoice.",
            "schema_id": schema["schema_id"],
            "schema_version": schema["schema_version"],
            "tag_ids": [tag["id"]],
        },
    )
    return {"tag": tag["id"], "prompt_revid": prompt["prompt_revid"]}


def open_document(page: Page, name: str) -> None:
    page.get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()


def open_find(page: Page) -> None:
    page.keyboard.press("Control+f")
    expect(page.get_by_role("textbox", name="Find in the document")).to_be_focused()


def field(page: Page, path: str) -> Locator:
    return page.locator(f'button[data-field$="/{path}"]:not([data-field^="default/"])')


def shown_page(page: Page, number: int) -> Locator:
    return page.locator(f'section[data-page="{number}"]')


def test_from_upload_to_a_verified_extraction(
    server: RunningServer,
    organization: Organization,
    invoices: dict[str, str],
    visit: tuple[Page, list[str]],
    tmp_path: Path,
) -> None:
    page, problems = visit
    sign_in(page, server)
    file = tmp_path / "Invoice of Northwind.pdf"
    file.write_bytes(pdf(*LETTER))
    page.get_by_role("checkbox", name="Find the values for me").uncheck()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=re.compile("Upload documents|Choose files")).first.click()
    chooser.value.set_files([file])
    open_document(page, file.name)
    summary = page.get_by_role("region", name="Document Summary")
    expect(summary.get_by_text(re.compile(r"\d values?: \d"))).to_be_visible()

    page.get_by_role("button", name="Add a tag").click()
    page.get_by_role("checkbox", name="invoices").check()
    page.keyboard.press("Escape")
    section = page.get_by_role("region", name="Invoice fields")
    section.get_by_role("button", name="Run", exact=True).click()
    expect(section.get_by_text(re.compile("^4 values: "))).to_be_visible()
    for name in ("invoice_number", "total"):
        expect(field(page, name).locator("span.underline")).to_be_visible()
    check_accessibility(page)

    a_value_goes_to_its_words_and_back(page)
    mistakes_are_said_where_they_are_typed(page, section)
    the_keyboard_is_enough(page, section)
    what_is_verified_stays(page, section)
    assert problems == []


def a_value_goes_to_its_words_and_back(page: Page) -> None:
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    expect(shown_page(page, 3)).to_have_count(0)
    field(page, "total").click()
    lit = shown_page(page, 3).locator('[data-mark="lit"]')
    expect(lit).to_have_count(1)
    expect(lit).to_be_in_viewport()
    expect(page.get_by_label("Page", exact=True)).to_have_value("3")

    page.get_by_label("Page", exact=True).fill("1")
    page.keyboard.press("Enter")
    number = shown_page(page, 1).get_by_text("2041", exact=True)
    expect(number).to_be_in_viewport()
    number.click()
    expect(field(page, "invoice_number")).to_have_attribute("aria-pressed", "true")
    expect(shown_page(page, 1).locator('[data-mark="lit"]')).to_have_count(1)
    expect(field(page, "invoice_number")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Invoice number")).to_have_value("2041")
    page.keyboard.press("Escape")


def mistakes_are_said_where_they_are_typed(page: Page, section: Locator) -> None:
    total = field(page, "total")
    total.focus()
    total.press("Enter")
    entry = section.get_by_role("textbox", name="Total")
    entry.fill("sixteen")
    entry.press("Enter")
    expect(section.get_by_role("alert")).to_contain_text("not a number")
    expect(entry).to_have_value("sixteen")
    check_accessibility(page)
    entry.fill("200000")
    entry.press("Enter")
    expect(section.get_by_role("alert").filter(has_text="200000")).to_be_visible()
    expect(total).to_have_attribute("data-mark", "check")
    row = section.locator(".group\\/field").filter(has=total)
    expect(row.locator('[data-sign="warning"]')).to_be_visible()
    expect(row.locator('[data-sign="checked"]')).to_have_count(0)
    expect(section.get_by_text(re.compile(r"^4 values: .*to check"))).to_be_visible()
    total.press("Enter")
    entry.fill("1")
    entry.press("Escape")
    expect(total).to_have_text("200,000.00")
    total.press("Enter")
    entry.fill("1.617,31 EUR")
    entry.press("Enter")
    expect(total).to_have_text("1,617.31")
    expect(section.get_by_role("alert")).to_have_count(0)
    expect(total).to_have_attribute("data-mark", "checked")
    expect(section.get_by_text(re.compile(r"^4 values: .*1 checked$"))).to_be_visible()


def the_keyboard_is_enough(page: Page, section: Locator) -> None:
    expect(field(page, "total")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field(page, "invoice_date")).to_be_focused()
    page.keyboard.press("v")
    expect(field(page, "invoice_date")).to_have_attribute("data-mark", "checked")
    field(page, "currency").press("Enter")
    section.get_by_role("combobox", name="Currency").select_option("USD")
    page.keyboard.press("Enter")
    expect(field(page, "currency")).to_have_text("USD")


def what_is_verified_stays(page: Page, section: Locator) -> None:
    section.get_by_role("button", name="Verify all").click()
    expect(field(page, "total")).to_have_attribute("data-mark", "checked")
    expect(section.get_by_text("Verified", exact=True).first).to_be_visible()
    page.reload()
    expect(field(page, "total")).to_have_attribute("data-mark", "checked")
    more = section.get_by_role("button", name="More for Invoice fields")
    look_into(
        page,
        more,
        page.get_by_role("button", name="Download", exact=True),
        page.get_by_role("button", name="Add a tag"),
        page.get_by_role("button", name=re.compile("^Zoom, ")),
    )
    more.click()
    page.get_by_role("menuitem", name="Revisions").click()
    expect(section.get_by_role("list", name="Revisions").get_by_text("by the model")).to_be_visible()
    section.get_by_role("button", name="More for Invoice fields").click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="JSON").click()
    assert "1617.31" in Path(saved.value.path()).read_text()


def test_find_rotate_zoom_and_text_also_on_a_scan(
    server: RunningServer, organization: Organization, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    name = "Scanned note.pdf"
    organization.upload(name, scanned_pdf("Order number PO-7783", "Thank you very much"))
    sign_in(page, server)
    held: list[Route] = []
    page.route("**/file?file_type=pdf", lambda route: held.append(route))
    with page.expect_request("**/file?file_type=pdf"):
        open_document(page, name)
    expect(shown_page(page, 1).locator("img")).to_be_visible()
    expect(page.get_by_text("Loading the document")).to_be_visible()
    held[0].continue_()
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    open_find(page)
    page.keyboard.type("thank you")
    expect(page.get_by_role("search").get_by_role("status")).to_have_text("1 of 1")
    expect(shown_page(page, 2).locator('[data-mark="current"]')).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("search")).to_have_count(0)

    page.get_by_role("button", name="Text", exact=True).click()
    expect(page.get_by_role("region", name=re.compile("Text of page"))).to_contain_text("Thank you very much")
    page.wait_for_function(IS_WIDE)
    page.get_by_role("button", name="Rotate pages").click()
    page.wait_for_function(f"() => !({IS_WIDE})()")
    expect(shown_page(page, 1).get_by_text("PO-7783")).to_be_attached()
    page.get_by_role("button", name="Larger").click()
    expect(page.get_by_role("button", name=re.compile("^Zoom, "))).to_be_visible()
    check_accessibility(page)
    assert problems == []


def test_a_long_document_draws_only_the_pages_that_are_near(
    server: RunningServer, organization: Organization, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    name = "A hundred pages.pdf"
    pages = [
        [f"Page {number}", *[f"Line {line} of page {number} says nothing much" for line in range(12)]]
        for number in range(1, 101)
    ]
    organization.upload(name, pdf(*pages))
    sign_in(page, server)
    open_document(page, name)
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    expect(page.get_by_text("of 100")).to_be_visible()
    expect(shown_page(page, 3)).to_have_count(0)
    expect(page.get_by_label("Page", exact=True)).to_have_value("1")
    page.get_by_role("region", name="Pages of the document").hover()
    canvases = []
    for _ in range(40):
        page.mouse.wheel(0, 1500)
        page.evaluate(TWO_FRAMES)
        canvases.append(page.locator("section[data-page] canvas").count())
    page.get_by_label("Page", exact=True).fill("87")
    page.keyboard.press("Enter")
    expect(shown_page(page, 87).locator("canvas")).to_be_visible()
    open_find(page)
    page.keyboard.type("line 5 of page 23")
    expect(page.get_by_role("search").get_by_role("status")).to_have_text("1 of 1")
    expect(shown_page(page, 23).locator('[data-mark="current"]')).to_be_in_viewport()
    assert max(canvases) <= MOST_CANVASES, canvases
    assert page.locator("section[data-page]").count() <= MOST_CANVASES
    page.keyboard.press("Escape")

    small = page.get_by_role("button", name="Go to page 24")
    expect(small.locator("span").first).to_have_css("background-image", re.compile("blob:"))
    small.click()
    expect(page.get_by_label("Page", exact=True)).to_have_value("24")
    check_accessibility(page)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Find a command").fill("line 7 of page 91")
    found = page.get_by_role("option", name=re.compile("page 91"))
    expect(found.locator("mark").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(shown_page(page, 91).locator("canvas")).to_be_visible()
    expect(page.get_by_label("Page", exact=True)).to_have_value("91")
    assert problems == []


def test_a_file_with_a_password_says_what_it_needs(
    server: RunningServer, organization: Organization, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    name = "Locked.pdf"
    organization.upload(name, pdf(["A secret total of 12"], password=PASSWORD), until="ocr_failed")
    sign_in(page, server)
    open_document(page, name)
    expect(page.get_by_text("This document could not be read.")).to_be_visible()
    check_accessibility(page)
    page.get_by_label("Password of the file").fill(PASSWORD)
    page.get_by_role("button", name="Read with this password").click()
    expect(page.get_by_text("This document could not be read.")).to_have_count(0)
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    expect(shown_page(page, 1).get_by_text("secret")).to_be_attached()
    assert problems == []


def build_with_drag_and_keys(page: Page) -> None:
    """Add a field of the schema between the two of a new form, move it up, and write one below it."""
    fields = page.get_by_role("region", name="Fields of the form")
    fields.get_by_label("From the fields of a schema").select_option("Invoice")
    fields.get_by_role("button", name="Add total").drag_to(
        fields.get_by_role("listitem").filter(has=page.get_by_label("Label of Remarks")),
        target_position={"x": 60, "y": 4},
    )
    expect(fields.get_by_role("textbox", name="Label of")).to_have_count(3)
    fields.get_by_label("Label of Total").press("Alt+ArrowUp")
    expect(fields.get_by_role("textbox", name="Label of").first).to_have_value("Total")
    expect(fields.get_by_label("Label of Total")).to_be_focused()
    expect(fields.get_by_text("Filled from Invoice fields: total")).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.type("Paid by")
    fields.get_by_label("Kind of Paid by").select_option("One of several")
    expect(page.get_by_role("region", name="Preview").get_by_label("Paid by")).to_be_visible()
    check_accessibility(page)


def test_forms_are_filled_from_the_extraction(
    server: RunningServer,
    organization: Organization,
    invoices: dict[str, str],
    visit: tuple[Page, list[str]],
) -> None:
    page, problems = visit
    source = {"promptRevId": invoices["prompt_revid"], "promptName": "Invoice fields"}
    components = [
        {"type": "textfield", "key": "number", "label": "Number", "validate": {"required": True}},
        {"type": "number", "key": "sum", "label": "Sum"},
        {"type": "signature", "key": "sign", "label": "Signature"},
    ]
    mapping = {
        "number": {"sources": [{**source, "schemaFieldPath": "invoice_number"}], "mappingType": "direct"},
        "sum": {"sources": [{**source, "schemaFieldPath": "total"}], "mappingType": "direct"},
    }
    name = "Invoice for the form.pdf"
    document_id = organization.upload(name, pdf(*LETTER), invoices["tag"])
    sign_in(page, server)
    go_to(page, "forms")
    page.get_by_role("button", name="Create form").click()
    page.get_by_label("Name", exact=True).fill("Payment order")
    build_with_drag_and_keys(page)
    editor = page.get_by_role("textbox", name="The form as JSON")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('{"json_formio": [{"key": "number"}]}')
    expect(page.get_by_role("alert")).to_contain_text("has no type")
    check_accessibility(page)
    page.get_by_role("button", name="Tags").click()
    page.get_by_role("checkbox", name="invoices").check()
    check_accessibility(page)
    page.keyboard.press("Escape")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(json.dumps({"json_formio": components, "json_formio_mapping": mapping}))
    preview = page.get_by_role("region", name="Preview")
    expect(preview.get_by_label("Sum")).to_be_visible()
    page.get_by_role("button", name="Create form").click()
    expect(page.get_by_role("button", name="Save new version")).to_be_visible()

    page.get_by_role("link", name="Documents", exact=True).first.click()
    open_document(page, name)
    page.get_by_role("tab", name="Forms").click()
    form = page.get_by_role("form", name="Payment order")
    expect(form.get_by_label("Number (needed)")).to_have_value("2041")
    expect(form.get_by_label("Sum")).to_have_value("1617.3")
    expect(form.get_by_text("signature")).to_be_visible()
    check_accessibility(page)
    form.get_by_label("Number (needed)").fill("")
    form.get_by_role("button", name="Submit").click()
    expect(form.get_by_text("This is needed.")).to_be_visible()
    form.get_by_label("Number (needed)").fill("2042")
    form.get_by_label("Sum").fill("12.50")
    form.get_by_role("button", name="Submit").click()
    expect(form.get_by_role("button", name="Update")).to_be_visible()
    form_revid = organization.call("GET", "forms")["forms"][0]["form_revid"]
    stored = organization.call("GET", f"forms/submissions/{document_id}?form_revid={form_revid}")
    assert stored["submission_data"] == {"number": "2042", "sum": 12.5}
    form.get_by_role("button", name="Delete the submission").click()
    expect(form.get_by_label("Number (needed)")).to_have_value("2041")
    assert problems == []


def test_on_a_phone_and_in_the_dark(
    server: RunningServer,
    organization: Organization,
    invoices: dict[str, str],
    visit: tuple[Page, list[str]],
) -> None:
    page, problems = visit
    name = "Invoice on the phone.pdf"
    organization.upload(name, pdf(*LETTER), invoices["tag"])
    page.emulate_media(color_scheme="dark")
    sign_in(page, server)
    open_document(page, name)
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    expect(field(page, "total")).to_be_visible()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    check_accessibility(page)

    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("tab", name="Document").click()
    expect(shown_page(page, 1).locator("canvas")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("tab", name="Extraction").click()
    field(page, "total").click()
    expect(shown_page(page, 3).locator('[data-mark="lit"]')).to_be_in_viewport()
    fits_the_window(page)
    assert problems == []
