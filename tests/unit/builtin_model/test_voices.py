"""The two voices of the built-in model: rules first, then the network where it is sure."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from evals.zoo import Half, make

from docagent import reader_model
from docagent.builtin_model import fill, fill_heard, propose_schema
from docagent.builtin_model.filling import fill_sheet
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.proposals.sorts import sort_of
from docagent.builtin_model.voices import joined
from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.domain.extraction.voices import Voice, Voices
from tests.support.tables import table


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


@table("several", [1, 40])
def test_long_schemas_are_asked_in_parts(several: int) -> None:
    many = {
        f"blood_group_{number}": {**TEXT, "description": "Blood group of the patient"}
        for number in range(several)
    }
    schema = asking(**many, vessel_name={**TEXT, "description": "The name of the ship"})
    assert fill([LETTER], schema)["vessel_name"] == "Blue Falcon"


def test_each_value_says_which_voice_found_it_and_what_the_other_says() -> None:
    heard = [
        one
        for number in (32, 37)
        for one in fill_heard(
            make(number, Half.BUILDING).pages, make(number, Half.BUILDING).schema
        ).heard.values()
    ]
    assert {one.voice for one in heard} == set(Voice) - {Voice.MEMORY, Voice.MODEL}
    assert all(bool(one.rivals) == (one.voices is Voices.DIFFER) for one in heard)
    assert all(one.voices is Voices.AGREE for one in heard if one.voice is Voice.BOTH)


def test_every_filled_value_has_a_voice_and_no_empty_one_has() -> None:
    document = make(37, Half.BUILDING)
    found = fill_heard(document.pages, document.schema)
    filled = {path for path, value in leaves(found.data) if value is not None and value != []}
    assert {str(path) for path in found.heard} == filled


def test_rows_that_rules_do_not_find_are_gathered_by_the_network() -> None:
    lines = ["LIST OF VEHICLES"]
    for name, number, day in (("Blue Falcon", "K-4471", "2024-03-01"), ("Red Heron", "K-4482", "2024-05-17")):
        lines += [f"Vehicle name: {name}", f"Vehicle number: {number}", f"Expiry date: {day}"]
    columns = {
        "vehicle_name": TEXT,
        "vehicle_number": TEXT,
        "expiry_date": {**TEXT, "format": "date"},
    }
    schema = asking(vehicles={"type": "array", "items": {"type": "object", "properties": columns}})
    page = page_of(lines)
    found = joined([page], sheet_of([page]), schema, {"vehicles": []})
    assert {str(one.voice) for one in found.heard.values()} == {"network"}
    assert found.data == {
        "vehicles": [
            {"vehicle_name": "Blue Falcon", "vehicle_number": "K-4471", "expiry_date": "2024-03-01"},
            {"vehicle_name": "Red Heron", "vehicle_number": "K-4482", "expiry_date": "2024-05-17"},
        ]
    }


def test_the_kind_of_a_paper_with_another_title_is_told_by_the_network() -> None:
    document = make(701, Half.BUILDING, "statement", "cs")
    assert sort_of(sheet_of(document.pages)) is None
    proposed = propose_schema(document.pages)["json_schema"]
    assert proposed["name"] == "bank_statement"
    assert {"opening_balance", "transactions"} <= proposed["schema"]["properties"].keys()


_WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "onnxruntime":
            raise ModuleNotFoundError(f"No module named {name}")

sys.meta_path.insert(0, Blocked())
from tests.unit.builtin_model.test_voices import LETTER, TEXT, asking
from docagent.builtin_model import fill_heard, network_note
found = fill_heard([LETTER], asking(inspector=TEXT, vessel_name=TEXT))
print(found.data, {str(one.voice) for one in found.heard.values()}, network_note())
"""


def test_without_onnxruntime_rules_work_alone_and_say_so() -> None:
    run = subprocess.run([sys.executable, "-c", _WITHOUT], capture_output=True, text=True, check=True)
    assert "'inspector': 'Grace Whitfield'" in run.stdout
    assert "{'rules'}" in run.stdout
    assert "onnxruntime" in run.stdout.splitlines()[-1]


def leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [one for name, part in value.items() for one in leaves(part, f"{path}.{name}".strip("."))]
    if isinstance(value, list) and value:
        return [one for number, part in enumerate(value) for one in leaves(part, f"{path}.{number}")]
    return [(path, value)]
