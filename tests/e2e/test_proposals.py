"""What the agent prepares by itself: wished for at the upload, looked through by keyboard, and decided once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser.agent_page import Caller, as_newcomer
from tests.support.browser.web import begin_at, check_accessibility, fits_the_window, go_to, sign_in, upload
from tests.support.made.documents import base64_of, pdf
from tests.support.services.server import RunningServer

WISH = "Find the values for me"


@pytest.fixture
def server(deployment: RunningServer) -> RunningServer:
    """In an organisation that only this test knows, because a schema of one would fit the documents of another."""
    return as_newcomer(deployment)


class Office:
    """The organisation beside the browser: what is uploaded and decided by programs."""

    def __init__(self, server: RunningServer) -> None:
        self._caller = Caller(server)
        (self.organization,) = self._caller.call("GET", "/v0/account/organizations")["organizations"]
        self._root = f"/v0/orgs/{self.organization['id']}"

    def call(self, method: str, path: str, body: Any = None) -> Any:
        return self._caller.call(method, f"{self._root}{path}", body)

    def prepared(self, *documents: tuple[str, bytes]) -> dict[str, str]:
        """Upload documents, and wait until the agent is done with each. Return their ids by name."""
        sent = [
            {"name": name, "content": base64_of(content), "auto_create": True} for name, content in documents
        ]
        self.call("POST", "/documents", {"documents": sent})
        self._caller.wait_for(
            lambda: all(one["auto_create_status"] not in (None, "running") for one in self.documents())
        )
        return {one["document_name"]: one["id"] for one in self.documents()}

    def documents(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.call("GET", "/documents?limit=100")["documents"]
        return found


def invoice(number: int) -> bytes:
    lines = ["Harbour Supplies Ltd", "INVOICE", f"Invoice number: H-{number}", "Invoice date: 2026-03-14"]
    return pdf([*lines, "Customer: Lindqvist & Daughters", f"Total: {number}.50 EUR"])


def delivery_note() -> bytes:
    return pdf(
        ["Delivery note", "Delivery number: 4711", "Delivery date: 2026-03-14", "Carrier: Northern Lines"]
    )


def banner(page: Page) -> Locator:
    return page.get_by_role("region", name="Proposal", exact=True)


def line(page: Page, name: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=name).get_by_role("link")


def look_through_by_keyboard(page: Page) -> None:
    """Go to and fro, take one out and back, open one and come back."""
    group = page.get_by_role("region", name="Invoice, 5 documents")
    expect(group).to_contain_text("Invoice number")
    first, second = line(page, "Harbour 1.pdf"), line(page, "Harbour 2.pdf")
    values = page.get_by_role("region", name="Proposed values")
    expect(first).to_be_focused()
    expect(values.get_by_role("button", name="Invoice number: H-1001")).to_be_visible()
    expect(page.get_by_role("region", name="Pages of the document")).to_be_visible()
    check_accessibility(page)
    page.keyboard.press("j")
    expect(second).to_be_focused()
    expect(values.get_by_role("button", name="Invoice number: H-1002")).to_be_visible()
    page.keyboard.press("x")
    expect(group).to_contain_text("4 of 5 documents")
    page.keyboard.press("ArrowDown")
    expect(line(page, "Harbour 3.pdf")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("Space")
    expect(group.get_by_role("button", name="Accept 5 documents")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Harbour 2.pdf", level=1)).to_be_visible()
    page.go_back()
    expect(second).to_be_focused()


def test_five_are_uploaded_reviewed_by_keyboard_and_accepted_with_a_tag_that_does_the_sixth(
    server: RunningServer, visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, problems = visit
    sign_in(page, server)
    files = [tmp_path / f"Harbour {number}.pdf" for number in range(1, 7)]
    for number, file in enumerate(files, start=1):
        file.write_bytes(invoice(1000 + number))
    wish = page.get_by_role("checkbox", name=WISH)
    expect(wish).to_be_checked()
    upload(page, *files[:5])
    expect(page.get_by_role("link", name="Proposed")).to_have_count(5)
    check_accessibility(page)
    page.get_by_role("link", name="Look at 1 kind").click()

    expect(page.get_by_role("heading", name="Proposals", level=1)).to_be_visible()
    look_through_by_keyboard(page)
    page.keyboard.press("t")
    tag = page.get_by_role("dialog", name="Accept and tag").get_by_label("Tag", exact=True)
    expect(tag).to_be_focused()
    check_accessibility(page)
    tag.fill("harbour")
    page.keyboard.press("Enter")
    told = "Accepted 5 documents. Documents with the tag “harbour” are processed by themselves from now on."
    expect(page.get_by_text(told)).to_be_visible()
    expect(page.get_by_text("No proposal waits for you.")).to_be_visible()
    check_accessibility(page)

    page.get_by_role("link", name="Documents", exact=True).click()
    expect(page.get_by_role("row", name="Harbour 4.pdf")).to_contain_text("harbour")
    expect(page.get_by_role("link", name="Proposed")).to_have_count(0)
    wish.uncheck()
    page.get_by_role("button", name="Tag new ones").click()
    page.get_by_role("checkbox", name="harbour", exact=True).check()
    page.keyboard.press("Escape")
    upload(page, files[5])
    sixth = page.get_by_role("row", name="Harbour 6.pdf")
    expect(sixth).to_contain_text("6 values: ")
    sixth.get_by_role("link", name="Harbour 6.pdf").click()
    expect(page.get_by_role("button", name="Invoice number: H-1006")).to_be_visible()
    expect(banner(page)).to_have_count(0)
    assert problems == []


def test_single_documents_are_taken_out_rejected_and_brought_back(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    office = Office(server)
    office.prepared(*((f"Harbour {number}.pdf", invoice(1000 + number)) for number in range(1, 4)))
    begin_at(page, server, "proposals")
    expect(page.get_by_role("link", name=re.compile(r"Inbox\W+3 waiting"))).to_be_visible()
    group = page.get_by_role("region", name="Invoice, 3 documents")
    expect(line(page, "Harbour 1.pdf")).to_be_focused()
    expect(page.get_by_role("button", name="Invoice number: H-1001")).to_be_visible()
    page.keyboard.press("r")
    expect(page.get_by_text("Rejected “Harbour 1.pdf”.")).to_be_visible()
    expect(line(page, "Harbour 1.pdf")).to_have_count(0)
    expect(line(page, "Harbour 2.pdf")).to_be_focused()
    page.route("**/documents/*", lambda _: None)
    page.get_by_role("button", name="Undo").click()
    expect(line(page, "Harbour 1.pdf")).to_be_visible()

    group.get_by_role("checkbox", name="Decide on Harbour 2.pdf with its group").uncheck()
    expect(group.get_by_role("button", name="Accept 2 documents")).to_be_disabled()
    page.keyboard.press("a")
    page.unroute("**/documents/*")
    expect(page.get_by_text("Accepted 2 documents.")).to_be_visible()
    rest = page.get_by_role("region", name="Invoice, 1 document")
    expect(rest).to_contain_text("exists already")
    rest.get_by_role("button", name="Reject 1 document").click()
    expect(page.get_by_text("No proposal waits for you.")).to_be_visible()
    status = {one["document_name"]: one["auto_create_status"] for one in office.documents()}
    assert status == {"Harbour 1.pdf": "accepted", "Harbour 2.pdf": "rejected", "Harbour 3.pdf": "accepted"}
    assert len(office.call("GET", "/schemas")["schemas"]) == 1
    assert problems == []


def test_a_key_pressed_while_the_group_before_is_being_accepted_counts(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    office = Office(server)
    office.prepared(("Harbour 1.pdf", invoice(1001)), ("Delivery.pdf", delivery_note()))
    begin_at(page, server, "proposals")
    expect(page.get_by_role("button", name="Accept 1 document")).to_have_count(2)
    page.route("**/auto_create/accept", lambda _: None)
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Accepting")).to_have_count(1)
    page.keyboard.press("a")
    page.unroute("**/auto_create/accept")
    expect(page.get_by_text("No proposal waits for you.")).to_be_visible()
    assert {one["auto_create_status"] for one in office.documents()} == {"accepted"}
    assert problems == []


def test_a_document_shows_what_is_proposed_how_it_was_made_and_what_accepting_changes(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    office = Office(server)
    (document_id,) = office.prepared(("Delivery.pdf", delivery_note())).values()
    sign_in(page, server)
    page.get_by_role("row", name="Delivery.pdf").get_by_role("link", name="Proposed").click()
    expect(banner(page)).to_contain_text(re.compile(r"“Delivery note”: \d fields, \d values"))
    proposed = page.get_by_role("region", name="Delivery note")
    expect(proposed.get_by_text("Proposed", exact=True)).to_be_visible()
    proposed.get_by_role("button", name="Delivery date: 2026-03-14").click()
    expect(page.locator('[data-mark="lit"]')).to_have_count(1)
    check_accessibility(page)

    banner(page).get_by_role("button", name="What accepting changes").click()
    changes = banner(page).get_by_role("list", name="Changes")
    expect(changes).to_contain_text("New schema “Delivery note”")
    expect(changes.get_by_role("list", name="Fields")).to_contain_text("delivery_date")
    expect(changes).to_contain_text("New prompt")
    expect(changes).to_contain_text("Result of this document")
    check_accessibility(page)

    banner(page).get_by_role("button", name="Show how it was made").click()
    replay = banner(page).get_by_role("group", name="How it was made")
    expect(replay).to_be_focused()
    place = replay.get_by_role("status")
    expect(place).to_have_text(re.compile(r"Step 1 of \d+"))
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(re.compile(r"Step 2 of \d+"))
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_text(re.compile(r"Step 1 of \d+"))
    expect(replay).not_to_contain_text("Created schema")
    steps = int(place.inner_text().split(" of ")[1])
    for _ in range(steps - 1):
        replay.get_by_role("button", name="Next").click()
    expect(place).to_have_text(f"Step {steps} of {steps}")
    expect(replay).to_contain_text("Created schema")
    expect(replay.get_by_role("button", name="Undo")).to_have_count(0)
    check_accessibility(page)
    replay.get_by_role("button", name="Play").click()
    expect(replay.get_by_role("button", name="Pause")).to_be_visible()

    assert office.call("GET", "/schemas")["schemas"] == []
    banner(page).get_by_role("button", name="Keep", exact=True).click()
    told = "Accepted. The result is kept, and so are schema “Delivery note” and its prompt."
    expect(banner(page)).to_contain_text(told)
    expect(page.get_by_role("heading", name="Delivery note", level=2)).to_be_visible()
    expect(page.get_by_text("Proposed", exact=True)).to_have_count(0)
    check_accessibility(page)
    go_to(page, "schemas")
    expect(page.get_by_role("link", name="Delivery note")).to_be_visible()
    go_to(page, f"documents/{document_id}")
    expect(page.get_by_role("heading", name="Delivery note", level=2)).to_be_visible()
    expect(banner(page)).to_have_count(0)
    assert problems == []


def test_a_proposal_is_rejected_brought_back_and_refined_in_the_conversation(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    office = Office(server)
    (document_id,) = office.prepared(("Delivery.pdf", delivery_note())).values()
    begin_at(page, server, f"documents/{document_id}")
    value = page.get_by_role("button", name="Delivery date: 2026-03-14")
    expect(value).to_be_visible()
    banner(page).get_by_role("button", name="Not this").click()
    expect(banner(page)).to_contain_text("The proposal was rejected.")
    expect(value).to_have_count(0)
    check_accessibility(page)
    banner(page).get_by_role("button", name="Undo").click()
    expect(value).to_be_visible()
    banner(page).get_by_role("button", name="Change fields").click()
    expect(page.get_by_role("textbox", name="Message to the agent")).to_be_focused()
    expect(page.get_by_role("log", name="Conversation")).to_contain_text("Created schema")
    assert problems == []


def test_a_failure_says_why_and_is_tried_again(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    office = Office(server)
    refusal = {"tool": "create_schema", "effect": "deny", "scope": "everyone"}
    rule = office.call("POST", "/agent/rules", refusal)
    (document_id,) = office.prepared(("Delivery.pdf", delivery_note())).values()
    sign_in(page, server)
    mark = page.get_by_role("row", name="Delivery.pdf").get_by_role("link", name="Failed to prepare")
    mark.click()
    expect(banner(page)).to_contain_text("The agent could not prepare a proposal.")
    expect(banner(page)).to_contain_text(office.documents()[0]["auto_create_error"])
    check_accessibility(page)
    office.call("DELETE", f"/agent/rules/{rule['id']}")
    banner(page).get_by_role("button", name="Try again").click()
    expect(banner(page)).to_contain_text("“Delivery note”: ")
    assert office.call("GET", f"/documents/{document_id}")["auto_create_status"] == "proposed"
    assert problems == []


def test_the_wish_is_remembered_and_sent_either_way(
    server: RunningServer, visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, problems = visit
    begin_at(page, server, "documents")
    wish = page.get_by_role("checkbox", name=WISH)
    expect(wish).to_be_checked()
    wish.uncheck()
    page.reload()
    expect(wish).not_to_be_checked()
    file = tmp_path / "Delivery.pdf"
    file.write_bytes(delivery_note())
    upload(page, file)
    expect(page.get_by_role("row", name=file.name)).to_contain_text("Summarised")
    assert [one["auto_create"] for one in Office(server).documents()] == [False]
    wish.check()
    page.reload()
    expect(wish).to_be_checked()
    assert problems == []


def test_proposals_are_accessible_in_the_dark_and_on_a_phone(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    page.emulate_media(color_scheme="dark")
    (document_id,) = Office(server).prepared(("Delivery.pdf", delivery_note())).values()
    begin_at(page, server, "proposals")
    beside, opened = (
        page.get_by_role("region", name="Proposed values"),
        page.get_by_role("heading", name="Delivery.pdf", level=1),
    )
    expect(beside).to_be_visible()
    for path, shown in (
        ("proposals", line(page, "Delivery.pdf")),
        ("documents", page.get_by_role("link", name="Proposed")),
        (f"documents/{document_id}", opened),
    ):
        go_to(page, path)
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            expect(shown).to_be_visible()
            expect(page.get_by_text(re.compile("^Loading "))).to_have_count(0)
            fits_the_window(page)
            check_accessibility(page)
    go_to(page, "proposals")
    line(page, "Delivery.pdf").click()
    expect(opened).to_be_visible()
    assert problems == []
