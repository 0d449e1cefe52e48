"""What a decision comes to in a project, and which messages are a plain yes or no."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docagent.adapters.llm.scripted import make_reply
from docagent.agent.deciding.aims import AimKind, Listed, aim_of
from docagent.agent.deciding.decision import Decision, read_decision
from docagent.agent.deciding.verdicts import verdict_in
from docagent.domain.models.llm import FinishReason
from tests.support.tables import table

PLAN, RECIPES = Listed("a" * 24, "Plan"), Listed("b" * 24, "My Recipes")
BOTH = (PLAN, RECIPES)


@table(
    ("message", "verdict"),
    [
        ("yes", True),
        ("Yes!", True),
        ("YES, please do.", True),
        ("ok", True),
        ("Okay then, go ahead", True),
        ("sure, do it", True),
        ("Proceed", True),
        ("👍", True),
        ("no", False),
        ("No, thanks", False),
        ("cancel", False),
        ("don\u2019t do it", False),
        ("never mind", False),
        ("no, cancel that!", False),
        ("Nein danke", False),
        ("Non, merci.", False),
        ("no, gracias", False),
        ("Ja, bitte!", True),
        ("Danke", None),
        ("yes, but keep the food section", None),
        ("yes or no?", None),
        ("no problem, go ahead", None),
        ("yesterday I wrote it", None),
        ("okay, what would go?", None),
        ("not sure", None),
        ("Remove the food section", None),
        ("", None),
        ("…", None),
    ],
)
def test_only_a_plain_yes_or_no_is_a_verdict(message: str, verdict: bool | None) -> None:
    assert verdict_in(message) is verdict


@table(
    ("fields", "open_id", "kind", "document"),
    [
        ({}, None, AimKind.ANSWER, None),
        ({"should_edit": True, "document_id": PLAN.id}, None, AimKind.EDIT, PLAN),
        ({"should_edit": True, "document_id": "my  RECIPES"}, None, AimKind.EDIT, RECIPES),
        ({"should_edit": True, "document_id": "0", "document_name": "plan"}, None, AimKind.EDIT, PLAN),
        ({"should_edit": True, "document_id": "0"}, PLAN.id, AimKind.ASK, None),
        ({"should_edit": True}, RECIPES.id, AimKind.EDIT, RECIPES),
        ({"should_edit": True}, None, AimKind.ASK, None),
        ({"should_edit": True, "should_delete": True, "document_id": PLAN.id}, None, AimKind.EDIT, PLAN),
        ({"should_create": True, "should_delete": True, "document_name": "X"}, None, AimKind.CREATE, None),
        ({"should_create": True, "document_name": "PLAN"}, None, AimKind.EDIT, PLAN),
        ({"should_delete": True, "document_id": PLAN.id}, None, AimKind.DELETE, PLAN),
        ({"should_delete": True}, PLAN.id, AimKind.ASK, None),
        ({"needs_clarification": True, "should_delete": True}, None, AimKind.ASK, None),
    ],
)
def test_a_decision_is_mended_or_asked_about(
    fields: dict[str, Any], open_id: str | None, kind: AimKind, document: Listed | None
) -> None:
    aim = aim_of(Decision(**fields), BOTH, open_id, "go on")
    assert (aim.kind, aim.document) == (kind, document)
    assert bool(aim.question) is (kind is AimKind.ASK)


@table(
    ("intent", "kind"),
    [
        ("I'll delete the Plan document.", AimKind.DELETE),
        ("I'll remove the old document Plan.", AimKind.DELETE),
        ("I'll remove the Budget section from the Plan document.", AimKind.EDIT),
        ("I'll delete the first line in the document.", AimKind.EDIT),
        ("I'll restructure it.", AimKind.EDIT),
    ],
)
def test_what_the_model_wants_confirmed_without_a_flag_is_told_by_its_words(
    intent: str, kind: AimKind
) -> None:
    decision = Decision(pending_confirmation=True, document_id=PLAN.id, intent_statement=intent)
    assert aim_of(decision, BOTH, None, "do it").kind is kind


def test_fields_are_read_as_models_write_them() -> None:
    written: dict[str, Any] = {
        "should_edit": "true",
        "should_create": None,
        "document_id": 5,
        "document_name": " null ",
        "document_content": "a\x00b",
        "needs_web_search": 0,
        "something_else": [],
    }
    decision = read_decision(make_reply(json.dumps(written)))
    assert decision is not None
    assert (decision.should_edit, decision.should_create, decision.needs_web_search) == (True, False, False)
    assert (decision.document_id, decision.document_name) == ("5", None)
    assert decision.document_content == "ab"


@table("field", ["should_edit", "document_name", "search_query"])
def test_a_field_of_the_wrong_kind_makes_the_decision_unreadable(field: str) -> None:
    assert read_decision(make_reply(json.dumps({field: {"a": 1}}))) is None


def test_a_decision_that_was_cut_off_is_not_read_even_if_it_can_be_mended() -> None:
    whole = json.dumps({"should_create": True, "document_name": "Plan"})
    assert read_decision(make_reply(whole)) is not None
    assert read_decision(make_reply(whole[:-1], finish_reason=FinishReason.LENGTH)) is None


@given(st.text(max_size=300))
def test_whatever_a_model_writes_it_is_read_or_not(text: str) -> None:
    decision = read_decision(make_reply(text))
    if decision is not None:
        aim_of(decision, BOTH, None, text)
