"""What one page of the client knows of another: marks in the list, a hidden agent, defaults, a text read again."""

from __future__ import annotations

import re
import urllib.error
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.agent_page import Caller, cards, document_of, open_agent, open_sample
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import check_accessibility, go_to, organization_id
from tests.support.services.server import RunningServer


@pytest.fixture
def visit(browser: Browser, server: RunningServer) -> Iterator[tuple[Page, list[str]]]:
    """The page of the invoice."""
    with browser_page(browser) as (page, problems):
        open_sample(page, server)
        yield page, problems


def test_the_list_says_which_document_waits_and_leads_there(visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    open_agent(page)
    page.get_by_role("button", name="Set this up").click()
    expect(cards(page)).to_have_count(1)
    page.get_by_role("link", name="Documents", exact=True).first.click()
    mark = page.get_by_role("row", name="Invoice 2041.pdf").get_by_role("link", name="Waits for you")
    expect(mark).to_be_visible()
    check_accessibility(page)
    mark.click()
    expect(cards(page)).to_be_focused()
    page.get_by_role("button", name="Stop").click()
    expect(cards(page)).to_have_count(0)
    go_to(page, "documents")
    expect(page.get_by_role("row", name="Invoice 2041.pdf")).to_be_visible()
    expect(page.get_by_role("link", name="Waits for you")).to_have_count(0)
    assert problems == []


def test_a_hidden_agent_is_hidden_but_an_address_still_leads_to_it(visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    document = f"documents/{document_of(page)}"
    go_to(page, "settings/appearance")
    page.get_by_role("radio", name="Hide it").check()
    go_to(page, document)
    expect(page.get_by_role("tab", name="Forms")).to_be_visible()
    expect(page.get_by_role("tab", name="Agent")).to_have_count(0)
    go_to(page, f"{document}?tab=agent")
    expect(page.get_by_role("tab", name="Agent")).to_be_visible()
    assert problems == []


def test_the_way_of_working_is_chosen_for_the_organisation(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    document = document_of(page)
    go_to(page, "settings/agent")
    page.get_by_label("Used by default").select_option("llm-only")
    used = page.get_by_role("list", name="Strategies").get_by_role("listitem").filter(has_text="No tools")
    expect(used).to_contain_text("used by default")
    check_accessibility(page)
    settings = f"/v0/orgs/{organization_id(page)}/agent/settings"
    assert Caller(server).call("GET", settings) == {"default_strategy": "llm-only"}
    go_to(page, f"documents/{document}?tab=agent")
    page.get_by_role("button", name="Model", exact=False).click()
    expect(page.get_by_label("Strategy", exact=True)).to_contain_text("No tools (usual)")
    Caller(server).call("PUT", settings, {"default_strategy": None})
    assert problems == []


def test_words_are_fetched_again_when_the_document_was_read_again(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    words = re.compile(r"/ocr/words/")
    first_page = page.locator('section[data-page="1"]')
    expect(first_page.get_by_text("2041", exact=True).first).to_be_attached()
    caller, document = Caller(server), document_of(page)
    texts = f"/v0/orgs/{organization_id(page)}/ocr"
    before = caller.call("GET", f"{texts}/download/metadata/{document}")["ocr_date"]
    page.get_by_role("link", name="Documents", exact=True).first.click()
    caller.call("POST", f"{texts}/run/{document}")
    caller.wait_for(lambda: _date_of(caller, f"{texts}/download/metadata/{document}") not in (before, None))
    with page.expect_request(words):
        page.get_by_role("link", name="Invoice 2041.pdf").click()
    expect(first_page.get_by_text("2041", exact=True).first).to_be_attached()
    assert problems == []


def _date_of(caller: Caller, path: str) -> str | None:
    """When the text was read; None while it is being read."""
    try:
        return str(caller.call("GET", path)["ocr_date"])
    except urllib.error.HTTPError:
        return None
