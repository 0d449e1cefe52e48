"""The page of a project: its text and the editor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.browser.agent_page import Caller

PLAN = "# Plan\n\nWe begin in May, when the lease ends.\n\n## Costs\n\n- [x] Van\n- [ ] Desks\n"


@dataclass
class Place:
    """A project of its own with one document, and the page that shows it."""

    page: Page
    caller: Caller
    api: str
    address: str
    plan: str

    def open(self, query: str = "") -> None:
        self.page.goto(f"{self.address}{query}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def stored(self) -> Any:
        return self.caller.call("GET", f"{self.api}/documents/{self.plan}")

    def change_elsewhere(self, content: str, reason: str) -> None:
        body = {"content": content, "reason": reason}
        self.caller.call("PUT", f"{self.api}/documents/{self.plan}", body)


def text_of(page: Page, name: str = "Plan") -> Locator:
    return page.get_by_role("region", name=f"Text of {name}")


def editor(page: Page, name: str = "Plan") -> Locator:
    return page.get_by_role("textbox", name=f"Text of {name} as markdown")


def edit(page: Page) -> Locator:
    page.get_by_role("article").get_by_role("button", name="Edit", exact=True).click()
    expect(editor(page)).to_be_visible()
    return editor(page)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
