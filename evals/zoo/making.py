"""Makes one document from a seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from evals.wordings import Half
from evals.zoo import contract, form, letter, receipt, statement, trade
from evals.zoo.asking import Wish, ask
from evals.zoo.canvas import read_sheets
from evals.zoo.contract import ContractDesign, ContractPaper
from evals.zoo.document import MadeDocument
from evals.zoo.form import FormDesign, FormPaper
from evals.zoo.halves import Dice
from evals.zoo.letter import LetterDesign, LetterPaper
from evals.zoo.paper import Paper
from evals.zoo.receipt import ReceiptDesign, ReceiptPaper
from evals.zoo.statement import StatementDesign, StatementPaper
from evals.zoo.trade import TradeDesign, TradePaper
from evals.zoo.words import LANGUAGES, words_of

Drawer = Callable[[Paper, Dice], Any]
"""Draws a paper and returns its design."""


def _trade(kind: str) -> Drawer:
    def draw(paper: Paper, dice: Dice) -> TradeDesign:
        design = TradeDesign.draw(dice)
        TradePaper(paper, kind, design).draw()
        return design

    return draw


def _receipt(paper: Paper, dice: Dice) -> ReceiptDesign:
    design = ReceiptDesign.draw(dice)
    ReceiptPaper(paper, design).draw()
    return design


def _statement(paper: Paper, dice: Dice) -> StatementDesign:
    design = StatementDesign.draw(dice)
    StatementPaper(paper, design).draw()
    return design


def _form(paper: Paper, dice: Dice) -> FormDesign:
    design = FormDesign.draw(dice)
    FormPaper(paper, design).draw()
    return design


def _letter(paper: Paper, dice: Dice) -> LetterDesign:
    design = LetterDesign.draw(dice)
    LetterPaper(paper, design).draw()
    return design


def _contract(paper: Paper, dice: Dice) -> ContractDesign:
    design = ContractDesign.draw(dice)
    ContractPaper(paper, design).draw()
    return design


_KINDS: dict[str, tuple[Drawer, Wish]] = {
    **{kind: (_trade(kind), wish) for kind, wish in trade.WISHES.items()},
    "receipt": (_receipt, receipt.WISH),
    "statement": (_statement, statement.WISH),
    "form": (_form, form.WISH),
    "letter": (_letter, letter.WISH),
    "contract": (_contract, contract.WISH),
}
KINDS = tuple(_KINDS)


def make(seed: int, half: Half, kind: str | None = None, language: str | None = None) -> MadeDocument:
    """Return the document of a seed. Without a kind or a language, chance decides on them."""
    design_dice, dice = Dice(half, "design", seed), Dice(half, "content", seed)
    kind = kind or design_dice.choice(KINDS)
    language = language or design_dice.choice(LANGUAGES)
    draw, wish = _KINDS[kind]
    paper = Paper(dice, design_dice, words_of(language))
    design = draw(paper, design_dice)
    pages, places = read_sheets(paper.sheets)
    asked = ask(paper, wish, places, Dice(half, "asking", seed))
    decisions = {"kind": kind, **asdict(paper.look), **asdict(design)}
    return MadeDocument(
        seed, half, kind, language, decisions, paper.writing.day_first, pages, paper.sheets, asked
    )
