"""Replies of models: plain, wrapped, broken off."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docagent.reply_json import parse_reply
from tests.support.tables import table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@table(
    "reply",
    [
        '{"a": 1}',
        '  {"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here it is:\n```\n{"a": 1}\n```\nAnything else?',
        'The answer is {"a": 1}.',
        '<think>{"a": 2} or so</think>{"a": 1}',
        '{"a": 1,}',
    ],
)
def test_the_object_is_found_however_it_is_wrapped(reply: str) -> None:
    assert parse_reply(reply).data == {"a": 1}


@table("reply", ["", "no", "[1, 2]", "null", "42", "{"])
def test_a_reply_without_an_object_has_no_data_worth_keeping(reply: str) -> None:
    assert parse_reply(reply).data in (None, {})


def test_plain_json_is_not_called_mended() -> None:
    assert parse_reply('{"a": 1}').mended is None
    assert parse_reply('x {"a": 1}').mended == "The reply held text around its JSON."


def test_a_reply_that_breaks_off_keeps_its_whole_rows() -> None:
    reply = '{"rows": [{"n": 1, "t": "a, b"}, {"n": 2, "t": "c"}, {"n": 3, "t": "d'
    parsed = parse_reply(reply)
    assert parsed.data == {"rows": [{"n": 1, "t": "a, b"}, {"n": 2, "t": "c"}, {"n": 3}]}
    assert parsed.mended is not None
    assert "broke off" in parsed.mended


@table(
    ("reply", "names", "data"),
    [
        ('Like {"a": 0}. The answer: {"a": 1}', (), {"a": 1}),
        ('{"a": 0}\nI must correct that:\n{"a": 1}', (), {"a": 1}),
        ('{"type": "object", "properties": {}}\n```json\n{"a": 1}\n```\n{"note": "done"}', ("a",), {"a": 1}),
        ('{"a": 1} and nothing else: {}', (), {"a": 1}),
        ('{"type": "object"} {"a": 1, "b": 2', ("a",), {"a": 1}),
        ('{"a": 1} Corrected: {"a": 2, "b": 3', ("a",), {"a": 1}),
        ('{"x": 1} {"y": 2}', ("a",), {"y": 2}),
        ('[{"a": 1}]', (), {"a": 1}),
    ],
)
def test_of_several_objects_the_last_that_fits_is_the_answer(
    reply: str, names: tuple[str, ...], data: dict[str, Any]
) -> None:
    assert parse_reply(reply, names).data == data


def test_what_was_wrong_is_said() -> None:
    assert parse_reply('{"a": 1,}').mended == "The reply's JSON was malformed and was repaired."
    assert parse_reply('{"a": 1} {"a": 2}').mended == "The reply held text around its JSON."
    assert parse_reply("no").mended is None


@table(
    "reply",
    [
        'Well. <think>{"a": 2</think> <think>so</think> {"a": 1}',
        '<reasoning>{"a": 2} {"b": </reasoning>\n{"a": 1}',
        '<think>it is not clear {"a": 1}',
    ],
)
def test_thoughts_are_not_the_answer(reply: str) -> None:
    assert parse_reply(reply).data == {"a": 1}


def test_thoughts_inside_json_are_text() -> None:
    data = {"a": "<think>{</think>", "b": "<think>"}
    assert parse_reply(json.dumps(data)).data == data
    assert parse_reply(f"So: {json.dumps(data)}").data == data


@given(data=st.dictionaries(st.text(max_size=5), JSON, max_size=4), cut=st.integers(0, 400))
def test_every_beginning_of_a_reply_gives_a_part_of_it_or_nothing(data: dict[str, Any], cut: int) -> None:
    text = json.dumps(data)
    found = parse_reply(text[:cut]).data
    assert found is None or _is_part(found, data)
    assert parse_reply(text).data == data


def _is_part(part: Any, whole: Any) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _is_part(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(_is_part(p, w) for p, w in zip(part, whole, strict=False))
    return bool(part == whole)
