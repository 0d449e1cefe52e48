"""Invoices, credit notes, orders and delivery notes: papers with parties, a table of goods and sums."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.blocks import Entry, entry
from evals.zoo.goods import Item, make_items, make_sums
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece, Said
from evals.zoo.table import Cell, Column, Table, TableDesign
from evals.zoo.totals import SumsDesign, draw_sums

_PARTIES = ("seller_name", "seller_address", "buyer_name", "buyer_address", "ship_to_name", "ship_to_address")
_REACH = ("phone", "email", "website", "seller_vat", "iban", "bic", "bank")
_SUMS = ("subtotal", "discount", "shipping", "tax", "total", "prepaid", "amount_due", "currency")
_COLUMNS = ("description", "quantity", "unit_price", "amount", "sku", "tax_rate")
_FURTHER = {
    "invoice": ("customer_number", "order_number", "delivery_note_number", "due_date", "delivery_date", "order_date",
                "contact", "payment_terms", "quote_number", "period"),
    "credit_note": ("customer_number", "invoice_number", "order_number", "contact", "delivery_date"),
    "order": ("quote_number", "customer_number", "delivery_date", "contact", "payment_terms", "period"),
    "delivery_note": ("order_number", "order_date", "customer_number", "invoice_number", "delivery_date", "contact",
                      "carrier"),
}  # fmt: skip
"""What may stand beside the number and the date."""

WISHES = {
    kind: Wish(
        (f"{kind}_number", "issue_date", "due_date", "period_from", "period_to")
        + tuple(concept for concept in further if concept not in ("period", "due_date"))
        + _PARTIES
        + _REACH
        + (("weight", "packages", "amount_due") if kind == "delivery_note" else _SUMS),
        "items",
        ("description", "quantity", "sku", "weight") if kind == "delivery_note" else _COLUMNS,
    )
    for kind, further in _FURTHER.items()
}


@dataclass(frozen=True)
class TradeDesign:
    """Every decision about where things stand on a paper of trade."""

    frame: str
    sender: str
    title: str
    spaced_title: bool
    number_in_title: bool
    meta: str
    meta_columns: int
    other_label: bool
    issuer_label: bool
    reach: str
    footer: str
    table: TableDesign
    sums: SumsDesign

    @classmethod
    def draw(cls, dice: Dice) -> TradeDesign:
        return cls(
            frame=dice.layout((), ("window", "stacked", "cells"), ("columns", "mirrored", "sections")),
            sender=dice.layout(("left", "right"), ("centre",), ("line",)),
            title=dice.layout(("below", "right"), ("top",), ("centre",)),
            spaced_title=dice.likely(0.15),
            number_in_title=dice.likely(0.2),
            meta=dice.layout(("tab", "right"), ("inline", "strip"), ("above", "two lines", "leaders")),
            meta_columns=dice.choice((2, 3, 4)),
            other_label=dice.likely(0.6),
            issuer_label=dice.likely(0.3),
            reach=dice.layout(("head", "footer"), (), ()),
            footer=dice.layout(("columns", "line"), ("labelled",), ("centre",)),
            table=TableDesign.draw(dice),
            sums=SumsDesign.draw(dice),
        )


class TradePaper:
    """Draws one paper of trade, from the top down."""

    def __init__(self, paper: Paper, kind: str, design: TradeDesign) -> None:
        self.paper = paper
        self.kind = kind
        self.design = design
        self.dice = paper.dice
        self.seller = paper.maker.party()
        self.buyer = paper.maker.party(firm=self.dice.likely(0.75))
        ordering = kind == "order"
        self.issuer, self.other = (self.buyer, self.seller) if ordering else (self.seller, self.buyer)
        self.issuer_concept, self.other_concept = ("buyer", "seller") if ordering else ("seller", "buyer")
        self.ship_to = paper.maker.party() if self.dice.likely(0.3) else None
        self.day = paper.day()
        self.number = paper.maker.code(self.day.year)
        self.title = paper.wording("titles", kind)
        count = self.dice.randint(1, 8) if self.dice.likely(0.85) else self.dice.randint(12, 40)
        self.items = make_items(
            paper, count, discounts=design.table.discounts, services=0.0 if kind == "delivery_note" else 0.25
        )
        self.sums = make_sums(paper, self.items)
        self.sign = -1 if kind == "credit_note" and self.dice.likely(0.5) else 1

    def draw(self) -> None:
        paper = self.paper
        y = self._head()
        y = self._frame(y)
        y = self._title_below(y)
        if self.dice.likely(0.3):
            y = paper.put_lines(
                paper.left, y, paper.wrapped(paper.wording("phrases", "thanks"), paper.right - paper.left)
            )
            y += paper.step
        y = self._table(y)
        y = self._shipment(y) if self.kind == "delivery_note" else self._totals(y)
        self._closing(y)
        self._footers()

    # Head and title

    def _title(self, x: float, y: float, align: str = "left") -> None:
        paper = self.paper
        title = self.title
        if self.design.spaced_title:
            title = blocks.spaced(title)
        elif paper.look.upper_labels:
            title = title.upper()
        pieces: list[Piece] = [(title, None)]
        if self.design.number_in_title:
            number = paper.mark(f"{self.kind}_number", self.number)
            pieces += [(f" {paper.label('number')} ", None), (self.number, number)]
            if self.dice.likely(0.5):
                before = paper.wording("style", "of")
                gap = "" if before == "," else " "
                date = paper.mark("issue_date", self.day)
                pieces += [(f"{gap}{before} ", None), (paper.writing.date(self.day), date)]
        size = paper.look.size * (1.3 if self.design.number_in_title else 1.8)
        paper.put_pieces(x, y, pieces, size=size, bold=True, align=align)

    def _head(self) -> float:
        paper, design = self.paper, self.design
        y = paper.look.margin + 14
        if design.title == "top":
            self._title(paper.left, y)
            y += paper.step * 2.4
        top, half = y, (paper.right - paper.left) / 2 - 12
        if design.frame != "sections":
            y = self._sender(y, half)
        if design.title == "right":
            beside = design.sender in ("left", "right") and design.frame != "sections"
            y = y if beside else y + paper.step
            align = "left" if design.sender == "right" else "right"
            self._title(paper.left if align == "left" else paper.right, top + 4 if beside else y, align)
            y = y if beside else y + paper.step
        return y + paper.step * 1.5

    def _sender(self, y: float, half: float) -> float:
        paper, design = self.paper, self.design
        if design.sender == "line":
            return self._sender_line(y)
        x, align = {
            "left": (paper.left, "left"),
            "right": (paper.right, "right"),
            "centre": ((paper.left + paper.right) / 2, "centre"),
        }[design.sender]
        label = paper.label(self.issuer_concept) if design.issuer_label else ""
        big = paper.look.size * 1.4
        y = blocks.party(
            paper, x, y, half, self.issuer, self.issuer_concept, label=label, align=align, name_size=big
        )
        if design.reach == "head":
            for pieces in self._reach():
                paper.put_pieces(x, y, pieces, align=align)
                y += paper.step
        return y

    def _sender_line(self, y: float) -> float:
        paper, who, concept = self.paper, self.issuer, self.issuer_concept
        dot = self.dice.choice((" · ", " - ", ", ", " | "))
        name = paper.mark(f"{concept}_name", who.name)
        address = paper.mark(f"{concept}_address", ", ".join(who.address))
        pieces: list[Piece] = [
            (who.name, name),
            (dot, None),
            (who.street, address),
            (dot, None),
            (who.city, address),
        ]
        paper.put_pieces(paper.left, y, pieces, size=paper.look.size * 0.85)
        return y + paper.step

    def _reach(self) -> list[list[Piece]]:
        """Return lines that say how to reach and pay the issuer."""
        paper, who = self.paper, self.issuer
        known = {"phone": who.phone, "email": who.email, "website": who.website}
        if self.kind != "order":
            known["seller_vat"] = who.vat
        if paper.writing.country.bban and self.kind == "invoice":
            known |= {"bank": who.bank, "iban": who.iban, "bic": who.bic}
        lines: list[list[Piece]] = []
        for concept, value in known.items():
            if self.dice.likely(0.6):
                bare = concept in ("email", "website", "bank") and self.dice.likely(0.4)
                label = "" if bare else f"{paper.label(concept)}{paper.look.colon or ':'} "
                lines.append([(label, None), (value, paper.mark(concept, value))])
        return lines

    # Parties and labels

    def _frame(self, y: float) -> float:
        """Draw the parties and the labels, and return the base line after them."""
        paper, design = self.paper, self.design
        width = paper.right - paper.left
        middle = paper.left + width * 0.54
        match design.frame:
            case "window":
                paper.put(
                    paper.left,
                    y,
                    f"{self.issuer.name}, {self.issuer.city}",
                    size=paper.look.size * 0.7,
                    grey=0.3,
                )
                ends = [
                    self._other(paper.left, y + paper.step, width * 0.45),
                    self._labels(middle, y, width * 0.46),
                ]
            case "stacked":
                end = self._other(paper.left, y, width * 0.5)
                ends = [self._labels(paper.left, end + paper.step, width * 0.6)]
            case "cells":
                end = max(
                    self._other(paper.left + 6, y, width * 0.44),
                    self._labels(middle, y, paper.right - middle - 6),
                )
                paper.box(paper.left, y - paper.step, middle - 8, end)
                paper.box(middle - 8, y - paper.step, paper.right, end)
                ends = [end + paper.step * 0.5]
            case "columns":
                end = self._columns(y, width)
                ends = [self._labels(paper.left, end + paper.step, width)]
            case "mirrored":
                ends = [self._labels(paper.left, y, width * 0.46), self._other(middle, y, width * 0.44)]
            case _:
                end = self._sections(y, width)
                ends = [self._labels(paper.left, end + paper.step * 0.5, width * 0.7)]
        y = max(ends)
        if self.ship_to and design.frame not in ("columns", "sections"):
            label = paper.label("ship_to")
            y = blocks.party(
                paper, paper.left, y + paper.step, width * 0.5, self.ship_to, "ship_to", label=label
            )
        return y + paper.step

    def _other(self, x: float, y: float, width: float) -> float:
        paper = self.paper
        needs_label = self.design.other_label or self.kind == "order" or self.ship_to
        label = paper.label(self.other_concept) if needs_label else ""
        extra = [self.other.person] if self.dice.likely(0.15) and self.other.person != self.other.name else []
        return blocks.party(paper, x, y, width, self.other, self.other_concept, label=label, extra=extra)

    def _columns(self, y: float, width: float) -> float:
        paper = self.paper
        count = 3 if self.ship_to else 2
        ends = [self._other(paper.left, y, width / count - 10)]
        if self.ship_to:
            x = paper.left + width / count
            label = paper.label("ship_to")
            ends.append(blocks.party(paper, x, y, width / count - 10, self.ship_to, "ship_to", label=label))
        return max(ends)

    def _sections(self, y: float, width: float) -> float:
        """Draw the parties as sections one below the other, with a label before the name and the address."""
        paper = self.paper
        parties = [(self.issuer, self.issuer_concept), (self.other, self.other_concept)]
        if self.ship_to:
            parties.append((self.ship_to, "ship_to"))
        for who, concept in parties:
            paper.put(paper.left, y, paper.label(concept), bold=True)
            y = blocks.party(paper, paper.left + 14, y + paper.step, width * 0.6, who, concept)
            y += paper.step * 0.4
        return y

    def _labels(self, x: float, y: float, width: float) -> float:
        items = self._entries()
        if not items:
            return y
        layout = self.design.meta
        if layout == "strip" and (width < 300 or len(items) > 6):
            layout = "above"
        return blocks.entries(
            self.paper, x, y, width, items, layout, self.design.meta_columns if width > 300 else 2
        )

    def _entries(self) -> list[Entry]:
        dice = self.dice
        further = list(_FURTHER[self.kind])
        chosen = dice.sample(further, dice.randint(0, min(6, len(further))))
        own = [f"{self.kind}_number", "issue_date"]
        concepts = [*(concept for concept in own if concept not in self.paper.said), *chosen]
        if dice.likely(0.3):
            dice.shuffle(concepts)
        found: list[Entry] = []
        for concept in concepts:
            found += self._entry(concept)
        return found

    def _entry(self, concept: str) -> list[Entry]:
        paper, dice = self.paper, self.dice
        days = {
            "issue_date": self.day,
            "due_date": self.day + timedelta(days=dice.choice((7, 10, 14, 30, 60))),
            "delivery_date": self.day + timedelta(days=dice.randint(-10, 20)),
            "order_date": self.day - timedelta(days=dice.randint(3, 40)),
        }
        if concept in days:
            label = paper.label("invoice_date") if self._names_invoice(concept) else None
            return [self._date(concept, days[concept], label)]
        if concept == "period":
            start = self.day - timedelta(days=dice.randint(30, 60))
            end = start + timedelta(days=dice.choice((6, 13, 27, 30)))
            return blocks.period(paper, start, end, together=dice.likely(0.6))
        if concept == f"{self.kind}_number":
            named = self.kind == "order" or dice.likely(0.25)
            label = f"{self.title} {paper.label('number')}" if named else None
            return [entry(paper, concept, self.number, self.number, label)]
        text = self._meta_text(concept)
        return [entry(paper, concept, text, text)]

    def _meta_text(self, concept: str) -> str:
        maker = self.paper.maker
        match concept:
            case "contact":
                return maker.person()
            case "payment_terms":
                return maker.pick("phrases", "payterms")
            case "carrier":
                return maker.firm()
            case _:
                return maker.code(self.day.year)

    def _names_invoice(self, concept: str) -> bool:
        return concept == "issue_date" and self.kind == "invoice" and self.dice.likely(0.6)

    def _date(self, concept: str, day: date, label: str | None = None) -> Entry:
        return entry(self.paper, concept, day, self.paper.writing.date(day), label)

    def _title_below(self, y: float) -> float:
        paper = self.paper
        if self.design.title not in ("below", "centre"):
            return y
        x, align = (
            (paper.left, "left")
            if self.design.title == "below"
            else ((paper.left + paper.right) / 2, "centre")
        )
        self._title(x, y + paper.step, align)
        return y + paper.step * 3

    # Goods and sums

    def _table(self, y: float) -> float:
        paper = self.paper
        priceless = self.kind == "delivery_note"
        left_out = {"unit_price", "row_discount", "tax_rate", "amount"} if priceless else {"weight"}
        columns = [
            Column(name, paper.wording("columns", name))
            for name in self.design.table.order
            if name not in left_out
        ]
        rows = []
        for number, item in enumerate(self.items, start=1):
            said: dict[str, Said] = {}
            rows.append(self._cells(number, item, {column.name for column in columns}, said))
            paper.rows.append(said)
        table = Table(paper, self.design.table, columns, rows)
        return table.draw(y, paper.bottom - 70, self._next_sheet)

    def _cells(self, number: int, item: Item, names: set[str], said: dict[str, Said]) -> dict[str, Cell]:
        paper, writing, signed = self.paper, self.paper.writing, self.design.sums.signed_rows
        values: dict[str, tuple[str | Decimal, str]] = {
            "sku": (item.sku, item.sku),
            "description": (item.description, item.description),
            "quantity": (item.quantity, writing.quantity(item.quantity)),
            "unit_price": (item.unit_price, writing.amount(item.unit_price, signed=signed)),
            "tax_rate": (item.rate, writing.percent(item.rate)),
            "weight": (item.weight, writing.number(item.weight, 1)),
            "amount": (self.sign * item.amount, writing.amount(self.sign * item.amount, signed=signed)),
        }
        cells = {
            "position": Cell(str(number)),
            "unit": Cell(item.unit),
            "row_discount": Cell(writing.percent(item.discount) if item.discount else ""),
        }
        for name, (value, text) in values.items():
            if name in names:
                note = item.note if name == "description" else None
                cells[name] = Cell(text, paper.cell(said, name, value), note)
        return cells

    def _next_sheet(self, rows: int) -> float:
        """Begin a sheet, and carry over the sum of the rows so far: an amount that is no total."""
        paper = self.paper
        carried = ""
        if rows and self.design.table.carries and self.kind != "delivery_note":
            done = sum((item.amount for item in self.items[:rows]), Decimal(0)) * self.sign
            carried = f"{paper.wording('phrases', 'carried')} {paper.writing.number(done)}"
            paper.put(paper.right, paper.bottom - 52, carried, align="right")
        paper.new_sheet()
        paper.put(paper.left, paper.look.margin + 8, self.issuer.name, size=paper.look.size * 0.9, grey=0.3)
        if carried and self.dice.likely(0.5):
            paper.put(paper.right, paper.look.margin + 24, carried, align="right")
        return paper.look.margin + 44

    def _room(self, y: float, depth: float) -> float:
        return y if y + depth < self.paper.bottom - 60 else self._next_sheet(0)

    def _totals(self, y: float) -> float:
        y = self._room(y, 130)
        return draw_sums(self.paper, self.design.sums, self.sums, y, self.sign)

    def _shipment(self, y: float) -> float:
        paper, dice = self.paper, self.dice
        items: list[Entry] = []
        weight = sum((item.weight for item in self.items), Decimal(0))
        if dice.likely(0.7):
            items.append(entry(paper, "weight", weight, f"{paper.writing.number(weight, 1)} kg"))
        if dice.likely(0.6):
            count = dice.randint(1, 12)
            items.append(entry(paper, "packages", count, str(count)))
        return blocks.entries(paper, paper.left, self._room(y, 60), 220, items, "tab") if items else y

    # Below the sums

    def _closing(self, y: float) -> None:
        paper, dice, writing = self.paper, self.dice, self.paper.writing
        y = self._room(y + paper.step, 60)
        width = paper.right - paper.left
        if self.kind == "invoice" and dice.likely(0.3):
            rate = Decimal(dice.choice((2, 3)))
            early = paper.wording("phrases", "early").format(
                percent=writing.percent(rate),
                date=writing.date(self.day + timedelta(days=8)),
                amount=writing.amount(
                    (self.sums.total * (100 - rate) / 100).quantize(Decimal("0.01")), signed=True
                ),
            )
            y = paper.put_lines(paper.left, y, paper.wrapped(early, width))
        for sentence in dice.sample(paper.words("phrases", "sent"), dice.choice((0, 1, 2))):
            y = paper.put_lines(paper.left, y, paper.wrapped(sentence, width))

    def _footers(self) -> None:
        """Draw what stands at the foot of every sheet: firm, bank, capital, number of the page."""
        paper, dice = self.paper, self.dice
        lines = self._reach() if self.design.reach == "footer" or self.design.sender == "line" else []
        y = paper.sheet.height - 44
        size = paper.look.size * 0.8
        if lines:
            paper.rule(paper.left, y - 12, paper.right, 0.3)
            third = (paper.right - paper.left) / 3
            for index, pieces in enumerate(lines):
                column, row = divmod(index, 3) if self.design.footer == "columns" else (index % 3, index // 3)
                paper.put_pieces(paper.left + column * third, y + row * size * 1.2, pieces, size=size)
        elif dice.likely(0.4):
            capital = paper.wording("phrases", "capital").format(
                amount=paper.writing.amount(Decimal(dice.choice((25000, 50000, 120000))), signed=True),
                code=paper.maker.shaped("999999"),
            )
            paper.put((paper.left + paper.right) / 2, y + 10, capital, size=size, align="centre")
        if len(paper.sheets) > 1 or dice.likely(0.3):
            pattern = paper.wording("style", "page")
            for number, sheet in enumerate(paper.sheets, start=1):
                text = pattern.format(n=number, of=len(paper.sheets))
                paper.put(paper.right, sheet.height - 14, text, size=size, align="right", sheet=sheet)
