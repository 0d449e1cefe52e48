"""The order of a result's fields."""

from __future__ import annotations

import json

from docagent.domain.extraction.ordering import ordered_like


def test_keys_follow_the_schema() -> None:
    schema = {
        "properties": {
            "b": {"type": "string"},
            "a": {"type": "array", "items": {"properties": {"y": {}, "x": {}}}},
        }
    }
    data = {"extra": 1, "a": [{"x": 1, "y": 2}], "b": "t"}
    assert json.dumps(ordered_like(schema, data)) == '{"b": "t", "a": [{"y": 2, "x": 1}], "extra": 1}'
