"""What a newcomer sees: the printed link opens the API page with a session, and works once."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser import browser_page
from tests.support.server import running_server


def test_the_printed_link_opens_a_session_on_the_api_page() -> None:
    with running_server() as server, browser_page() as (page, problems):
        greeting = server.log_file.read_text()
        found = re.search(r"sign in once with\s+(\S+)", greeting)
        assert found, greeting
        page.goto(found[1])
        expect(page.locator("#session")).to_contain_text("Signed in as root@example.com.")
        assert page.url == f"{server.url}/docs"
        page.locator("#operations-auth-me .opblock-summary-control").click()
        page.locator("#operations-auth-me button.execute").click()
        answer = page.locator("#operations-auth-me .live-responses-table")
        expect(answer).to_contain_text("root@example.com")
        assert problems == []

        page.goto(found[1])
        expect(page.locator("body")).to_contain_text("already used")


def test_without_a_session_the_page_says_how_to_get_one() -> None:
    with running_server() as server, browser_page() as (page, _):
        page.goto(f"{server.url}/")
        expect(page.locator("#session")).to_contain_text("You are not signed in.")
