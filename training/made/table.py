"""Tables, cards and lists whose rows are asked for: records of things that no list of concepts has."""

from __future__ import annotations

from dataclasses import dataclass

from evals.wordings import Half
from evals.zoo.asking import slug
from evals.zoo.canvas import Mark
from evals.zoo.halves import Dice

from training.made.lesson import Fact, Lesson, Way, Ways
from training.made.sheet import LabelledSheet
from training.made.things import LANGUAGES, SAID, THINGS, Thing
from training.made.wording import Column, nameless, said_of, styled

_CAPTIONS = (
    "{}s",
    "List of {}s",
    "Details of {}s",
    "{} overview",
    "Schedule of {}s",
    "{} history",
    "All {}s",
)
_MOST_ROWS = 24
Cell = tuple[str, Mark | None]


@dataclass(frozen=True)
class Records(Ways):
    """The ways to call rows of records."""

    thing: tuple[str, ...]

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        name = slug(self.thing[dice.choices(range(4), (7, 2, 1, 1))[0]])
        return dice.choice(
            (f"{name}s", name, f"{name}_list", f"{name}_rows", "rows", "entries", "records")
        ), ""


@dataclass(frozen=True)
class Attribute(Ways):
    """The ways to ask for one thing that every record says: by its word alone, or with the thing."""

    thing: Thing
    language: str

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        if absent or dice.likely(0.4):
            return self.thing.draw(dice, absent=absent)
        at = LANGUAGES.index(self.language if dice.likely(0.4) else "en")
        word = SAID[self.thing.said][0][at]
        chance = dice.random()
        if chance < 0.4:
            return styled(slug(word) or "entry", dice), ""
        said = said_of(word, LANGUAGES[at], dice)
        return (nameless(dice), said) if chance < 0.5 else (styled(slug(word) or "entry", dice), said)


def table_lesson(seed: int) -> Lesson:
    return _Listing(Dice(Half.BUILDING, "table", seed)).lesson()


