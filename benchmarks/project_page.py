"""What the page of a project costs the browser: with 500 documents against 5, and with a long text.

Counted is the processor time of the page's main thread, from the address to the shown text. Pages take turns.
"""

from __future__ import annotations

import statistics

from playwright.sync_api import Page
from tests.support.browser.chrome import running_browser

from benchmarks.browsing import NOTHING_TO_DO, SECONDS_TO_WAIT, signed_in, spent_inside
from benchmarks.server import Ours, call, server_with_token

NAME = "project_page"
FEW, MANY = 5, 500
LONG_TEXT = 900_000
PARAGRAPH = (
    "Some **words** of a [guide](https://example.com/guide), with `code`, that go on and on for a while.\n"
)


def run(quick: bool) -> dict[str, float]:
    times = 1 if quick else 5
    with server_with_token() as ours, running_browser() as browser:
        few, many = (_project(ours, f"{count} documents", ["Short."] * count) for count in (FEW, MANY))
        long = _project(ours, "long", [_long_text()])
        page = signed_in(browser, ours)
        spent: dict[str, list[float]] = {few: [], many: [], long: []}
        _opened(page, ours, few)
        for _ in range(times):
            for project, measured in spent.items():
                measured.append(_opened(page, ours, project))
    five, five_hundred, text = (statistics.median(spent[project]) for project in (few, many, long))
    return {
        "documents_5_s": five,
        "documents_500_s": five_hundred,
        "documents_500_x": five_hundred / five,
        "text_of_900_kB_s": text,
        "text_of_900_kB_x": text / five,
    }


def _long_text() -> str:
    parts: list[str] = []
    length = 0
    while length < LONG_TEXT:
        number = len(parts)
        part = f"## Section {number}\n\n{PARAGRAPH * 3}\n- one\n- two `x`\n\n| a | b |\n|---|---|\n| {number} | 2 |\n\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)


def _project(ours: Ours, name: str, texts: list[str]) -> str:
    base = f"{ours.base_url}/v0/orgs/{ours.organization_id}/projects"
    project = str(call(base, {"name": name}, token=ours.token)["id"])
    for number, text in enumerate(texts):
        wanted = {"name": f"Document {number}", "content": f"# Title\n\n{text}"}
        call(f"{base}/{project}/documents", wanted, token=ours.token)
    return project


def _opened(page: Page, ours: Ours, project: str) -> float:
    """Open a project and return the seconds of processor time until its text is there and nothing more happens."""
    page.goto("about:blank")
    with spent_inside(page) as spent:
        page.goto(f"{ours.base_url}/orgs/{ours.organization_id}/projects/{project}")
        # Found by selectors, since looking for roles costs the page more than drawing it.
        for selector in (".prose-document h3", "ul[aria-label=Documents] button"):
            page.wait_for_selector(selector, timeout=SECONDS_TO_WAIT * 1000)
        page.evaluate(NOTHING_TO_DO)
    return spent[0]
