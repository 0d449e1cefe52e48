"""The text of a Word document: headers, body with tables, notes, footers.

The parts are parsed as a stream by the standard library. Its parser fetches nothing and bounds the growth of
entities, so even a document of a million paragraphs takes little memory.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, iterparse

from docagent.adapters.parse.office.package import damaged
from docagent.domain.errors import ReadFailed, ReadFailure

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BODY = "word/document.xml"
_BEFORE = re.compile(r"word/header\d*\.xml")
_AFTER = re.compile(r"word/(footnotes|endnotes|footer\d*)\.xml")
_CELL_GAP = "  "


def lines(path: Path, max_characters: int) -> list[str]:
    """Return the document's lines in reading order. Raises ReadFailed."""
    found: list[str] = []
    characters = 0
    try:
        with zipfile.ZipFile(path) as package:
            names = sorted(package.namelist())
            if _BODY not in names:
                raise damaged()
            before = [name for name in names if _BEFORE.fullmatch(name)]
            after = [name for name in names if _AFTER.fullmatch(name)]
            for name in (*before, _BODY, *after):
                for line in _lines_of_part(package, name):
                    characters += len(line) + 1
                    if characters > max_characters:
                        raise ReadFailed(
                            ReadFailure.TOO_LARGE,
                            f"This document holds more than {max_characters:,} characters. "
                            "Split it and upload the parts.",
                        )
                    if line or (found and found[-1]):
                        found.append(line)
    except (zipfile.BadZipFile, ParseError, OSError, EOFError, NotImplementedError) as error:
        raise damaged() from error
    return found


def _lines_of_part(package: zipfile.ZipFile, name: str) -> Iterator[str]:
    """Yield each paragraph as a line, and each table row as one line."""
    with package.open(name) as stream:
        collector = _Collector()
        for event, element in iterparse(stream, events=("start", "end")):
            if event == "start":
                collector.start(element.tag)
            else:
                yield from collector.end(element)
                element.clear()


class _Collector:
    """Follows the elements of a part and yields each line as it is completed."""

    def __init__(self) -> None:
        self._paragraphs: list[list[str]] = []
        self._rows: list[list[str]] = []
        self._in_fallback = 0

    def start(self, tag: str) -> None:
        if tag == _FALLBACK:
            self._in_fallback += 1
        elif tag == _W + "p":
            self._paragraphs.append([])
        elif tag == _W + "tr":
            self._rows.append([])
        elif tag == _W + "tc" and self._rows:
            self._rows[-1].append("")

    def end(self, element: Element) -> Iterator[str]:
        tag = element.tag
        if tag == _FALLBACK:
            self._in_fallback -= 1
        elif tag == _W + "p" and self._paragraphs:
            yield from self._finish("".join(self._paragraphs.pop()))
        elif tag == _W + "tr" and self._rows:
            yield from self._finish(_CELL_GAP.join(cell for cell in self._rows.pop() if cell))
        elif self._paragraphs and not self._in_fallback:
            if tag == _W + "t":
                self._paragraphs[-1].append(element.text or "")
            elif tag == _W + "tab":
                self._paragraphs[-1].append("\t")
            elif tag in (_W + "br", _W + "cr"):
                self._paragraphs[-1].append("\n")
            elif tag == _W + "noBreakHyphen":
                self._paragraphs[-1].append("-")

    def _finish(self, text: str) -> Iterator[str]:
        if self._in_fallback:
            return
        if self._rows and self._rows[-1]:
            cell = self._rows[-1][-1]
            self._rows[-1][-1] = " ".join([cell, *text.split()]) if cell else " ".join(text.split())
        else:
            yield from text.split("\n")
