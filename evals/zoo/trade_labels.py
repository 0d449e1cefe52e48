"""Numbers, dates and other things with a label at the head of a paper of trade."""

from __future__ import annotations

from datetime import date, timedelta

from evals.zoo import blocks
from evals.zoo.blocks import Entry, entry
from evals.zoo.paper import Paper
from evals.zoo.trade_design import FURTHER


class TradeLabels:
    """Makes up what stands beside the number and the date."""

    def __init__(self, paper: Paper, kind: str, title: str, number: str, day: date) -> None:
        self.paper = paper
        self.dice = paper.dice
        self.kind = kind
        self.title = title
        self.number = number
        self.day = day

    def entries(self) -> list[Entry]:
        """Return number and date, unless the title says them, and some of the others."""
        dice = self.dice
        further = list(FURTHER[self.kind])
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
