"""Puts a model's answer into the types that its schema asks for, where a parser can.

Asking again costs a call, and a model that is asked again may lose what it had right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docagent.domain.field_path import leaves
from docagent.domain.problem import Problem
from docagent.jsonschema import InvalidSchema, SchemaValidator, resolved, types_of
from docagent.reading.printed import Style, answer_of, currency_in, parse_date, parse_number, squeezed

Json = dict[str, Any]
EMPTY: tuple[Any, ...] = (None, "", [], {})
_DEEPEST = 20


def coerced(schema: Json | None, answer: Json, style: Style) -> Json:
    """Return the answer without an object around it, and with values in the types of the schema.

    A value that fits is left alone, and one that does not is replaced only by one that does. `style` is how the
    document writes numbers and dates.
    """
    if schema is None:
        return answer
    whole = resolved(schema, schema)
    names = whole.get("properties") or {}
    inner = next(iter(answer.values())) if len(answer) == 1 else None
    if isinstance(inner, dict) and names.keys().isdisjoint(answer) and not names.keys().isdisjoint(inner):
        answer = inner
    changed: Json = _Coercion(schema, style).of(whole, answer, 0)
    return changed


def lost_values(schema: Json | None, before: Json, problems: Sequence[Problem], after: Json) -> int:
    """Return how many values that the schema asks for, and that broke nothing, are gone from a later answer."""
    names = (schema or {}).get("properties") or before
    broken = {problem.path for problem in problems}
    return sum(
        value not in EMPTY and path not in broken and path.get(after) in EMPTY
        for path, value in leaves({name: before[name] for name in before if name in names})
    )


class _Coercion:
    def __init__(self, root: Json, style: Style) -> None:
        self._root = root
        self._style = style
        self._validators: dict[int, SchemaValidator | None] = {}

    def of(self, part: Json, value: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            return value
        if isinstance(value, dict):
            parts = part.get("properties") or {}
            return {
                name: self.of(resolved(parts[name], self._root), inner, depth + 1) if name in parts else inner
                for name, inner in value.items()
            }
        if isinstance(value, list):
            items = resolved(part.get("items"), self._root)
            return [self.of(items, inner, depth + 1) for inner in value]
        if not isinstance(value, str) or self._fits(part, value):
            return value
        return next((each for each in self._readings(part, value) if self._fits(part, each)), value)

    def _fits(self, part: Json, value: Any) -> bool:
        if part.get("format") == "date" and isinstance(value, str) and not _is_day(value):
            return False
        validator = self._validators.get(id(part))
        if id(part) not in self._validators:
            try:
                validator = SchemaValidator(part)
            except InvalidSchema:  # a part that refers to the rest of its schema cannot be checked alone
                validator = None
            self._validators[id(part)] = validator
        return (
            validator is None or validator.errors_here(value) == []
        )  # a check that may be long fits nothing

    def _readings(self, part: Json, text: str) -> Iterator[Any]:
        """Yield what a text may stand for in the types of its part."""
        types = types_of(part)
        if not text.strip():
            yield None
        for kind, read in _READERS.items():
            if kind in types:
                yield from read(text, self._style)
        if part.get("format") == "date":
            yield from _day(text, self._style)
        for choice in part.get("enum") or ():
            if isinstance(choice, str) and squeezed(choice) == squeezed(text):
                yield choice
        if "string" in types:
            yield currency_in(text)


def _number(text: str, style: Style) -> Iterator[float]:
    found = parse_number(text, style)
    if found is not None:
        yield float(found.value)


def _whole_number(text: str, style: Style) -> Iterator[int]:
    found = parse_number(text, style)
    if found is not None and found.value == found.value.to_integral_value():
        yield int(found.value)


def _flag(text: str, _style: Style) -> Iterator[bool]:
    said = answer_of(text.strip())
    if said is not None:
        yield said


def _day(text: str, style: Style) -> Iterator[str]:
    found = parse_date(text)
    day = found[0].in_style(style).day if found else None
    if day is not None:
        yield day.isoformat()


def _is_day(text: str) -> bool:
    return len(text) == len("2026-03-14") and next(_day(text, Style()), None) == text


_READERS: dict[str, Callable[[str, Style], Iterator[Any]]] = {
    "integer": _whole_number,
    "number": _number,
    "boolean": _flag,
}
