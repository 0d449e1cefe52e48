from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evals.wordings import Half, Wording, language_of, wordings

from tests.support.tables import table

INVOICE = {
    "type": "object",
    "properties": {
        "number": {"type": "string", "description": "The number"},
        "kind": {"type": ["string", "null"], "enum": ["a", None], "description": "The kind"},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
                "required": ["name"],
            },
        },
    },
    "required": ["number", "lines"],
}
SPANISH = Wording(
    "short",
    "es",
    {
        "number": ("numero", None),
        "lines": ("conceptos", "Lo que se vende"),
        "lines.name": ("numero", "Qué es"),
        "lines.price": ("precio", None),
    },
)


def test_a_reworded_schema_asks_for_the_same_in_other_words() -> None:
    assert SPANISH.reword(INVOICE) == {
        "type": "object",
        "properties": {
            "numero": {"type": "string"},
            "kind": {"type": ["string", "null"], "enum": ["a", None], "description": "The kind"},
            "conceptos": {
                "type": "array",
                "description": "Lo que se vende",
                "items": {
                    "type": "object",
                    "properties": {
                        "numero": {"type": "string", "description": "Qué es"},
                        "precio": {"type": "number"},
                    },
                    "required": ["numero"],
                },
            },
        },
        "required": ["numero", "conceptos"],
    }


def test_a_reply_gets_its_original_names_back_at_every_depth() -> None:
    reply = {"numero": "17", "kind": None, "conceptos": [{"numero": "lamp", "precio": 3}]}

    assert SPANISH.restore(reply) == {"number": "17", "kind": None, "lines": [{"name": "lamp", "price": 3}]}


def test_a_document_is_asked_in_its_own_language() -> None:
    german = wordings("invoices_invoice2data", Half.BUILDING, "Die Rechnung ist mit der Lieferung fällig und")
    greek = wordings("invoices_invoice2data", Half.BUILDING, "Τιμολόγιο")

    assert {wording.language for wording in german} == {"en", "de"}
    assert {wording.language for wording in greek} == {"en", "es", "it"}


def test_a_text_without_usual_words_counts_as_english() -> None:
    assert language_of("17.00") == "en"
    assert language_of("Le total est pour vous") == "fr"


def every(half: Half) -> dict[str, Any]:
    path = Path(__file__).parents[3] / "evals" / "wordings" / f"{half}.json"
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def test_both_halves_cover_the_same_fields_in_as_many_ways() -> None:
    building, judging = every(Half.BUILDING), every(Half.JUDGING)

    assert building.keys() == judging.keys()
    for name in building:
        fields = {
            frozenset(said)
            for half in (building, judging)
            for languages in half[name].values()
            for said in languages.values()
        }
        assert len(fields) == 1, name
        assert len(building[name]) == len(judging[name])


@table("half", list(Half))
def test_no_two_fields_of_one_level_have_the_same_name(half: Half) -> None:
    for name, ways in every(half).items():
        for way, languages in ways.items():
            for fields in languages.values():
                said = [(path.rpartition(".")[0], new) for path, (new, _) in fields.items()]
                assert len(said) == len(set(said)), (name, way)


def test_what_is_said_in_a_wording_is_restored() -> None:
    values = {"number": "A-1", "kind": None, "lines": [{"name": "Tea", "price": 2.5}]}
    said = SPANISH.say(values)
    assert said == {"numero": "A-1", "kind": None, "conceptos": [{"numero": "Tea", "precio": 2.5}]}
    assert SPANISH.restore(said) == values
