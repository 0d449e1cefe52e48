"""What looking at documents costs the browser: the first picture, scrolling through a long file, a streamed reply.

Counted is processor time of the page's main thread, so that a busy machine hardly matters: all of it until the first
picture is there, and the longest single task while one scrolls or a reply streams in. Somebody at a quiet core waits
about as long as that.
"""

from __future__ import annotations

import base64
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page
from tests.support.browser.chrome import running_browser

from benchmarks.agent import running_provider
from benchmarks.browsing import NOTHING_TO_DO, PICTURE, SECONDS_TO_WAIT, signed_in, spent_inside
from benchmarks.made_pdfs import make_pdf
from benchmarks.server import Ours, call, server_with_token

NAME = "document_page"
LONG = 300
PIECES = 200
PIECE_MS = 20
STREAM = f"list_tags:0:{PIECES}:{PIECE_MS}"
PAGES = "[aria-label='Pages of the document']"
DONE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
SCROLL = """async ([selector, steps]) => {
  const pane = document.querySelector(selector);
  const far = pane.scrollHeight / steps;
  for (let step = 1; step <= steps; step += 1) {
    pane.scrollTop = step * far;
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
"""A page each tenth of a second: slow enough that pages are drawn and their words laid out on the way."""


def run(quick: bool) -> dict[str, float]:
    times = 1 if quick else 5
    with running_provider() as provider, _server(provider) as ours, running_browser() as browser:
        short, long = (_uploaded(ours, pages) for pages in (1, LONG))
        page = signed_in(browser, ours)
        _answered_by(page, ours, f"scripted/{STREAM}")
        _first_picture(page, ours, short)
        first = [_first_picture(page, ours, short) for _ in range(times)]
        scrolling = [_scrolling(browser, page, ours, long) for _ in range(1 if quick else 3)]
        streaming = [_streaming(browser, page, ours, short) for _ in range(1 if quick else 3)]
    return {
        "first_picture_ms": statistics.median(first) * 1000,
        "scrolling_300_longest_task_ms": statistics.median(scrolling),
        "streaming_200_longest_task_ms": statistics.median(streaming),
    }


@contextmanager
def _server(provider: str) -> Iterator[Ours]:
    endpoints = {"scripted": {"base_url": provider, "models": [STREAM]}}
    settings = {
        "DOCAGENT_MODELS__ENDPOINTS": json.dumps(endpoints),
        "DOCAGENT_MODELS__FIND_LOCAL": "false",
    }
    with server_with_token(settings) as ours:
        yield ours


def _uploaded(ours: Ours, pages: int) -> str:
    """Upload a made document, and wait until it is read and nothing more happens to it."""
    api = f"{ours.base_url}/v0/orgs/{ours.organization_id}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.pdf"
        make_pdf(path, pages)
        content = base64.b64encode(path.read_bytes()).decode()
    made = call(f"{api}/documents", {"documents": [{"name": "made.pdf", "content": content}]}, ours.token)
    document_id = str(made["documents"][0]["document_id"])
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while call(f"{api}/documents/{document_id}?include_content=false", token=ours.token)["state"] not in (
        "llm_completed",
        "llm_failed",
    ):
        if time.monotonic() > deadline:
            raise RuntimeError("the document is not read")
        time.sleep(0.2)
    return document_id


def _answered_by(page: Page, ours: Ours, model: str) -> None:
    """From now on this model answers; the documents were read by the built-in one."""
    address = f"{ours.base_url}/v0/orgs/{ours.organization_id}/llm/default_model"
    answer = page.request.put(
        address, data={"model": model}, headers={"Authorization": f"Bearer {ours.token}"}
    )
    assert answer.ok, answer.text()


def _address(ours: Ours, document_id: str) -> str:
    return f"{ours.base_url}/orgs/{ours.organization_id}/documents/{document_id}"


def _first_picture(page: Page, ours: Ours, document_id: str) -> float:
    """Seconds of the main thread until the first page is seen."""
    page.goto("about:blank")
    with spent_inside(page) as spent:
        page.goto(_address(ours, document_id), wait_until="commit")
        page.wait_for_selector(PICTURE, timeout=SECONDS_TO_WAIT * 1000)
    return spent[0]


def _scrolling(browser: Browser, page: Page, ours: Ours, document_id: str) -> float:
    page.goto(_address(ours, document_id))
    page.wait_for_selector(f"{PAGES} canvas", timeout=SECONDS_TO_WAIT * 1000)
    page.evaluate(NOTHING_TO_DO)
    with _longest_task(browser, page) as longest:
        page.evaluate(SCROLL, [PAGES, LONG])
        page.wait_for_selector(f"[data-page='{LONG}'] canvas", timeout=SECONDS_TO_WAIT * 1000)
    return longest[0]


def _streaming(browser: Browser, page: Page, ours: Ours, document_id: str) -> float:
    page.goto(f"{_address(ours, document_id)}?tab=agent")
    page.wait_for_selector(f"{PAGES} canvas", timeout=SECONDS_TO_WAIT * 1000)
    box = page.get_by_role("textbox", name="Message to the agent")
    box.fill("Go on")
    with _longest_task(browser, page) as longest:
        box.press("Enter")
        page.get_by_role("button", name="Stop").wait_for()
        page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=SECONDS_TO_WAIT * 1000)
        page.evaluate(DONE)
    return longest[0]


@contextmanager
def _longest_task(browser: Browser, page: Page) -> Iterator[list[float]]:
    """Yields a list that in the end holds the milliseconds of processor time of the page's longest task."""
    longest: list[float] = []
    browser.start_tracing(page=page, categories=["toplevel", "disabled-by-default-devtools.timeline"])
    yield longest
    events = json.loads(browser.stop_tracing())["traceEvents"]
    longest.append(max(_tasks(events)))


def _tasks(events: list[dict[str, Any]]) -> Iterator[float]:
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    for event in events:
        if (
            event["name"] in ("RunTask", "ThreadControllerImpl::RunTask")
            and (event["pid"], event["tid"]) in main
        ):
            yield event.get("tdur", 0) / 1000
