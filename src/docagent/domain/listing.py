"""Sorting, filtering and paging as clients ask for it: the JSON models of a well-known data grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

import orjson

from docagent.domain.errors import InvalidInput

Item = TypeVar("Item")
MAX_FILTERS = 50
MAX_SORTS = 20
MAX_VALUES = 1000
MAX_SEARCH_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """One page of a list, and how many items there are in all."""

    items: Sequence[Item]
    total: int
    skip: int


class Operator(StrEnum):
    CONTAINS = "contains"
    NOT_CONTAINS = "doesnotcontain"
    EQUALS = "equals"
    NOT_EQUALS = "doesnotequal"
    STARTS_WITH = "startswith"
    ENDS_WITH = "endswith"
    IS_EMPTY = "isempty"
    IS_NOT_EMPTY = "isnotempty"
    IS_ANY_OF = "isanyof"
    AFTER = "after"
    ON_OR_AFTER = "onorafter"
    BEFORE = "before"
    ON_OR_BEFORE = "onorbefore"


_SPELLINGS = {
    "=": Operator.EQUALS,
    "is": Operator.EQUALS,
    "!=": Operator.NOT_EQUALS,
    "not": Operator.NOT_EQUALS,
    "isnot": Operator.NOT_EQUALS,
    ">": Operator.AFTER,
    ">=": Operator.ON_OR_AFTER,
    "<": Operator.BEFORE,
    "<=": Operator.ON_OR_BEFORE,
    **{operator.value: operator for operator in Operator},
}
NEEDS_NO_VALUE = frozenset({Operator.IS_EMPTY, Operator.IS_NOT_EMPTY})


@dataclass(frozen=True, slots=True)
class Sort:
    field: str
    descending: bool


@dataclass(frozen=True, slots=True)
class Filter:
    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True)
class Filters:
    items: tuple[Filter, ...] = ()
    match_any: bool = False


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What a client asked of a list endpoint; the same for every noun."""

    skip: int = 0
    limit: int = 10
    name_search: str | None = None
    sort: tuple[Sort, ...] = ()
    filters: Filters = Filters()


def list_query(
    skip: int = 0,
    limit: int = 10,
    name_search: str | None = None,
    sort: str | None = None,
    filters: str | None = None,
) -> ListQuery:
    for text in (name_search, sort, filters):
        _refuse_nul(text)
    return ListQuery(skip, limit, name_search or None, parse_sort(sort), parse_filters(filters))


def check_search(name: str, text: str | None) -> None:
    """Refuses a search text that is too long or that no database can look for."""
    _refuse_nul(text)
    if text and len(text) > MAX_SEARCH_LENGTH:
        raise InvalidInput(f"{name} is too long: use at most {MAX_SEARCH_LENGTH} characters.")


def _refuse_nul(text: str | None) -> None:
    if text and ("\x00" in text or "\\u0000" in text):
        raise InvalidInput("NUL characters cannot be searched for; remove them.")


def parse_sort(text: str | None) -> tuple[Sort, ...]:
    """`[{"field":"name","sort":"asc"}]`; entries that make no sense are passed over."""
    if not text:
        return ()
    entries = _json(text, "sort")
    if not isinstance(entries, list):
        raise InvalidInput("Invalid sort JSON")
    if len(entries) > MAX_SORTS:
        raise InvalidInput(f"Too many sort fields: {len(entries)}. Use at most {MAX_SORTS}.")
    return tuple(
        Sort(entry["field"], descending=str(entry["sort"]).lower() == "desc")
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("field"), str) and entry.get("sort")
    )


def parse_filters(text: str | None) -> Filters:
    """`{"items":[{"field","operator","value"}],"logicOperator":"and"}`; unknown operators are passed over."""
    if not text:
        return Filters()
    model = _json(text, "filters")
    if not isinstance(model, dict) or not isinstance(model.get("items", []), list):
        raise InvalidInput("Invalid filters JSON")
    entries = model.get("items", [])
    if len(entries) > MAX_FILTERS:
        raise InvalidInput(f"Too many filters: {len(entries)}. Use at most {MAX_FILTERS}.")
    joined_by = model.get("logicOperator") or model.get("operatorValue") or "and"
    found = (_filter(entry) for entry in entries)
    return Filters(
        tuple(item for item in found if item is not None), match_any=str(joined_by).lower() == "or"
    )


def _filter(entry: Any) -> Filter | None:
    if not isinstance(entry, dict):
        return None
    field = entry.get("field") or entry.get("columnField")
    spelled = entry.get("operator") or entry.get("operatorValue") or "contains"
    operator = _SPELLINGS.get(str(spelled).replace(" ", "").lower())
    value = entry.get("value")
    if not isinstance(field, str) or operator is None:
        return None
    if operator not in NEEDS_NO_VALUE and value in (None, "", []):
        return None
    if isinstance(value, list) and len(value) > MAX_VALUES:
        raise InvalidInput(f"Too many values in one filter: {len(value)}. Use at most {MAX_VALUES}.")
    return Filter(field, operator, value)


def _json(text: str, what: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"Invalid {what} JSON") from error
