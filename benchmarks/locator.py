"""Finds values in a long document: our locator against a plain search of the same text.

The floor lower-cases the value and looks for it in the lower-cased text of every page. It gives no places,
knows no other forms of a number, and does not choose between candidates.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.made_pdfs import make_pdf
from benchmarks.measure import interleaved
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage, Page
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.locating import Locator, question_of
from docagent.evidence.grounding.tree import ground_tree
from docagent.reading.page_codec import decode_page

NAME = "locator"
LABEL = "total price"


def run(quick: bool) -> dict[str, float]:
    pages = _made_pages(20 if quick else 100)
    index = DocumentIndex.of(pages)
    printed = _printed_values(pages, 40 if quick else 200)
    absent = [f"Absent {value}" for value in printed]
    items = _items(pages, at_most=200)
    lowered = [page.text.lower() for page in pages]
    costs = interleaved(
        3 if quick else 7,
        {
            "floor": lambda: _seconds(lambda: _plain_search(lowered, printed)),
            "index": lambda: _seconds(lambda: DocumentIndex.of(pages)),
            "printed": lambda: _seconds(lambda: _locate(index, printed, located=True)),
            "absent": lambda: _seconds(lambda: _locate(index, absent, located=False)),
            "tree": lambda: _seconds(lambda: ground_tree(index, {"items": items})),
        },
    )
    values_in_tree = sum(len(item) for item in items)
    return {
        "value_x": costs.ratio("printed", "floor"),
        "value_ms": costs.median("printed") * 1000 / len(printed),
        "absent_value_ms": costs.median("absent") * 1000 / len(absent),
        "value_of_line_item_ms": costs.median("tree") * 1000 / values_in_tree,
        "index_ms_a_page": costs.median("index") * 1000 / len(pages),
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the processor time of this process for the work, to the microsecond."""
    before = time.process_time()
    work()
    return time.process_time() - before


def _made_pages(count: int) -> list[Page]:
    async def read(path: Path) -> list[Page]:
        told = ChildProcessReader().read(path, ".pdf")
        return [decode_page(item.layout) async for item in told if isinstance(item, PackedPage)]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.pdf"
        make_pdf(path, count)
        return asyncio.run(read(path))


def _printed_values(pages: Sequence[Page], count: int) -> list[str]:
    """Return numbers and phrases from all over the document."""
    dice = random.Random(1)
    values: list[str] = []
    while len(values) < count:
        line = dice.choice(dice.choice(pages).lines)
        start = dice.randrange(len(line.words))
        length = 1 if line.text.startswith("Article ") else dice.choice((1, 2, 4))
        values.append(" ".join(word.text for word in line.words[start : start + length]))
    return values


def _items(pages: Sequence[Page], at_most: int) -> list[dict[str, str]]:
    """Return the rows of the tables at the ends of the pages."""
    rows = [line.words for page in pages for line in page.lines if line.text.startswith("Article ")]
    return [
        {
            "item": f"{words[0].text} {words[1].text}",
            "quantity": words[2].text,
            "price": words[3].text,
            "total": words[4].text,
        }
        for words in rows[:at_most]
    ]


def _plain_search(lowered: Sequence[str], values: Sequence[str]) -> None:
    for value in values:
        wanted = value.lower()
        if not [page for page in lowered if wanted in page]:
            raise RuntimeError(f"the floor did not find {value!r}")


def _locate(index: DocumentIndex, values: Sequence[str], *, located: bool) -> None:
    locator = Locator(index)
    for value in values:
        question = question_of(value, label=LABEL)
        if question is None or locator.answer(question)[0].located is not located:
            raise RuntimeError(f"our locator was wrong about {value!r}")
