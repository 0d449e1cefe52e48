"""What the next document of a review queue costs the browser, from the key to its picture.

Counted is processor time of the page's main thread: somebody at a quiet core waits about as long.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.support.browser.chrome import running_browser

from benchmarks.browsing import NOTHING_TO_DO, PICTURE, SECONDS_TO_WAIT, signed_in, spent_inside
from benchmarks.made_pdfs import make_pdf
from benchmarks.server import Ours, server_with_token
from docagent.client import Client

NAME = "review_page"
FIELDS = ("invoice_number", "invoice_date", "seller", "buyer", "currency", "total")
IS_ANOTHER = "(before) => document.querySelector('h1').innerText !== before"


def run(quick: bool) -> dict[str, float]:
    documents = 5 if quick else 15
    with server_with_token() as ours, running_browser() as browser:
        prompt_id = _queue(ours, documents)
        page = signed_in(browser, ours)
        page.goto(f"{ours.base_url}/orgs/{ours.organization_id}/review/{prompt_id}")
        page.wait_for_selector(PICTURE, timeout=SECONDS_TO_WAIT * 1000)
        spent = [_next(page) for _ in range(documents - 2)]
    return {"next_ms": statistics.median(spent) * 1000, "slowest_next_ms": max(spent) * 1000}


def _queue(ours: Ours, documents: int) -> str:
    """A prompt whose results all wait for a person."""
    properties = {name: {"type": ["string", "null"]} for name in FIELDS}
    schema = {
        "type": "object",
        "properties": properties,
        "required": [*FIELDS],
        "additionalProperties": False,
    }
    with tempfile.TemporaryDirectory() as folder, Client(ours.base_url, ours.token) as client:
        made = client.schemas.create("Invoice", schema)
        prompt = client.prompts.create("Invoices", "Read it", schema=made, model="docagent-offline")
        for number in range(documents):
            path = Path(folder) / f"made-{number}.pdf"
            make_pdf(path, 1, seed=number)
            client.documents.wait(client.documents.upload(path, auto_create=False).document_id)
        run = client.runs.start(prompt.prompt_id)
        client.runs.wait(prompt.prompt_id, run.id)
        client.review.set_policy(prompt.prompt_id, mode="everything")
    return prompt.prompt_id


def _next(page: Page) -> float:
    """Accept the document that is shown, and return the seconds until another is there and nothing more is drawn."""
    before = page.locator("h1").inner_text()
    page.evaluate(NOTHING_TO_DO)
    with spent_inside(page) as spent:
        page.keyboard.press("d")
        page.wait_for_function(IS_ANOTHER, arg=before, timeout=SECONDS_TO_WAIT * 1000)
        page.wait_for_selector(PICTURE, timeout=SECONDS_TO_WAIT * 1000)
        page.evaluate(NOTHING_TO_DO)
    return spent[0]
