"""How messages write values, and the order of paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Path = tuple[str | int, ...]

_LONGEST_VALUE = 120
_NODES_SHOWN = 60
_HUGE_INTEGER_BITS = 1_000


def path_order(path: Sequence[str | int]) -> tuple[tuple[bool, int, str], ...]:
    """Return a sort key that puts item 2 before item 10."""
    return tuple((True, part, "") if isinstance(part, int) else (False, 0, part) for part in path)


def show(value: object) -> str:
    """Write a value as Python does, cut if long. Looks only at the start of large containers."""
    text = _write(value, [_NODES_SHOWN])
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def show_all(values: Iterable[object]) -> str:
    """Write values as a list for a sentence, cut if long."""
    text = ", ".join(show(value) for value in values)
    return text if len(text) <= 3 * _LONGEST_VALUE else f"{text[: 3 * _LONGEST_VALUE]}..."


def _write(value: object, budget: list[int]) -> str:
    budget[0] -= 1
    if budget[0] < 0:
        return "..."
    if isinstance(value, dict):
        inside = []
        for key, member in value.items():
            if budget[0] <= 0:
                inside.append("...")
                break
            inside.append(f"{_write(key, budget)}: {_write(member, budget)}")
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list):
        inside = []
        for member in value:
            if budget[0] <= 0:
                inside.append("...")
                break
            inside.append(_write(member, budget))
        return f"[{', '.join(inside)}]"
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST_VALUE else value[: _LONGEST_VALUE + 1])
    if isinstance(value, int) and value.bit_length() > _HUGE_INTEGER_BITS:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)
