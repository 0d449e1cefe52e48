"""Paths into extracted data."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.paths import leaves, value_at, with_value

DATA: dict[str, Any] = {"n": "1", "lines": [{"price": 1}, {"price": 2}], "buyer": None, "empty": []}


def test_leaves_name_every_value() -> None:
    assert list(leaves(DATA)) == [
        ("n", "1"),
        ("lines.0.price", 1),
        ("lines.1.price", 2),
        ("buyer", None),
        ("empty", []),
    ]


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("n", "2", {**DATA, "n": "2"}),
        ("lines.1.price", 5, {**DATA, "lines": [{"price": 1}, {"price": 5}]}),
        ("lines.2.price", 3, {**DATA, "lines": [{"price": 1}, {"price": 2}, {"price": 3}]}),
        ("buyer.name", "Ada", {**DATA, "buyer": {"name": "Ada"}}),
        ("buyer.phones.0", "1", {**DATA, "buyer": {"phones": ["1"]}}),
        ("new", 1, {**DATA, "new": 1}),
    ],
)
def test_a_value_is_set_and_what_is_missing_on_the_way_is_made(path: str, value: Any, expected: Any) -> None:
    before = repr(DATA)
    assert with_value(DATA, path, value) == expected
    assert repr(DATA) == before
    assert value_at(with_value(DATA, path, value), path) == value


@pytest.mark.parametrize("path", ["", ".", "a..b", "n.x", "lines.x", "lines.9.price", "lines.-1"])
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput):
        with_value(DATA, path, 1)


@pytest.mark.parametrize("path", ["x", "lines.2", "n.x"])
def test_asking_for_a_field_that_is_not_there_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match="There is no field"):
        value_at(DATA, path)
