"""The page of tags: make, edit, and the server's refusal where it happened."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.support.browser.chrome import browser_page
from tests.support.browser.web import add_sample, check_accessibility, go_to, sign_in
from tests.support.services.server import RunningServer


def test_tags_are_made_changed_and_deleted_in_their_place(browser: Browser, server: RunningServer) -> None:
    with browser_page(browser) as (page, problems):
        sign_in(page, server)
        add_sample(page, "A contract")
        expect(page.get_by_role("row", name="Service agreement.pdf")).to_be_visible()

        go_to(page, "tags")
        expect(page.get_by_text("There are no tags yet.")).to_be_visible()
        check_accessibility(page)
        page.keyboard.press("n")
        page.get_by_label("Name").fill("contracts")
        page.get_by_label("Description").fill("What binds us")
        page.get_by_role("radio", name="Violet").check()
        check_accessibility(page)
        page.get_by_role("button", name="Create tag").click()
        tags = page.get_by_role("list", name="Tags")
        expect(tags).to_contain_text("What binds us")

        page.get_by_role("button", name="Edit contracts").click()
        page.get_by_label("Name").fill("agreements")
        page.get_by_role("button", name="Save tag").click()
        expect(tags.get_by_text("agreements")).to_be_visible()
        assert problems == []

        page.get_by_role("button", name="Create tag").click()
        page.get_by_label("Name").fill("agreements")
        page.get_by_role("button", name="Create tag").click()
        expect(page.get_by_role("alert")).to_contain_text("already exists")
        expect(page.get_by_label("Name")).to_have_value("agreements")
        page.get_by_label("Name").fill("to do")
        page.get_by_role("button", name="Create tag").click()
        expect(tags.get_by_text("to do")).to_be_visible()

        page.get_by_role("link", name="Documents").click()
        page.get_by_role("button", name="Tag Service agreement.pdf").click()
        page.get_by_role("checkbox", name="agreements").check()
        page.keyboard.press("Escape")
        expect(
            page.get_by_role("row", name="Service agreement.pdf").get_by_text("agreements")
        ).to_be_visible()

        go_to(page, "tags")
        page.get_by_role("button", name="Delete agreements").click()
        page.get_by_role("button", name="Delete tag").click()
        expect(page.get_by_role("alert")).to_contain_text("it is assigned to one or more documents")
        check_accessibility(page)
        page.get_by_role("button", name="Dismiss").click()
        page.get_by_role("button", name="Delete to do").click()
        page.get_by_role("button", name="Delete tag").click()
        expect(tags.get_by_text("to do")).to_have_count(0)
        assert all("status of 400" in text for text in problems), problems
