from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from docagent.domain.extraction.doubts import Tally, tally_of
from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem

FOUND = {"match": "exact", "words": [{"text": "x"}]}
UNPROVEN = {"match": "unproven", "words": []}
DATA = {
    "number": "42",
    "paid": None,
    "lines": [{"text": "Chair", "amount": 10}, {"text": "Desk", "amount": 20}],
}
PLACES = {
    "number": FOUND,
    "paid": None,
    "lines": [{"text": FOUND, "amount": FOUND}, {"text": FOUND, "amount": UNPROVEN}],
}


def tally(threshold: float = 0.92, **changed: Any) -> Tally:
    usual: dict[str, Any] = {
        "data": DATA,
        "model_data": DATA,
        "grounding": PLACES,
        "problems": [],
        "verified_paths": [],
        "is_edited": False,
        "is_verified": False,
    }
    return tally_of(SimpleNamespace(**usual | changed), threshold)


def paths(*written: str) -> list[FieldPath]:
    return [FieldPath.parse(one) for one in written]


def test_every_value_is_sure_to_check_or_checked() -> None:
    assert tally() == Tally(sure=4, to_check=1)
    assert tally().values == 5
    assert tally(grounding=None) == Tally()


def test_a_value_below_the_threshold_is_to_check_though_it_is_on_the_page() -> None:
    places = {**PLACES, "number": {**FOUND, "confidence": 0.9}}
    assert tally(grounding=places) == Tally(sure=3, to_check=2)
    assert tally(threshold=0.8, grounding=places) == Tally(sure=4, to_check=1)


def test_what_a_person_verified_or_corrected_is_checked() -> None:
    assert tally(verified_paths=paths("lines.1.amount")) == Tally(sure=4, checked=1)
    assert tally(verified_paths=paths("lines")) == Tally(sure=1, checked=4)
    assert tally(verified_paths=paths("line", "lines.1.amounts")) == Tally(sure=4, to_check=1)
    assert tally(is_verified=True) == Tally(checked=5)
    before = {**DATA, "lines": [{"text": "Chair", "amount": 10}]}
    assert tally(is_edited=True, model_data=before).to_check == 0
    assert tally(is_edited=True, model_data={**DATA, "number": "41"}) == Tally(sure=3, to_check=1, checked=1)


def test_a_value_with_a_problem_is_to_check_until_a_person_says_that_it_is_right() -> None:
    wrong = [Problem(FieldPath(("number",)), "is not one of")]
    assert tally(problems=wrong) == Tally(sure=3, to_check=2)
    assert tally(problems=wrong, verified_paths=paths("number")) == Tally(sure=3, to_check=1, checked=1)
    edited = tally(problems=wrong, is_edited=True, model_data={**DATA, "number": "41"})
    assert edited == Tally(sure=3, to_check=2)


def test_a_missing_value_that_the_schema_asks_for_is_one_to_check() -> None:
    empty = [Problem(FieldPath(("paid",)), "is not of type"), Problem(FieldPath(("paid",)), "is not one of")]
    assert tally(problems=empty) == Tally(sure=4, to_check=2)
    assert tally(problems=empty, verified_paths=paths("paid")) == Tally(sure=4, to_check=1)


def test_a_total_that_its_rows_do_not_come_to_is_to_check() -> None:
    data = {**DATA, "total": 31}
    places = {**PLACES, "total": FOUND}
    assert tally(data=data, model_data=data, grounding=places) == Tally(sure=4, to_check=2)
    verified = tally(data=data, model_data=data, grounding=places, verified_paths=paths("total"))
    assert verified == Tally(sure=4, to_check=1, checked=1)
    right = {**data, "total": 30}
    assert tally(data=right, model_data=right, grounding=places) == Tally(sure=5, to_check=1)
