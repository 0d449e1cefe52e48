"""Invitations and passwords in the browser: asked in one, answered in another."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser.agent_page import Caller, as_newcomer
from tests.support.browser.chrome import browser_page
from tests.support.browser.web import (
    begin_at,
    check_accessibility,
    go_to,
    open_session,
    organization_id,
    sign_in,
)
from tests.support.services.server import RunningServer

PASSWORD = "four words of a newcomer"
NEW_PASSWORD = "seven green bottles"


@pytest.fixture
def server(deployment: RunningServer) -> RunningServer:
    """Each test as somebody new, who is no system administrator."""
    return as_newcomer(deployment)


@contextmanager
def another_browser(browser: Browser) -> Iterator[Page]:
    """Somebody else's, who has not signed in."""
    with browser_page(browser) as (page, problems):
        yield page
        assert problems == []


def new_address() -> str:
    return f"{secrets.token_hex(6)}@example.com"


def invited(server: RunningServer, email: str) -> str:
    """Invite an address with the API, as the page does it, and return the link that is to be handed over."""
    caller = Caller(server)
    body = {"email": email, "organization_id": caller.organization()}
    made = caller.call("POST", "/v0/account/email/invitations", body)
    return urljoin(server.url, str(made["link"]))


def invite(page: Page, email: str) -> str:
    """Invite an address on the page of members and return the link that is to be handed over."""
    page.get_by_role("button", name="Invite somebody").click()
    page.get_by_label("E-mail").fill(email)
    check_accessibility(page)
    page.get_by_role("button", name="Invite", exact=True).click()
    link = page.get_by_role("textbox", name="The link").input_value()
    check_accessibility(page)
    page.get_by_role("button", name="I have it").click()
    expect(page.get_by_role("table", name="Open invitations")).to_contain_text(email)
    return link


