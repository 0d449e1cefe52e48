"""Receipts of tills: narrow, without a frame, with prices at the right edge."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.blocks import Entry, entry
from evals.zoo.goods import cents
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece, Said

WISH = Wish(
    ("receipt_number", "issue_date", "seller_name", "seller_address", "phone", "seller_vat", "website", "subtotal",
     "tax", "total", "cash", "change", "currency", "discount", "due_date", "buyer_name", "order_number",
     "delivery_date"),
    "items",
    ("description", "quantity", "unit_price", "amount"),
)  # fmt: skip


@dataclass(frozen=True)
class ReceiptDesign:
    width: float
    centred: bool
    rows: str
    head: bool
    labels: str
    signed: bool
    sums: str
    rule: str
    footer: str

    @classmethod
    def draw(cls, dice: Dice) -> ReceiptDesign:
        return cls(
            width=dice.choice((164.0, 204.0, 226.0, 280.0)),
            centred=dice.likely(0.7),
            rows=dice.layout((), ("one line", "below"), ("times first", "before")),
            head=dice.likely(0.4),
            labels=dice.layout(("inline",), ("tab",), ("right",)),
            signed=dice.likely(0.4),
            sums=dice.layout(("tax included",), ("tax summary",), ("tax added",)),
            rule=dice.choice(("line", "dashes", "stars", "none")),
            footer=dice.layout(("thanks", "none"), ("website",), ("code",)),
        )


@dataclass(frozen=True)
class Sold:
    description: str
    quantity: int
    price: Decimal

    @property
    def amount(self) -> Decimal:
        return self.quantity * self.price


class ReceiptPaper:
    """Draws one receipt, from the top down."""

    def __init__(self, paper: Paper, design: ReceiptDesign) -> None:
        self.paper = paper
        self.design = design
        self.dice = paper.dice
        self.shop = paper.maker.party(shop=True)
        self.left = 14.0
        self.right = design.width - 14.0
        self.middle = design.width / 2
        self.sold = [
            Sold(paper.maker.pick("names", "foods"), self.dice.choice((1, 1, 1, 2, 3)), self._price())
            for _ in range(self.dice.randint(1, 9))
        ]

    def _price(self) -> Decimal:
        return Decimal(self.dice.randint(60, 2400)) / 100

    def draw(self) -> None:
        paper = self.paper
        paper.sheets.clear()
        paper.new_sheet((self.design.width, 1000.0))
        y = self._head(24.0)
        y = self._labels(y)
        y = self._rows(self._rule(y))
        y = self._sums(self._rule(y))
        y = self._foot(self._rule(y))
        paper.sheet.height = y + 20

    def _line(
        self, y: float, text: str, concept: str | None = None, value: str | None = None, *, big: bool = False
    ) -> float:
        paper = self.paper
        x, align = (self.middle, "centre") if self.design.centred else (self.left, "left")
        size = paper.look.size * (1.25 if big else 1.0)
        mark = paper.mark(concept, value or text) if concept else None
        lines = paper.wrapped(text, self.right - self.left, size=size, bold=big)
        return paper.put_lines(x, y, lines, mark, align=align, size=size, bold=big)

    def _rule(self, y: float) -> float:
        paper = self.paper
        match self.design.rule:
            case "line":
                paper.rule(self.left, y - paper.look.size * 0.4, self.right)
            case "dashes" | "stars":
                sign = "-" if self.design.rule == "dashes" else "*"
                count = int((self.right - self.left) / paper.width(sign))
                paper.put(self.left, y, sign * count)
        return y + paper.step

    def _head(self, y: float) -> float:
        paper, shop = self.paper, self.shop
        y = self._line(y, shop.name, "seller_name", big=True)
        address = paper.mark("seller_address", ", ".join(shop.address))
        x, align = (self.middle, "centre") if self.design.centred else (self.left, "left")
        for line in shop.address:
            y = paper.put_lines(x, y, paper.wrapped(line, self.right - self.left), address, align=align)
        for concept, value in (("phone", shop.phone), ("seller_vat", shop.vat), ("website", shop.website)):
            if self.dice.likely(0.45):
                label = f"{paper.label(concept)}{paper.look.colon or ':'} "
                pieces: list[Piece] = [(label, None), (value, paper.mark(concept, value))]
                for part in paper.wrapped_pieces(pieces, self.right - self.left):
                    paper.put_pieces(x, y, part, align=align)
                    y += paper.step
        if self.dice.likely(0.6):
            y = self._line(y + paper.step * 0.4, paper.wording("titles", "receipt"))
        return y + paper.step * 0.5

    def _labels(self, y: float) -> float:
        paper, dice = self.paper, self.dice
        day = paper.day()
        clock = f"{dice.randint(7, 22):02d}:{dice.randint(0, 59):02d}"
        items = []
        if dice.likely(0.75):
            code = paper.maker.code(day.year)
            items.append(entry(paper, "receipt_number", code, code))
        if dice.likely(0.4):
            items.append(Entry.of(paper.label("cashier"), paper.maker.person().split()[0]))
        if dice.likely(0.3):
            items.append(Entry.of(paper.label("store"), str(dice.randint(1, 400))))
        dice.shuffle(items)
        mark = paper.mark("issue_date", day)
        if dice.likely(0.5):
            items.insert(
                dice.randint(0, len(items)),
                Entry.of(paper.label("issue_date"), paper.writing.date(day), mark),
            )
        else:
            paper.put_pieces(self.left, y, [(paper.writing.date(day), mark), (f" {clock}", None)])
            y += paper.step
        return (
            blocks.entries(paper, self.left, y, self.right - self.left, items, self.design.labels)
            if items
            else y
        )

    def _rows(self, y: float) -> float:
        paper = self.paper
        if self.design.head:
            paper.put(self.left, y, paper.wording("columns", "description"))
            paper.put(self.right, y, paper.wording("columns", "amount"), align="right")
            y += paper.step
        for sold in self.sold:
            said: dict[str, Said] = {}
            paper.rows.append(said)
            y = self._row(sold, said, y)
        return y

    def _row(self, sold: Sold, said: dict[str, Said], y: float) -> float:
        paper = self.paper
        name: Piece = (sold.description, paper.cell(said, "description", sold.description))
        amount = paper.cell(said, "amount", sold.amount)
        times = self._times(sold, said)
        match self.design.rows:
            case "below" if times:
                paper.put_pieces(self.left, y, [name])
                y += paper.step
                paper.put_pieces(self.left + 8, y, times)
            case "times first" if times:
                paper.put_pieces(self.left, y, times)
                y += paper.step
                paper.put_pieces(self.left, y, [name])
            case _:
                pieces = [*times, (" ", None), name] if times else [name]
                lines = paper.wrapped_pieces(pieces, self.right - self.left - paper.width("9999.99"))
                for line in lines:
                    paper.put_pieces(self.left, y, line)
                    y += paper.step
                y -= paper.step
        paper.put(self.right, y, paper.writing.number(sold.amount), amount, align="right")
        return y + paper.step

    def _times(self, sold: Sold, said: dict[str, Said]) -> list[Piece]:
        """Return how many were sold at which price. A single one has no such note in most designs."""
        paper = self.paper
        if sold.quantity == 1 and self.design.rows != "before":
            return []
        quantity: Piece = (str(sold.quantity), paper.cell(said, "quantity", sold.quantity))
        if self.design.rows == "one line":
            return [quantity, (" x", None)]
        price: Piece = (paper.writing.number(sold.price), paper.cell(said, "unit_price", sold.price))
        return [quantity, (self.dice.choice((" x ", " @ ", " * ")), None), price]

    def _sums(self, y: float) -> float:
        paper, dice = self.paper, self.dice
        total = sum((sold.amount for sold in self.sold), Decimal(0))
        rate = Decimal(paper.writing.country.rates[0])
        tax_name = f"{paper.label('tax')} {paper.writing.percent(rate)}"
        items: list[Entry] = []
        if self.design.sums == "tax added":
            tax = cents(total * rate / 100)
            items += [self._entry("subtotal", total), self._entry("tax", tax, tax_name)]
            total += tax
        else:
            tax = total - cents(total * 100 / (100 + rate))
        items.append(self._entry("total", total))
        items += self._payment(total)
        if self.design.sums == "tax included" and dice.likely(0.7):
            items.append(self._entry("tax", tax, tax_name))
        if not self.design.signed or paper.writing.sign == "kr":
            paper.unclear.add("currency")
        paper.say("currency", paper.writing.country.currency)
        y = blocks.entries(paper, self.left, y, self.right - self.left, items, "right")
        return self._tax_summary(y, rate, total, tax) if self.design.sums == "tax summary" else y

    def _entry(self, concept: str, value: Decimal, label: str | None = None) -> Entry:
        return entry(
            self.paper, concept, value, self.paper.writing.amount(value, signed=self.design.signed), label
        )

    def _payment(self, total: Decimal) -> list[Entry]:
        if not self.dice.likely(0.5):
            return []
        given = (total // 10 + self.dice.choice((1, 2))) * 10
        return [self._entry("cash", given), self._entry("change", given - total)]

    def _tax_summary(self, y: float, rate: Decimal, total: Decimal, tax: Decimal) -> float:
        """Draw rate, net, tax and gross in a row, below their heads."""
        paper, writing = self.paper, self.paper.writing
        y += paper.step * 0.5
        heads = [paper.wording("columns", "tax_rate"), paper.label("subtotal"), paper.label("tax")]
        cells = [
            (writing.percent(rate), None),
            (writing.number(total - tax), None),
            (writing.number(tax), "tax"),
        ]
        third = (self.right - self.left) / 3
        for index, (head, (text, concept)) in enumerate(zip(heads, cells, strict=True)):
            x = self.left + third * (index + 1)
            for line in paper.wrapped(head, third - 6)[:1]:
                paper.put(x, y, line, align="right")
            paper.put(x, y + paper.step, text, paper.mark(concept, tax) if concept else None, align="right")
        paper.unclear.add("subtotal")
        return y + 2 * paper.step

    def _foot(self, y: float) -> float:
        match self.design.footer:
            case "thanks":
                return self._line(y, self.paper.wording("phrases", "thanks"))
            case "website":
                return self._line(y, self.shop.website)
            case "code":
                return self._line(y, self.paper.maker.shaped("9999 9999 9999 9999"))
            case _:
                return y
