"""Dot paths into extracted data: `lines.0.price`; digits are positions in a list."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docagent.domain.errors import InvalidInput, Kind, Noun

MAX_NEW_ITEMS = 1
"""A path may name the position just after a list's last item, which appends, but no later one."""


def leaves(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is not a container, with its path; empty containers count as values."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from leaves(value, f"{path}.{key}" if path else str(key))
    elif isinstance(data, list) and data:
        for position, value in enumerate(data):
            yield from leaves(value, f"{path}.{position}" if path else str(position))
    else:
        yield path, data


def value_at(data: Any, path: str) -> Any:
    """The value at the path. Raises InvalidInput when there is none."""
    current = data
    for step in path.split("."):
        if isinstance(current, dict) and step in current:
            current = current[step]
        elif isinstance(current, list) and step.isdigit() and int(step) < len(current):
            current = current[int(step)]
        else:
            raise no_such_field(path)
    return current


def found_at(data: Any, steps: Sequence[str]) -> Any:
    """What stands at the end of these names and positions; None where there is nothing."""
    for step in steps:
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, list) and step.isdecimal() and int(step) < len(data):
            data = data[int(step)]
        else:
            return None
    return data


def no_such_field(path: str) -> InvalidInput:
    return InvalidInput(f"There is no field {path} in this result.", Kind.UNKNOWN, Noun.FIELD)


def with_value(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of the data with the value set at the path. Nulls on the way become containers. Raises InvalidInput."""
    steps = path.split(".")
    if not path or not all(steps):
        raise InvalidInput("A path has the form lines.0.price: names and positions, separated by dots.")
    changed = copy.deepcopy(data)
    current: Any = changed
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        last = following is None
        if isinstance(current, list):
            current = _into_list(current, step, path, value if last else _empty_for(following), last)
        elif isinstance(current, dict):
            if last:
                current[step] = value
            elif current.get(step) is None:
                current[step] = _empty_for(following)
            current = current[step]
        else:
            raise InvalidInput(f"{path} goes through a value that has no fields.")
    return changed


def _into_list(items: list[Any], step: str, path: str, value: Any, last: bool) -> Any:
    if not step.isdigit() or int(step) >= len(items) + MAX_NEW_ITEMS:
        raise InvalidInput(f"{path}: the list there has {len(items)} items; {step} is no position in it.")
    position = int(step)
    if position == len(items):
        items.append(value)
    elif last or items[position] is None:
        items[position] = value
    return items[position]


def _empty_for(following: str | None) -> Any:
    return [] if following is not None and following.isdigit() else {}
