"""The frame around every page: session, keyboard, appearance, navigation on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Request, expect

from tests.support.browser.web import check_accessibility, go_to, look_into, organization_id, sign_in
from tests.support.services.server import RunningServer

WORDS = ["Home", "Documents", "Sheets", "Projects", "Settings"]


def test_sign_in_shows_the_address_that_was_asked_for(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    sign_in(page, server)
    tags = f"{server.url}/orgs/{organization_id(page)}/tags"
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert problems == []

    page.goto(tags)
    page.get_by_label("E-mail").fill(server.email)
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("The e-mail or the password is wrong.")
    page.get_by_label("Password").fill(server.password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Tags", level=1)).to_be_visible()
    assert page.url == tags


def test_an_ended_session_loses_nothing_that_was_typed(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, _ = visit
    sign_in(page, server)
    go_to(page, "tags")
    page.get_by_role("button", name="Create tag").click()
    page.get_by_label("Name").fill("typed before the end")
    page.evaluate("() => fetch('/v0/account/auth/logout', {method: 'POST'})")
    page.route(
        "**/tags",
        lambda route: route.continue_(headers={**route.request.headers, "authorization": "Bearer x"}),
        times=1,
    )
    page.get_by_role("button", name="Create tag").click()
    dialog = page.get_by_role("dialog", name="Sign in again")
    expect(dialog).to_be_visible()
    check_accessibility(page)
    dialog.get_by_label("Password").fill(server.password)
    dialog.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("list", name="Tags").get_by_text("typed before the end")).to_be_visible()


def test_everything_is_reached_by_keyboard(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    sign_in(page, server)
    page.reload()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    bar = page.get_by_role("navigation", name="Pages", exact=True)
    expect(bar.get_by_role("link")).to_have_text(WORDS)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()

    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("Find a command")
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)

    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Find a command")).to_be_focused()
    offered = page.get_by_role("listbox", name="Commands").get_by_role("option")
    expect(offered.last).not_to_be_in_viewport()
    for _ in range(offered.count()):
        page.keyboard.press("ArrowDown")
    expect(offered.last).to_have_attribute("aria-selected", "true")
    expect(offered.last).to_be_in_viewport()
    page.keyboard.type("tags")
    check_accessibility(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Tags", level=1)).to_be_visible()
    expect(page).to_have_title("Tags · docagent")
    expect(bar.locator("[aria-current=page]")).to_have_text("Settings")
    expect(page.get_by_role("main")).to_be_focused()
    assert problems == []


def test_the_appearance_is_chosen_and_kept(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    page.emulate_media(color_scheme="light")
    sign_in(page, server)
    look_into(page, page.get_by_role("button", name="Your account"))
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert problems == []


def test_the_navigation_folds_on_a_phone(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    page.set_viewport_size({"width": 360, "height": 740})
    sign_in(page, server)
    page.get_by_role("button", name="Pages", exact=True).click()
    check_accessibility(page)
    expect(page.get_by_role("menuitem")).to_have_text(WORDS)
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("combobox", name="Settings").select_option("Tags")
    expect(page.get_by_role("heading", name="Tags", level=1)).to_be_visible()
    check_accessibility(page)
    assert problems == []


def test_an_address_that_is_not_there_says_so(server: RunningServer, visit: tuple[Page, list[str]]) -> None:
    page, problems = visit
    sign_in(page, server)
    page.goto(f"{server.url}/orgs/{organization_id(page)}/nowhere")
    expect(page.get_by_text("There is no page at this address.")).to_be_visible()
    check_accessibility(page)
    page.goto(f"{server.url}/orgs/{'0' * 24}/documents")
    expect(page.get_by_text("you are not a member of it")).to_be_visible()
    check_accessibility(page)
    assert problems == []


def test_a_part_that_cannot_be_loaded_says_so_and_comes_when_the_server_is_back(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, _ = visit
    sign_in(page, server)
    page.goto(f"{server.url}/orgs/{organization_id(page)}/documents/{'0' * 24}")
    expect(page.get_by_role("heading", name="This document does not exist")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("link", name="Show the documents").click()
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()

    away = re.compile("/static/|/health")
    page.route(away, lambda route: route.abort())
    go_to(page, "activity")
    note = page.get_by_role("alert").filter(has_text="The server cannot be reached")
    expect(note).to_contain_text("What you typed is kept.")
    check_accessibility(page)
    page.unroute(away)
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()

    reloads: list[Request] = []
    page.on("request", lambda request: reloads.append(request) if request.is_navigation_request() else None)
    page.route("**/static/**", lambda route: route.continue_() if reloads else route.fulfill(status=404))
    go_to(page, "tags")
    expect(page.get_by_role("alert")).to_contain_text("docagent was updated on the server")
    page.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("heading", name="Tags", level=1)).to_be_visible()
