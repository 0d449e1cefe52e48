"""The page of MCP servers of others: add one, choose its tools, see that one says something else, remove it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.support.browser.web import begin_at, changes_at_the_click, check_accessibility
from tests.support.services.mcp_side import PLAIN, POISONED
from tests.support.services.server import RunningServer


def test_a_server_is_added_and_each_of_its_tools_is_chosen(
    server: RunningServer, visit: tuple[Page, list[str]], side: Path
) -> None:
    page, problems = visit
    begin_at(page, server, "settings/servers")
    expect(page.get_by_text("There is no server yet.")).to_be_visible()
    page.get_by_role("button", name="Add a server").click()
    page.get_by_label("Name").fill("weather")
    page.get_by_label("It is reached").select_option(label="by the command side")
    check_accessibility(page)
    page.get_by_role("button", name="Add server").click()

    page.get_by_role("button", name="weather command side").click()
    tools = page.get_by_role("region", name="Tools of weather")
    expect(tools).to_contain_text("It was not asked for its tools yet")
    tools.get_by_role("button", name="Ask for its tools").click()
    told = tools.get_by_role("listitem").filter(has_text=PLAIN).first
    expect(told).to_be_visible()
    told.get_by_role("button", name="Offer weather/").click()
    reads = told.get_by_role("checkbox", name="It only reads")
    with page.expect_response("**/tools/*"):
        changes_at_the_click(reads, to=True)
    check_accessibility(page)
    page.reload()
    page.get_by_role("button", name="weather command side").click()
    expect(tools.get_by_role("checkbox", name="It only reads")).to_be_checked()

    poison = side.with_suffix(".poisoned")
    poison.touch()
    try:
        tools.get_by_role("button", name="Ask for its tools").click()
        changed = tools.get_by_role("listitem").filter(has_text=POISONED)
        expect(changed).to_contain_text("says something else now")
        expect(changed.get_by_role("button", name="Offer weather/")).to_be_visible()
    finally:
        poison.unlink()

    page.get_by_role("button", name="Remove weather").click()
    page.get_by_role("button", name="Remove server").click()
    expect(page.get_by_text("There is no server yet.")).to_be_visible()
    assert problems == []
