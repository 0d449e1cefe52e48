"""Small documents made of lines of words, with the place of every word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.domain.documents.text import Box, Line, Page, Word

_ROW = 0.04
_LETTER = 0.012


def page(lines: Sequence[str], number: int = 1) -> Page:
    """Set the lines one below the other. Two spaces or more part columns, and leave a gap of that many letters."""
    return Page(number, 600, 800, tuple(_line(text, row) for row, text in enumerate(lines) if text.strip()))


def _line(text: str, row: int) -> Line:
    words = []
    place = 0
    for part in text.split(" "):
        if part:
            left = 0.05 + place * _LETTER
            top = 0.05 + row * _ROW
            words.append(Word(part, Box(left, top, left + len(part) * _LETTER, top + _ROW / 2)))
        place += len(part) + 1
    return Line(tuple(words))


def boxes(of: Page, text: str, *, nth: int = 0) -> tuple[tuple[int, Box], ...]:
    """Return the boxes of the words of a text, of its nth occurrence."""
    wanted = text.split()
    words = of.words
    starts = [
        start
        for start in range(len(words))
        if [word.text for word in words[start : start + len(wanted)]] == wanted
    ]
    return tuple((of.number, word.box) for word in words[starts[nth] : starts[nth] + len(wanted)])


INVOICE = page(
    [
        "Northwind Traders  Harbour Street 5",
        "Invoice A-17  3 April 2024",
        "To Contoso Ltd  of Berlin",
        "Item  Pieces  Price  Amount",
        "Desk lamp  2  12.00  24.00",
        "Oak desk  1  99.00  99.00",
        "Chair  4  20.00  80.00",
        "Net 203.00",
        "Tax 38.57",
        "Total 241.57",
    ]
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": ["string", "null"]},
        "date": {"type": ["string", "null"], "format": "date"},
        "seller": {"type": ["string", "null"]},
        "buyer": {"type": ["string", "null"]},
        "total": {"type": ["number", "null"]},
        "iban": {"type": ["string", "null"]},
        "places": {"type": "array", "items": {"type": "string"}},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "pieces": {"type": "number"},
                    "amount": {"type": "number"},
                },
            },
        },
    },
}
VALUES: dict[str, Any] = {
    "number": "A-17",
    "date": "2024-04-03",
    "seller": "Northwind Traders",
    "buyer": "Contoso Ltd",
    "total": 241.57,
    "iban": None,
    "lines": [
        {"name": "Desk lamp", "pieces": 2, "amount": 24.0},
        {"name": "Oak desk", "pieces": 1, "amount": 99.0},
        {"name": "Chair", "pieces": 4, "amount": 80.0},
    ],
}
