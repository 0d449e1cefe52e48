"""Contracts: prose with parties, dates, durations, laws and amounts in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from evals.zoo import blocks
from evals.zoo.asking import Wish
from evals.zoo.canvas import Mark
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece
from evals.zoo.parties import Party

WISH = Wish(
    ("parties", "party_one", "effective_date", "governing_law", "court", "term", "notice_period", "fee", "signer",
     "total", "invoice_number", "due_date", "birth_date", "iban"),
)  # fmt: skip

_TELLING = {
    "term": ("term", "durations", 0),
    "notice": ("notice_period", "notices", 1),
    "law": ("governing_law", "laws", 5),
    "court": ("court", "courts", 5),
}
"""For each clause the concept, what it may say, and its heading by number."""
_FEE, _FILLERS = 3, (2, 4)


@dataclass(frozen=True)
class ContractDesign:
    columns: int
    numbering: str
    headings: bool
    title: str
    opening: str
    indent: float
    gap: float
    signatures: str
    fillers: int

    @classmethod
    def draw(cls, dice: Dice) -> ContractDesign:
        return cls(
            columns=2 if dice.likely(0.15) else 1,
            numbering=dice.layout((), ("{n}.", "§ {n}", "Section {n}."), ("({n})", "{n}.1", "Art. {n}")),
            headings=dice.likely(0.5),
            title=dice.layout(("centre",), ("left",), ("spaced",)),
            opening=dice.layout(("sentence",), ("listed",), ("boxed",)),
            indent=dice.choice((0.0, 12.0, 18.0)),
            gap=dice.choice((0.4, 0.7, 1.0)),
            signatures=dice.layout(("columns", "none"), ("stacked",), ("lines",)),
            fillers=dice.choice((2, 4, 6, 9)),
        )


class ContractPaper:
    """Draws one contract. `y` goes down one column, then the next, then the next sheet."""

    def __init__(self, paper: Paper, design: ContractDesign) -> None:
        self.paper = paper
        self.design = design
        self.dice = paper.dice
        maker = paper.maker
        self.parties = [maker.party(), maker.party(firm=self.dice.likely(0.6))]
        self.day = paper.day()
        self.roles = paper.wording("contract", "roles").split("/")
        self.y = paper.look.margin + 20
        self.column = 0
        self.top = self.y
        self.names: list[str] = [party.name for party in self.parties]

    def draw(self) -> None:
        paper = self.paper
        title = paper.wording("titles", "contract")
        self._title(title)
        self._opening(title)
        headings = paper.words("contract", "headings")
        for number, (heading, pieces) in enumerate(self._clauses(), start=1):
            lead = self.design.numbering.format(n=number)
            if self.design.headings:
                self._flow([(f"{lead} {headings[heading]}", None)], bold=True)
                self._flow(pieces, indent=self.design.indent)
            else:
                self._flow([(f"{lead} ", None), *pieces], indent=self.design.indent)
            self.y += paper.step * self.design.gap
        self._signatures()
        paper.say("parties", self.names)
        paper.said["parties"].marks += paper.said["party_one"].marks

    # Flowing text

    @property
    def _width(self) -> float:
        paper = self.paper
        whole = paper.right - paper.left
        return whole if self.design.columns == 1 else (whole - 20) / 2

    @property
    def _x(self) -> float:
        return self.paper.left + self.column * (self._width + 20)

    def _flow(self, pieces: list[Piece], *, indent: float = 0.0, bold: bool = False) -> None:
        paper = self.paper
        for line in paper.wrapped_pieces(pieces, self._width - indent, bold=bold):
            if self.y > paper.bottom - 10:
                self._turn()
            paper.put_pieces(self._x + indent, self.y, line, bold=bold)
            self.y += paper.step

    def _turn(self) -> None:
        """Go to the next column, or to the next sheet."""
        if self.column + 1 < self.design.columns:
            self.column += 1
            self.y = self.top
            return
        self.paper.new_sheet()
        self.column = 0
        self.y = self.top = self.paper.look.margin + 20

    # What it says

    def _title(self, title: str) -> None:
        paper = self.paper
        size = paper.look.size * 1.5
        if self.design.title == "left":
            paper.put(paper.left, self.y, title, size=size, bold=True)
        else:
            text = blocks.spaced(title) if self.design.title == "spaced" else title.upper()
            paper.put((paper.left + paper.right) / 2, self.y, text, size=size, bold=True, align="centre")
        self.y += paper.step * 2.5
        self.top = self.y

    def _party(self, index: int) -> Mark:
        """Return a mark for a party's name. The first party can also be asked for alone."""
        paper = self.paper
        if index == 0:
            return paper.mark("party_one", self.names[0])
        mark = Mark("parties")
        paper.say("parties", self.names)
        paper.said["parties"].marks.append(mark)
        return mark

    def _opening(self, title: str) -> None:
        paper = self.paper
        if self.design.opening != "sentence":
            self._listed()
        values: dict[str, Piece | str] = {
            "title": title,
            "effective_date": (paper.writing.date(self.day), paper.mark("effective_date", self.day)),
            "role1": self.roles[0],
            "role2": self.roles[1],
        }
        for index, party in enumerate(self.parties):
            values[f"party{index + 1}"] = (party.name, self._party(index))
            values[f"about{index + 1}"] = self._about(party)
        self._flow(paper.pieces(paper.wording("contract", "opening"), values))
        self.y += paper.step

    def _listed(self) -> None:
        """Draw the parties one below the other before the first sentence."""
        paper = self.paper
        top = self.y - paper.look.size - 4
        for index, party in enumerate(self.parties):
            paper.put(self._x + 8, self.y, party.name, self._party(index), bold=True)
            self.y += paper.step
            for line in party.address:
                paper.put(self._x + 8, self.y, line)
                self.y += paper.step
            paper.put(self._x + 8, self.y, f"- {self.roles[index]} -")
            self.y += paper.step * 1.4
        if self.design.opening == "boxed":
            paper.box(self._x, top, self._x + self._width, self.y - paper.step)
        self.y += paper.step * 0.5
        self.top = self.top if self.column else self.y

    def _about(self, party: Party) -> str:
        paper = self.paper
        return paper.wording("contract", "about").format(
            address=", ".join(party.address),
            place=paper.maker.pick("contract", "courts"),
            person=paper.maker.person(),
        )

    def _clauses(self) -> list[tuple[int, list[Piece]]]:
        """Return clauses in any order, each with the number of its heading."""
        paper, dice = self.paper, self.dice
        clauses: list[tuple[int, list[Piece]]] = []
        for clause, (concept, pool, heading) in _TELLING.items():
            if dice.likely(0.7):
                before, _, text = paper.maker.pick("contract", pool).rpartition("/")
                clauses.append((heading, self._clause(clause, before, (text, paper.mark(concept, text)))))
        if dice.likely(0.5):
            fee = Decimal(dice.randint(10, 900)) * 100
            text = paper.writing.amount(fee, signed=True)
            clauses.append((_FEE, self._clause("fee", "", (text, paper.mark("fee", fee)))))
        for filler in dice.sample(paper.words("contract", "fillers"), self.design.fillers):
            clauses.append((dice.choice(_FILLERS), paper.pieces(filler, self._asides())))
        dice.shuffle(clauses)
        return clauses

    def _clause(self, name: str, before: str, value: Piece) -> list[Piece]:
        """Return a clause with its value. What stands before the value, such as an article, is not part of it."""
        paper = self.paper
        template = paper.wording("contract", name).replace(f"{{{name}}}", f"{before}{{{name}}}")
        return paper.pieces(template, {name: value, "role1": self.roles[0], "role2": self.roles[1]})

    def _asides(self) -> dict[str, Piece | str]:
        """Return near misses: days, rates, dates and firms that nobody asks for."""
        paper, dice = self.paper, self.dice
        return {
            "days": str(dice.choice((3, 5, 10, 15))),
            "percent": paper.writing.percent(Decimal(dice.choice((4, 5, 8)))),
            "other_date": paper.writing.date(self.day - timedelta(days=dice.randint(100, 900))),
            "other_firm": paper.maker.firm(),
        }

    def _signatures(self) -> None:
        paper, design = self.paper, self.design
        if design.signatures == "none":
            return
        if self.y > paper.bottom - 90:
            self._turn()
        self._flow([(paper.wording("contract", "witness"), None)])
        self.y += paper.step
        label = paper.wording("contract", "signing")
        top, wide = self.y, self._width / 2
        for index, party in enumerate(self.parties):
            x = self._x + (index * wide if design.signatures == "columns" else 0)
            y = top if design.signatures == "columns" else self.y
            for line in paper.wrapped(party.name, wide - 10):
                paper.put(x, y, line, None)
                y += paper.step
            person = (
                party.person
                if index == 0
                else party.name
                if party.name == party.person
                else paper.maker.person()
            )
            paper.put(
                x,
                y + paper.step,
                f"{label}: {'_' * 12}" if design.signatures == "lines" else f"{label}: {person}",
            )
            self.y = y + paper.step * 3
