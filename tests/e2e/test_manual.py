"""The manual in a browser: served by the product under its policy, and from a folder; search, dark, phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from docagent.api.manual import BUILT
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import fits_the_window, sign_in
from tests.support.services.server import RunningServer


@pytest.fixture(scope="module")
def built() -> str:
    assert (BUILT / "index.html").is_file(), "The manual is not built: run `make docs`."
    return BUILT.as_uri()


@pytest.mark.usefixtures("built")
def test_it_is_read_and_searched_at_the_product(browser: Browser, server: RunningServer) -> None:
    with browser_page(browser) as (page, problems):
        sign_in(page, server)
        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="Manual").click()
        expect(page.get_by_role("heading", name="The docagent manual")).to_be_visible()
        page.locator("input[name=q]").first.fill("rotate-secret")
        page.keyboard.press("Enter")
        expect(page.locator("#search-results")).to_contain_text("Change or replace the secret")
        page.get_by_role("link", name="Change or replace the secret").last.click()
        expect(page.get_by_role("heading", name="Change or replace the secret")).to_be_visible()
        assert problems == []


@pytest.mark.usefixtures("built")
def test_it_is_dark_when_wanted_and_fits_a_phone(browser: Browser, server: RunningServer) -> None:
    with browser_page(browser) as (page, problems):
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{server.url}/manual/quick-start.html")
        light = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.emulate_media(color_scheme="dark")
        expect(page.locator("body")).not_to_have_css("background-color", light)
        fits_the_window(page)
        assert problems == []


def test_the_search_works_from_the_folder(browser: Browser, built: str, server: RunningServer) -> None:
    with browser_page(browser) as (page, _):
        page.goto(f"{built}/index.html")
        page.locator("input[name=q]").first.fill("webhook")
        page.keyboard.press("Enter")
        expect(page.locator("#search-results").get_by_role("link", name="Webhooks").first).to_be_visible()
        page.goto(f"{server.url}/health")
