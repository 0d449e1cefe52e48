"""Small documents for finding values in them."""

from __future__ import annotations

from dataclasses import replace

from docagent.domain.documents.text import Line, Page, WordSource
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.locating import locate
from docagent.evidence.grounding.model import Grounding
from tests.unit.layout.made_pages import PageMaker


def written(*lines: str, left: float = 72.0, pitch: float = 15.0) -> Page:
    """One line under the other."""
    maker = PageMaker()
    for number, line in enumerate(lines):
        maker.write(left, 72 + pitch * number, line)
    return maker.page()


def from_source(page: Page, source: WordSource, confidence: float = 1.0) -> Page:
    """The same page, with every word from another source."""
    lines = tuple(
        Line(tuple(replace(word, source=source, confidence=confidence) for word in line.words))
        for line in page.lines
    )
    return replace(page, lines=lines)


def scanned(*lines: str) -> Page:
    return from_source(written(*lines), WordSource.OCR, 0.8)


def found(page: Page | DocumentIndex, value: str | float | bool, label: str | None = None) -> Grounding:
    index = page if isinstance(page, DocumentIndex) else DocumentIndex.of([page])
    grounding = locate(index, value, label=label)
    assert grounding is not None
    return grounding


def text_of(grounding: Grounding) -> str:
    return " ".join(word.text for word in grounding.words)
