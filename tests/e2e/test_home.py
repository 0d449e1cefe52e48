"""Home: what waits, a card for each kind, accuracy and usage as charts that a screen reader reads as tables."""

from __future__ import annotations

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.support.browser.agent_page import as_newcomer
from tests.support.browser.desk import Desk
from tests.support.browser.web import begin_at, check_accessibility, fits_the_window
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer

FIELDS = {
    "invoice_date": {"type": "string", "format": "date"},
    "total": {"type": "number"},
    "supplier": {"type": "string"},
}
BILLS = {"May.pdf": ("2026-05-14", "120.50"), "July.pdf": ("2026-07-02", "80.00")}


def test_home_shows_what_waits_and_what_there_is_of_each_kind(
    deployment: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    server = as_newcomer(deployment)
    begin_at(page, server, "")
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    expect(page.get_by_text("Drop documents here")).to_be_visible()
    check_accessibility(page)

    desk = Desk(server, "Bills", FIELDS)
    ids = [
        desk.document(name, pdf([f"Invoice date: {day}", f"Total: {total}", "Thank you"]))
        for name, (day, total) in BILLS.items()
    ]
    prompt_id = desk.prompt["prompt_id"]
    desk.call("PUT", f"/review/{prompt_id}", {"mode": "doubtful"})
    desk.verify(ids[0])
    run = desk.call("POST", "/accuracy/runs", {"prompt_id": prompt_id})
    desk.until(lambda: desk.call("GET", f"/accuracy/runs/{run['id']}")["run"]["state"] == "done")
    page.reload()
    kind = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name="Bills"))
    expect(kind).to_contain_text(re.compile("2 documents.*50 % sure.*1 document to check"))
    expect(kind.get_by_role("link", name="July.pdf").locator("img")).to_be_visible()
    months = page.get_by_role("table", name="Bills: Total by month")
    assert [row.split() for row in months.get_by_role("row").all_inner_texts()][1:] == [
        ["May", "26", "120.50"],
        ["Jun", "26", "0.00"],
        ["Jul", "26", "80.00"],
    ]
    waiting = page.get_by_role("list", name="Waits for you")
    expect(waiting.get_by_role("link")).to_have_text(["1 document to review: Bills"])
    expect(page.get_by_role("link", name="Inbox, 1 waiting")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Accuracy of Bills: .* now, 1 version"))).to_be_visible()
    pages = page.get_by_role("region", name="Pages by day")
    expect(pages.get_by_role("img", name=re.compile("Pages by day: 2 in 30 days"))).to_be_visible()
    pages.get_by_role("button", name="Show as a table").click()
    expect(pages.get_by_role("table", name="Pages by day")).to_be_visible()
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 390)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.set_viewport_size(ViewportSize(width=width, height=800))
        fits_the_window(page)
        check_accessibility(page)
    waiting.get_by_role("link").click()
    expect(page.get_by_role("region", name="Doubtful value")).to_be_visible()
    assert problems == []
