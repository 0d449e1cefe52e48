"""The address of a value, with names that hold whatever people write."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.domain.errors import InvalidInput
from docagent.domain.field_path import ROOT, FieldPath, leaves
from tests.support.tables import table

DATA: dict[str, Any] = {"n": "1", "lines": [{"price": 1}, {"price": 2}], "buyer": None, "empty": []}
ODD = {
    "Total incl. VAT": 119.0,
    "Rechnungs-Nr.": "R-1",
    "a/b": {"~": 1, "~1": 2, "": 3},
    "": {"": "nothing"},
    "0": {"0": ["first", {"1": "second"}]},
    'say "x"': "quoted",
    "🧾": [{"m.²": 4}],
    "/slash": True,
    " ": {".": "dot"},
}

names = st.text("a.0/~ \"'\\1🧾", max_size=4)
values = st.none() | st.booleans() | st.integers(0, 9) | st.text("x", max_size=2)
trees = st.recursive(
    values,
    lambda inner: st.dictionaries(names, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(names, trees, max_size=4)


def schema_of(data: Any) -> dict[str, Any]:
    if isinstance(data, dict):
        return {"type": "object", "properties": {name: schema_of(value) for name, value in data.items()}}
    if isinstance(data, list):
        return {"type": "array", "items": schema_of(data[0]) if data else {}}
    return {}


@given(objects)
def test_what_is_written_is_read_as_the_same_path(data: dict[str, Any]) -> None:
    for path, value in leaves(data):
        for text in (str(path), path.pointer):
            again = FieldPath.parse(text, data)
            assert (again, [type(step) for step in again]) == (path, [type(step) for step in path])
            assert FieldPath.stored(text, data) == path
            assert FieldPath.parse(text).get(data) == value, (
                "read without the data it leads to the same value"
            )
        assert path.get(data) == value
        if path:
            assert FieldPath(path).value_in(data) == value


@given(objects)
def test_a_value_that_is_set_changes_nothing_else(data: dict[str, Any]) -> None:
    before = list(leaves(data))
    for path, _ in before:
        if path:
            changed = FieldPath.parse(str(path), data).set(data, "new")
            assert list(leaves(changed)) == [(one, "new" if one == path else was) for one, was in before]
    assert list(leaves(data)) == before


@given(objects)
def test_a_path_is_known_by_the_schema_where_the_data_does_not_have_it(data: dict[str, Any]) -> None:
    schema = schema_of(data)
    for path, _ in leaves(data):
        if all(step == 0 for step in path if isinstance(step, int)):
            assert FieldPath.parse(str(path), {}, schema) == path


@given(st.lists(st.text("ab0", min_size=1, max_size=3) | st.integers(0, 9), min_size=1, max_size=4))
def test_plain_names_are_written_with_dots_as_they_always_were(steps: list[str | int]) -> None:
    assert str(FieldPath(steps)) == ".".join(map(str, steps))


@table(
    ("steps", "text"),
    [
        (("Total incl. VAT",), "/Total incl. VAT"),
        (("a/b", "~"), "a/b.~"),
        (("a/b", "~1", ""), "/a~1b/~01/"),
        (("/slash",), "/~1slash"),
        (("",), "/"),
        (("lines", 0, "m.²"), "/lines/0/m.²"),
        ((), ""),
    ],
)
def test_names_that_dots_cannot_tell_apart_are_written_as_a_pointer(
    steps: tuple[str | int, ...], text: str
) -> None:
    assert str(FieldPath(steps)) == text


def test_a_digit_is_a_name_in_an_object_and_a_position_in_a_list() -> None:
    path = FieldPath.parse("0.0.1.1", ODD)
    assert path == FieldPath(("0", "0", 1, "1"))
    assert (path.column, path.name, path.parent) == (("0", "0", "1"), "1", ("0", "0", 1))


@table(
    ("text", "steps"),
    [
        ("Total incl. VAT", ("Total incl. VAT",)),
        ("Rechnungs-Nr.", ("Rechnungs-Nr.",)),
        ("🧾.0.m.²", ("🧾", 0, "m.²")),
        ("/slash", ("/slash",)),
        (" ..", (" ", ".")),
    ],
)
def test_old_clients_write_any_name_with_dots(text: str, steps: tuple[str | int, ...]) -> None:
    assert FieldPath.parse(text, ODD) == steps
    assert FieldPath.stored(text, ODD) == steps
    assert FieldPath.parse(text, {}, schema_of(ODD)) == steps


def test_a_dotted_text_means_the_names_between_its_dots_if_they_are_there() -> None:
    assert FieldPath.parse("a.b", {"a": {"b": 1}, "a.b": 2}) == ("a", "b")
    assert FieldPath.parse("/a.b", {"a": {"b": 1}, "a.b": 2}) == ("a.b",)


def test_a_dotted_text_that_may_mean_several_names_with_dots_is_refused() -> None:
    data = {"a.b": {"c": 1}, "a": {"b.c": 2}}
    with pytest.raises(InvalidInput, match=r"Write it as a JSON Pointer: /a\.b/c or /a/b\.c\."):
        FieldPath.parse("a.b.c", data)
    assert FieldPath.stored("a.b.c", data) == ("a", "b", "c"), "what is stored never fails to be read"


def test_a_schema_that_holds_itself_does_not_make_reading_slow() -> None:
    schema = {"properties": {name: {"$ref": "#"} for name in ("a", "a.a", "a.a.a")}}
    text = ".".join(["a"] * 200)
    assert FieldPath.parse(f"{text}.b", {}, schema)[-1] == "b"


def test_leaves_name_every_value() -> None:
    assert [(str(path), value) for path, value in leaves(DATA)] == [
        ("n", "1"),
        ("lines.0.price", 1),
        ("lines.1.price", 2),
        ("buyer", None),
        ("empty", []),
    ]


@table(
    ("path", "value", "expected"),
    [
        ("n", "2", {**DATA, "n": "2"}),
        ("lines.1.price", 5, {**DATA, "lines": [{"price": 1}, {"price": 5}]}),
        ("lines.2.price", 3, {**DATA, "lines": [{"price": 1}, {"price": 2}, {"price": 3}]}),
        ("buyer.name", "Ada", {**DATA, "buyer": {"name": "Ada"}}),
        ("buyer.phones.0", "1", {**DATA, "buyer": {"phones": ["1"]}}),
        ("new", 1, {**DATA, "new": 1}),
        ("/buyer/Rechnungs-Nr.", "1", {**DATA, "buyer": {"Rechnungs-Nr.": "1"}}),
    ],
)
def test_a_value_is_set_and_what_is_missing_on_the_way_is_made(path: str, value: Any, expected: Any) -> None:
    before = repr(DATA)
    changed = FieldPath.parse(path, DATA).set(DATA, value)
    assert changed == expected
    assert repr(DATA) == before
    assert FieldPath.parse(path, changed).value_in(changed) == value


@table("path", ["", ".", "a..b", "n.x", "lines.x", "lines.9.price", "lines.-1", "/n/x"])
def test_a_path_that_leads_nowhere_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput):
        FieldPath.parse(path, DATA).set(DATA, 1)


@table("path", ["x", "lines.2", "n.x", "/lines/2", ""])
def test_asking_for_a_field_that_is_not_there_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match="There is no field"):
        FieldPath.parse(path, DATA).value_in(DATA)


def test_a_path_is_within_itself_and_what_holds_it() -> None:
    path = FieldPath(("a.b", 0, "c"))
    assert path.is_within(path)
    assert path.is_within(ROOT)
    assert path.is_within(FieldPath(("a.b",)))
    assert not path.is_within(FieldPath(("a", "b")))
    assert not FieldPath(("ab",)).is_within(FieldPath(("a",)))
