"""The suite of questions after labelled values counts what it says it counts."""

from __future__ import annotations

import tomllib
from itertools import cycle
from pathlib import Path

import evals
from evals.judging import Kind, Labels
from evals.sets import Task
from evals.suites.questions import Question, judged, questions

from tests.unit.builtin_model.agent.test_page_answers import acme_bill

TOTAL = Question("en", "total?", ("99.50",), Kind.AMOUNT)
WORDING = tomllib.loads((Path(evals.__file__).parent / "talk" / "questions.toml").read_text("utf-8"))


def came(told: str, question: Question = TOTAL) -> str:
    return judged(question, told, day_first=True)


def test_each_answer_is_counted_as_what_it_is() -> None:
    assert came("The total is **99.50 EUR** (page 1).") == "exact"
    assert came("The total is **98.50 EUR** (page 1).") == "wrong"
    assert came("Page 1:\n\n> **Total**: EUR 99.50") == "passage"
    assert came("“total” was not found in 1 page. The closest passages:\n\n> Total: EUR 99.50") == "passage"
    assert came("“total” was not found in 1 page.") == "denied"
    assert came("Page 1:\n\n> Bill no. 4711") == "elsewhere"


def test_only_what_is_printed_is_asked_for_in_one_language_after_another() -> None:
    schema = {"properties": {name: {"type": "string"} for name in ("total", "buyer", "seller", "iban")}}
    labels = Labels({"total": "99.50", "buyer": "Harbour Lane Bakery", "seller": "Nobody", "iban": None})
    asked = list(questions(Task(Path("bill.pdf"), schema, labels), acme_bill(), cycle(["nl", "it"])))
    assert [(one.language, one.wanted) for one in asked] == [
        ("nl", ("99.50",)),
        ("it", ("Harbour Lane Bakery",)),
    ]


def test_everything_is_called_something_in_all_ten_languages() -> None:
    assert len(WORDING["ask"]) == 10
    assert all(set(names) == set(WORDING["ask"]) for names in WORDING["asked"].values())
    assert set(WORDING["asked"]) == set(WORDING["labels"])
