"""A Chromium driven by Playwright. It may connect only to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from tests.support.chromium import find_chromium
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


@contextmanager
def running_browser() -> Iterator[Browser]:
    """While it runs, its thread cannot run another event loop."""
    with sync_playwright() as playwright:
        executable = find_chromium(playwright)
        assert executable, "No Chromium: run `make browser`, which gets one or says what to install."
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def browser_page(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page that knows nothing of others, and the list of what went wrong in it: script errors, refused requests."""
    problems: list[str] = []
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("requestfailed", lambda request: problems.extend(_failure(request)))
    try:
        yield page, problems
    finally:
        page.context.close()


def _failure(request: Request) -> list[str]:
    """Report a failed request. One that the page dropped on going elsewhere did not fail."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"request: {request.url} {request.failure}"]
