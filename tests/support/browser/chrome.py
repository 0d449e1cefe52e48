"""A Chromium driven by Playwright. It may connect only to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as BrowserError

from tests.support.browser.chromium import find_chromium
from tests.support.polling import SECONDS

PATIENCE_MS = SECONDS * 1000
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]


ONE_RENDERER = "--renderer-process-limit=1"
"""All tabs of a profile in one process, which then has compiled the client and axe already."""
RESTING_PLACE = "/health"


@contextmanager
def running_browser(*more_arguments: str) -> Iterator[Browser]:
    """While it runs, its thread cannot run another event loop."""
    with sync_playwright() as playwright:
        executable = find_chromium(playwright)
        assert executable, "No Chromium: run `make browser`, which gets one or says what to install."
        browser = playwright.chromium.launch(executable_path=executable, args=[*ARGUMENTS, *more_arguments])
        yield browser
        browser.close()


@contextmanager
def browser_page(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page that knows nothing of others, and the list of what went wrong in it: script errors, refused requests."""
    problems: list[str] = []
    profile = _resting_profile(browser) or browser.new_context(
        viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    page = profile.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("console", lambda message: problems.extend(_complaint(message)))
    page.on("requestfailed", lambda request: problems.extend(_failure(request)))
    try:
        yield page, problems
    finally:
        _let_rest(profile, page)


def _complaint(message: ConsoleMessage) -> Iterator[str]:
    if message.type == "error":
        yield f"{message.text} {urlsplit(message.location.get('url', '')).path}".rstrip()


def _resting_profile(browser: Browser) -> BrowserContext | None:
    """Return a profile that somebody has left. It has loaded the client before, and knows nothing else."""
    resting = (
        profile
        for profile in browser.contexts
        if [urlsplit(page.url).path for page in profile.pages] == [RESTING_PLACE]
    )
    return next(resting, None)


def _let_rest(profile: BrowserContext, page: Page) -> None:
    """Leave one tab, which keeps the process alive, and forget who was signed in and what was kept."""
    place = urlsplit(page.url)
    if not place.netloc:
        profile.close()
        return
    visited = list(profile.pages)
    tab = profile.new_page()
    try:
        tab.goto(f"{place.scheme}://{place.netloc}{RESTING_PLACE}")
    except BrowserError:  # no server is left there
        profile.close()
        return
    for left in visited:
        left.close()
    profile.clear_cookies()
    profile.clear_permissions()
    tab.evaluate("localStorage.clear()")


def _failure(request: Request) -> list[str]:
    """Report a failed request. One that the page dropped on going elsewhere did not fail."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"request: {request.url} {request.failure}"]
