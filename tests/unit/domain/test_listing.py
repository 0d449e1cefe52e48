"""What clients may ask a list for, before any database is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docagent.domain.errors import InvalidInput
from docagent.domain.listing import (
    MAX_FILTERS,
    MAX_SORTS,
    MAX_VALUES,
    Filter,
    Filters,
    Operator,
    Sort,
    check_search,
    list_query,
    parse_filters,
    parse_sort,
)
from tests.support.tables import table


def one(**entry: Any) -> Filters:
    return parse_filters(json.dumps({"items": [entry]}))


@table("text", [None, "", "[]"])
def test_no_sort(text: str | None) -> None:
    assert parse_sort(text) == ()


def test_sorts_keep_their_order_and_what_makes_no_sense_is_passed_over() -> None:
    entries = [
        {"field": "b", "sort": "desc"},
        {"field": "a", "sort": "ASC"},
        {"field": "c"},
        {"field": "c", "sort": None},
        {"field": 7, "sort": "asc"},
        {"sort": "asc"},
        "a",
        None,
    ]
    assert parse_sort(json.dumps(entries)) == (Sort("b", descending=True), Sort("a", descending=False))


@table("text", ["{", "{}", "7", "null", '"a"', "[" * 5000, "\ud800"])
def test_a_sort_that_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="Invalid sort JSON"):
        parse_sort(text)


@table("text", ["{", "[]", "7", "null", '{"items": {}}', '{"items": null}', "[" * 5000])
def test_filters_that_are_no_model_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="Invalid filters JSON"):
        parse_filters(text)


def test_no_filters() -> None:
    for text in (None, "", "{}", '{"items": []}'):
        assert parse_filters(text) == Filters()


@table("spelling", ["doesNotContain", "does not contain", "DOESNOTCONTAIN"])
def test_operators_are_read_in_any_spelling(spelling: str) -> None:
    assert one(field="a", operator=spelling, value="x").items == (Filter("a", Operator.NOT_CONTAINS, "x"),)


@table(
    ("spelling", "operator"),
    [
        ("=", Operator.EQUALS),
        ("is", Operator.EQUALS),
        ("!=", Operator.NOT_EQUALS),
        ("not", Operator.NOT_EQUALS),
        ("is not", Operator.NOT_EQUALS),
        (None, Operator.CONTAINS),
    ],
)
def test_short_names_of_operators(spelling: str | None, operator: Operator) -> None:
    assert one(field="a", operator=spelling, value="x").items[0].operator is operator


@table("operator", list(Operator))
def test_every_operator_is_understood(operator: Operator) -> None:
    assert one(field="a", operator=operator.value, value=["x"]).items[0].operator is operator


@table(
    "entry",
    [
        {"field": "a", "operator": "smells like", "value": "x"},
        {"field": "a", "operator": "contains"},
        {"field": "a", "operator": "contains", "value": ""},
        {"field": "a", "operator": "isAnyOf", "value": []},
        {"field": 7, "operator": "contains", "value": "x"},
        {"operator": "contains", "value": "x"},
    ],
)
def test_what_makes_no_sense_is_passed_over(entry: dict[str, Any]) -> None:
    assert one(**entry) == Filters()
    assert parse_filters(json.dumps({"items": [entry, 7, None]})) == Filters()


def test_zero_and_false_are_values() -> None:
    for value in (0, False):
        assert one(field="a", operator="=", value=value).items == (Filter("a", Operator.EQUALS, value),)


def test_the_older_names_of_the_model_are_read() -> None:
    filters = parse_filters(
        json.dumps({"items": [{"columnField": "a", "operatorValue": "is empty"}], "operatorValue": "OR"})
    )
    assert filters == Filters((Filter("a", Operator.IS_EMPTY, None),), match_any=True)
    assert not parse_filters('{"logicOperator": "and"}').match_any


def test_there_are_limits() -> None:
    entry = {"field": "a", "operator": "=", "value": "x"}
    parse_filters(json.dumps({"items": [entry] * MAX_FILTERS}))
    with pytest.raises(InvalidInput, match="Too many filters: 51"):
        parse_filters(json.dumps({"items": [entry] * (MAX_FILTERS + 1)}))
    one(field="a", operator="isAnyOf", value=["x"] * MAX_VALUES)
    with pytest.raises(InvalidInput, match="Too many values"):
        one(field="a", operator="isAnyOf", value=["x"] * (MAX_VALUES + 1))
    parse_sort(json.dumps([{"field": "a", "sort": "asc"}] * MAX_SORTS))
    with pytest.raises(InvalidInput, match="Too many sort fields"):
        parse_sort(json.dumps([{"field": "a", "sort": "asc"}] * (MAX_SORTS + 1)))


@table("query", [{"name_search": "a\x00"}, {"sort": '["\\u0000"]'}, {"filters": '{"a": "\\u0000"}'}])
def test_nul_is_refused(query: dict[str, str]) -> None:
    with pytest.raises(InvalidInput, match="NUL"):
        list_query(**query)  # type: ignore[arg-type]


def test_searches_have_a_length() -> None:
    check_search("name", None)
    check_search("name", "x" * 200)
    with pytest.raises(InvalidInput, match="name is too long"):
        check_search("name", "x" * 201)
