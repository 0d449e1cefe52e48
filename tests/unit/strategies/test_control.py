"""Decisions are read from a control call, else from the last balanced JSON object, else there is none."""

from __future__ import annotations

import time
from typing import Any

from docagent.adapters.llm.scripted import make_reply
from docagent.agent.state import TurnView
from docagent.agent.strategies.control import (
    DECIDE_NEXT,
    OBSERVE_DECIDE,
    as_spoken,
    flag,
    question_of,
    read_control,
    read_list,
)
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns.events import StepStarted, TurnStarted
from tests.support.tables import table

KEYS = frozenset({"finish", "plan"})


@table(
    ("text", "said", "decision"),
    [
        ('I look.\n{"finish": false}', "I look.", {"finish": False}),
        ('I look.\n```json\n{"finish": true}\n```', "I look.", {"finish": True}),
        ('{"finish": true}', "", {"finish": True}),
        (
            '{"finish": true, "plan": {"a": {"b": 1}}} and so on',
            "and so on",
            {"finish": True, "plan": {"a": {"b": 1}}},
        ),
        ('{"plan": "first"} then {"plan": "last"}', "then", {"plan": "last"}),
        ('{"plan": "a } brace {"} ', "", {"plan": "a } brace {"}),
        ('{"plan": "a \\" quote"}', "", {"plan": 'a " quote'}),
        ('{"finish": true} {"other": 1}', '{"other": 1}', {"finish": True}),
        ('{"other": 1}', '{"other": 1}', {}),
        ('{"finish": tru', "", {}),
        ('I look. {"fin', "I look.", {}),
        ('I look.\n```json\n{"finish": true', "I look.", {}),
        ('```json\n{"other": 1}\n```', '```json\n{"other": 1}\n```', {}),
        ("Just words.", "Just words.", {}),
        ("", "", {}),
        ("[1, 2]", "[1, 2]", {}),
        ('{"plan": "x"', "", {}),
        ('} {"plan": "x"}', "}", {"plan": "x"}),
        ("I look.\n{'finish': True, 'plan': None,}", "I look.", {"finish": True, "plan": None}),
        ("In {name} I put {finish: false} // so", "In {name} I put  // so", {"finish": False}),
        ('{"plan": "one\ntwo" "finish": true}', "", {"plan": "one\ntwo", "finish": True}),
        (
            '{"steps": [{"finish": true}, {"finish": false}',
            '{"steps": [{"finish": true}, {"finish": false}',
            {},
        ),
        ('{"finish": maybe}', "", {}),
    ],
)
def test_the_text(text: str, said: str, decision: dict[str, Any]) -> None:
    read = read_control(make_reply(text), None, KEYS)
    assert (read.text, read.decision) == (said, decision)


def test_a_control_call_comes_first() -> None:
    call = ToolCall("1", DECIDE_NEXT.name, '{"finish": true}')
    reply = make_reply('Words {"finish": false}', tool_calls=[call])
    read = read_control(reply, DECIDE_NEXT, KEYS)
    assert (read.text, read.decision) == ("Words", {"finish": True})
    for other in (None, OBSERVE_DECIDE):
        assert read_control(reply, other, KEYS).decision == {"finish": False}


def test_a_malformed_control_call_is_read() -> None:
    call = ToolCall("1", DECIDE_NEXT.name, "{'finish': True,}")
    assert read_control(make_reply("", tool_calls=[call]), DECIDE_NEXT, KEYS).decision == {"finish": True}


@table("arguments", ["", "{", "[]", "null"])
def test_a_broken_control_call_leaves_the_text(arguments: str) -> None:
    reply = make_reply('Words {"finish": true}', tool_calls=[ToolCall("1", DECIDE_NEXT.name, arguments)])
    assert read_control(reply, DECIDE_NEXT, KEYS).decision == {"finish": True}


@table("text", ["{" * 100_000, '{"' * 50_000, "{}" * 50_000, '{"a":' * 20_000])
def test_a_text_full_of_braces_does_not_take_long(text: str) -> None:
    begun = time.process_time()
    read_control(make_reply(text), None, KEYS)
    read_list(make_reply(text.replace("{", "[")))
    assert time.process_time() - begun < 5


@table(
    ("value", "read"),
    [(True, True), (False, False), ("yes", True), (" No ", False), ("maybe", None), (1, None)],
)
def test_flags(value: object, read: bool | None) -> None:
    assert flag({"finish": value}, "finish") is read


@table(
    ("asked", "question"),
    [
        ({"question": " Which? "}, "Which?"),
        ("Which?", "Which?"),
        (None, ""),
        ({}, ""),
        ({"question": 7}, ""),
        ([], ""),
    ],
)
def test_questions(asked: object, question: str) -> None:
    assert question_of({"request_input": asked}) == question


@table(
    ("text", "listed"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('x ["a"] y', ["a"]),
        ("[x]", None),
        ("none", None),
        ('[1] then ["b"]', ["b"]),
        ("[it's so] and [see http://x] then ['a', 'b',]", ["a", "b"]),
        ('["a", "b', None),
    ],
)
def test_lists(text: str, listed: list[Any] | None) -> None:
    assert read_list(make_reply(text)) == listed


@table(
    ("text", "said"),
    [
        ('It is 5.\n{"finish": true, "final_answer": "5"}', "It is 5."),
        ('{"should_continue": false, "final_answer": "It is 5."}', "It is 5."),
        ('```json\n{"next_action_hint": "look"}\n```', ""),
        ('{"plan": "basic", "price": 5}', '{"plan": "basic", "price": 5}'),
        ("It is {5}.", "It is {5}."),
    ],
)
def test_a_decision_where_none_was_asked_for_is_not_shown(text: str, said: str) -> None:
    view = TurnView.of([TurnStarted("m", "react", 10), StepStarted(1)])
    call = ToolCall("1", "look", "{}")
    message = as_spoken(make_reply(text, thinking="Hm.", tool_calls=[call]), view)
    assert message.text == said
    assert message.thinking == "Hm."
    assert message.calls == (call,)
