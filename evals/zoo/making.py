"""Makes one document from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from docagent.domain.documents.text import Page
from evals.wordings import Half
from evals.zoo import contract, form, letter, receipt, statement
from evals.zoo.asking import Wish, ask
from evals.zoo.canvas import Mark, read_sheets
from evals.zoo.document import MadeDocument, Occurrence
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper
from evals.zoo.trade import TradePaper
from evals.zoo.trade_design import WISHES, TradeDesign
from evals.zoo.words import LANGUAGES, words_of

_Design = TypeVar("_Design")
_Draw = Callable[[Paper, Dice], Any]
"""Draws a paper and returns its design."""


class _Drawn(Protocol):
    def draw(self) -> None: ...


def _kind(
    draw_design: Callable[[Dice], _Design], paper_of: Callable[[Paper, _Design], _Drawn], wish: Wish
) -> tuple[_Draw, Wish]:
    def draw(paper: Paper, dice: Dice) -> _Design:
        design = draw_design(dice)
        paper_of(paper, design).draw()
        return design

    return draw, wish


_KINDS = {
    **{kind: _kind(TradeDesign.draw, partial(TradePaper, kind), wish) for kind, wish in WISHES.items()},
    "receipt": _kind(receipt.ReceiptDesign.draw, receipt.ReceiptPaper, receipt.WISH),
    "statement": _kind(statement.StatementDesign.draw, statement.StatementPaper, statement.WISH),
    "form": _kind(form.FormDesign.draw, form.FormPaper, form.WISH),
    "letter": _kind(letter.LetterDesign.draw, letter.LetterPaper, letter.WISH),
    "contract": _kind(contract.ContractDesign.draw, contract.ContractPaper, contract.WISH),
}
KINDS = tuple(_KINDS)


@dataclass(frozen=True)
class DrawnPaper:
    """A paper before anything is asked of it."""

    kind: str
    language: str
    design: dict[str, Any]
    paper: Paper
    wish: Wish
    pages: list[Page]
    places: dict[Mark, Occurrence]


def draw_paper(seed: int, half: Half, kind: str | None = None, language: str | None = None) -> DrawnPaper:
    """Return the paper of a seed. Without a kind or a language, chance decides on them."""
    design_dice, dice = Dice(half, "design", seed), Dice(half, "content", seed)
    kind = kind or design_dice.choice(KINDS)
    language = language or design_dice.choice(LANGUAGES)
    draw, wish = _KINDS[kind]
    paper = Paper(dice, design_dice, words_of(language))
    design = draw(paper, design_dice)
    pages, places = read_sheets(paper.sheets)
    decisions = {"kind": kind, **asdict(paper.look), **asdict(design)}
    return DrawnPaper(kind, language, decisions, paper, wish, pages, places)


def make(seed: int, half: Half, kind: str | None = None, language: str | None = None) -> MadeDocument:
    """Return the document of a seed. Without a kind or a language, chance decides on them."""
    drawn = draw_paper(seed, half, kind, language)
    asked = ask(drawn.paper, drawn.wish, drawn.places, Dice(half, "asking", seed))
    return MadeDocument(
        seed,
        half,
        drawn.kind,
        drawn.language,
        drawn.design,
        drawn.paper.writing.day_first,
        drawn.pages,
        drawn.paper.sheets,
        asked,
    )
