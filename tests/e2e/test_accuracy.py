"""The accuracy of a prompt: measured on verified documents, a draft tried and compared before it is saved."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser.desk import Desk
from tests.support.browser.web import check_accessibility, open_session
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

PROPERTIES: dict[str, Any] = {
    "key": {"type": ["string", "null"]},
    "total": {"type": ["number", "null"], "description": "Total of the invoice"},
}
BETTER = {**PROPERTIES, "key": {"type": ["string", "null"], "description": "Invoice number"}}


def test_a_draft_is_tried_compared_and_every_error_is_one_click_from_its_words(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    desk = Desk(server, "Invoices", PROPERTIES)
    # What the documents teach each other would make up for the schema.
    desk.call("PUT", "/learning", {"enabled": False})
    for number in (2041, 2042, 2043):
        lines = [f"Invoice number: INV-{number}", "Seller: Northwind Ltd", f"Total: {number - 1000}.50"]
        document_id = desk.document(f"inv-{number}.pdf", pdf(lines))
        desk.edit(document_id, "key", f"INV-{number}")
        desk.verify(document_id)
    desk.save_schema("Invoices", BETTER, desk.schema["schema_id"])

    open_session(page, server)
    page.goto(f"{server.url}/orgs/{desk.organization}/prompts/{desk.prompt['prompt_id']}/accuracy")
    expect(page.get_by_text("Nothing was measured yet")).to_be_visible()
    expect(page.get_by_role("region", name="Straight through")).to_contain_text("verified value")
    check_accessibility(page)
    page.get_by_role("button", name="Measure on 3 verified documents").click()
    fields = page.get_by_role("table", name="Accuracy by field")
    expect(fields.get_by_role("row").filter(has_text="Total")).to_contain_text("100 %")
    fields.get_by_role("button", name=re.compile("3 missed")).click()
    expect(page.get_by_role("list", name="What it got wrong of Key").get_by_role("listitem")).to_have_count(3)
    check_accessibility(page)

    page.get_by_role("link", name="Open prompt").click()
    page.get_by_role("button", name="Use version 2").click()
    page.get_by_role("tab", name="Accuracy").click()
    page.get_by_role("button", name="Try on 3 verified documents").click()
    expect(page.get_by_text(re.compile("1 field better, 0 worse, on 3 documents"))).to_be_visible()
    check_accessibility(page)
    page.get_by_role("table", name="Values that only one of the runs got right").get_by_role(
        "link", name="inv-2041.pdf"
    ).click()
    expect(page.get_by_role("heading", name="inv-2041.pdf", level=1)).to_be_visible()
    expect(page.locator('[data-mark="lit"]')).to_be_visible()

    page.goto(f"{server.url}/orgs/{desk.organization}/prompts/{desk.prompt['prompt_id']}/accuracy")
    expect(page.get_by_role("img", name=re.compile("Accuracy over 2 runs"))).to_be_visible()
    page.get_by_label("Compare with").select_option(index=1)
    expect(page.get_by_role("table", name="Fields that got better or worse")).to_contain_text("better")
    check_accessibility(page)
    assert not complaints
