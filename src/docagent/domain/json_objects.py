"""Dataclasses as JSON objects, and back: enums, times, tuples and dataclasses inside them included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from enum import Enum
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

Item = TypeVar("Item")
Convert = Callable[[Any], Any]


def may_be_none(hint: Any) -> bool:
    return NoneType in get_args(hint) or hint is Any


def conversions(hint: Any, *, in_json: bool = True) -> tuple[Convert | None, Convert | None]:
    """Return the functions that read and write values of a type that are not None. No function: as they are."""
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if NoneType in inner:
        (other, *more) = (one for one in inner if one is not NoneType)
        return (None, None) if more else conversions(other, in_json=in_json)
    if not isinstance(kind, type):
        return None, None
    if issubclass(kind, Enum):
        return kind, None
    if issubclass(kind, datetime):
        return (datetime.fromisoformat, datetime.isoformat) if in_json else (None, None)
    if is_dataclass(kind):
        return from_json(kind), to_json(kind)
    if issubclass(kind, Mapping):
        read, write = conversions(inner[1] if inner else Any)
        return read and _over_values(read), _over_values(write) if write else dict
    if issubclass(kind, Sequence) and inner:
        read, write = conversions(inner[0])
        made = tuple if kind is tuple else list
        return lambda values: made(map(read, values) if read else values), _over_items(write)
    return None, None


def from_json(kind: Callable[..., Item]) -> Callable[[Mapping[str, Any]], Item]:
    """Return the function that makes a dataclass of a stored JSON object. Keys that it does not know are left out."""
    hints = get_type_hints(kind)
    known = fields(cast(Any, kind))
    readers = {field.name: conversions(hints[field.name])[0] for field in known}
    empty = {
        field.name: None for field in known if field.default is MISSING and may_be_none(hints[field.name])
    }
    return lambda stored: kind(
        **empty | {name: _unless_none(read, stored[name]) for name, read in readers.items() if name in stored}
    )


def to_json(kind: type[Any]) -> Callable[[Any], dict[str, Any]]:
    """Return the function that makes a JSON object of a dataclass."""
    hints = get_type_hints(kind)
    writers = {field.name: conversions(hints[field.name])[1] for field in fields(kind)}
    return lambda item: {name: _unless_none(write, getattr(item, name)) for name, write in writers.items()}


def _unless_none(convert: Convert | None, value: Any) -> Any:
    return value if convert is None or value is None else convert(value)


def _over_values(convert: Convert) -> Convert:
    return lambda values: {key: convert(value) for key, value in values.items()}


def _over_items(convert: Convert | None) -> Convert:
    return lambda values: list(map(convert, values) if convert else values)
