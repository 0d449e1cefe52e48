"""Sheets of labels and values that no list of concepts has: old forms, orders, notices, data sheets, records."""

from __future__ import annotations

from collections.abc import Callable

from evals.wordings import Half
from evals.zoo.canvas import Mark, read_sheets
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece
from evals.zoo.words import words_of

from training.made.agreement_words import CLAUSES
from training.made.foreign import foreign_facts
from training.made.lesson import Fact, Lesson, Reader
from training.made.pool import Pool
from training.made.things import LANGUAGES, Thing
from training.made.wording import ConceptWays

_FOREIGN = ("total", "invoice_number", "due_date", "iban", "governing_law", "term", "parties", "seller_vat", "bic", "tax",
            "order_number", "website", "delivery_date", "customer_number", "subtotal", "birth_date", "employer")  # fmt: skip
_TITLES = (
    "REGISTRATION STATEMENT", "Supplemental Statement", "Application", "RECORD", "ORDER CONFIRMATION", "Notice", "Data Sheet", "Certificate",
    "Exhibit A", "SHORT FORM REGISTRATION", "Report", "BROADCAST ORDER", "Contract", "Delivery Record", "Bulletin", "Declaration",
    "Anmeldung", "Formular", "Bescheinigung", "Protokoll", "Déclaration", "Formulaire", "Solicitud", "Certificado", "Amendment to Registration",
)  # fmt: skip
_BUSINESS = {
    "buyer_name": "Advertiser|Client|Customer|Bill To|Sold To|Account|Client Name|Advertiser Name|Billed To|Purchaser",
    "invoice_number": "Invoice Number|Invoice #|Contract #|Contract Number|Order #|Invoice No|Contract / Revision|Order Number|Document No.",
    "issue_date": "Invoice Date|Date|Date Issued|Print Date|Billing Date|Issued|Document Date",
    "period_from": "Start Date|From|Flight Start|Begin Date|Valid From|Contract Start",
    "period_to": "End Date|To|Flight End|Through|Valid To|Contract End",
    "contact": "Account Executive|Sales Rep|Salesperson|Contact|Buyer|AE|Handled By",
    "order_number": "PO Number|Purchase Order|Customer PO|Your Order|P.O. #",
    "customer_number": "Customer ID|Account No.|Client Code|Acct #|Customer Number",
    "subtotal": "Net Total|Net Amount|Sub Total|Subtotal|Net Due|Amount Before Tax",
    "tax": "Tax|Sales Tax|VAT|GST 6%|State Tax|Total Tax",
    "total": "Gross Total|Total Gross Amount|Grand Total|Order Total|Total Amount|Total Charges|Total|Gross Amt|TOTAL DUE",
    "due_date": "Due Date|Payment Due|Pay By|Terms Due|Due",
    "seller_name": "Station|Vendor|From|Supplier|Remit To|Payee|Property|Issued By",
}
"""Further labels of what papers of trade say: the concept and how it is printed."""
_NUMBERS = frozenset({"subtotal", "tax", "total"})
_DATES = frozenset({"issue_date", "due_date", "period_from", "period_to"})
_LONG_LABELS = (
    "Give the {}", "State the {}", "{} (see instructions)", "{}, if any", "{} as it appears in the records", "Enter {}", "{} (print or type)",
)  # fmt: skip


def sheet_lesson(seed: int) -> Lesson:
    return LabelledSheet(Dice(Half.BUILDING, "sheet", seed)).lesson()