class _Listing(LabelledSheet):
    """A sheet with one or two lists of records, and other things around them."""

    def lesson(self) -> Lesson:
        dice = self.dice
        self.columns: list[tuple[Ways, list[tuple[int, Mark]]]] = []
        self.row = 0
        self.head()
        if dice.likely(0.6):
            self.pairs(self.things()[: dice.choice((1, 3, 5))])
        for thing in dice.sample(THINGS, dice.choice((1, 1, 1, 2))):
            self._list(thing)
            if dice.likely(0.3):
                self._prose()
        if dice.likely(0.3):
            self.pairs(self.things()[: dice.choice((1, 3))])
        lesson = self.facts()
        assert self.reader is not None
        for ways, cells in self.columns:
            found = [(row, span) for row, mark in cells for span in self.reader.spans([mark])]
            if len(found) == len(cells):
                spans, rows = tuple(span for _, span in found), tuple(row for row, _ in found)
                lesson.facts.append(Fact("column", ways, spans, rows))
        return lesson

    def _list(self, thing: tuple[str, ...]) -> None:
        """Draw the records of a thing, and say what each has. One of the columns may be one that they lack."""
        dice, paper = self.dice, self.paper
        said = dice.sample(list(SAID), dice.randint(3, 7))
        lacked = said.pop()
        kept = [Thing(thing, one) for one in said]
        draw = dice.choices((self._grid, self._cards, self._lines_of, self._entries), (6, 2, 2, 2))[0]
        most = _MOST_ROWS if draw == self._grid else 8
        records = [
            [("" if at and dice.likely(0.07) else self.value(one)) for at, one in enumerate(kept)]
            for _ in range(min(most, dice.choice((2, 3, 5, 8, 13, _MOST_ROWS))))
        ]
        marks = [[Mark(one.said) for one in kept] for _ in records]
        first = self.row
        self.row += len(records)
        if dice.likely(0.5):
            caption = dice.choice(_CAPTIONS).format(thing[LANGUAGES.index(self.language)])
            paper.put(paper.left, self.y, caption[:1].upper() + caption[1:], bold=dice.likely(0.7))
            self.y += paper.step * 1.4
        cells = [list(zip(texts, own, strict=True)) for texts, own in zip(records, marks, strict=True)]
        draw(kept, cells)
        self.y += paper.step
        named = Records(thing)
        for at, one in enumerate(kept):
            found = [(first + row, marks[row][at]) for row, texts in enumerate(records) if texts[at]]
            self.columns.append((Column(Attribute(one, self.language), named), found))
        self.columns.append((Column(Attribute(Thing(thing, lacked), self.language), named), []))

    def _labels(self, kept: list[Thing]) -> list[str]:
        """Return what heads the columns: the word alone, or with the thing before it."""
        dice, at = self.dice, LANGUAGES.index(self.language)
        if dice.likely(0.5):
            return [one.label(self.language, dice) for one in kept]
        words = [SAID[one.said][0][at] for one in kept]
        upper = dice.likely(0.3)
        return [word.upper() if upper else word[:1].upper() + word[1:] for word in words]

    def _grid(self, kept: list[Thing], records: list[list[Cell]]) -> None:
        """Columns below heads; long cells go on in further lines; a total may follow."""
        dice, paper = self.dice, self.paper
        small = paper.look.size * dice.choice((0.75, 0.85, 1.0))
        shares = [dice.uniform(1.4, 2.4) if one.type == "text" else 1.0 for one in kept]
        width = paper.right - paper.left
        wides = [width * share / sum(shares) for share in shares]
        lefts = [paper.left + sum(wides[:at]) for at in range(len(kept))]
        to_right = [one.type == "number" and dice.likely(0.7) for one in kept]
        labels = self._labels(kept)
        numbered, ruled = dice.likely(0.15), dice.likely(0.4)
        again = dice.likely(0.5)

        def line(texts: list[Cell], *, bold: bool = False) -> None:
            lowest = self.y
            for at, (text, mark) in enumerate(texts):
                wide = wides[at] - 6
                x = lefts[at] + wide if to_right[at] else lefts[at]
                y = self.y
                for part in paper.wrapped_pieces([(text, mark)], wide, size=small, bold=bold) if text else ():
                    paper.put_pieces(
                        x, y, part, size=small, bold=bold, align="right" if to_right[at] else "left"
                    )
                    y += small * 1.25
                lowest = max(lowest, y)
            self.y = max(lowest, self.y + small * 1.25) + small * gap

        gap = dice.choice((0.1, 0.3, 0.7))
        heads: list[Cell] = [(label, None) for label in labels]
        line(heads, bold=dice.likely(0.6))
        if ruled:
            paper.rule(paper.left, self.y - small, paper.right)
        for number, record in enumerate(records):
            if self.turn_over(80) and again:
                line(heads, bold=True)
            if dice.likely(0.04):
                line([(self.pool.words(), None)], bold=True)
            if numbered:
                paper.put(max(4.0, paper.left - 16), self.y, str(number + 1), size=small)
            line(record)
        if dice.likely(0.3):
            line([(dice.choice(("Total", "Sum", "Summe")), None), *[(self.pool.amount() if right else "", None) for right in to_right[1:]]])  # fmt: skip

    def _cards(self, kept: list[Thing], records: list[list[Cell]]) -> None:
        """A block of labels and values for each record."""
        dice, paper = self.dice, self.paper
        labels = self._labels(kept)
        tab = dice.choice((0.0, 0.0, 110.0, 150.0))
        title = dice.choice(("", "", f"{kept[0].thing[0].capitalize()} {{}}", "{}.", "No. {}"))
        for number, record in enumerate(records):
            self.turn_over(60 + len(kept) * paper.step)
            if title:
                paper.put(paper.left, self.y, title.format(number + 1), bold=True)
                self.y += paper.step
            for label, (text, mark) in zip(labels, record, strict=True):
                if text:
                    end = paper.put(paper.left, self.y, label + (self.colon or ":")) + 5
                    x = max(end, paper.left + tab)
                    self.y = self._lines(x, self.y, max(60.0, paper.right - x), text, mark or Mark(""))
            self.y += paper.step * dice.choice((0.4, 0.8))

    def _lines_of(self, kept: list[Thing], records: list[list[Cell]]) -> None:
        """Every record a line of labels and values."""
        dice, paper = self.dice, self.paper
        labels = self._labels(kept)
        between = dice.choice((", ", "; ", " | ", "   "))
        bullet = dice.choice(("", "- ", "* "))
        for record in records:
            self.turn_over(70)
            pieces: list[Cell] = [(bullet, None)] if bullet else []
            for label, (text, mark) in zip(labels, record, strict=True):
                if text:
                    pieces += [
                        (f"{between if len(pieces) > bool(bullet) else ''}{label}: ", None),
                        (text, mark),
                    ]
            for part in paper.wrapped_pieces(pieces, paper.right - paper.left):
                paper.put_pieces(paper.left, self.y, part)
                self.y += paper.step
            self.y += paper.step * 0.3

    def _entries(self, kept: list[Thing], records: list[list[Cell]]) -> None:
        """As in a curriculum: the first value in bold, the others below or at the side, with labels of their own."""
        dice, paper = self.dice, self.paper
        labels = self._labels(kept)
        beside = dice.likely(0.4)
        for record in records:
            self.turn_over(40 + len(kept) * paper.step)
            (text, mark), *others = record
            paper.put(paper.left, self.y, text, mark, bold=dice.likely(0.8))
            self.y += paper.step
            pieces: list[Cell] = []
            for label, (other, own) in zip(labels[1:], others, strict=True):
                if other:
                    pieces += [(f"{', ' if pieces else ''}{label} ", None), (other, own)]
            x = paper.left + (24 if beside else 0)
            for part in paper.wrapped_pieces(pieces, paper.right - x) if pieces else ():
                paper.put_pieces(x, self.y, part)
                self.y += paper.step
            self.y += paper.step * dice.choice((0.2, 0.6))
