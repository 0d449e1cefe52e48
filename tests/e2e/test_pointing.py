"""Point and fill: words and rows on a page become values with their places, and the next document profits."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect
from reportlab.pdfgen.canvas import Canvas

from tests.support.browser.desk import Desk
from tests.support.browser.web import IS_WIDE, check_accessibility, open_session
from tests.support.services.server import RunningServer

ROWS = [("2", "Copper pipe", "5.00", "10.00"), ("3", "Elbow", "10.00", "30.00")]
LINE = {
    "description": {"type": ["string", "null"]},
    "quantity": {"type": ["number", "null"]},
    "amount": {"type": ["number", "null"]},
}
PROPERTIES: dict[str, Any] = {
    "reference": {"type": ["string", "null"]},
    "security": {"type": ["number", "null"]},
    "lines": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": LINE,
            "required": list(LINE),
            "additionalProperties": False,
        },
    },
}


def invoice(number: int, rows: Sequence[tuple[str, ...]] = ROWS) -> bytes:
    """A page whose second figure is what the person wants, and a table."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(612, 792))
    for place, text in enumerate((f"Northwind Ltd {number}", "Rental 40.00", "Held back 40.00")):
        canvas.drawString(72, 720 - 20 * place, text)
    for down, row in enumerate((("Qty", "Item", "Price", "Amount"), *rows)):
        for across, text in enumerate(row):
            canvas.drawString(72 + 110 * across, 600 - 20 * down, text)
    canvas.save()
    return target.getvalue()


@pytest.fixture(scope="module")
def desk(server: RunningServer) -> Desk:
    return Desk(server, "Rentals", PROPERTIES)


def rental(desk: Desk, number: int) -> str:
    return desk.document(f"rental-{number}.pdf", invoice(number))


def printed(page: Page, text: str, nth: int = 0) -> FloatRect:
    """Where a word of the first page is seen, once it stands still."""
    word = page.locator('section[data-page="1"] span').get_by_text(text, exact=True).nth(nth)
    word.scroll_into_view_if_needed()
    box = word.bounding_box()
    assert box
    return box


def field(page: Page, path: str) -> Locator:
    return page.locator(f'button[data-field$="/{path}"]:not([data-field^="default/"])')


def test_a_value_and_the_rows_of_a_table_are_pointed_at(
    desk: Desk, server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    document_id = rental(desk, 1)
    open_session(page, server)
    page.goto(f"{server.url}/orgs/{desk.organization}/documents/{document_id}")
    expect(page.locator('section[data-page="1"] span').first).to_be_attached()
    page.get_by_role("button", name="Rotate pages").click()
    page.wait_for_function(IS_WIDE)

    field(page, "security").dblclick()
    hint = page.get_by_role("status").filter(has_text="Click a word, or drag over words")
    expect(hint).to_contain_text("Security")
    check_accessibility(page)
    word = printed(page, "40.00", nth=1)
    page.mouse.click(word["x"] + word["width"] / 2, word["y"] + word["height"] / 2)
    expect(page.get_by_role("textbox", name="Security")).to_have_value(re.compile("^40"))
    expect(page.get_by_role("textbox", name="Security")).to_be_focused()
    page.keyboard.press("Enter")
    expect(hint).to_be_hidden()
    expect(field(page, "security")).to_have_accessible_name(re.compile("Pointed at on page 1"))
    expect(page.locator('[data-mark="lit"]')).to_be_visible()

    page.get_by_role("button", name="Take rows from the page").click()
    first, last = printed(page, "Qty"), printed(page, "30.00")
    left, right = min(first["x"], last["x"]), max(first["x"] + first["width"], last["x"] + last["width"])
    top, bottom = min(first["y"], last["y"]), max(first["y"] + first["height"], last["y"] + last["height"])
    page.mouse.move(left - 3, top - 3)
    page.mouse.down()
    page.mouse.move(right + 3, bottom + 3, steps=3)
    page.mouse.up()
    expect(page.get_by_role("status").filter(has_text="2 rows read from the page")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name=re.compile("^(Replace|Keep) ")).click()
    expect(field(page, "lines.1.amount")).to_have_accessible_name(re.compile("Pointed at on page 1"))
    stored = desk.result(document_id)
    assert stored["updated_llm_result"]["security"] == 40
    assert stored["updated_llm_result"]["lines"] == [
        {"description": "Copper pipe", "quantity": 2, "amount": 10},
        {"description": "Elbow", "quantity": 3, "amount": 30},
    ]

    page.get_by_role("button", name="Take rows from the page").click()
    page.locator("[data-pointing]").first.hover()
    page.get_by_role("region", name="Pages of the document").focus()
    page.keyboard.press("Escape")
    expect(page.locator("[data-pointing]")).to_have_count(0)
    assert not complaints


def test_a_correction_teaches_the_next_document_and_it_says_so(
    desk: Desk, server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, complaints = visit
    first = rental(desk, 2)
    prompt_id = desk.prompt["prompt_id"]
    desk.edit(first, "security", 40.0)
    desk.verify(first)
    learnt = desk.until(lambda: desk.call("GET", f"/learning/{prompt_id}")["documents"])
    assert "security" in [one["path"] for one in learnt[0]["fields"]]
    second = rental(desk, 3)

    open_session(page, server)
    page.goto(f"{server.url}/orgs/{desk.organization}/documents/{second}")
    expect(field(page, "security")).to_have_text("40.00")
    expect(page.get_by_text(re.compile("Learnt from .* of this layout"))).to_be_visible()
    page.goto(f"{server.url}/orgs/{desk.organization}/prompts/{prompt_id}")
    page.get_by_role("tab", name="Learnt").click()
    expect(page.get_by_role("listitem").filter(has_text="Security").first).to_contain_text("learnt from")
    check_accessibility(page)
    page.get_by_role("button", name="Forget everything").click()
    expect(page.get_by_text("for every prompt of the organisation?")).to_be_visible()
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="Forget what rental-2.pdf taught").click()
    expect(page.get_by_role("button", name="Forget what rental-2.pdf taught")).to_be_hidden()
    assert not complaints
