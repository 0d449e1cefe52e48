"""Answers to interrupts of AG-UI become verdicts, or are refused with what to send instead."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.api.ag_ui.answers import LONGEST_ANSWER, AgUiResumeIn, Answers, PlanVerdict
from docagent.domain.errors import InvalidInput
from docagent.domain.ids import new_id
from docagent.services.turns.deciding import Decision
from tests.support.tables import table

TURN = new_id()


def entry(what: str, payload: Any = None, *, turn_id: str = TURN, status: str = "resolved") -> AgUiResumeIn:
    return AgUiResumeIn.model_validate(
        {"interruptId": f"{turn_id}:{what}", "status": status, "payload": payload}
    )


def test_everything_that_a_verdict_may_say() -> None:
    said = {"approved": True, "reason": "Fine", "alwaysAllow": "document", "hunks": [0, 2]}
    answers = Answers.of(
        [entry("call:a:b", said), entry("call:c", {"approved": True, "editedArgs": {"name": "x"}})]
    )
    assert answers == Answers(
        TURN,
        decisions=[
            Decision("a:b", True, None, "Fine", "document", [0, 2]),
            Decision("c", True, {"name": "x"}),
        ],
    )


def test_a_plan_is_decided_as_a_whole() -> None:
    answers = Answers.of([entry("plan:1", {"approved": True, "steps": ["look"]})])
    assert answers.plan == PlanVerdict(approved=True, steps=["look"])
    assert Answers.of([entry("plan:1", status="cancelled")]).plan == PlanVerdict(approved=False)


@table("payload", ["B", {"answer": "B"}])
def test_an_answer_is_a_text(payload: Any) -> None:
    assert Answers.of([entry("answer:1", payload)]).text == "B"


def test_a_question_may_be_left_unanswered() -> None:
    assert Answers.of([entry("answer:1", "B", status="cancelled")]) == Answers(TURN)


@table(
    "entries",
    [
        [entry("call:a", True), entry("call:b", True, turn_id=new_id())],
        [entry("call:a", True), entry("plan:1", True)],
        [entry("plan:1", True), entry("plan:1", True)],
        [entry("other", True)],
        [entry("call:a", "yes")],
        [entry("call:a", {"approved": "yes"})],
        [entry("call:a", {"approved": 1})],
        [entry("call:a")],
        [entry("plan:1", {"approved": True, "steps": "look"})],
        [entry("answer:1", " ")],
        [entry("answer:1", {"text": "B"})],
        [entry("answer:1", "B" * (LONGEST_ANSWER + 1))],
    ],
)
def test_what_cannot_be_read_is_refused(entries: list[AgUiResumeIn]) -> None:
    with pytest.raises(InvalidInput):
        Answers.of(entries)
