"""What is doubtful: the stored confidence decides, else the kind of match, and a person's word ends every doubt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from docagent.domain.extraction.doubts import certainty_of, doubts_of, judged
from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem


def place(match: str, **more: Any) -> dict[str, Any]:
    return {"match": match, "words": [], **more}


@dataclass(frozen=True)
class Stored:
    data: Any
    grounding: Any
    model_data: Any = None
    problems: list[Problem] = field(default_factory=list)
    verified_paths: list[FieldPath] = field(default_factory=list)
    is_edited: bool = False
    is_verified: bool = False


DATA = {"number": "42", "date": "2026-03-14", "lines": [{"amount": 10}, {"amount": 20}], "paid": None}
STORED = Stored(
    DATA,
    {
        "number": place("several_candidates"),
        "date": place("exact"),
        "lines": [{"amount": place("unproven")}, {"amount": place("fuzzy")}],
        "paid": None,
    },
    DATA,
)


def paths(stored: Stored, threshold: float = 0.7) -> list[str]:
    return [str(doubt.path) for doubt in doubts_of(stored, threshold)]


def test_without_a_number_the_kind_of_match_decides() -> None:
    assert paths(STORED) == ["number", "lines.0.amount"]
    assert paths(STORED, threshold=0.9) == ["number", "lines.0.amount", "lines.1.amount"]
    assert paths(STORED, threshold=0.0) == []
    assert certainty_of(STORED) == 0.0


def test_a_stored_confidence_goes_before_the_kind_of_match() -> None:
    weighed = replace(
        STORED,
        grounding={"number": place("unproven", confidence=0.9), "date": place("exact", confidence=0.2)},
    )
    assert paths(weighed) == ["date"]
    assert certainty_of(weighed) == 0.2


def test_a_persons_word_ends_a_doubt() -> None:
    assert paths(replace(STORED, verified_paths=[FieldPath.parse("number")])) == ["lines.0.amount"]
    assert paths(replace(STORED, verified_paths=[FieldPath.parse(one) for one in ["number", "lines"]])) == []
    before = {**DATA, "number": "41"}
    assert paths(replace(STORED, is_edited=True, model_data=before)) == ["lines.0.amount"]
    assert certainty_of(replace(STORED, is_verified=True)) == 1.0


def test_what_breaks_the_schema_is_doubtful_however_sure_it_is_and_empty_values_too() -> None:
    broken = [
        Problem(FieldPath.parse("date"), "is no date"),
        Problem(FieldPath.parse("paid"), "is missing"),
        Problem(FieldPath.parse(""), "gap"),
    ]
    found = {str(path): one for path, one in judged(replace(STORED, problems=broken)).items()}
    assert (found["date"].confidence, found["date"].problem) == (0.0, "is no date")
    assert found["paid"].problem == "is missing"
    assert found[""].problem == "gap"
    assert paths(replace(STORED, problems=broken, is_verified=True)) == []
    assert "date" not in paths(replace(STORED, problems=broken, verified_paths=[FieldPath.parse("date")]))
