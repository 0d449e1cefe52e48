"""Steps that browser tests of the web client share: signing in, axe, and what the console may say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.support.services.server import ENVIRONMENT, RunningServer

AXE = Path(__file__).parents[3] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_NOTHING_FADES_IN = """() => document.getAnimations().every(
  (animation) => animation.playState !== "running" || animation.effect.getComputedTiming().endTime === Infinity
)"""
"""Waits for fading to end, since something half faded in has half its contrast. Endless animations do not count."""

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""So that what the last wheel brought is drawn."""

IS_WIDE = """() => {
  const box = document.querySelector('section[data-page="1"]')?.getBoundingClientRect();
  return box !== undefined && box.width > box.height;
}"""
"""Whether the first page of a document is drawn wider than high."""

_RUN_AXE = """async rules => {
  const { violations } = await axe.run(document, {
    runOnly: {type: 'tag', values: rules},
    resultTypes: ['violations'],
    rules: {region: {enabled: !document.querySelector('[data-radix-popper-content-wrapper]')}},
  });
  return violations.flatMap(({id, help, nodes}) =>
    nodes.map(({html, failureSummary}) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary}`));
}"""
"""What is wrong, in words: all that axe tells takes as long to bring here as to find out. An open menu stands directly
below the body, outside all landmarks, so that rule is then off."""


def printed_link(server: RunningServer) -> str:
    """Return the one-time link in the server's greeting."""
    greeting = server.log_file.read_text()
    found = re.search(r"sign in once with\s+(\S+)", greeting)
    assert found, greeting
    return found[1]


def login_link(server: RunningServer) -> str:
    """Ask the command for a link that signs in whoever the test is, as an operator does beside the running server."""
    docagent, data = Path(sys.executable).with_name("docagent"), server.log_file.with_name("data")
    done = subprocess.run(
        [docagent, "login-link", "--email", server.email, "--data", data],
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def open_session(page: Page, server: RunningServer) -> str:
    """Give the page a session, without loading anything, and return its token."""
    account = {"email": server.email, "password": server.password}
    # The connection of the test before may be ended while this is on its way.
    answer = page.request.post(f"{server.url}/v0/account/auth/login", data=account, max_retries=1)
    assert answer.ok, answer.text()
    return str(answer.json()["token"])


def sign_in(page: Page, server: RunningServer) -> None:
    """Begin on the list of documents, with a session. The form for it has tests of its own."""
    open_session(page, server)
    page.goto(server.url)
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    go_to(page, "documents")
    expect(page.get_by_role("heading", name="Documents", level=1)).to_be_visible()


def begin_at(page: Page, server: RunningServer, path: str) -> str:
    """Begin on a page of the only organisation, with a session and no page before it. Return the session's token."""
    token = open_session(page, server)
    answer = page.request.get(
        f"{server.url}/v0/account/organizations",
        params={"member_search": server.email},
        headers={"Authorization": f"Bearer {token}"},
    )
    (organization,) = answer.json()["organizations"]
    page.goto(f"{server.url}/orgs/{organization['id']}/{path}")
    return token


def go_to(page: Page, path: str) -> None:
    """Go to a page of the organisation as a link inside the client does, without reloading everything."""
    page.evaluate("path => history.pushState(null, '', path)", f"/orgs/{organization_id(page)}/{path}")


def add_sample(page: Page, sample: str) -> None:
    """Add one of our documents to an empty list, only to be read, and come back from its page to the list."""
    page.get_by_role("checkbox", name="Find the values for me").uncheck()
    page.get_by_role("button", name=sample).click()
    page.wait_for_url("**/documents/*")
    page.get_by_role("link", name="Documents", exact=True).first.click()


def upload(page: Page, *files: Path) -> None:
    """Choose files on the list of documents."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=re.compile("Upload documents|Choose files")).first.click()
    chooser.value.set_files(list(files))


def organization_id(page: Page) -> str:
    return page.url.split("/orgs/")[1].split("/")[0]


def fits_the_window(page: Page) -> None:
    """Nothing is wider than the window. A page that was resized measures itself again a frame later."""
    try:
        page.wait_for_function("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    except TimeoutError:
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        raise AssertionError(f"{page.url} is wider than its window by {wide} px") from None


def check_accessibility(page: Page) -> None:
    """Check that axe finds nothing wrong. The debugger runs it inside the page, so the page's policy stays strict."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text())
    page.wait_for_function(_NOTHING_FADES_IN)
    told: list[str] = page.evaluate(_RUN_AXE, RULES)
    assert not told, "\n".join(told)


def changes_at_the_click(box: Locator, *, to: bool) -> None:
    """Click a box, whose mark changes at once and does not spring back until the request is under way."""
    expect(box).to_be_checked(checked=not to)
    assert box.evaluate("async (box) => { box.click(); await null; return box.checked; }") is to
    expect(box).to_be_checked(checked=to)


def look_into(page: Page, *openers: Locator) -> None:
    """Open each menu or popover, check that axe finds nothing wrong with it, and close it again."""
    opened = page.get_by_role("menu").or_(page.get_by_role("dialog"))
    for opener in openers:
        opener.click()
        expect(opened).to_be_visible()
        check_accessibility(page)
        page.keyboard.press("Escape")
        expect(opened).to_have_count(0)


def turn_wheel(page: Page, by: float, until: Callable[[], bool]) -> None:
    """Turn it as often as it takes: a turn that meets a menu still closing, or a new size of the window, is lost."""
    for _ in range(50):
        page.mouse.wheel(0, by)
        page.evaluate(TWO_FRAMES)
        if until():
            return
    raise AssertionError("the wheel moves nothing")
