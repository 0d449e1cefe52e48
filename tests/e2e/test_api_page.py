"""The API page: it takes the browser's session, and says how to get one."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.support.browser.chrome import browser_page
from tests.support.browser.web import sign_in
from tests.support.services.server import RunningServer


def test_the_api_page_takes_the_session_of_the_browser(browser: Browser, server: RunningServer) -> None:
    with browser_page(browser) as (page, problems):
        sign_in(page, server)
        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="API page").click()
        expect(page.locator("#session")).to_contain_text(f"Signed in as {server.email}.")
        assert page.url == f"{server.url}/docs"
        page.get_by_role("button", name="Expand operation").first.wait_for()
        page.locator("#operations-tag-auth").click()
        page.locator("#operations-auth-me .opblock-summary-control").click()
        page.locator("#operations-auth-me button.execute").click()
        answer = page.locator("#operations-auth-me .live-responses-table")
        expect(answer).to_contain_text(server.email)
        assert problems == []


def test_without_a_session_the_page_says_how_to_get_one(browser: Browser, server: RunningServer) -> None:
    """With a small description in place of the API's own, which takes seconds to draw: the test above draws it."""
    small = {"openapi": "3.1.0", "info": {"title": "Small", "version": "1"}, "paths": {}}
    with browser_page(browser) as (page, _):
        page.route("**/openapi.json", lambda route: route.fulfill(json=small))
        page.goto(f"{server.url}/docs")
        expect(page.locator("#session")).to_contain_text("You are not signed in.")
