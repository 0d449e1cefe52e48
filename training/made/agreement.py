"""Agreements in English prose: many openings, clauses and near misses, over several pages."""

from __future__ import annotations

from datetime import timedelta

from evals.wordings import Half
from evals.zoo.canvas import Mark, read_sheets
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Piece
from evals.zoo.words import words_of

from training.made.agreement_words import (
    ABOUT,
    CLAUSES,
    DATED,
    EXHIBITS,
    JOINS,
    LAWS,
    LEADS,
    LETTERS,
    NO_DATE,
    ROLES,
    TERMS,
    TITLES,
)  # fmt: skip
from training.made.lesson import Fact, Lesson, Reader
from training.made.pool import COUNTRIES_SAID, STATES, Pool
from training.made.wording import ConceptWays

_ABSENT = ("total", "invoice_number", "due_date", "birth_date", "iban", "seller_vat", "order_number", "subtotal",
           "patient_name", "vehicle", "policy_number", "flight_number", "tax", "employer", "hours_worked")  # fmt: skip


def agreement_lesson(seed: int) -> Lesson:
    return _Agreement(Dice(Half.BUILDING, "agreement", seed)).lesson()


class _Agreement:
    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.pool = Pool(dice)
        self.paper = Paper(dice, dice, words_of("en"))
        self.marks: dict[str, list[Mark]] = {}
        self.quote = dice.choice(('"{}"', '"{}"', "'{}'", "{}"))
        self.parties = [self.pool.firm(), self.pool.person() if dice.likely(0.3) else self.pool.firm()]
        if dice.likely(0.12):
            self.parties.append(self.pool.firm())
        self.roles = dice.choice(ROLES)
        self.title = dice.choice(TITLES)
        self.day = self.pool.day()
        self.y = self.paper.look.margin + 20

    def lesson(self) -> Lesson:
        dice = self.dice
        if dice.likely(0.4):
            self._line(dice.choice(EXHIBITS).format(n=dice.randint(1, 60)))
        if dice.likely(0.15):
            self._letter()
        else:
            self._opening()
        self._clauses()
        if dice.likely(0.8):
            self._signatures()
        return self._facts()

    def _mark(self, concept: str) -> Mark:
        mark = Mark(concept)
        self.marks.setdefault(concept, []).append(mark)
        return mark

    def _party(self, index: int) -> Piece:
        mark = self._mark(f"party{index}")
        return self.parties[index], mark

    # Drawing

    def _flow(self, pieces: list[Piece], indent: float = 0.0) -> None:
        paper = self.paper
        for line in paper.wrapped_pieces(
            [piece for piece in pieces if piece[0]], paper.right - paper.left - indent
        ):
            if self.y > paper.bottom - 10:
                paper.new_sheet()
                self.y = paper.look.margin + 20
            paper.put_pieces(paper.left + indent, self.y, line)
            self.y += paper.step
        self.y += paper.step * self.dice.choice((0.2, 0.5, 0.8))

    def _line(self, text: str, mark: Mark | None = None, *, centred: bool = False) -> None:
        if centred:
            for line in self.paper.wrapped(text, self.paper.right - self.paper.left, bold=True):
                middle = (self.paper.left + self.paper.right) / 2
                self.paper.put(middle, self.y, line, mark, align="centre", bold=True)
                self.y += self.paper.step
        else:
            self._flow([(text, mark)])

    # What it says

    def _named(self, index: int) -> list[Piece]:
        dice = self.dice
        pieces: list[Piece] = [self._party(index)]
        if dice.likely(0.65):
            about = dice.choice(ABOUT).format(
                state=dice.choice(STATES), address=self.pool.address(), country=dice.choice(COUNTRIES_SAID)
            )
            pieces.append((f", {about}" + dice.choice((",", "")), None))
        if dice.likely(0.8):
            role = self.roles[min(index, 1)]
            said = dice.choice(("({})", "(the {})", "(hereinafter {})", "(hereinafter referred to as {})",
                                '(together with its affiliates, {})', "(collectively, {})", "({} or the Company)"))  # fmt: skip
            pieces.append((f" {said.format(self.quote.format(role))}", None))
        return pieces

    def _joined(self) -> list[Piece]:
        pieces: list[Piece] = []
        for index in range(len(self.parties)):
            if index:
                last = index == len(self.parties) - 1
                pieces.append((self.dice.choice((" and ", ", and ", " and ")) if last else ", ", None))
            pieces += self._named(index)
        return pieces

    def _date(self) -> Piece:
        return self.pool.spoken_date(self.day), self._mark("effective_date")

    def _opening(self) -> None:
        dice = self.dice
        if dice.likely(0.85):
            self._line(self.title.upper() if dice.likely(0.6) else self.title, centred=dice.likely(0.7))
            self.y += self.paper.step
        lead = dice.choice(
            (
                "This {}",
                "THIS {}",
                'This {} (the "Agreement")',
                'This {} (this "Agreement")',
                "This Agreement",
            )
        )
        lead = lead.format(self.title.upper() if dice.likely(0.3) else self.title)
        has_date = dice.likely(0.85)
        effective = dice.choice(
            ("", "", ' (the "Effective Date")', ' ("Effective Date")', " (the Effective Date)")
        )
        form = dice.random()
        if form < 0.55:
            dated = (
                [(f"{lead} {dice.choice(DATED)} ", None), self._date()]
                if has_date
                else [(f"{lead} {dice.choice(NO_DATE)}", None)]
            )
            comma = dice.choice((",", ""))
            self._flow(
                [*dated, (f"{effective}{comma} {dice.choice(JOINS)} ", None), *self._joined(), (".", None)]
            )
        elif form < 0.72:
            after = dice.choice(
                (
                    " and is dated ",
                    " and is effective as of ",
                    ". It is effective as of ",
                    ", and takes effect on ",
                )
            )
            end: list[Piece] = [(after, None), self._date(), (".", None)] if has_date else [(".", None)]
            self._flow([(f"{lead} is {dice.choice(JOINS)} ", None), *self._joined(), *end])
        elif form < 0.88:
            if has_date:
                label = dice.choice(
                    ("Effective Date: ", "Date: ", "Dated: ", "Dated as of ", "Date of Agreement: ")
                )
                self._flow([(label, None), self._date()])
            self._line(dice.choice(("PARTIES:", "BETWEEN:", "Parties", "BETWEEN", "The parties are:")))
            for index in range(len(self.parties)):
                number = dice.choice((f"({index + 1}) ", f"{index + 1}. ", ""))
                self._flow(
                    [(number, None), *self._named(index), (dice.choice((";", "; and", ".", "")), None)], 12
                )
        else:
            lead = dice.choice(LEADS)
            end = [(", effective ", None), self._date()] if has_date else []
            self._flow(
                [
                    (f"{lead} ", None),
                    *self._joined(),
                    *end,
                    (dice.choice((", the parties agree as follows:", ", it is agreed:")), None),
                ]
            )

    def _letter(self) -> None:
        """An agreement written as a letter from one party to the other."""
        dice = self.dice
        self._line(self.parties[0], self._mark("party0"))
        self._line(self.pool.address())
        self._flow([self._date()])
        self._line(self.parties[1], self._mark("party1"))
        self._line(self.pool.address())
        self._line(
            dice.choice(
                ("Ladies and Gentlemen:", "Dear Sirs:", f"Dear {self.parties[1].split()[-1]}:", "Gentlemen:")
            )
        )
        template = dice.choice(LETTERS)
        before, _, after = template.partition("{first}")
        self._flow([(before, None), self._party(0), (after, None)])
        del self.parties[2:]

    def _clauses(self) -> None:
        dice, pool = self.dice, self.pool
        clauses: list[list[Piece]] = []
        if dice.likely(0.6):
            before, _, after = dice.choice(TERMS).partition("{term}")
            clauses.append([(before, None), (pool.duration(), self._mark("term")), (after, None)])
        if dice.likely(0.85):
            law = (
                dice.choice(STATES) if dice.likely(0.75) else dice.choice(COUNTRIES_SAID).removeprefix("the ")
            )
            of = (
                dice.choice(("the State of ", "the State of ", "the Commonwealth of ", "", "the state of "))
                if law in STATES
                else ""
            )
            for _ in range(2 if dice.likely(0.15) else 1):
                before, _, after = dice.choice(LAWS).partition("{law}")
                adjective = before.endswith(("by ", "under ")) and after.startswith(" law")
                clauses.append(
                    [
                        (before + ("" if adjective else of), None),
                        (law, self._mark("governing_law")),
                        (after, None),
                    ]
                )
        if dice.likely(0.35):
            clauses.append([("Either party may terminate this Agreement upon ", None), (pool.days(), self._mark("notice_period")),
                            (dice.choice((" prior written notice to the other party.", " written notice.", " notice.")), None)])  # fmt: skip
        if dice.likely(0.25):
            clauses.append([(dice.choice(("In consideration of the services the Company shall pay a fee of ", "The price is ",
                             "A total amount of ")), None), (pool.amount(), self._mark("fee")), (dice.choice((" within thirty days.", " payable monthly.", ".")), None)])  # fmt: skip
        for filler in dice.choices(CLAUSES, k=dice.choice((3, 6, 10, 16, 30))):
            clauses.append([(self._filled(filler), None)])
        dice.shuffle(clauses)
        numbered = dice.choice(("{}. ", "{}. ", "({}) ", "Section {}. ", "", "{}.1 "))
        for number, clause in enumerate(clauses, start=1):
            self._flow([(numbered.format(number), None), *clause], dice.choice((0.0, 0.0, 14.0)))

    def _filled(self, filler: str) -> str:
        dice, pool = self.dice, self.pool
        return filler.format(
            days=pool.days(), duration=pool.duration(), state=dice.choice(STATES), firm=pool.firm(),
            date=pool.spoken_date(self.day - timedelta(days=dice.randint(40, 900))), amount=pool.amount(),
            role=self.roles[0], other=self.roles[1], address=pool.address(), person=pool.person(),
        )  # fmt: skip

    def _signatures(self) -> None:
        dice, paper = self.dice, self.paper
        self._line(dice.choice(("IN WITNESS WHEREOF, the parties have executed this Agreement.", "AGREED AND ACCEPTED:",
                                "IN WITNESS WHEREOF, the parties hereto have caused this Agreement to be duly executed as of the date first above written.")))  # fmt: skip
        beside = dice.likely(0.5)
        if self.y > paper.bottom - 110:
            paper.new_sheet()
            self.y = paper.look.margin + 20
        top, wide = self.y, (paper.right - paper.left) / 2
        for index in range(len(self.parties)):
            x = paper.left + (wide * (index % 2) if beside else 0)
            y = top if beside and index < 2 else self.y
            upper = self.parties[index].upper() if dice.likely(0.3) else self.parties[index]
            y = paper.put_lines(x, y, paper.wrapped(upper, wide - 12), self._mark(f"party{index}"))
            for label in dice.sample(("By:", "Name:", "Title:", "Date:"), dice.randint(1, 4)):
                value = {"Name:": self.pool.person(), "Title:": self.pool.job()}.get(label, "_" * 14)
                paper.put(x, y + paper.step * 0.6, f"{label} {value}")
                y += paper.step * 1.2
            self.y = max(self.y, y + paper.step)

    def _facts(self) -> Lesson:
        pages, places = read_sheets(self.paper.sheets)
        reader = Reader(pages, places)
        lesson = Lesson(reader.words, kind="contract")
        named = [self.marks.get(f"party{index}", []) for index in range(len(self.parties))]
        spans = reader.spans([mark for marks in named for mark in marks])
        lesson.facts.append(Fact("list", ConceptWays("field", "parties", "en"), spans))
        for concept, index in (("party_one", 0), ("party_two", 1)):
            lesson.facts.append(Fact("text", ConceptWays("field", concept, "en"), reader.spans(named[index])))
        for concept in ("effective_date", "governing_law", "term", "notice_period", "fee"):
            kind = {"effective_date": "date", "fee": "number"}.get(concept, "text")
            spans = reader.spans(self.marks.get(concept, ()))
            if spans or concept not in self.marks:
                lesson.facts.append(Fact(kind, ConceptWays("field", concept, "en"), spans))
        for concept in _ABSENT:
            kind = (
                "number"
                if concept in ("total", "tax", "subtotal")
                else "date"
                if concept.endswith("date")
                else "text"
            )
            lesson.facts.append(Fact(kind, ConceptWays("field", concept, "en")))
        return lesson
