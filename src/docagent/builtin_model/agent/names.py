"""Finds things by what the user calls them, and never guesses among several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from docagent.builtin_model.asked.meaning import concept_for
from docagent.reading.printed import fold, meanings_of, squeezed

T = TypeVar("T")
Path = tuple[str, ...]

ROW = "[]"
"""Stands for any row in the path of a schema's field."""


def by_name(wanted: str, things: Iterable[T], key: str = "name") -> list[T]:
    """Return the things with this name, or else those whose names contain its words."""
    listed = [(thing, _name(thing, key)) for thing in things]
    exact = [thing for thing, name in listed if name == wanted] or [
        thing for thing, name in listed if squeezed(name) == squeezed(wanted)
    ]
    words = set(re.findall(r"\w+", fold(wanted)))
    return exact or [
        thing for thing, name in listed if words and words <= set(re.findall(r"\w+", fold(name)))
    ]


def is_exact(wanted: str, name: str) -> bool:
    return squeezed(wanted) == squeezed(name)


def _name(thing: object, key: str) -> str:
    return str(thing.get(key) or "") if isinstance(thing, dict) else str(thing)


@dataclass(frozen=True, slots=True)
class Named:
    """A field that the user may mean: its path, with positions or `[]` for rows."""

    path: Path

    @property
    def is_in_row(self) -> bool:
        return any(part == ROW or part.isdigit() for part in self.path)

    @property
    def names(self) -> Path:
        return tuple(part for part in self.path if part != ROW and not part.isdigit())

    @property
    def meanings(self) -> list[frozenset[str]]:
        """What each of the names means."""
        return [frozenset(meanings_of(name)) for name in self.names]


def matching(phrase: str, fields: Sequence[Path]) -> list[Path]:
    """Return the fields that a phrase may mean. The closest kind of match wins; fields outside rows come first."""
    named = [one for path in fields if (one := Named(path)).names]
    letters, meant = squeezed(phrase), frozenset(meanings_of(phrase.replace(".", " ")))
    kinds_of_match: tuple[Callable[[Named], bool], ...] = (
        lambda one: letters == squeezed("".join(one.names)),
        lambda one: letters == squeezed(one.names[-1]),
        lambda one: bool(meant) and meant in (one.meanings[-1], frozenset().union(*one.meanings)),
        lambda one: _is_concept(meant, one),
        lambda one: bool(meant) and meant <= frozenset().union(*one.meanings),
    )
    for agrees in kinds_of_match:
        found = [one for one in named if agrees(one)]
        if found:
            outside = [one.path for one in found if not one.is_in_row]
            return list(dict.fromkeys(outside or [one.path for one in found]))
    return []


def _is_concept(meant: frozenset[str], field: Named) -> bool:
    wanted = concept_for(meant, in_row=field.is_in_row)
    return wanted is not None and concept_for(field.meanings[-1], in_row=field.is_in_row) is wanted
