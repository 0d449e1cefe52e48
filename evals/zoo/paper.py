"""A document in the making: the sheets it is drawn on, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from evals.zoo.canvas import Mark, Rule, Run, Sheet, Span
from evals.zoo.fonts import CALADEA, COURIER, HAND, HELVETICA, MANROPE, SANS, SERIF, TIMES, Family, width_of
from evals.zoo.halves import Dice
from evals.zoo.parties import Maker
from evals.zoo.words import Words
from evals.zoo.writing import Writing

Piece = tuple[str, Mark | None]
"""Some text, and the mark that it belongs to."""

_A4, _LETTER = (595.0, 842.0), (612.0, 792.0)
_EASTERN = ("cs", "pl")
"""Languages with letters that the standard fonts do not have."""
_HAND_SIZE = 1.6
"""The font of handwriting is narrow; people write larger than machines."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Look:
    """What all kinds of papers decide: sheet, type, and how labels are written."""

    sheet: tuple[float, float]
    family: Family
    size: float
    leading: float
    margin: float
    colon: str
    upper_labels: bool
    bold_labels: bool

    @classmethod
    def draw(cls, dice: Dice, words: Words) -> Look:
        return cls(
            sheet=_LETTER if words.language == "en" and dice.likely(0.6) else _A4,
            family=_family(dice, words),
            size=dice.choice((8.0, 8.5, 9.0, 9.5, 10.0, 10.5)),
            leading=dice.choice((1.2, 1.3, 1.45)),
            margin=dice.choice((36.0, 45.0, 54.0, 62.0)),
            colon=dice.layout((":", ""), (" :",), ("",)),
            upper_labels=dice.likely(0.15),
            bold_labels=dice.likely(0.3),
        )


def _family(dice: Dice, words: Words) -> Family:
    both, building, judging = [SANS], [SERIF], [MANROPE, CALADEA]
    if words.language not in _EASTERN:
        both += [HELVETICA, HELVETICA, TIMES]
        building.append(COURIER)
    return dice.layout(both, building, judging)


@dataclass
class Said:
    """A value that the paper says, with every mark that was made for it."""

    value: Any
    marks: list[Mark] = field(default_factory=list)


