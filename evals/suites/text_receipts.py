"""Reads photographed receipts: are the labelled lines read, and in the labelled place?"""

from __future__ import annotations

import json
from pathlib import Path

from docagent.domain.documents.text import Box
from evals.matching import box_around, distance_within, share, similarity, squeeze, words_inside
from evals.reading import read
from evals.suite import Results

NAME = "text_receipts"
FOLDER = "documents/receipts_sroie"

ALIKE = 0.9


def run(folder: Path) -> Results:
    """Return the character error rate over all lines, and the shares of lines read and read in place."""
    lines = read_lines = placed_lines = letters = errors = 0
    seconds = 0.0
    for row in (json.loads(line) for line in (folder / "gt.jsonl").read_text().splitlines()):
        reading = read(folder / row["file"])
        seconds += reading.seconds
        words = reading.words()
        page = squeeze(reading.text)
        for line in row["lines"]:
            wanted = squeeze(line["text"])
            if not wanted:
                continue
            mistakes = min(len(wanted), distance_within(wanted, page))
            lines += 1
            letters += len(wanted)
            errors += mistakes
            inside = words_inside(words, _with_margin(box_around(line["quad"], *row["image_px"])))
            inside.sort(key=lambda word: word.box.left)
            is_read = 1 - mistakes / len(wanted) >= ALIKE
            read_lines += is_read
            placed_lines += is_read and similarity(wanted, squeeze(" ".join(w.text for w in inside))) >= ALIKE
    return {
        "lines": lines,
        "character_error_rate": share(errors, letters),
        "lines_read": share(read_lines, lines),
        "read_in_place": share(placed_lines, read_lines),
        "seconds": seconds,
    }


def _with_margin(box: Box) -> Box:
    margin = box.height * 0.3
    return Box(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)