def test_a_newcomer_accepts_by_link_in_another_browser(
    server: RunningServer, browser: Browser, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    begin_at(page, server, "settings/members")
    email = new_address()
    link = invite(page, email)
    assert link.startswith(f"{server.url}/invitation#")
    check_accessibility(page)
    with another_browser(browser) as theirs:
        theirs.goto(link)
        expect(theirs.get_by_role("heading", name="Join ", level=1)).to_contain_text(server.email)
        expect(theirs.get_by_label("E-mail")).to_have_value(email)
        theirs.get_by_label("Your name").fill("Grace Hopper")
        theirs.get_by_label("Password").fill(PASSWORD)
        check_accessibility(theirs)
        theirs.get_by_role("button", name="Create account and accept").click()
        expect(theirs.get_by_role("heading", name="Home", level=1)).to_be_visible()
        assert organization_id(theirs) == organization_id(page)
        assert "#" not in theirs.url
    page.reload()
    expect(page.get_by_role("row", name="Grace Hopper")).to_be_visible()
    expect(page.get_by_role("table", name="Open invitations")).to_have_count(0)
    with another_browser(browser) as later:
        later.goto(f"{server.url}/invitation")
        expect(later.get_by_role("heading", name="This invitation cannot be used")).to_be_visible()
        check_accessibility(later)
    assert problems == []


def test_who_has_an_account_signs_in_and_begins_in_their_own_organisation_until_then(
    deployment: RunningServer, server: RunningServer, browser: Browser
) -> None:
    grace, inviting = as_newcomer(deployment), Caller(server).organization()
    link = invited(server, grace.email)
    with another_browser(browser) as theirs:
        sign_in(theirs, grace)
        own = organization_id(theirs)
        assert own != inviting
        theirs.goto(link)
        expect(theirs.get_by_role("button", name="Accept the invitation")).to_be_visible()
        check_accessibility(theirs)
        theirs.get_by_role("button", name="Accept the invitation").click()
        expect(theirs.get_by_role("heading", name="Home", level=1)).to_be_visible()
        assert organization_id(theirs) == inviting
    with another_browser(browser) as elsewhere:
        sign_in(elsewhere, grace)
        assert organization_id(elsewhere) == own


def test_a_link_opened_by_somebody_else_says_for_whom_it_is(
    deployment: RunningServer, server: RunningServer, browser: Browser
) -> None:
    grace, other = as_newcomer(deployment), as_newcomer(deployment)
    link = invited(server, grace.email)
    with another_browser(browser) as theirs:
        open_session(theirs, other)
        theirs.goto(link)
        expect(theirs.get_by_role("main")).to_contain_text(f"It is for {grace.email}")
        check_accessibility(theirs)
        theirs.get_by_role("button", name="Sign out to accept it").click()
        theirs.get_by_role("radio", name="I have an account").check()
        expect(theirs.get_by_label("E-mail")).to_have_value(grace.email)
        theirs.get_by_label("Password").fill(grace.password)
        theirs.get_by_role("button", name="Sign in").click()
        theirs.get_by_role("button", name="Accept the invitation").click()
        expect(theirs.get_by_role("heading", name="Home", level=1)).to_be_visible()
        assert organization_id(theirs) == Caller(server).organization()


def test_an_invitation_is_declined_and_another_taken_back(
    server: RunningServer, browser: Browser, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    declined, taken_back = new_address(), new_address()
    link = invited(server, declined)
    with another_browser(browser) as theirs:
        theirs.goto(link)
        theirs.get_by_role("button", name="Decline").click()
        expect(theirs.get_by_role("heading", name="Declined")).to_be_visible()
        check_accessibility(theirs)
    link = invited(server, taken_back)
    begin_at(page, server, "settings/members")
    expect(page.get_by_role("table", name="Open invitations")).to_contain_text(taken_back)
    expect(page.get_by_text(declined)).to_have_count(0)
    page.get_by_role("button", name=f"Revoke the invitation of {taken_back}").click()
    expect(page.get_by_role("table", name="Open invitations")).to_have_count(0)
    with browser_page(browser) as (theirs, told):
        theirs.goto(link)
        expect(theirs.get_by_role("heading", name="This invitation cannot be used")).to_be_visible()
        assert [line for line in told if "404" not in line] == []
    assert problems == []


def test_whom_a_program_adds_finds_the_question_in_the_inbox(
    deployment: RunningServer, server: RunningServer, browser: Browser, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    grace = as_newcomer(deployment)
    caller = Caller(server)
    (organization,) = caller.call("GET", "/v0/account/organizations")["organizations"]
    known = Caller(grace).call("GET", "/v0/account/auth/me")["id"]
    members = [*organization["members"], {"user_id": known, "role": "user"}]
    caller.call("PUT", f"/v0/account/organizations/{organization['id']}", {"members": members})
    sign_in(page, grace)
    own = organization_id(page)
    assert own != organization["id"]
    page.get_by_role("link", name=re.compile(r"Inbox\W+1 waiting")).click()
    card = page.get_by_role("group", name="Needs your approval: invitation to")
    expect(card).to_be_focused()
    check_accessibility(page)
    card.get_by_role("button", name="Join ").click()
    expect(page.get_by_text("Nothing waits for you.")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Organisation ")).click()
    check_accessibility(page)
    page.get_by_role("menuitem", name=organization["name"]).click()
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    assert organization_id(page) == organization["id"]
    assert problems == []


def test_a_password_is_changed(
    server: RunningServer, browser: Browser, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    begin_at(page, server, "settings/account")
    token = Caller(server).call("POST", "/v0/account/access_tokens", {"name": "robot", "lifetime": 0})
    with browser_page(browser) as (elsewhere, _):
        sign_in(elsewhere, server)
        form = page.get_by_role("region", name="Password")
        form.get_by_label("Current password").fill("not the password")
        form.get_by_label("New password").fill(NEW_PASSWORD)
        form.get_by_label("The same once more").fill(NEW_PASSWORD)
        form.get_by_role("checkbox", name="Also revoke all my API tokens").check()
        check_accessibility(page)
        form.get_by_role("button", name="Change password").click()
        expect(form.get_by_role("alert")).to_contain_text(
            "The current password is wrong. Nothing was changed."
        )
        form.get_by_label("Current password").fill(server.password)
        form.get_by_role("button", name="Change password").click()
        expect(page.get_by_text("You are signed out everywhere else")).to_be_visible()
        expect(form.get_by_label("Current password")).to_have_value("")
        page.reload()
        expect(page.get_by_role("heading", name="Account", level=1)).to_be_visible()
        elsewhere.reload()
        expect(elsewhere.get_by_role("button", name="Sign in")).to_be_visible()
        elsewhere.get_by_label("E-mail").fill(server.email)
        elsewhere.get_by_label("Password").fill(NEW_PASSWORD)
        elsewhere.get_by_role("button", name="Sign in").click()
        expect(elsewhere.get_by_role("heading", name="Documents", level=1)).to_be_visible()
    go_to(page, "settings/tokens")
    expect(page.get_by_role("heading", name="API tokens", level=1)).to_be_visible()
    expect(page.get_by_text(token["token"][:10])).to_have_count(0)
    assert [line for line in problems if not re.search("status of 40[13]", line)] == []


def test_an_organisation_is_made_told_apart_and_left(
    deployment: RunningServer, server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    begin_at(page, server, "settings/organisation")
    expect(page.get_by_role("heading", name="Organisation", level=1)).to_be_visible()
    first = organization_id(page)
    page.get_by_role("button", name="Leave this organisation").click()
    page.get_by_role("button", name="Leave organisation", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("You are its only admin")

    page.get_by_role("button", name=re.compile("^Organisation ")).click()
    page.get_by_role("menuitem", name="New organisation").click()
    expect(page.get_by_role("heading", name="New organisation", level=1)).to_be_visible()
    name = f"Papers {secrets.token_hex(4)}"
    page.get_by_label("Name").fill(name)
    check_accessibility(page)
    page.get_by_role("button", name="Create organisation").click()
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    second = organization_id(page)
    assert second != first

    page.goto(f"{server.url}/docs")
    expect(page.locator("#session")).to_contain_text(f"Organization {name}: {second}")

    caller = Caller(server)
    other = caller.call("POST", "/v0/account/organizations", {"name": f"Left {secrets.token_hex(4)}"})
    page.goto(f"{server.url}/orgs/{other['id']}/settings/organisation")
    heir = as_newcomer(deployment)
    heir_id = Caller(heir).call("GET", "/v0/account/auth/me")["id"]
    both = [*other["members"], {"user_id": heir_id, "role": "admin"}]
    Caller(deployment).call("PUT", f"/v0/account/organizations/{other['id']}", {"members": both})
    page.get_by_role("button", name="Leave this organisation").click()
    page.get_by_role("button", name="Leave organisation", exact=True).click()
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    assert organization_id(page) in (first, second)
    assert [line for line in problems if not re.search("status of 40[03]", line)] == []


def test_a_webhook_is_added_tested_and_its_deliveries_are_shown(
    server: RunningServer, visit: tuple[Page, list[str]]
) -> None:
    page, problems = visit
    begin_at(page, server, "settings/webhooks")
    page.get_by_role("button", name="Add a webhook").click()
    page.get_by_label("Address").fill("https://nowhere.invalid/hook")
    page.get_by_label("Name").fill("Bookkeeping")
    page.get_by_role("checkbox", name="Extraction completed").check()
    check_accessibility(page)
    page.get_by_role("button", name="Add webhook", exact=True).click()
    expect(page.get_by_role("textbox", name="The secret")).not_to_have_value("")
    page.get_by_role("button", name="I have it").click()
    page.get_by_role("button", name=re.compile("^Bookkeeping")).click()
    expect(page.get_by_text("Nothing was sent yet.")).to_be_visible()
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_role("status").filter(has_text="The test did not arrive")).to_be_visible()
    sent = page.get_by_role("table", name="Last deliveries").get_by_role("row").nth(1)
    expect(sent).to_contain_text("failed")
    check_accessibility(page)
    expect(sent.get_by_role("button", name=re.compile("Send again"))).to_be_visible()
    page.get_by_role("button", name="Delete webhook").click()
    expect(page.get_by_role("button", name=re.compile("^Bookkeeping"))).to_have_count(0)
    assert problems == []
