"""Statements of accounts: bookings in a table, between a balance at the start and one at the end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.blocks import Entry, entry
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Said
from evals.zoo.table import Cell, Column, Table, TableDesign

WISH = Wish(
    ("statement_number", "issue_date", "period_from", "period_to", "opening_balance", "closing_balance",
     "total_debits", "total_credits", "customer_number", "iban", "bic", "bank", "holder_name", "holder_address",
     "tax", "due_date", "invoice_number", "contact"),
    "bookings",
    ("date", "text", "debit", "credit", "balance"),
)  # fmt: skip

_ORDERS = {
    "usual": ("date", "text", "debit", "credit", "balance"),
    "credit first": ("date", "text", "credit", "debit"),
    "balance first": ("date", "balance", "debit", "credit", "text"),
    "text first": ("text", "date", "debit", "credit", "balance"),
    "narrow": ("date", "text", "debit", "credit"),
}


@dataclass(frozen=True)
class StatementDesign:
    head: str
    meta: str
    balances: str
    columns: str
    sums: bool
    spaced_title: bool
    negative_debits: bool
    table: TableDesign

    @classmethod
    def draw(cls, dice: Dice) -> StatementDesign:
        return cls(
            head=dice.layout((), ("bank left", "bank centre"), ("bank right", "holder first")),
            meta=dice.layout(("tab",), ("inline", "strip"), ("above", "right")),
            balances=dice.layout(("around",), ("summary",), ("below",)),
            columns=dice.layout(("usual", "narrow"), ("credit first",), ("balance first", "text first")),
            sums=dice.likely(0.5),
            spaced_title=dice.likely(0.12),
            negative_debits=dice.likely(0.3),
            table=TableDesign.draw(dice),
        )


@dataclass(frozen=True)
class Booking:
    day: date
    text: str
    amount: Decimal
    """Below zero for a debit."""


class StatementPaper:
    """Draws one statement, from the top down."""

    def __init__(self, paper: Paper, design: StatementDesign) -> None:
        self.paper = paper
        self.design = design
        self.dice = paper.dice
        self.holder = paper.maker.party(firm=self.dice.likely(0.4))
        self.bank = paper.maker.party()
        self.start = paper.day().replace(day=1)
        self.end = (self.start + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        self.opening = Decimal(self.dice.randint(-20000, 900000)) / 100
        self.bookings = self._make_bookings()

    def _make_bookings(self) -> list[Booking]:
        paper, dice = self.paper, self.dice
        count = dice.randint(3, 14) if dice.likely(0.8) else dice.randint(25, 60)
        days = sorted(
            self.start + timedelta(days=dice.randint(0, (self.end - self.start).days)) for _ in range(count)
        )
        bookings = []
        for day in days:
            text = paper.maker.pick("letter", "bookings")
            text = text.format(firm=paper.maker.firm(), person=paper.maker.person())
            amount = Decimal(dice.randint(100, 250000)) / 100
            bookings.append(Booking(day, text, amount if dice.likely(0.35) else -amount))
        return bookings

    @property
    def debits(self) -> Decimal:
        return sum((-booking.amount for booking in self.bookings if booking.amount < 0), Decimal(0))

    @property
    def credits(self) -> Decimal:
        return sum((booking.amount for booking in self.bookings if booking.amount > 0), Decimal(0))

    @property
    def closing(self) -> Decimal:
        return self.opening + self.credits - self.debits

    def draw(self) -> None:
        paper = self.paper
        y = self._head()
        y = self._labels(y) + paper.step
        if self.design.balances == "summary":
            y = self._entries(y, [*self._balances(), *self._sums()])
        elif self.design.balances == "around":
            y = self._entries(y, self._balances()[:1])
        y = self._table(y)
        if self.design.balances == "around":
            y = self._entries(y, [*self._sums(), *self._balances()[1:]])
        elif self.design.balances == "below":
            self._entries(y, [*self._balances(), *self._sums()])

    def _head(self) -> float:
        paper, design = self.paper, self.design
        y = paper.look.margin + 14
        middle = (paper.left + paper.right) / 2
        x, align = {"bank right": (paper.right, "right"), "bank centre": (middle, "centre")}.get(
            design.head, (paper.left, "left")
        )
        if design.head != "holder first":
            y = paper.put_lines(x, y, [self.bank.bank], align=align, size=paper.look.size * 1.5, bold=True)
            y = (
                paper.put_lines(x, y, self.bank.address, align=align, size=paper.look.size * 0.85)
                + paper.step
            )
        y = blocks.party(paper, paper.left, y, middle - paper.left, self.holder, "holder") + paper.step
        title = paper.wording("titles", "statement")
        title = blocks.spaced(title) if design.spaced_title else title
        paper.put(paper.left, y + 6, title, size=paper.look.size * 1.6, bold=True)
        return y + paper.step * 2.5

    def _labels(self, y: float) -> float:
        paper, dice = self.paper, self.dice
        iban = paper.maker.iban()
        number = paper.maker.code(self.start.year)
        day = self.end + timedelta(days=dice.randint(1, 5))
        items = [entry(paper, "issue_date", day, paper.writing.date(day))]
        if paper.writing.country.bban:
            items.append(entry(paper, "iban", iban, iban))
        if dice.likely(0.7):
            items.append(entry(paper, "statement_number", number, number))
        items += blocks.period(paper, self.start, self.end, together=dice.likely(0.5))
        if dice.likely(0.4):
            code = paper.maker.code(self.start.year)
            items.append(entry(paper, "customer_number", code, code))
        dice.shuffle(items)
        width = paper.right - paper.left
        layout = self.design.meta if self.design.meta != "strip" or len(items) < 5 else "above"
        return blocks.entries(
            paper,
            paper.left,
            y,
            width * (0.6 if layout in ("tab", "right", "inline") else 1),
            items,
            layout,
            3,
        )

    def _balances(self) -> list[Entry]:
        paper, writing = self.paper, self.paper.writing
        return [
            Entry.of(
                f"{paper.label('opening_balance')} {writing.date(self.start)}"
                if self.dice.likely(0.4)
                else paper.label("opening_balance"),
                writing.amount(self.opening, signed=True),
                paper.mark("opening_balance", self.opening),
            ),
            entry(paper, "closing_balance", self.closing, writing.amount(self.closing, signed=True)),
        ]

    def _sums(self) -> list[Entry]:
        if not self.design.sums:
            return []
        paper, writing = self.paper, self.paper.writing
        return [
            entry(paper, "total_debits", self.debits, writing.amount(self.debits, signed=True)),
            entry(paper, "total_credits", self.credits, writing.amount(self.credits, signed=True)),
        ]

    def _entries(self, y: float, items: list[Entry]) -> float:
        paper = self.paper
        if y > paper.bottom - 80:
            y = self._next_sheet(0)
        return blocks.entries(paper, paper.left, y, paper.right - paper.left, items, "right") + paper.step

    def _table(self, y: float) -> float:
        paper, writing = self.paper, self.paper.writing
        names = _ORDERS[self.design.columns]
        columns = [Column(name, paper.wording("columns", name)) for name in names]
        rows, balance = [], self.opening
        for booking in self.bookings:
            said: dict[str, Said] = {}
            paper.rows.append(said)
            balance += booking.amount
            column = "debit" if booking.amount < 0 else "credit"
            shown = booking.amount if self.design.negative_debits else abs(booking.amount)
            row = {"debit": Cell(""), "credit": Cell("")}
            row["date"] = Cell(writing.date(booking.day), paper.cell(said, "date", booking.day))
            row["text"] = Cell(booking.text, paper.cell(said, "text", booking.text))
            row[column] = Cell(writing.number(shown), paper.cell(said, column, shown))
            if "balance" in names:
                row["balance"] = Cell(writing.number(balance), paper.cell(said, "balance", balance))
            rows.append(row)
        return Table(paper, self.design.table, columns, rows).draw(y, paper.bottom - 40, self._next_sheet)

    def _next_sheet(self, _rows: int) -> float:
        self.paper.new_sheet()
        return self.paper.look.margin + 30