class Paper:
    """Draws text and remembers values. Lengths are points; `y` is a base line, from the top of the sheet."""

    def __init__(self, dice: Dice, design_dice: Dice, words: Words) -> None:
        self.dice = dice
        self.words = words
        self.look = Look.draw(design_dice, words)
        self.writing = Writing.draw(design_dice, words)
        self.maker = Maker(dice, words, self.writing.country)
        self.sheets: list[Sheet] = []
        self.said: dict[str, Said] = {}
        self.rows: list[dict[str, Said]] = []
        self.unclear: set[str] = set()
        """What a reader could argue about. It is not asked for."""
        self.new_sheet()

    @property
    def sheet(self) -> Sheet:
        return self.sheets[-1]

    @property
    def left(self) -> float:
        return self.look.margin

    @property
    def right(self) -> float:
        return self.sheet.width - self.look.margin

    @property
    def bottom(self) -> float:
        return self.sheet.height - self.look.margin

    @property
    def step(self) -> float:
        return self.look.size * self.look.leading

    def new_sheet(self, size: tuple[float, float] | None = None) -> None:
        self.sheets.append(Sheet(*(size or self.look.sheet)))

    def day(self, earliest: int = 2012, latest: int = 2026) -> date:
        return date(self.dice.randint(earliest, latest), 1, 1) + timedelta(days=self.dice.randint(0, 360))

    def wording(self, section: str, name: str) -> str:
        return self.dice.wording(self.words(section, name))

    def label(self, name: str) -> str:
        text = self.wording("labels", name)
        return text.upper() if self.look.upper_labels else text

    # What the paper says

    def mark(self, concept: str, value: Any) -> Mark:
        """Say a value, and return the mark for its next occurrence."""
        mark = Mark(concept)
        said = self.said.setdefault(concept, Said(_as_json(value)))
        said.marks.append(mark)
        return mark

    def say(self, concept: str, value: Any) -> None:
        """Say a value that has no words of its own, such as a currency that only a sign shows."""
        self.said.setdefault(concept, Said(_as_json(value)))

    def cell(self, row: dict[str, Said], column: str, value: Any) -> Mark:
        mark = Mark(column)
        row[column] = Said(_as_json(value), [mark])
        return mark

    # How it is drawn

    def font(self, *, bold: bool = False) -> str:
        return self.look.family.bold if bold else self.look.family.plain

    def width(self, text: str, *, size: float | None = None, bold: bool = False) -> float:
        return width_of(text, self.font(bold=bold), size or self.look.size)

    def put(
        self,
        x: float,
        y: float,
        text: str,
        mark: Mark | None = None,
        *,
        size: float | None = None,
        bold: bool = False,
        hand: bool = False,
        align: str = "left",
        grey: float = 0.0,
        sheet: Sheet | None = None,
    ) -> float:
        """Draw a text and return where it ends."""
        return self.put_pieces(
            x, y, [(text, mark)], size=size, bold=bold, hand=hand, align=align, grey=grey, sheet=sheet
        )

    def put_pieces(
        self,
        x: float,
        y: float,
        pieces: Iterable[Piece],
        *,
        size: float | None = None,
        bold: bool = False,
        hand: bool = False,
        align: str = "left",
        grey: float = 0.0,
        sheet: Sheet | None = None,
    ) -> float:
        text, spans = "", []
        for part, mark in pieces:
            if mark:
                spans.append(Span(len(text), len(text) + len(part), mark))
            text += part
        font = HAND if hand else self.font(bold=bold)
        size = (size or self.look.size) * (_HAND_SIZE if hand else 1)
        wide = width_of(text, font, size)
        start = {"left": x, "right": x - wide, "centre": x - wide / 2}[align]
        (sheet or self.sheet).runs.append(Run(start, y, text, font, size, tuple(spans), grey))
        return start + wide

    def put_lines(
        self,
        x: float,
        y: float,
        lines: Iterable[str],
        mark: Mark | None = None,
        *,
        align: str = "left",
        size: float | None = None,
        bold: bool = False,
    ) -> float:
        """Draw lines one below the other and return the base line after them."""
        step = (size or self.look.size) * self.look.leading
        for line in lines:
            self.put(x, y, line, mark, align=align, size=size, bold=bold)
            y += step
        return y

    def rule(self, left: float, y: float, right: float, thickness: float = 0.6) -> None:
        self.sheet.rules.append(Rule(left, y, right, y, thickness))

    def box(self, left: float, top: float, right: float, bottom: float, fill: float | None = None) -> None:
        self.sheet.rules.append(Rule(left, top, right, bottom, 0.6, fill))

    def check_mark(self, x: float, y: float, *, checked: bool, hand: bool) -> float:
        """Draw a box with or without a cross on a base line and return where it ends."""
        size = self.look.size
        self.box(x, y - size * 0.8, x + size * 0.9, y + 1)
        self.sheet.check_marks.append((self.sheet.rules[-1], checked))
        if checked:
            font = HAND if hand else self.font()
            cross = Run(x + 1, y, "X", font, size * (_HAND_SIZE if hand else 1), is_drawing=True)
            self.sheet.runs.append(cross)
        return x + size * 1.4

    def rule_down(self, x: float, top: float, bottom: float, thickness: float = 0.3) -> None:
        self.sheet.rules.append(Rule(x, top, x, bottom, thickness))

    def wrapped(self, text: str, width: float, *, size: float | None = None, bold: bool = False) -> list[str]:
        lines = self.wrapped_pieces([(text, None)], width, size=size, bold=bold)
        return ["".join(part for part, _ in line) for line in lines]

    def wrapped_pieces(
        self, pieces: Sequence[Piece], width: float, *, size: float | None = None, bold: bool = False
    ) -> list[list[Piece]]:
        """Break running text into lines that are not wider than `width`. A piece keeps its mark on every line."""
        font, size = self.font(bold=bold), size or self.look.size
        lines: list[list[Piece]] = [[]]
        filled = 0.0
        for word in _words_with_marks(pieces):
            text = "".join(part for part, _ in word)
            wide = width_of(text, font, size)
            space = width_of(" ", font, size) if lines[-1] else 0.0
            if lines[-1] and filled + space + wide > width:
                lines.append([])
                filled = space = 0.0
            if lines[-1]:
                last = lines[-1][-1][1]
                lines[-1].append((" ", last if last is word[0][1] else None))
            lines[-1] += word
            filled += space + wide
        return lines

    def pieces(self, template: str, values: dict[str, Piece | str]) -> list[Piece]:
        """Return the template's text with a piece for each `{placeholder}`."""
        found: list[Piece] = []
        for index, part in enumerate(_PLACEHOLDER.split(template)):
            value = values[part] if index % 2 else part
            found.append((value, None) if isinstance(value, str) else value)
        return [piece for piece in found if piece[0]]


def _words_with_marks(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return words, each as the parts of it that have different marks: `Ltd` and the comma after it."""
    words: list[list[Piece]] = []
    glued = False
    for text, mark in pieces:
        for found in re.finditer(r"\s+|\S+", text):
            part = found.group()
            if part.isspace():
                glued = False
            elif glued:
                words[-1].append((part, mark))
            else:
                words.append([(part, mark)])
                glued = True
    return words


def _as_json(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    return value
