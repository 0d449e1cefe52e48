"""The check marks of a picture whose words were recognised, put into its lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docagent.adapters.parse.marks.check_marks import Drawn, with_typed_marks, without_replaced
from docagent.adapters.parse.tokens import token_lines, words_of_tokens
from docagent.domain.documents.text import Line
from docagent.reading.page_codec import Token

if TYPE_CHECKING:
    from PIL import Image

_LEVEL = 0.4
"""The share of the lower one's height by which a mark and a word of its line overlap."""
_BESIDE = 6.0
"""How far from a word at its height a mark may stand, in its own heights, to be in one line with it."""


def lines_with_marks(lines: Sequence[Line], picture: Image.Image, dpi: float) -> tuple[Line, ...]:
    """Return the lines with the check marks that the picture shows, each beside the word nearest to it."""
    found = [with_typed_marks(line) for line in token_lines(lines)]
    drawn = Drawn(picture, dpi, picture.width, picture.height)
    marks = drawn.marks([word for line in found for word in line])
    if marks:
        found = [kept for line in found if (kept := without_replaced(line, marks))]
        for mark in marks:
            _insert(found, mark, picture.width / picture.height)
    return tuple(Line(tuple(words_of_tokens(line))) for line in found)


def _insert(lines: list[list[Token]], mark: Token, aspect: float) -> None:
    """Put the mark beside the nearest word at its height; else right below the words above it, in a line of its own."""
    height = mark[4] - mark[2]
    beside = [
        (gap, number)
        for number, line in enumerate(lines)
        for word in line
        if sum(map(str.isalpha, word[0])) > 1
        and min(word[4], mark[4]) - max(word[2], mark[2]) >= _LEVEL * min(height, word[4] - word[2])
        and (gap := max(word[1] - mark[3], mark[1] - word[3])) * aspect < _BESIDE * height
    ]
    if beside:
        _, number = min(beside)
        line = lines[number]
        place = next((index for index, word in enumerate(line) if word[1] > mark[1]), len(line))
        line.insert(place, mark)
        return
    above = [
        (mark[2] - word[4], -number)
        for number, line in enumerate(lines)
        for word in line
        if word[4] <= mark[2] + height // 2 and word[1] < mark[3] and mark[1] < word[3]
    ]
    lines.insert(1 - min(above)[1] if above else 0, [mark])
