"""Says how much work the patterns of a schema can be.

The engine runs a pattern in time linear in the text and in the pattern written out (`a{100}` is a hundred
states), except for one that looks around or back: that one it runs by trying, with a limit of steps for each
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from jsonschema_rs import FancyRegexOptions

from docagent.jsonschema.keywords import subschemas

_MOST_BACKTRACKS = 100_000
_MOST_BYTES = 10_000_000
_MOST_BYTES_TOGETHER = 40_000_000
"""What patterns may take when compiled, which takes 10 ms of processor time for each million."""

_LOOKS_AROUND = re.compile(r"\(\?[^:]|\\[1-9kKG]|[*+?}]\+")
_SPLITS = re.compile(r"[(|+\\]")
"""Where the engine may cut a pattern that looks around into parts that it compiles by themselves."""
_COUNTED = re.compile(r"\{(?:\d{0,9},)?(\d{1,9})")
_WIDE_CLASS = re.compile(r"\\[pPDSW]|\[\^|\.")
_STATES_OF_A_WIDE_CLASS = 100
_MOST_STATES = 10**12


@dataclass(frozen=True, slots=True)
class Patterns:
    """All patterns of a schema together."""

    states: int
    """An upper bound for the states of all of them when they are written out."""
    parts: int
    """Into how many parts they are compiled."""
    backtrack: bool
    """Whether one of them looks around or back."""

    @classmethod
    def of(cls, schema: object) -> Patterns:
        found = list(_patterns_in(schema))
        looking = [_LOOKS_AROUND.search(pattern) is not None for pattern in found]
        parts = sum(1 + looks * len(_SPLITS.findall(one)) for one, looks in zip(found, looking, strict=True))
        return cls(sum(map(_states, found)), parts, any(looking))

    @property
    def options(self) -> FancyRegexOptions:
        size = min(_MOST_BYTES, _MOST_BYTES_TOGETHER // max(1, self.parts))
        return FancyRegexOptions(backtrack_limit=_MOST_BACKTRACKS, size_limit=size, dfa_size_limit=size)


def _states(pattern: str) -> int:
    states = len(pattern) + _STATES_OF_A_WIDE_CLASS * len(_WIDE_CLASS.findall(pattern))
    for count in _COUNTED.findall(pattern):
        states = min(states * max(1, int(count)), _MOST_STATES)
    return states


def _patterns_in(schema: object) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, dict):
            continue
        if isinstance(pattern := current.get("pattern"), str):
            yield pattern
        if isinstance(named := current.get("patternProperties"), dict):
            yield from named
        waiting.extend(child.schema for child in subschemas(current))
