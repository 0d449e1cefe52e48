from __future__ import annotations

import json
import random
from collections.abc import AsyncGenerator, Callable
from dataclasses import asdict
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from evals.judging import Tally
from evals.made import document_of
from evals.reading import read
from evals.suites.zoo import judged
from evals.wordings import Half
from evals.zoo import KINDS, LANGUAGES, Asked, MadeDocument, make
from evals.zoo.__main__ import as_json
from evals.zoo.contract import ContractDesign
from evals.zoo.form import FormDesign
from evals.zoo.halves import Dice, known
from evals.zoo.letter import LetterDesign
from evals.zoo.misreading import misread
from evals.zoo.parties import Maker
from evals.zoo.pdf import as_pdf
from evals.zoo.receipt import ReceiptDesign
from evals.zoo.scan import Scanner, as_scans
from evals.zoo.statement import StatementDesign
from evals.zoo.trade_design import TradeDesign
from evals.zoo.words import words_of
from evals.zoo.writing import COUNTRIES

from docagent.domain.documents.text import Page
from docagent.domain.models.llm import FinishReason, ModelEvent, ModelReply, ModelRequest, TextPart, Usage
from tests.support.tables import table

SAMPLE = [
    (number, half, KINDS[number % len(KINDS)], LANGUAGES[number % len(LANGUAGES)])
    for number, half in product(range(10), Half)
]


@pytest.fixture(scope="module")
def sample() -> list[MadeDocument]:
    return [make(*one) for one in SAMPLE]


def test_the_same_seed_gives_the_same_document() -> None:
    for one in SAMPLE[:4]:
        first, second = make(*one), make(*one)
        assert first.pages == second.pages
        assert as_json(first) == as_json(second)
        assert as_pdf(first.sheets) == as_pdf(second.sheets)


def test_another_seed_gives_another_document() -> None:
    assert make(1, Half.BUILDING, "invoice", "en").pages != make(2, Half.BUILDING, "invoice", "en").pages


def test_the_places_of_a_value_hold_its_words(sample: list[MadeDocument]) -> None:
    seen: set[str] = set()
    for document in sample:
        for asked in _cells(document):
            for occurrence in asked.places:
                spelled = _letters(document.text(occurrence))
                assert all(part in spelled for part in _spelling(asked)), (document.name, asked.name, spelled)
                seen.add(asked.kind)
    assert {"amount", "date", "code", "name", "text", "choice"} <= seen


def test_what_is_said_has_a_place_and_what_is_not_said_has_none(sample: list[MadeDocument]) -> None:
    absent = 0
    for document in sample:
        for asked in document.asked:
            if asked.value is None:
                assert not asked.places
                absent += 1
            elif asked.concept != "currency" and asked.kind != "rows":
                assert asked.places, (document.name, asked.name)
    assert absent > len(sample)


def test_words_stay_on_the_page(sample: list[MadeDocument]) -> None:
    for word in (word for document in sample for page in document.pages for word in page.words):
        box = word.box
        assert 0 <= box.left < box.right <= 1, word
        assert 0 <= box.top < box.bottom <= 1, word


def test_sums_reconcile() -> None:
    checked = 0
    for seed in range(24):
        said = _amounts(make(seed, Half.BUILDING, "invoice", "de"))
        if {"subtotal", "tax", "total"} <= set(said):
            assert said["subtotal"] + said["tax"] == said["total"]
            checked += 1
        if {"total", "prepaid", "amount_due"} <= set(said):
            assert said["total"] - said["prepaid"] == said["amount_due"]
            checked += 1
        said = _amounts(make(seed, Half.BUILDING, "statement", "de"))
        if {"opening_balance", "closing_balance", "total_debits", "total_credits"} <= set(said):
            moved = said["total_credits"] - said["total_debits"]
            assert said["opening_balance"] + moved == said["closing_balance"]
            checked += 1
    assert checked > 2


def test_the_rows_of_a_table_add_up() -> None:
    checked = 0
    for seed in range(12):
        document = make(seed, Half.BUILDING, "invoice", "fr")
        rows = next((asked.rows for asked in document.asked if asked.kind == "rows"), ())
        amounts = [
            Decimal(str(cell.value)) for row in rows for cell in row.values() if cell.concept == "amount"
        ]
        total = _amounts(document).get("subtotal")
        if amounts and total is not None:
            assert sum(amounts) == total
            checked += 1
    assert checked


