"""What fields about a contract mean, told by single words of their names and descriptions, however they are put.

Whole phrases are asked words like any other. The stems of `contract_fields` tell what no phrase tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from docagent.builtin_model.asked.concepts import Kind
from docagent.reading.printed import fold
from docagent.words import words

Kinds = frozenset[Kind]

_SHORTEST_STEM = 4


def contract_meaning(name: Iterable[str], described: Iterable[str], kinds: Kinds) -> str | None:
    """Return the key of the concept that the words of a name and description ask for, if it is one of a contract."""
    named = _roles(name)
    said = named | _roles(described)
    if "other" in said or "end" in said:
        return None
    if kinds == {Kind.DATE}:
        return "effective_date" if _asks_for_start(named, said) else None
    if kinds <= {Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT, Kind.CODE, Kind.BOOLEAN}:
        return None
    if "law" in said and (said & {"govern", "place", "agreement"} or named == {"law"}):
        return "governing_law"
    if {"govern", "place"} <= named or {"govern", "place", "agreement"} <= said:
        return "governing_law"
    if "long" in said and said & {"agreement", "secrecy", "force"}:
        return "duration"
    if named == {"party"} and said <= {"party", "people", "agreement"}:
        return "parties"
    if "agreement" in said and ("party" in said or ("people" in said and said & {"made", "force"})):
        return "parties"
    return None


def _asks_for_start(named: frozenset[str], said: frozenset[str]) -> bool:
    if "agreement" in said:
        return bool(said & {"force", "start", "made"})
    return "force" in named or ("force" in said and bool(said & {"start", "party"}))


def _roles(said: Iterable[str]) -> frozenset[str]:
    return frozenset(role for word in said for role in _roles_of(word))


@cache
def _roles_of(word: str) -> frozenset[str]:
    return frozenset(
        role
        for stem, role in _stems()
        if word == stem or (len(stem) >= _SHORTEST_STEM and word.startswith(stem))
    )


@cache
def _stems() -> tuple[tuple[str, str], ...]:
    return tuple((fold(stem), role) for role, stems in words("contract_fields").items() for stem in stems)
