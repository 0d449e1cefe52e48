"""The papers that messages about a document are said of, each set as a page."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from docagent.domain.documents.text import Box, Line, Page, Word

PAPERS: dict[str, dict[str, Any]] = tomllib.loads((Path(__file__).parent / "papers.toml").read_text("utf-8"))
_HEIGHT = 0.04
_LETTER = 0.009


@cache
def page_of(paper: str) -> Page:
    lines = []
    for number, text in enumerate(PAPERS[paper]["text"].strip().splitlines()):
        top = 0.05 + number * _HEIGHT * 1.5
        words = tuple(
            Word(found[0], Box(_at(found.start()), top, _at(found.end()), top + _HEIGHT / 2))
            for found in re.finditer(r"\S+", text)
        )
        lines.append(Line(words))
    return Page(1, 612.0, 792.0, tuple(lines))


def _at(column: int) -> float:
    return 0.05 + _LETTER * column
