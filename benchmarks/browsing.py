"""What benchmarks of pages share: somebody signed in, and the processor time of the page's main thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, CDPSession, Page

from benchmarks.server import Ours

SECONDS_TO_WAIT = 180
PICTURE = "[data-page='1'] :is(canvas, img)"
NOTHING_TO_DO = "() => new Promise((done) => requestIdleCallback(done))"


def signed_in(browser: Browser, ours: Ours) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    account = {"email": ours.email, "password": ours.password}
    answer = page.request.post(f"{ours.base_url}/v0/account/auth/login", data=account)
    assert answer.ok, answer.text()
    return page


@contextmanager
def spent_inside(page: Page) -> Iterator[list[float]]:
    """Yields a list that in the end holds the seconds of the page's main thread, as its own process counts them."""
    spent: list[float] = []
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _spent(session)
    yield spent
    spent.append(_spent(session) - before)
    session.detach()


def _spent(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(item["value"] for item in metrics if item["name"] == "TaskDuration"))
