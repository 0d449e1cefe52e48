"""Checks assertions about pages: text that must be there, be absent or come in order, and cells in tables.

The assertions of absence want running heads and page numbers left out. A document agent keeps them, since
somebody may ask for them; that figure is reported but not aimed at. Of a table, only words and their
positions are checked: a neighbour must lie in the same row or column on the correct side, but not in the next
cell.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import Any

from docagent.domain.documents.text import Box, Word
from evals.matching import distance_within, end_within, occurrences, share, squeeze, union_of
from evals.reading import Reading, read
from evals.suite import Results

NAME = "text_olmocr"
FOLDER = "documents/ocr_olmocr_bench"

Assertion = dict[str, Any]
_METRIC = {"absent": "left_out"}
_BESIDE = {"left": (-1, 0), "left_heading": (-1, 0), "right": (1, 0)}
_STACKED = {"up": (0, -1), "top_heading": (0, -1), "down": (0, 1)}


def run(folder: Path) -> Results:
    """Return, for each kind of assertion, how many there are and the share that passed."""
    verdicts: dict[str, list[bool]] = defaultdict(list)
    readings: dict[str, Reading] = {}
    for line in (folder / "tests.jsonl").read_text().splitlines():
        assertion = json.loads(line)
        name = PurePosixPath(assertion["pdf"]).name
        if name not in readings:
            readings[name] = read(folder / name)
        verdicts[assertion["type"]].append(_holds(assertion, readings[name]))
    return {
        kind: {"assertions": len(passed), _METRIC.get(kind, "passed"): share(sum(passed), len(passed))}
        for kind, passed in sorted(verdicts.items())
    }


def _holds(assertion: Assertion, reading: Reading) -> bool:
    page = reading.page(assertion["page"])
    if page is None:
        return False
    match assertion["type"]:
        case "present":
            return _is_in(assertion["text"], page.text, assertion)
        case "absent":
            last = assertion.get("last_n")
            return not _is_in(assertion["text"], page.text[-last:] if last else page.text, assertion)
        case "order":
            return _in_order(assertion, page.text)
        case "table":
            return _cell_is_placed(assertion, page.words)
        case unknown:
            raise ValueError(f"unknown kind of assertion: {unknown}")


def _is_in(wanted: str, text: str, assertion: Assertion) -> bool:
    return distance_within(squeeze(wanted), _joined(text)) <= int(assertion.get("max_diffs", 0))


def _joined(text: str) -> str:
    """Return the text without spaces, with words rejoined that were hyphenated at the end of a line."""
    return squeeze(text.replace("-\n", ""))


def _in_order(assertion: Assertion, text: str) -> bool:
    whole, allowed = _joined(text), int(assertion.get("max_diffs", 0))
    before, after = squeeze(assertion["before"]), squeeze(assertion["after"])
    end = end_within(before, whole, allowed)
    return end is not None and end_within(after, whole[end:], allowed) is not None


def _cell_is_placed(assertion: Assertion, words: tuple[Word, ...]) -> bool:
    cells = [union_of(found) for found in occurrences(words, assertion["cell"])]
    for relation, (across, down) in (_BESIDE | _STACKED).items():
        if relation in assertion:
            others = [union_of(found) for found in occurrences(words, assertion[relation])]
            cells = [cell for cell in cells if any(_lies(other, cell, across, down) for other in others)]
    return bool(cells)


def _lies(other: Box, cell: Box, across: int, down: int) -> bool:
    """Return whether the other box is in the cell's row or column, on the named side of it."""
    if across:
        same = min(other.bottom, cell.bottom) > max(other.top, cell.top)
        return same and (other.left - cell.left) * across > 0
    same = min(other.right, cell.right) > max(other.left, cell.left)
    return same and (other.top - cell.top) * down > 0
