"""The orders in which the words of a page can be read: as given, in blocks, and form fields alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from docagent.domain.documents.text import Page, Word, WordSource

_PIECE_GAP = 1.0
_BLOCK_GAP = 0.9
_FIELD_GAP = 4.0
"""Gaps in line heights: between pieces of a line, lines of a block, and fields of a form."""
_ALIGNED = 1.5
_UPWARDS = 0.6


@dataclass(slots=True)
class _Piece:
    """Words of a line without a wide gap between them, by their numbers in the document. Sizes are in points."""

    numbers: list[int]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


def reading_order(page: Page, first: int) -> list[int]:
    """Return the page's words in the order in which they come."""
    return list(range(first, first + sum(len(line.words) for line in page.lines)))


def block_order(page: Page, first: int) -> list[int]:
    """Return the words block by block, so that the lines of a cell or an address come one after the other."""
    pieces = []
    number = first
    for line in page.lines:
        if not line.words:
            continue
        pieces += _pieces(page, line.words, range(number, number + len(line.words)))
        number += len(line.words)
    return _stacked(pieces, _BLOCK_GAP)


def field_order(page: Page, first: int) -> list[int]:
    """Return only the words of form fields, so that no printed label stands inside a value."""
    pieces = []
    number = first
    for line in page.lines:
        numbered = [
            (number + index, word)
            for index, word in enumerate(line.words)
            if word.source is WordSource.WIDGET
        ]
        if numbered:
            pieces += _pieces(page, [word for _, word in numbered], [each for each, _ in numbered])
        number += len(line.words)
    return _stacked(pieces, _FIELD_GAP)


def _pieces(page: Page, words: Sequence[Word], numbers: Iterable[int]) -> list[_Piece]:
    height = median(word.box.height for word in words) * page.height
    pieces: list[_Piece] = []
    for number, word in zip(numbers, words, strict=True):
        box = word.box
        left, right = box.left * page.width, box.right * page.width
        top, bottom = box.top * page.height, box.bottom * page.height
        if pieces and -height < left - pieces[-1].right <= _PIECE_GAP * height:
            piece = pieces[-1]
            piece.numbers.append(number)
            piece.right, piece.bottom = max(piece.right, right), max(piece.bottom, bottom)
            piece.top = min(piece.top, top)
        else:
            pieces.append(_Piece([number], left, top, right, bottom))
    return pieces


def _stacked(pieces: list[_Piece], widest_gap: float) -> list[int]:
    pieces.sort(key=lambda piece: (piece.top, piece.left))
    blocks: list[list[_Piece]] = []
    growing: list[list[_Piece]] = []
    for piece in pieces:
        growing = [block for block in growing if piece.top - block[-1].bottom <= 6 * block[-1].height]
        above = min(
            (block for block in growing if _continues(block[-1], piece, widest_gap)),
            key=lambda block: piece.top - block[-1].bottom,
            default=None,
        )
        if above is None:
            block = [piece]
            blocks.append(block)
            growing.append(block)
        else:
            above.append(piece)
    return [number for block in blocks for piece in block for number in piece.numbers]


def _continues(above: _Piece, below: _Piece, widest_gap: float) -> bool:
    height = max(above.height, below.height)
    gap = below.top - above.bottom
    if not -_UPWARDS * height < gap <= widest_gap * height or below.top <= above.top:
        return False
    if min(above.right, below.right) <= max(above.left, below.left):
        return False
    offsets = (
        above.left - below.left,
        above.right - below.right,
        (above.left + above.right - below.left - below.right) / 2,
    )
    return min(map(abs, offsets)) <= _ALIGNED * height
