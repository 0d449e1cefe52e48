from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from docagent.domain.extraction.review import Review, review_of
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


def review(**changed: Any) -> Review:
    usual: dict[str, Any] = {
        "data": DATA,
        "model_data": DATA,
        "grounding": PLACES,
        "problems": [],
        "verified_paths": [],
        "is_edited": False,
        "is_verified": False,
    }
    return review_of(SimpleNamespace(**usual | changed))


def test_values_count_when_they_are_there_and_are_settled_when_they_are_found() -> None:
    assert review() == Review(values=5, settled=4, unproven=1)
    assert review().unproven == 1
    assert review(grounding=None) == Review()


def test_what_a_person_verified_or_corrected_is_settled() -> None:
    assert review(verified_paths=[FieldPath.parse("lines.1.amount")]).unproven == 0
    assert review(verified_paths=[FieldPath.parse("lines")]).unproven == 0
    assert (
        review(
            verified_paths=[FieldPath.parse(one) for one in ["lines.0", "line", "lines.1.amounts"]]
        ).unproven
        == 1
    )
    assert review(is_verified=True).unproven == 0
    before = {**DATA, "lines": [{"text": "Chair", "amount": 10}]}
    assert review(is_edited=True, model_data=before).unproven == 0
    assert review(is_edited=True, model_data={**DATA, "number": "41"}).unproven == 1


def test_problems_count_once_and_not_where_a_person_says_that_it_is_right() -> None:
    wrong = [
        Problem(FieldPath.parse("lines.1.amount"), "x"),
        Problem(FieldPath.parse("lines.1.amount"), "x"),
        Problem(FieldPath.parse(""), "gap"),
    ]
    assert review(problems=wrong).problems == 2
    assert review(problems=wrong, verified_paths=[FieldPath.parse("lines.1")]).problems == 1
    assert review(problems=wrong, is_verified=True).problems == 0


def test_a_value_with_a_problem_is_found_but_not_settled() -> None:
    wrong = [Problem(FieldPath(("number",)), "is not one of")]
    assert review(problems=wrong) == Review(values=5, settled=3, unproven=1, problems=1)
    assert review(problems=wrong, verified_paths=[FieldPath(("number",))]) == Review(
        values=5, settled=4, unproven=1
    )


def test_a_total_that_its_rows_do_not_come_to_is_not_settled() -> None:
    data = {**DATA, "total": 31}
    places = {**PLACES, "total": FOUND}
    failed = review(data=data, model_data=data, grounding=places)
    assert failed == Review(values=6, settled=4, unproven=1, problems=1)
    verified = review(data=data, model_data=data, grounding=places, verified_paths=[FieldPath(("total",))])
    assert verified == Review(values=6, settled=5, unproven=1)
    right = {**data, "total": 30}
    assert review(data=right, model_data=right, grounding=places).problems == 0


def test_an_empty_value_is_one_problem_whatever_the_schema_asks_for() -> None:
    empty = [
        Problem(FieldPath.parse("paid"), "is not of type"),
        Problem(FieldPath.parse("paid"), "is not one of"),
    ]
    assert review(problems=empty).problems == 1
    present = [
        Problem(FieldPath.parse("number"), "is not of type"),
        Problem(FieldPath.parse("number"), "is not one of"),
    ]
    assert review(problems=present).problems == 2
    missing = [
        Problem(FieldPath.parse(""), "'a' is a required property"),
        Problem(FieldPath.parse(""), "'b' is a required property"),
    ]
    assert review(problems=missing).problems == 2
