"""Letters: a sender, a recipient, a date, a subject and some paragraphs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.blocks import Entry, entry
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece

WISH = Wish(
    ("sender_name", "sender_address", "recipient_name", "recipient_address", "issue_date", "subject", "reference",
     "customer_number", "signer", "phone", "email", "website", "total", "iban", "due_date", "invoice_number",
     "birth_date"),
)  # fmt: skip


@dataclass(frozen=True)
class LetterDesign:
    sender: str
    date: str
    subject: str
    labels: str
    columns: int
    bold_subject: bool
    gap: float
    person_signs: bool

    @classmethod
    def draw(cls, dice: Dice) -> LetterDesign:
        return cls(
            sender=dice.layout(("left", "right"), ("centre",), ("line",)),
            date=dice.layout((), ("right", "with city"), ("left", "labelled")),
            subject=dice.layout(("bare", "labelled"), ("upper",), ("boxed",)),
            labels=dice.layout(("tab",), ("inline",), ("strip",)),
            columns=2 if dice.likely(0.1) else 1,
            bold_subject=dice.likely(0.7),
            gap=dice.choice((0.5, 0.8, 1.1)),
            person_signs=dice.likely(0.8),
        )


class LetterPaper:
    """Draws one letter, from the top down."""

    def __init__(self, paper: Paper, design: LetterDesign) -> None:
        self.paper = paper
        self.design = design
        self.dice = paper.dice
        self.sender = paper.maker.party(firm=self.dice.likely(0.8))
        self.recipient = paper.maker.party(firm=self.dice.likely(0.5))
        self.day = paper.day()

    def draw(self) -> None:
        y = self._sender()
        y = blocks.party(
            self.paper, self.paper.left, y, 240, self.recipient, "recipient",
            label=self.paper.label("recipient") if self.dice.likely(0.2) else "",
        )  # fmt: skip
        y = self._labels(y + self.paper.step)
        y = self._date(y)
        y = self._subject(y + self.paper.step)
        y = self._body(y)
        self._closing(y)

    def _sender(self) -> float:
        paper, who = self.paper, self.sender
        y = paper.look.margin + 14
        if self.design.sender == "line":
            name, address = (
                paper.mark("sender_name", who.name),
                paper.mark("sender_address", ", ".join(who.address)),
            )
            pieces: list[Piece] = [
                (who.name, name),
                (" · ", None),
                (who.street, address),
                (" · ", None),
                (who.city, address),
            ]
            paper.put_pieces(paper.left, y, pieces, size=paper.look.size * 0.8)
            return y + paper.step * 2
        x, align = {
            "left": (paper.left, "left"),
            "right": (paper.right, "right"),
            "centre": ((paper.left + paper.right) / 2, "centre"),
        }[self.design.sender]
        y = blocks.party(paper, x, y, 280, who, "sender", align=align, name_size=paper.look.size * 1.3)
        for concept, value in (("phone", who.phone), ("email", who.email), ("website", who.website)):
            if self.dice.likely(0.45):
                label = f"{paper.label(concept)}{paper.look.colon or ':'} "
                paper.put_pieces(x, y, [(label, None), (value, paper.mark(concept, value))], align=align)
                y += paper.step
        return y + paper.step * 1.5

    def _labels(self, y: float) -> float:
        paper, items = self.paper, []
        for concept in ("reference", "customer_number"):
            if self.dice.likely(0.4):
                code = paper.maker.code(self.day.year)
                items.append(entry(paper, concept, code, code))
        if not items:
            return y
        return blocks.entries(paper, paper.left, y, 300, items, self.design.labels) + paper.step * 0.5

    def _date(self, y: float) -> float:
        paper = self.paper
        date: Piece = (paper.writing.date(self.day), paper.mark("issue_date", self.day))
        match self.design.date:
            case "right":
                paper.put_pieces(paper.right, y, [date], align="right")
            case "with city":
                town = max(
                    self.sender.city.replace(",", "").split(), key=lambda word: (word.isalpha(), len(word))
                )
                paper.put_pieces(paper.right, y, [(f"{town}, ", None), date], align="right")
            case "left":
                paper.put_pieces(paper.left, y, [date])
            case _:
                item = Entry(paper.label("issue_date"), (date,))
                return blocks.entries(paper, paper.left, y, 220, [item], "inline")
        return y + paper.step

    def _subject(self, y: float) -> float:
        paper = self.paper
        subject = paper.maker.pick("letter", "subjects")
        piece: Piece = (
            subject.upper() if self.design.subject == "upper" else subject,
            paper.mark("subject", subject),
        )
        label = (
            f"{paper.label('subject')}{paper.look.colon or ':'} " if self.design.subject == "labelled" else ""
        )
        paper.put_pieces(paper.left, y, [(label, None), piece], bold=self.design.bold_subject)
        if self.design.subject == "boxed":
            paper.box(paper.left - 6, y - paper.step, paper.right, y + paper.step * 0.5)
        return y + paper.step * 2

    def _body(self, y: float) -> float:
        paper, dice = self.paper, self.dice
        greeting = paper.wording("letter", "greeting").format(person=self.recipient.person)
        paper.put(paper.left, y, greeting)
        y += paper.step * 1.5
        sentences = dice.sample(
            paper.words("letter", "bodies"), dice.randint(3, len(paper.words("letter", "bodies")))
        )
        width = paper.right - paper.left
        if self.design.columns == 2:
            half = len(sentences) // 2
            column = (width - 20) / 2
            return max(
                self._paragraphs(sentences[:half], paper.left, y, column),
                self._paragraphs(sentences[half:], paper.left + column + 20, y, column),
            )
        return self._paragraphs(sentences, paper.left, y, width)

    def _paragraphs(self, sentences: list[str], x: float, y: float, width: float) -> float:
        paper = self.paper
        for sentence in sentences:
            text = sentence.format(**self._asides())
            y = paper.put_lines(x, y, paper.wrapped(text, width)) + paper.step * self.design.gap
        return y

    def _asides(self) -> dict[str, str]:
        """Return near misses: another date, person, firm and town, and an amount."""
        paper, dice = self.paper, self.dice
        return {
            "date": paper.writing.date(self.day + timedelta(days=dice.randint(-40, 40) or 5)),
            "other_person": paper.maker.person(),
            "other_firm": paper.maker.firm(),
            "city": paper.maker.city(),
            "amount": paper.writing.amount(Decimal(dice.randint(1000, 90000)) / 100, signed=True),
        }

    def _closing(self, y: float) -> None:
        paper = self.paper
        y = paper.put_lines(paper.left, y + paper.step, [paper.wording("letter", "closing")]) + paper.step * 2
        if self.design.person_signs:
            name = self.sender.person
            y = paper.put_lines(paper.left, y, [name], paper.mark("signer", name))
            if self.dice.likely(0.5):
                paper.put(paper.left, y, paper.maker.pick("names", "jobs"))
        else:
            paper.put(paper.left, y, self.sender.name, paper.mark("sender_name", self.sender.name))