class LabelledSheet:
    """A sheet in the making. `table.py` makes others of it, with rows that are asked for."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.language = dice.choices(LANGUAGES, (6, 2, 1, 1))[0]
        self.pool = Pool(dice, self.language)
        self.paper = Paper(dice, dice, words_of(self.language))
        self.colon = dice.choice((":", ":", ":", "", "", " :", ".", " -", " ..........", " ______"))
        self.numbered = dice.choice(("", "", "", "{}. ", "({}) ", "{}) ", "{} "))
        self.y = self.paper.look.margin + 20
        self.marks: list[tuple[Thing, list[Mark]]] = []
        self.trade: dict[str, Mark] = {}
        self.count = 0
        self.reader: Reader | None = None

    def head(self) -> None:
        dice, paper = self.dice, self.paper
        if dice.likely(0.5):
            paper.put(paper.left, self.y, self.pool.firm(), bold=dice.likely(0.5))
            self.y += paper.step * 1.3
        title = dice.choice(_TITLES)
        middle = dice.likely(0.5)
        paper.put((paper.left + paper.right) / 2 if middle else paper.left, self.y, title, bold=True,
                  size=paper.look.size * dice.choice((1.0, 1.3, 1.7)), align="centre" if middle else "left")  # fmt: skip
        self.y += paper.step * 2

    def lesson(self) -> Lesson:
        dice = self.dice
        self.head()
        is_trade = self.language == "en" and dice.likely(0.4)
        if is_trade:
            self._trade([concept for concept in _BUSINESS if concept not in _NUMBERS])
        self.pairs([] if is_trade and dice.likely(0.5) else self.things())
        if is_trade:
            self._table()
            self._trade(sorted(_NUMBERS))
        if dice.likely(0.3):
            self._prose()
        return self.facts()

    def pairs(self, things: list[Thing]) -> None:
        """Draw labels with values, in several layouts."""
        dice, paper = self.dice, self.paper
        while things:
            take = dice.choice((1, 2, 3, 4, 6))
            part, things = things[:take], things[take:]
            if dice.likely(0.25):
                self._prose()
            dice.choice(_LAYOUTS)(self, part)
            self.y += paper.step * dice.choice((0.2, 0.6, 1.2))
            self.turn_over(80)

    def turn_over(self, room: float) -> bool:
        """Begin a sheet if there is less room on this one."""
        if self.y <= self.paper.bottom - room:
            return False
        self.paper.new_sheet()
        self.y = self.paper.look.margin + 20
        return True

    def _trade(self, concepts: list[str]) -> None:
        """Draw labels of trade with values, one, two or three in a line, with a near miss among them."""
        dice, paper = self.dice, self.paper
        chosen = dice.sample(concepts, dice.randint(1, len(concepts)))
        columns = dice.choice((1, 2, 2, 3))
        wide = (paper.right - paper.left) / columns
        above = dice.likely(0.3)
        tab = 0.0 if dice.likely(0.5) else wide * dice.uniform(0.4, 0.6)
        if "total" in chosen and dice.likely(0.4):
            chosen.insert(0, "")
        if "period_from" in chosen and dice.likely(0.5):
            chosen = [concept for concept in chosen if concept != "period_to"]
        for number, concept in enumerate(chosen):
            column = number % columns
            x = paper.left + column * wide
            label = (
                dice.choice(_BUSINESS[concept].split("|"))
                if concept
                else dice.choice(("Agency Commission", "Rate Total", "Discount", "Deposit"))
            )
            label += self.colon
            paper.put(x, self.y, label, bold=dice.likely(0.3))
            y = self.y + paper.step if above else self.y
            at = x if above else max(x + paper.width(label, bold=True) + 6, x + tab)
            self._trade_value(concept, at, y, together="period_from" in chosen and "period_to" not in chosen)
            if column == columns - 1 or number == len(chosen) - 1:
                self.y = y + paper.step * dice.choice((1.0, 1.3))
        self.y += paper.step * 0.5

    def _trade_value(self, concept: str, x: float, y: float, *, together: bool) -> None:
        dice, paper, pool = self.dice, self.paper, self.pool
        mark = Mark(concept)
        if concept:
            self.trade[concept] = mark
        if concept == "period_from" and together:
            end = Mark("period_to")
            self.trade["period_to"] = end
            between = dice.choice((" - ", " to ", " thru ", "-"))
            paper.put_pieces(x, y, [(pool.date(), mark), (between, None), (pool.date(), end)])
        elif concept in _DATES:
            paper.put(x, y, pool.date(), mark)
        elif concept in ("buyer_name", "seller_name"):
            paper.put(x, y, pool.firm(), mark)
        elif concept == "contact":
            paper.put(x, y, pool.person(), mark)
        elif concept in _NUMBERS or not concept:
            paper.put(x, y, pool.amount(), mark)
        else:
            paper.put(x, y, pool.code(), mark)

    def _table(self) -> None:
        """Rows of words, dates and numbers that nobody asks for."""
        dice, paper, pool = self.dice, self.paper, self.pool
        makers = dice.choices(
            (pool.words, pool.date, pool.amount, pool.code, lambda: str(dice.randint(1, 99))),
            k=dice.randint(3, 7),
        )
        wide = (paper.right - paper.left) / len(makers)
        for row in range(dice.choice((0, 2, 5, 9, 16))):
            self.turn_over(70)
            for column, make in enumerate(makers):
                text = (
                    dice.choice(("Rate", "Date", "Line", "Day", "Amount", "Spots", "Type", "Remarks"))
                    if row == 0
                    else make()
                )
                paper.put(
                    paper.left + column * wide, self.y, text[: int(wide / 5)], size=paper.look.size * 0.85
                )
            self.y += paper.step
        self.y += paper.step

    def things(self) -> list[Thing]:
        """Return different things, among them near misses: the same thing with other words, another thing with the same."""
        dice = self.dice
        found: list[Thing] = []
        for _ in range(dice.choice((4, 6, 8, 12, 16))):
            thing = Thing.chance(dice)
            if found and dice.likely(0.4):
                near = dice.choice(found)
                thing = Thing(near.thing, thing.said) if dice.likely(0.5) else Thing(thing.thing, near.said)
            if all((thing.thing, thing.said) != (one.thing, one.said) for one in found):
                found.append(thing)
        return found

    def value(self, thing: Thing) -> str:
        pool, dice = self.pool, self.dice
        made: dict[str, Callable[[], str]] = {
            "name": lambda: pool.firm() if dice.likely(0.6) else pool.person(), "manager": pool.person, "address": pool.address,
            "number": pool.code, "id": pool.code, "code": pool.code, "phone": pool.phone, "email": pool.email, "country": pool.place,
            "city": pool.place, "type": pool.words, "status": pool.words, "title": pool.words, "office": pool.firm,
            "count": lambda: str(dice.randint(1, 900)),
        }  # fmt: skip
        if thing.type == "date":
            return pool.date()
        return made.get(thing.said, pool.amount)()

    def _pair(self, thing: Thing, *, may_be_empty: bool = True) -> tuple[str, str, Mark]:
        """Return a label, a value and the value's mark. A form may be left empty."""
        dice = self.dice
        self.count += 1
        label = thing.label(self.language, dice)
        if self.language == "en" and dice.likely(0.06):
            label = dice.choice(_LONG_LABELS).format(label)
        label = self.numbered.format(self.count) + label
        value = "" if may_be_empty and dice.likely(0.12) else self.value(thing)
        mark = Mark(thing.said)
        self.marks.append((thing, [mark] if value else []))
        return label, value, mark

    def _prose(self) -> None:
        dice, paper, pool = self.dice, self.paper, self.pool
        text = " ".join(dice.choices(CLAUSES, k=dice.choice((1, 1, 2)))).format(
            days=pool.days(), duration=pool.duration(), state=pool.place(), firm=pool.firm(), date=pool.date(), amount=pool.amount(),
            role="applicant", other="office", address=pool.address(), person=pool.person(),
        )  # fmt: skip
        self.y = (
            paper.put_lines(paper.left, self.y, paper.wrapped(text, paper.right - paper.left))
            + paper.step * 0.4
        )

    # Layouts

    def _lines(self, x: float, y: float, width: float, text: str, mark: Mark) -> float:
        pieces: list[Piece] = [(text, mark)]
        for line in self.paper.wrapped_pieces(pieces, width):
            self.paper.put_pieces(x, y, line)
            y += self.paper.step
        return y

    def _beside(self, things: list[Thing]) -> None:
        """A label and its value in one line."""
        paper, bold = self.paper, self.dice.likely(0.4)
        tab = self.dice.choice((0, 0, 150, 190, 240))
        for thing in things:
            label, value, mark = self._pair(thing)
            end = paper.put(paper.left, self.y, label + self.colon, bold=bold) + 5
            x = max(end, paper.left + tab)
            if not value:
                if self.dice.likely(0.5):
                    paper.put(x, self.y, self.dice.choice(("N/A", "-", "____________", "None", "n/a")))
                self.y += paper.step * 1.2
                continue
            self.y = self._lines(x, self.y, max(60.0, paper.right - x), value, mark) + paper.step * 0.2

    def _below(self, things: list[Thing]) -> None:
        """Labels with their values below them, in one to four columns."""
        paper, columns = self.paper, self.dice.choice((1, 2, 2, 3, 4))
        wide = (paper.right - paper.left) / columns
        for start in range(0, len(things), columns):
            lowest = self.y
            for column, thing in enumerate(things[start : start + columns]):
                label, value, mark = self._pair(thing)
                x = paper.left + column * wide
                small = paper.look.size * self.dice.choice((0.7, 0.8, 1.0))
                y = paper.put_lines(x, self.y, paper.wrapped(label, wide - 8, size=small), size=small)
                lowest = max(
                    lowest, self._lines(x, y + 1, wide - 8, value, mark) if value else y + paper.step
                )
            self.y = lowest + paper.step * 0.4

    def _row(self, things: list[Thing]) -> None:
        """A table of one row: labels in its head."""
        paper = self.paper
        wide = (paper.right - paper.left) / len(things)
        pairs = [self._pair(thing) for thing in things]
        head = max(
            paper.put_lines(
                paper.left + at * wide, self.y, paper.wrapped(label, wide - 6, bold=True), bold=True
            )
            for at, (label, _, _) in enumerate(pairs)
        )
        self.y = max(
            [head + paper.step]
            + [self._lines(paper.left + at * wide, head + 3, wide - 6, value, mark) for at, (_, value, mark) in enumerate(pairs) if value]
        )  # fmt: skip

    def _running(self, things: list[Thing]) -> None:
        """Several pairs in one line, as in a head or a foot."""
        pieces: list[Piece] = []
        between = self.dice.choice(("   ", " | ", "; ", ", ", " / "))
        for thing in things:
            label, value, mark = self._pair(thing, may_be_empty=False)
            pieces += [(f"{between if pieces else ''}{label}{self.colon or ':'} ", None), (value, mark)]
        for line in self.paper.wrapped_pieces(pieces, self.paper.right - self.paper.left):
            self.paper.put_pieces(self.paper.left, self.y, line)
            self.y += self.paper.step

    def _sentences(self, things: list[Thing]) -> None:
        pieces: list[Piece] = []
        for thing in things:
            label, value, mark = self._pair(thing, may_be_empty=False)
            plain = label[:1].lower() + label[1:]
            before, after = self.dice.choice((("The {} is ", ". "), ("We note {} ", " as agreed. "), ("Please take {} as {}: ", ". "),
                                              ("According to our records the {} was ", ". "), ("With {} ", " we remain at your service. ")))  # fmt: skip
            pieces += [(before.replace("{}", plain), None), (value, mark), (after, None)]
        for line in self.paper.wrapped_pieces(pieces, self.paper.right - self.paper.left):
            self.paper.put_pieces(self.paper.left, self.y, line)
            self.y += self.paper.step

    def facts(self) -> Lesson:
        dice = self.dice
        pages, places = read_sheets(self.paper.sheets)
        reader = self.reader = Reader(pages, places)
        lesson = Lesson(reader.words, kind="" if self.trade else "other", is_complete=True)
        for thing, marks in self.marks:
            spans = reader.spans(marks)
            if spans or not marks:
                lesson.facts.append(Fact(thing.type, thing, spans))
        said = {thing.said for thing, _ in self.marks}
        things = {thing.thing for thing, _ in self.marks}
        for _ in range(4):
            other = Thing.chance(dice)
            if other.thing not in things:
                near = dice.choice(sorted(said)) if said and dice.likely(0.5) else other.said
                lesson.facts.append(Fact(Thing(other.thing, near).type, Thing(other.thing, near)))
        for concept, mark in self.trade.items():
            spans = reader.spans([mark])
            kind = "number" if concept in _NUMBERS else "date" if concept in _DATES else "text"
            if spans:
                lesson.facts.append(Fact(kind, ConceptWays("field", concept, "en"), spans))
        if self.trade:
            lesson.facts += foreign_facts(dice, 5)
        for concept in [] if self.trade else dice.sample(_FOREIGN, 4):
            kind = (
                "number"
                if concept in ("total", "tax", "subtotal")
                else "date"
                if concept.endswith("date")
                else "text"
            )
            if not self._may_have(concept):
                lesson.facts.append(Fact(kind, ConceptWays("field", concept, self.language)))
        return lesson

    def _may_have(self, concept: str) -> bool:
        named = {thing.thing[0] for thing, _ in self.marks}
        thing = concept.partition("_")[0]
        if concept in ("total", "tax", "subtotal", "term", "parties"):
            return bool(named & {"order", "invoice", "contract"})
        return thing in named or (concept in ("iban", "customer_number") and "account" in named)


_LAYOUTS = (
    LabelledSheet._beside, LabelledSheet._beside, LabelledSheet._beside, LabelledSheet._below, LabelledSheet._below, LabelledSheet._row,
    LabelledSheet._running, LabelledSheet._sentences,
)  # fmt: skip
