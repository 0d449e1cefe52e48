"""One thread from files to a sheet: every page of it leads on, and one button is the next step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.e2e.agent.test_agent_panel import CLICKS, COUNT_CLICKS
from tests.e2e.test_proposals import Office, invoice
from tests.support.browser.agent_page import as_newcomer
from tests.support.browser.desk import Desk
from tests.support.browser.web import (
    add_sample,
    begin_at,
    check_accessibility,
    fits_the_window,
    go_to,
    login_link,
    sign_in,
    upload,
)
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

PHONE = ViewportSize(width=390, height=780)
ZOOMED = ViewportSize(width=640, height=400)
"""A laptop at 200 %."""
DESK = ViewportSize(width=1280, height=800)


@pytest.fixture
def server(deployment: RunningServer) -> RunningServer:
    """In an organisation that only this test knows, because the thread counts all documents of one."""
    return as_newcomer(deployment)


def thread(page: Page) -> Locator:
    return page.get_by_role("navigation", name="From files to sheets")


def looks_right(page: Page) -> None:
    """Nothing is wrong in light and dark, and nothing is too wide on a phone."""
    check_accessibility(page)
    page.emulate_media(color_scheme="dark")
    check_accessibility(page)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    fits_the_window(page)
    check_accessibility(page)
    page.set_viewport_size(DESK)


def test_a_pile_becomes_a_checked_sheet_in_seven_clicks(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    office = Office(server)
    office.prepared(*((f"Harbour {number}.pdf", invoice(1000 + number)) for number in range(1, 4)))
    begin_at(page, server, "documents")
    for told in ("3 files", "3 read", "1 kind", "0 values to check"):
        expect(thread(page)).to_contain_text(told)
    looks_right(page)
    thread(page).get_by_role("link", name="Look at 1 kind").click()
    expect(page.get_by_role("heading", name="Proposals", level=1)).to_be_visible()
    page.get_by_role("button", name="Accept 3 documents").click()
    expect(page.get_by_text("No proposal waits for you.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name=re.compile("^(Check|Open)"))).not_to_have_count(
        0
    )

    (queue,) = [one for one in office.call("GET", "/review")["queues"] if one["prompt_id"] != "default"]
    assert queue["mode"] == "doubtful", "what was set up from a proposal is checked without another word"
    policy = {"mode": "doubtful", "threshold": 1.0}  # no value is as sure as that
    office.call("PUT", f"/review/{queue['prompt_id']}", policy)
    page.reload()
    looks_right(page)
    check = thread(page).get_by_role("link", name=re.compile(r"Check \d+ values"))
    count = int(check.inner_text().split()[1])
    check.click()
    for left in (2, 1, 0):
        page.get_by_role("button", name="Accept document").click()
        expect(thread(page)).to_contain_text(f"{count * left // 3} values to check")
    expect(page.get_by_text("Nothing is left to check.")).to_be_visible()
    looks_right(page)
    thread(page).get_by_role("link", name="Open the sheet").click()
    expect(thread(page)).to_contain_text("Done: Invoice, 3 documents, 3,007.50")
    expect(page.get_by_text(re.compile(r"\d+ values: .*\d+ checked"))).to_be_visible()
    looks_right(page)
    thread(page).get_by_role("button", name="Export").click()
    with page.expect_download() as started:
        page.get_by_role("menuitem", name=re.compile("Excel")).click()
    assert started.value.suggested_filename == "Invoice.xlsx"
    assert problems == []


def test_values_that_nobody_checks_yet_are_checked_from_their_sheet(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    desk = Desk(server, "Bills", {"total": {"type": "number"}, "seller": {"type": "string"}})
    desk.document("bill.pdf", pdf(["Total: 12.50"]))
    sheet = f"/sheets/{desk.prompt['prompt_id']}"
    desk.until(lambda: desk.call("GET", sheet)["total_count"] == 1)
    begin_at(page, server, sheet[1:])
    missing = page.get_by_role("gridcell").nth(1)
    expect(missing.locator('[data-sign="warning"]')).to_be_visible()
    expect(page.get_by_text(re.compile("2 values: .*1 to check"))).to_be_visible()
    thread(page).get_by_role("link", name="Check 1 value").click()
    expect(page.get_by_text("Nobody checks the values of this prompt yet.")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Check the doubtful values").click()
    card = page.get_by_role("region", name="Doubtful value")
    expect(card).to_be_visible()
    expect(thread(page)).to_contain_text("1 value to check")

    page.set_viewport_size(PHONE)
    paper = page.get_by_role("region", name="The page", exact=True)
    total = page.get_by_role("button", name="Total: 12.50")
    total.click()
    lit = paper.locator('[data-mark="lit"]')
    expect(lit).to_be_in_viewport()
    expect(card).to_have_count(0)
    fits_the_window(page)
    check_accessibility(page)
    paper.get_by_role("button", name="Hide the page").click()
    expect(lit).to_have_count(0)
    paper.get_by_role("button", name="Show the page").click()
    page.get_by_role("button", name=re.compile("^Seller")).first.click()
    page.set_viewport_size(ZOOMED)
    fits_the_window(page)
    check_accessibility(page)
    seller = page.get_by_role("button", name=re.compile("^Seller")).first
    for value in (total, seller):
        value.click(trial=True)  # neither the card nor the page covers it
        expect(card).to_be_in_viewport(ratio=0.9)
        expect(paper).to_be_in_viewport(ratio=0.9)
    page.set_viewport_size(PHONE)
    go_to(page, sheet[1:])
    page.get_by_role("gridcell").first.click()
    expect(lit).to_be_in_viewport()
    fits_the_window(page)
    check_accessibility(page)
    assert problems == []


def test_two_sheets_of_alike_papers_become_one_in_two_clicks_and_two_again(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    text, number = {"type": "string"}, {"type": "number"}
    bills = Desk(server, "Bills", {"invoice_number": text, "seller": text, "total": number, "due_date": text})
    invoices = Desk(server, "Invoices", {"invoice_no": text, "seller": text, "total": number, "iban": text})
    for desk, name in ((bills, "first"), (bills, "second"), (invoices, "third")):
        desk.document(f"{name}.pdf", pdf(["Invoice number: H-7", "Total: 12.50"]))
    page.add_init_script(COUNT_CLICKS)
    begin_at(page, server, "sheets")
    offer = page.get_by_role("region", name="Merge Invoices into Bills")
    expect(offer).to_contain_text("2 + 1 documents: “Bills” and “Invoices” share 3 fields.")
    offer.get_by_role("button", name="Show the columns").click()
    columns = offer.get_by_role("table", name="The columns of the merged sheet").get_by_role("row")
    expect(columns).to_have_text(
        [
            "Merged sheetBillsInvoices",
            "Invoice numberInvoice numberInvoice no",
            "SellerSellerSeller",
            "TotalTotalTotal",
            "Due dateDue dateempty",
            "IbanemptyIban",
        ]
    )
    looks_right(page)
    offer.get_by_role("button", name="Merge", exact=True).click()
    expect(offer).to_have_count(0)
    assert page.evaluate(CLICKS) == 2
    page.get_by_role("table", name="Sheets").get_by_role("link", name="Bills").click()
    expect(page.get_by_text("1 document was merged into this sheet.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("link", name="third.pdf")).to_be_visible()
    looks_right(page)
    page.get_by_role("button", name="Undo the merge").click()
    expect(page.get_by_role("main").get_by_role("link", name="third.pdf")).to_have_count(0)
    expect(page.get_by_text("Both sheets are restored, with 1 document moved back.")).to_be_visible()
    assert problems == []


def test_values_of_an_own_file_are_there_after_four_clicks(
    server: RunningServer, visit: tuple[Page, list[str]], tmp_path: Path
) -> None:
    page, problems = visit
    page.add_init_script(COUNT_CLICKS)
    file = tmp_path / "Harbour.pdf"
    file.write_bytes(invoice(1001))
    page.goto(login_link(server))
    upload(page, file)
    look = thread(page).get_by_role("link", name="Look at 1 kind")
    expect(look).to_be_visible()
    look.click()
    expect(page.get_by_role("button", name="Invoice number: H-1001")).to_be_visible()
    assert page.evaluate(CLICKS) <= 4
    assert problems == []


def test_a_document_that_was_only_read_gets_its_values_as_one_card(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    sign_in(page, server)
    add_sample(page, "An invoice")
    expect(thread(page).get_by_role("button", name="Find the values")).to_be_visible()
    page.get_by_role("row").get_by_role("link", name="Invoice 2041.pdf").click()
    page.get_by_role("tabpanel").get_by_role("button", name="Find the values").click()
    banner = page.get_by_role("region", name="Proposal", exact=True)
    expect(banner).to_contain_text(re.compile(r"“Invoice”: \d+ fields, 27 values"))
    expect(banner.get_by_role("button", name="Change fields")).to_be_visible()
    check_accessibility(page)
    assert problems == []
