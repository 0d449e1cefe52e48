"""The two voices of the built-in model: rules first, then the network where it is sure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from evals.zoo import Half, make

from docagent import reader_model
from docagent.builtin_model import fill
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.sheet import sheet_of
from docagent.domain.text import Box, Line, Page, Word


def page_of(lines: Sequence[str]) -> Page:
    made = []
    for number, text in enumerate(lines):
        top, left, words = 0.06 + number * 0.03, 0.1, []
        for part in text.split():
            words.append(Word(part, Box(left, top, left + 0.011 * len(part), top + 0.016)))
            left += 0.011 * len(part) + 0.008
        made.append(Line(tuple(words)))
    return Page(1, 595, 842, tuple(made))


def asking(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TEXT = {"type": ["string", "null"]}
NUMBER = {"type": ["number", "null"]}
LETTER = page_of(
    [
        "Riverside Logistics Ltd.",
        "4 Mill Lane, Leeds LS1 4AP",
        "SHIPMENT RECORD",
        "Name of the vessel Blue Falcon",
        "Inspector: Grace Whitfield",
        "Container no. MSKU 4471",
        "We ask you to check the goods on arrival and to report damage within seven days.",
    ]
)


def test_the_network_fills_what_rules_leave_empty() -> None:
    """Of made documents whose designs it never saw, it adds values, nearly all of them right."""
    added = right = 0
    for number in range(40, 47):
        document = make(number, Half.BUILDING)
        sheet = sheet_of(document.pages)
        by_rules = fill_sheet(sheet, document.schema)
        together = fill(document.pages, document.schema)
        for asked in document.asked:
            if by_rules[asked.name] is None and together[asked.name] is not None:
                added += 1
                right += same_value(together[asked.name], asked.value)
    assert added >= 2
    assert right >= 0.9 * added


def same_value(given: Any, wanted: Any) -> bool:
    return "".join(filter(str.isalnum, str(given))) == "".join(filter(str.isalnum, str(wanted)))


def test_the_same_question_gets_the_same_answer() -> None:
    questions = [reader_model.Question("vessel_name", "The name of the ship", "text")]
    assert reader_model.answer([LETTER], questions) == reader_model.answer([LETTER], questions)


def test_what_rules_found_stays() -> None:
    schema = asking(inspector=TEXT, container_number=TEXT)
    by_rules = fill_sheet(sheet_of([LETTER]), schema)
    together = fill([LETTER], schema)
    assert {name: together[name] for name, value in by_rules.items() if value is not None} == {
        name: value for name, value in by_rules.items() if value is not None
    }


def test_fields_of_other_trades_stay_empty() -> None:
    schema = asking(
        blood_group={**TEXT, "description": "Blood group of the patient"},
        retained_earnings={**NUMBER, "description": "Earnings that were not paid out"},
        governing_law={**TEXT, "description": "The state whose law governs the contract"},
        signed={"type": ["boolean", "null"], "description": "Whether it was signed"},
        colours={"type": "array", "items": {"type": "string"}, "description": "The colours of the car"},
    )
    assert fill([LETTER], schema) == {
        "blood_group": None,
        "retained_earnings": None,
        "governing_law": None,
        "signed": None,
        "colours": [],
    }


def test_a_page_without_words_has_no_values() -> None:
    assert fill([Page(1, 595, 842, ())], asking(inspector=TEXT)) == {"inspector": None}


@pytest.mark.parametrize("several", [1, 40])
def test_long_schemas_are_asked_in_parts(several: int) -> None:
    many = {
        f"blood_group_{number}": {**TEXT, "description": "Blood group of the patient"}
        for number in range(several)
    }
    schema = asking(**many, vessel_name={**TEXT, "description": "The name of the ship"})
    assert fill([LETTER], schema)["vessel_name"] == "Blue Falcon"
