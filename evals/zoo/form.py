"""Forms: labelled boxes that somebody filled in by hand or by machine, with boxes to tick."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper

_ENTRIES = (
    "last_name", "first_name", "birth_date", "birth_place", "nationality", "street", "city", "applicant_phone",
    "applicant_email", "occupation", "employer", "id_number", "emergency_contact", "membership_fee",
)  # fmt: skip
_TICKS = ("marital_status", "insured", "newsletter")

WISH = Wish((*_ENTRIES, *_TICKS, "signature_date", "total", "iban", "invoice_number", "due_date"))


@dataclass(frozen=True)
class FormDesign:
    layout: str
    columns: int
    field: str
    ticks: str
    handwriting: bool
    numbered: bool
    empty: float
    """The share of boxes that were left empty."""
    spaced_title: bool

    @classmethod
    def draw(cls, dice: Dice) -> FormDesign:
        return cls(
            layout=dice.layout((), ("left", "above"), ("inside", "below")),
            columns=dice.choice((1, 2, 2)),
            field=dice.layout(("box", "line"), ("none",), ("shade",)),
            ticks=dice.layout(("[x]",), ("(x)",), ("X",)),
            handwriting=dice.likely(0.4),
            numbered=dice.likely(0.3),
            empty=dice.choice((0.0, 0.1, 0.25)),
            spaced_title=dice.likely(0.12),
        )


class FormPaper:
    """Draws one form, from the top down."""

    def __init__(self, paper: Paper, design: FormDesign) -> None:
        self.paper = paper
        self.design = design
        self.dice = paper.dice
        self.person = paper.maker.party(firm=False)
        self.signed = paper.day()

    def draw(self) -> None:
        paper, dice = self.paper, self.dice
        y = paper.look.margin + 16
        if dice.likely(0.7):
            y = paper.put_lines(paper.left, y, [paper.maker.firm()], bold=True)
        title = paper.wording("titles", "form")
        title = blocks.spaced(title) if self.design.spaced_title else title
        paper.put(paper.left, y + 10, title, size=paper.look.size * 1.7, bold=True)
        y += paper.step * 3.5
        concepts = dice.sample(_ENTRIES, dice.randint(6, len(_ENTRIES)))
        concepts.sort(key=_ENTRIES.index)
        y = self._fields(y, concepts)
        for concept in dice.sample(_TICKS, dice.randint(1, 3)):
            y = self._tick(y, concept)
        self._signature(y + paper.step)

    def _value(self, concept: str) -> tuple[Any, str]:
        """Return a value and how it is written."""
        paper, maker, person = self.paper, self.paper.maker, self.person
        given, _, family = person.name.partition(" ")
        match concept:
            case "birth_date":
                day = date(1935, 1, 1) + timedelta(days=self.dice.randint(0, 26000))
                return day, paper.writing.date(day)
            case "membership_fee":
                fee = Decimal(self.dice.randint(10, 400))
                return fee, paper.writing.amount(fee, signed=True)
            case "nationality":
                text = maker.pick("letter", "nationalities")
            case "birth_place":
                text = maker.pick("contract", "courts")
            case "occupation":
                text = maker.pick("names", "jobs")
            case _:
                text = {
                    "last_name": family, "first_name": given, "street": person.street, "city": person.city,
                    "applicant_phone": person.phone, "applicant_email": person.email,
                }.get(concept) or self._other(concept)  # fmt: skip
        return text, text

    def _other(self, concept: str) -> str:
        maker = self.paper.maker
        if concept == "employer":
            return maker.firm()
        return maker.person() if concept == "emergency_contact" else maker.shaped("A99999999")

    def _fields(self, y: float, concepts: list[str]) -> float:
        paper, columns = self.paper, self.design.columns
        width = (paper.right - paper.left) / columns
        tall = paper.step * (2.9 if self.design.layout != "left" else 1.9)
        for index, concept in enumerate(concepts):
            row, column = divmod(index, columns)
            self._field(paper.left + column * width, y + row * tall, width - 10, concept, index + 1)
        return y + (len(concepts) + columns - 1) // columns * tall + paper.step

    def _field(self, x: float, y: float, width: float, concept: str, number: int) -> None:
        """Draw a label and a box. An empty box says nothing, so that nothing can be asked of it."""
        paper, design = self.paper, self.design
        label = paper.label(concept.removeprefix("applicant_"))
        label = f"{number}. {label}" if design.numbered else label
        small = paper.look.size * 0.78
        if design.layout == "left":
            end = paper.put(x, y, label + paper.look.colon, bold=paper.look.bold_labels)
            start, base = max(x + min(width * 0.42, 150), end + 10), y
        elif design.layout == "below":
            paper.put(x + 2, y + paper.step, label, size=small)
            start, base = x + 4, y
        else:
            paper.put(x + 2, y, label, size=small if design.layout == "inside" else None)
            start, base = x + 6, y + paper.step * 1.1
        top = (y - paper.look.size - 1) if design.layout == "inside" else base - paper.look.size - 1
        self._frame(start - 4, top, x + width, base + 4)
        if self.dice.likely(design.empty):
            return
        value, text = self._value(concept)
        if concept == "membership_fee":
            paper.unclear.add("total")
        mark = paper.mark(concept, value)
        room, wide = x + width - start, paper.width(text)
        size = paper.look.size * min(1.0, room / wide)
        paper.put(start, base, text, mark, size=size, hand=design.handwriting)

    def _frame(self, left: float, top: float, right: float, bottom: float) -> None:
        match self.design.field:
            case "box":
                self.paper.box(left, top, right, bottom)
            case "line":
                self.paper.rule(left, bottom, right, 0.4)
            case "shade":
                self.paper.box(left, top, right, bottom, fill=0.93)

    def _tick(self, y: float, concept: str) -> float:
        """Draw a question with a box before each answer, one of them ticked."""
        paper, dice = self.paper, self.dice
        x = paper.put(paper.left, y, paper.label(concept)) + 16
        yes_no = concept != "marital_status"
        answers = (
            (paper.words("choices", "yes")[0], paper.words("choices", "no")[0])
            if yes_no
            else paper.words("choices", concept)
        )
        ticked = dice.randrange(len(answers))
        for index, answer in enumerate(answers):
            if x + paper.width(answer) + 30 > paper.right:
                x, y = paper.left + 20, y + paper.step * 1.4
            mark = paper.mark(concept, index == 0 if yes_no else answer) if index == ticked else None
            x = self._answer(x, y, mark is not None)
            x = paper.put(x, y, answer, mark) + 16
        return y + paper.step * 2

    def _answer(self, x: float, y: float, ticked: bool) -> float:
        paper, design = self.paper, self.design
        if design.ticks == "X":
            return paper.check_mark(x, y, checked=ticked, hand=design.handwriting)
        return paper.put(x, y, design.ticks if ticked else design.ticks.replace("x", " ")) + 4

    def _signature(self, y: float) -> None:
        paper = self.paper
        y = min(y + paper.step, paper.bottom - 20)
        text = paper.writing.date(self.signed)
        end = paper.put(paper.left, y, paper.label("signature_date") + (paper.look.colon or ":"))
        paper.put(end + 8, y, text, paper.mark("signature_date", self.signed), hand=self.design.handwriting)
        paper.rule(paper.right - 160, y + 2, paper.right, 0.4)
