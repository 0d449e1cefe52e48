"""JSON in what models write: valid JSON is never altered, malformed JSON is mended, nothing is invented."""

from __future__ import annotations

import json
import random
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from docagent.reply_json import lists_in, objects_in, parse_reply
from tests.support.tables import table

TRICKY = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            '"',
            "'",
            "\\",
            "\n",
            "```",
            "```json\n",
            "//",
            "/*",
            "*/",
            "#",
            " ",
            "None",
            "true",
            '{"a": 1}',
            "[1, 2, ]",
            "<think>",
            "</think>",
            "ä",
            "\u2028",
            "\x7f",
            "😀",
            "x",
        ]
    ),
    max_size=8,
).map("".join)
STRINGS = TRICKY | st.text(max_size=6)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | STRINGS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=10,
)
OBJECTS = st.dictionaries(STRINGS, VALUES, max_size=4)
PROSE = st.lists(
    st.sampled_from(
        [
            "Here it is:",
            "it's",
            "{name}",
            "{",
            "a } b",
            "[1]",
            '"quoted"',
            "```",
            "```json",
            "\n",
            "{x | x > 0}",
            "a, b",
            "{{user}}",
            "{color: red; }",
            "{ note: this",
            "http://x.y/#z",
            "// so",
            "don't [see above] and",
            "\\frac{a}{b}",
            "{1, 2}",
        ]
    ),
    max_size=5,
).map(" ".join)


@given(OBJECTS, PROSE, PROSE, st.sampled_from([None, 2]), st.booleans())
def test_valid_json_comes_out_unchanged(
    data: dict[str, Any], before: str, after: str, indent: int | None, ascii_only: bool
) -> None:
    written = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    for reply in (
        written,
        f"{before} {written} {after}",
        f"{before}\n```json\n{written}\n```\n{after}",
        f"<think>{before}</think>{written}",
    ):
        assert parse_reply(reply).data == orjson.loads(written)
    assert [one.value for one in objects_in(f"{before} {written} {after}")] == [orjson.loads(written)]


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_valid_lists_come_out_unchanged(values: list[Any]) -> None:
    written = json.dumps(values)
    assert list(lists_in(f"Here: {written}.")) == [orjson.loads(written)]


MALFORMED = {
    "single quotes": "{'a': 'it is \"so\"', 'b': 'it\\'s'}",
    "None and True": '{"a": None, "b": True, "c": FALSE}',
    "raw line breaks": '{"a": "one\ntwo\tthree"}',
    "comments": '{"a": 1, // the "first"\n "b": "//no", # it\'s {\n /* "c": 3, */ "d": 4}',
    "missing commas": '{"a": 1 "b": [1 2 {} {"c": 3}]\n"d": "x"\n"e": {} "f": [] "g": null}',
    "unquoted keys": "{a: 1, b_2: {c-d: [2]}, $ref_: 3}",
    "braces in the prose before": 'In {name} and {a: see above} I put {"a": 1}',
    "two objects": '{"a": 0} or rather {"a": 1}',
    "commas in strings": '{"clause": "see [1], [2, ] and {a, }", "n": 1,}',
    "stray commas": '{"a": [1, 2, ], "b": {"c": 3, }, }',
    "backslashes": '{"path": "C:\\data", "digits": "\\d+", "ok": "\\u00e4\\n\\/"}',
    "duplicate keys": '{"a": 1, "b": 2, "a": 3,}',
}
MEANT: dict[str, dict[str, Any]] = {
    "single quotes": {"a": 'it is "so"', "b": "it's"},
    "None and True": {"a": None, "b": True, "c": False},
    "raw line breaks": {"a": "one\ntwo\tthree"},
    "comments": {"a": 1, "b": "//no", "d": 4},
    "missing commas": {"a": 1, "b": [1, 2, {}, {"c": 3}], "d": "x", "e": {}, "f": [], "g": None},
    "unquoted keys": {"a": 1, "b_2": {"c-d": [2]}, "$ref_": 3},
    "braces in the prose before": {"a": 1},
    "two objects": {"a": 1},
    "commas in strings": {"clause": "see [1], [2, ] and {a, }", "n": 1},
    "stray commas": {"a": [1, 2], "b": {"c": 3}},
    "backslashes": {"path": "C:\\data", "digits": "\\d+", "ok": "ä\n/"},
    "duplicate keys": {"a": 3, "b": 2},
}


@table("name", MALFORMED)
def test_usual_malformations_are_mended(name: str) -> None:
    assert parse_reply(MALFORMED[name]).data == MEANT[name]
    assert parse_reply(f"Sure:\n```json\n{MALFORMED[name]}\n```\nDone.").data == MEANT[name]


