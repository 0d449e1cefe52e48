"""A Chromium driven by Playwright. It may connect only to this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, expect, sync_playwright

from tests.support.chromium import find_chromium

PATIENCE_MS = 60_000
"""A busy machine may take long to show a page, and no test is about how long."""
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
def browser_page() -> Iterator[tuple[Page, list[str]]]:
    """Open a new page. Yield it with the list of what went wrong: script errors and refused requests."""
    problems: list[str] = []
    with sync_playwright() as playwright:
        executable = find_chromium(playwright)
        assert executable, "No Chromium: run `make browser`, which gets one or says what to install."
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page.on("pageerror", lambda error: problems.append(f"script: {error}"))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("requestfailed", lambda request: problems.extend(_failure(request)))
        yield page, problems
        browser.close()


def _failure(request: Request) -> list[str]:
    """Report a failed request. One that the page dropped on going elsewhere did not fail."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"request: {request.url} {request.failure}"]
