"""Tables: heads in one or two lines, columns in any order, ruled or not, over as many sheets as they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.zoo.canvas import Mark
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper

_PADDING = 5.0
_TEXTS = ("description", "text")


@dataclass(frozen=True)
class TableDesign:
    """How tables of one design look."""

    ruling: str
    order: tuple[str, ...]
    discounts: bool
    tall_heads: bool
    numbers: str
    upper_heads: bool
    gap: float
    carries: bool

    @classmethod
    def draw(cls, dice: Dice) -> TableDesign:
        usual = [
            "position",
            "sku",
            "description",
            "quantity",
            "unit",
            "unit_price",
            "row_discount",
            "tax_rate",
        ]
        order = dice.layout(
            ((*usual, "weight", "amount"),),
            (
                (
                    "quantity",
                    "unit",
                    "sku",
                    "description",
                    "weight",
                    "unit_price",
                    "row_discount",
                    "tax_rate",
                    "amount",
                ),
                ("position", "description", "sku", "tax_rate", "unit_price", "quantity", "weight", "amount"),
            ),
            (
                ("sku", "quantity", "unit", "description", "unit_price", "weight", "amount", "tax_rate"),
                ("position", "description", "amount", "weight", "unit_price", "quantity", "tax_rate"),
            ),
        )
        left_out = {name for name in ("position", "sku", "unit", "tax_rate") if dice.likely(0.5)}
        discounts = "row_discount" in order and dice.likely(0.25)
        if not discounts:
            left_out.add("row_discount")
        return cls(
            ruling=dice.layout(("head", "none"), ("grid", "zebra"), ("rows", "columns")),
            order=tuple(name for name in order if name not in left_out),
            discounts=discounts,
            tall_heads=dice.likely(0.25),
            numbers=dice.layout(("right", "right"), ("left",), ("centre",)),
            upper_heads=dice.likely(0.2),
            gap=dice.choice((1.0, 1.15, 1.4)),
            carries=dice.likely(0.5),
        )


@dataclass(frozen=True)
class Column:
    """A column: what it means, its head, and its share of the width left over."""

    name: str
    head: str

    @property
    def is_text(self) -> bool:
        return self.name in _TEXTS


@dataclass(frozen=True)
class Cell:
    text: str
    mark: Mark | None = None
    note: str | None = None
    """A second line below the text, not part of it."""


class Table:
    """Draws rows below their heads, and goes on with a new sheet where one is full."""

    def __init__(
        self, paper: Paper, design: TableDesign, columns: Sequence[Column], rows: Sequence[dict[str, Cell]]
    ) -> None:
        self.paper = paper
        self.design = design
        self.columns = columns
        self.rows = rows
        self.edges = self._edges()

    def draw(self, y: float, floor: float, next_sheet: Callable[[int], float]) -> float:
        """Draw from the base line `y`, never below `floor`, and return the base line after the table.

        `next_sheet` is told how many rows are done, and returns the base line on which to go on.
        """
        paper = self.paper
        y = self._head(y)
        for index, row in enumerate(self.rows):
            depth = self._depth(row)
            if y + depth > floor:
                y = self._head(next_sheet(index))
            if self.design.ruling == "zebra" and index % 2:
                paper.box(
                    paper.left, y - paper.look.size, paper.right, y + depth - paper.look.size, fill=0.92
                )
            y = self._row(row, y)
        if self.design.ruling in ("head", "rows", "grid", "columns"):
            paper.rule(paper.left, y - paper.look.size, paper.right)
        return y + paper.step * 0.6

    def _edges(self) -> dict[str, tuple[float, float]]:
        """Return left and right edge of each column. Columns of figures get what they need, text gets the rest."""
        paper = self.paper
        needed: dict[str, float] = {}
        for column in self.columns:
            cells = [paper.width(row[column.name].text) for row in self.rows]
            heads = [paper.width(line, bold=True) for line in self._head_lines(column)]
            needed[column.name] = max([*cells, *heads]) + 2 * _PADDING
        space = paper.right - paper.left - sum(needed.values())
        text = next(column.name for column in self.columns if column.is_text)
        spread = 0.0 if space < 0 else space * 0.4 / max(1, len(self.columns) - 1)
        edges, x = {}, paper.left
        for column in self.columns:
            extra = space - spread * (len(self.columns) - 1) if column.name == text else spread
            width = max(needed[column.name] + extra, 60.0 if column.name == text else 0.0)
            edges[column.name] = (x, x + width)
            x += width
        return edges

    def _head_lines(self, column: Column) -> list[str]:
        head = column.head.upper() if self.design.upper_heads else column.head
        if self.design.tall_heads and " " in head:
            first, _, second = head.partition(" ")
            return [first, second]
        return [head]

    def _head(self, y: float) -> float:
        paper, ruling = self.paper, self.design.ruling
        lines = {column.name: self._head_lines(column) for column in self.columns}
        deepest = max(map(len, lines.values()))
        top = y - paper.look.size - 2
        if ruling in ("grid", "columns"):
            paper.rule(paper.left, top, paper.right)
        if ruling == "zebra":
            paper.box(paper.left, top, paper.right, y + deepest * paper.step - paper.look.size, fill=0.85)
        for column in self.columns:
            for index, line in enumerate(lines[column.name]):
                self._cell(column, y + index * paper.step, line, bold=True)
        y += deepest * paper.step
        if ruling in ("head", "rows", "grid", "columns"):
            paper.rule(paper.left, y - paper.look.size, paper.right)
        return y + 4

    def _depth(self, row: dict[str, Cell]) -> float:
        text = next(column for column in self.columns if column.is_text)
        return len(self._text_lines(text, row[text.name])) * self.paper.step * self.design.gap

    def _text_lines(self, column: Column, cell: Cell) -> list[tuple[str, Mark | None]]:
        left, right = self.edges[column.name]
        lines: list[tuple[str, Mark | None]] = [
            (line, cell.mark) for line in self.paper.wrapped(cell.text, right - left - 2 * _PADDING)
        ]
        return [*lines, (cell.note, None)] if cell.note else lines

    def _row(self, row: dict[str, Cell], y: float) -> float:
        paper, top = self.paper, y
        deepest = 1
        for column in self.columns:
            cell = row[column.name]
            if not column.is_text:
                self._cell(column, y, cell.text, cell.mark)
                continue
            lines = self._text_lines(column, cell)
            for index, (line, mark) in enumerate(lines):
                self._cell(column, y + index * paper.step, line, mark)
            deepest = max(deepest, len(lines))
        y += deepest * paper.step * self.design.gap
        if self.design.ruling in ("rows", "grid"):
            paper.rule(paper.left, y - paper.look.size - 1, paper.right, 0.3)
        if self.design.ruling == "grid":
            for left, _ in self.edges.values():
                paper.rule_down(left, top - paper.look.size - 1, y - paper.look.size - 1)
        return y

    def _cell(
        self, column: Column, y: float, text: str, mark: Mark | None = None, *, bold: bool = False
    ) -> None:
        if not text:
            return
        left, right = self.edges[column.name]
        align = (
            "left"
            if column.is_text or column.name in ("position", "sku", "unit", "date")
            else self.design.numbers
        )
        x = {"left": left + _PADDING, "right": right - _PADDING, "centre": (left + right) / 2}[align]
        self.paper.put(x, y, text, mark, bold=bold, align=align)
