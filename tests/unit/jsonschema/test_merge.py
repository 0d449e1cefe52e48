"""Two schemas that both apply, as one."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.jsonschema.profiles.merge import Contradiction, merge, same
from tests.support.tables import table


def never(keyword: str) -> None:
    raise AssertionError(f"{keyword} was lost")


@table(
    ("first", "second", "expected"),
    [
        ({"type": "number"}, {"type": "integer"}, {"type": "integer"}),
        ({"type": ["string", "null"]}, {"type": ["null", "string", "array"]}, {"type": ["string", "null"]}),
        ({"minimum": 1, "maxLength": 9}, {"minimum": 4, "maxLength": 3}, {"minimum": 4, "maxLength": 3}),
        ({"enum": [1, "a", True]}, {"enum": ["a", 1.0]}, {"enum": [1, "a"]}),
        ({"required": ["a"]}, {"required": ["b", "a"]}, {"required": ["a", "b"]}),
        ({"items": {"type": "string"}}, {"items": False}, {"items": False}),
        ({"description": "One."}, {"description": "Two."}, {"description": "One. Two."}),
        ({"title": "One"}, {"title": "Two"}, {"title": "One"}),
        ({"allOf": [{"a": 1}]}, {"allOf": [{"b": 1}]}, {"allOf": [{"a": 1}, {"b": 1}]}),
        (
            {"properties": {"a": {"type": "string"}, "b": {}}},
            {"properties": {"a": {"minLength": 1}, "c": {}}},
            {"properties": {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}, "b": {}, "c": {}}},
        ),
        (
            {"anyOf": [{"minimum": 1}, {"minimum": 2}]},
            {"anyOf": [{"maximum": 9}]},
            {
                "anyOf": [
                    {"allOf": [{"minimum": 1}, {"maximum": 9}]},
                    {"allOf": [{"minimum": 2}, {"maximum": 9}]},
                ]
            },
        ),
    ],
)
def test_both_schemas_are_kept(first: dict[str, Any], second: dict[str, Any], expected: object) -> None:
    assert merge(first, second, never) == expected


@table(
    ("first", "second"),
    [
        ({"type": "string"}, {"type": "array"}),
        ({"enum": [1]}, {"enum": [True]}),
        ({"const": "a"}, {"const": "b"}),
    ],
)
def test_schemas_that_exclude_each_other_contradict(first: dict[str, Any], second: dict[str, Any]) -> None:
    with pytest.raises(Contradiction):
        merge(first, second, never)


@table(
    ("first", "second", "keyword"),
    [
        ({"pattern": "^a"}, {"pattern": "b$"}, "pattern"),
        ({"format": "date"}, {"format": "time"}, "format"),
        ({"items": [{}]}, {"items": {"type": "string"}}, "items"),
        (
            {"anyOf": [{"const": n} for n in range(5)]},
            {"anyOf": [{"const": n} for n in range(4)]},
            "anyOf",
        ),
    ],
)
def test_what_cannot_be_merged_is_told_and_the_first_stays(
    first: dict[str, Any], second: dict[str, Any], keyword: str
) -> None:
    lost: list[str] = []
    assert merge(first, second, lost.append) == first
    assert lost == [keyword]


def test_equality_is_that_of_json() -> None:
    assert same({"a": [1, 2.0]}, {"a": [1.0, 2]})
    assert not same(True, 1)
    assert not same([0], [False])