def test_the_pdf_is_read_as_the_same_words(sample: list[MadeDocument], tmp_path: Path) -> None:
    path = tmp_path / "zoo.pdf"
    path.write_bytes(as_pdf([sheet for document in sample for sheet in document.sheets]))
    pages = [page for document in sample for page in document.pages]
    reading = read(path)
    assert [_texts(page) for page in reading.pages] == [_texts(page) for page in pages]
    for made, found in zip(pages, reading.pages, strict=True):
        for one, other in zip(made.words, found.words, strict=True):
            assert one.box.left == pytest.approx(other.box.left, abs=0.01)
            assert one.box.bottom == pytest.approx(other.box.bottom, abs=0.001)


@table(
    ("draw", "several"),
    [
        (TradeDesign.draw, 300),
        (ReceiptDesign.draw, 150),
        (StatementDesign.draw, 300),
        (FormDesign.draw, 150),
        (LetterDesign.draw, 150),
        (ContractDesign.draw, 300),
    ],
)
def test_no_design_is_in_both_halves(draw: Callable[[Dice], Any], several: int) -> None:
    building, judging = (
        {json.dumps(asdict(draw(Dice(half, "design", seed)))) for seed in range(400)} for half in Half
    )
    assert not building & judging
    assert len(building) > several
    assert len(judging) > several


def test_each_half_has_wordings_of_its_own() -> None:
    wordings = words_of("en")("labels", "total")
    building, judging = (set(known(half, wordings)) for half in Half)
    assert building & judging == {wordings[0]}
    assert building | judging == set(wordings)


def test_all_languages_say_the_same_things() -> None:
    sections = ("style", "names", "titles", "labels", "columns", "choices", "phrases", "contract", "letter")
    for language, section in product(LANGUAGES, sections):
        assert words_of(language).names(section) == words_of("en").names(section), language


def test_bank_accounts_have_valid_check_digits() -> None:
    for country in COUNTRIES.values():
        maker = Maker(Dice(Half.BUILDING, "test", 1), words_of("en"), country)
        iban = maker.iban().replace(" ", "")
        assert int("".join(str(int(sign, 36)) for sign in iban[4:] + iban[:4])) % 97 == 1


def test_a_scan_is_the_same_picture_each_time() -> None:
    sheets = make(5, Half.BUILDING, "receipt", "en").sheets
    scanner = Scanner.draw(random.Random(3))
    (first,), (second,) = as_scans(sheets, scanner), as_scans(sheets, scanner)
    assert first.tobytes() == second.tobytes()
    assert len(first.histogram()) == 256
    assert first.histogram()[255] < first.width * first.height


def test_misread_words_keep_their_places() -> None:
    document = make(5, Half.BUILDING, "invoice", "pl")
    pages = misread(document.pages, 0.5, random.Random(1))
    before, after = document.pages[0].words, pages[0].words
    assert [word.box for word in before] == [word.box for word in after]
    changed = sum(one.text != other.text for one, other in zip(before, after, strict=True))
    assert len(before) / 4 < changed < len(before)
    assert misread(document.pages, 0.5, random.Random(1)) == pages


class AnsweringModel:
    """Gives one answer to everything."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        yield ModelReply((TextPart(json.dumps(self._values)),), FinishReason.STOP, Usage(), request.model)


def test_the_judge_agrees_with_the_labels(sample: list[MadeDocument]) -> None:
    tally = Tally()
    for document in sample:
        tally.add_document(judged(document, document.pages, AnsweringModel(document.values)))
    assert tally.f1 == 1
    assert tally.absent > len(sample)
    assert tally.absent_filled == 0


def test_filled_absences_and_other_documents_values_are_counted() -> None:
    document, other = document_of(0, Half.BUILDING), document_of(9, Half.BUILDING)
    made_up = {asked.name: asked.value or "made up" for asked in document.asked}
    tally = Tally()
    tally.add_document(judged(document, document.pages, AnsweringModel(made_up)))
    assert tally.absent_filled == tally.absent > 0
    assert tally.invented > 0
    tally = Tally()
    tally.add_document(judged(document, document.pages, AnsweringModel(other.values)))
    assert tally.right < 3


def _cells(document: MadeDocument) -> list[Asked]:
    rows = [cell for asked in document.asked for row in asked.rows for cell in row.values()]
    return [*document.asked, *rows]


def _amounts(document: MadeDocument) -> dict[str, Decimal]:
    return {
        asked.concept: Decimal(str(asked.value))
        for asked in document.asked
        if asked.kind == "amount" and asked.value is not None
    }


def _spelling(asked: Asked) -> list[str]:
    """Return what must stand in the words of a value."""
    match asked.kind:
        case "amount":
            return [_letters(f"{abs(Decimal(str(asked.value))):f}").strip("0")]
        case "date":
            year, _, day = str(asked.value).split("-")
            return [year[2:], day.lstrip("0")]
        case "list" | "boolean":
            return []
        case _:
            return [_letters(str(asked.value))]


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _texts(page: Page) -> list[str]:
    return [word.text for word in page.words]
