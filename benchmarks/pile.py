"""A pile of mixed files, from the file to values by the built-in model: pages per processor second, share by share.

Measured with `make bench DATA=folder` alone. Files are chosen by their names' digests: the same ones each time, from
every subfolder. The network reads each document first: what follows finds its pages read, as a second prompt does.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.measure import processor_seconds_of
from docagent import builtin_model, reader_model
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.domain.documents.text import PackedPage, Page
from docagent.domain.errors import ReadFailed
from docagent.reading.page_codec import decode_page

NAME = "pile"
_ENDINGS = frozenset({".pdf", ".png", ".jpg", ".jpeg"})
_MOST_PAGES = 30
_ANYTHING = [reader_model.Question("total", "", "number")]
T = TypeVar("T")


def run(quick: bool) -> dict[str, float]:
    given = os.environ.get("DATA")
    if not given:
        return {}
    files = [path for path in Path(given).rglob("*") if path.suffix.lower() in _ENDINGS]
    files.sort(key=lambda path: hashlib.sha1(path.name.encode()).digest())
    spent: Counter[str] = Counter()
    count = pages = 0
    began = time.monotonic()
    for path in files:
        try:
            read = _timed(spent, "reading", partial(asyncio.run, _read(path)))
        except ReadFailed:
            continue
        if not 0 < len(read) <= _MOST_PAGES:
            continue
        _timed(spent, "network", partial(reader_model.answer, read, _ANYTHING))
        schema = _timed(spent, "proposing", partial(builtin_model.propose_schema, read))["json_schema"][
            "schema"
        ]
        data = _timed(spent, "values", partial(builtin_model.fill, read, schema))
        _timed(spent, "confidence", partial(builtin_model.evidence_of, read, schema, data, is_own=True))
        count, pages = count + 1, pages + len(read)
        if count == (20 if quick else 200):
            break
    whole = spent.total()
    return {
        "files": float(count),
        "pages": float(pages),
        "pages_per_processor_second": pages / whole,
        "pages_per_second": pages / (time.monotonic() - began),
        "network_ms_a_page": 1000 * spent["network"] / pages,
        **{f"share_{part}": seconds / whole for part, seconds in spent.items()},
    }


def _timed(spent: Counter[str], part: str, work: Callable[[], T]) -> T:
    before = processor_seconds_of(os.getpid())
    result = work()
    spent[part] += processor_seconds_of(os.getpid()) - before  # type: ignore[assignment]
    return result


async def _read(path: Path) -> list[Page]:
    told = ChildProcessReader().read(path, path.suffix.lower())
    return [decode_page(one.layout) async for one in told if isinstance(one, PackedPage)]