@given(OBJECTS, st.randoms(use_true_random=False))
def test_json_that_is_written_carelessly_is_mended_to_what_was_meant(
    data: dict[str, Any], chance: random.Random
) -> None:
    reply = carelessly(data, chance)
    assert parse_reply(reply).data == orjson.loads(json.dumps(data)), reply


def carelessly(value: Any, chance: random.Random) -> str:
    """JSON with the mistakes of models, whose meaning is plain all the same."""
    match value:
        case dict():
            members = [
                f"{carelessly_key(key, chance)}: {carelessly(one, chance)}" for key, one in value.items()
            ]
            return "{" + carelessly_joined(members, chance) + "}"
        case list():
            return "[" + carelessly_joined([carelessly(one, chance) for one in value], chance) + "]"
        case str():
            return carelessly_quoted(value, chance)
        case None | True | False:
            return chance.choice([json.dumps(value), str(value)])
    return json.dumps(value)


def carelessly_joined(parts: list[str], chance: random.Random) -> str:
    between = [",", ", ", "\n", " ", " , # it's {\n", ",/* [ */"]
    joined = "".join(part + chance.choice(between) for part in parts[:-1])
    return joined + (parts[-1] + chance.choice(["", ",", " ,\n"]) if parts else "")


def carelessly_key(key: str, chance: random.Random) -> str:
    is_name = key.isascii() and key.isidentifier()
    return key if is_name and chance.random() < 0.5 else carelessly_quoted(key, chance)


def carelessly_quoted(text: str, chance: random.Random) -> str:
    if chance.random() < 0.5:
        return json.dumps(text)
    quote = chance.choice("\"'")
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


@table(
    "reply",
    [
        "There is no total on this page.",
        "Use {name} for the name, and {1, 2} is a set.",
        "The set {x : x > 0} is open.",
        'The keys {"a", "b"} are missing.',
        '{"total" is missing',
        "I would fill {total: unknown, date: not given}.",
        '{"a": }',
        '{"a": , "b": 1}',
        '{"a" 1}',
        '{"a": 1: 2}',
        '{"a": 1 2}',
        '{"rows": [{"n": 1}, ...]}',
        '{"a": [1, 2}',
        '{"a": {1}}',
        '{"said": "he "never" came"}',
        '{"a": NaN,}',
        '{"a": "\\ud800",}',
        "[1, 2, 3,]",
        '"a": 1',
        "",
    ],
)
def test_nothing_is_invented(reply: str) -> None:
    assert parse_reply(reply).data is None


@table(
    "number",
    [
        "12345678901234567890",
        "-9007199254740993",
        "0.10",
        "1e-7",
        "1.0",
        "-0.0",
        "123456789012345678901234567890",
    ],
)
def test_numbers_are_read_as_in_plain_json(number: str) -> None:
    plain = parse_reply(f'{{"n": {number}}}').data
    assert plain is not None
    assert json.dumps(parse_reply(f"{{n: {number},}}").data) == json.dumps(plain)


@table("number", ["1,234.50", "007", "+5", ".5", "5.", "0x1F", "1_000", "12 EUR", "\u0665"])
def test_what_is_no_number_in_json_is_not_made_one(number: str) -> None:
    assert parse_reply(f'{{"n": {number}, "m": 1,}}').data is None


@table(
    "reply",
    [
        "[" * 100_000,
        "{" * 100_000,
        '{"a":' * 20_000,
        '{"a":[' * 20_000,
        '{"a":' * 20_000 + "1," + "}" * 20_000,
        '{"a":[' + "[" * 500 + "1,]" + "]" * 500 + "}",
        '{"' * 50_000,
        "{'" * 50_000,
        "{/*" * 30_000,
        "{//" * 30_000,
        "{//" * 30_000 + "\n.",
        ("{//" * 100 + "\n//") * 300 + "\n.",
        "{/*" * 30_000 + "*/",
        "{1" * 50_000,
        "{a" * 50_000,
        '{"a" ' * 20_000,
        '{"a": "' + "\\" * 100_001,
        "<think>" * 15_000,
        "{ " * 50_000,
    ],
)
def test_hostile_replies_end_without_an_object(reply: str) -> None:
    assert not parse_reply(reply).data or parse_reply(reply).mended is not None
    list(objects_in(reply))
    list(lists_in(reply.replace("{", "[")))


def test_much_is_mended_and_what_is_too_deep_is_left() -> None:
    much = ",".join(["1"] * 50_000)
    assert parse_reply(f"{{a: [{much},]}}").data == {"a": [1] * 50_000}
    assert parse_reply("{a: " + "[" * 5_000 + "]" * 5_000 + "}").data is None
