"""Reads filled-in forms: are the labelled values among the words read, and in the labelled place?"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from docagent.domain.documents.text import Box, Word
from evals.matching import box_around, centre_inside, occurrences, overlap, share, union_of
from evals.reading import read
from evals.suite import Results

NAME = "text_forms"
FOLDER = "documents/forms_azure_boxes"

STRICT_OVERLAP = 0.5
_MARKS = {"selected": "[x]", "unselected": "[ ]"}


def run(folder: Path) -> Results:
    """Return, for each kind of file, the share of values found and, of those, the share in place."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in (json.loads(line) for line in (folder / "gt.jsonl").read_text().splitlines()):
        path = folder / row["file"]
        reading = read(path)
        kind = path.suffix.lstrip(".").lower()
        for field, value in row["fields"].items():
            pieces = row["grounding"].get(field)
            if not pieces or not value:
                continue
            words = reading.words(pieces[0]["page"])
            place = _place(pieces)
            counts[kind] += (
                _check_mark(words, value, place) if value in _MARKS else _value(words, value, place)
            )
    return {kind: _figures(count) for kind, count in sorted(counts.items())}


def _place(pieces: list[dict[str, Any]]) -> Box:
    box = box_around(pieces[0]["polygons"][0])
    for piece in pieces:
        for polygon in piece["polygons"]:
            box = box.union(box_around(polygon))
    return box


def _value(words: tuple[Word, ...], value: str, place: Box) -> Counter[str]:
    runs = [union_of(run) for run in occurrences(words, value)]
    inside = sorted((word for word in words if centre_inside(word.box, place)), key=_reading_order)
    if not runs and occurrences(inside, value):
        runs = [union_of(inside)]
    return Counter(
        values=1,
        values_found=bool(runs),
        values_in_place=any(centre_inside(box, place) or centre_inside(place, box) for box in runs),
        values_in_place_strict=any(overlap(box, place) >= STRICT_OVERLAP for box in runs),
    )


def _reading_order(word: Word) -> tuple[int, float]:
    """Sort by rows of about a line's height, then from left to right."""
    return round((word.box.top + word.box.bottom) / 2 / 0.012), word.box.left


def _check_mark(words: tuple[Word, ...], value: str, place: Box) -> Counter[str]:
    marks = [word for word in words if word.text in _MARKS.values() and overlap(word.box, place) > 0]
    return Counter(marks=1, marks_right=any(mark.text == _MARKS[value] for mark in marks))


def _figures(count: Counter[str]) -> dict[str, float]:
    return {
        "values": count["values"],
        "values_found": share(count["values_found"], count["values"]),
        "found_in_place": share(count["values_in_place"], count["values_found"]),
        "found_in_place_strict": share(count["values_in_place_strict"], count["values_found"]),
        "check_marks": count["marks"],
        "check_marks_right": share(count["marks_right"], count["marks"]),
    }
