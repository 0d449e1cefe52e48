"""Finds things by what the user calls them, and never guesses among several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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


def matching(phrase: str, fields: Sequence[Path]) -> list[Path]:
    """Return the fields that a phrase may mean. The closest kind of match wins; fields outside rows come first."""
    named = [Named(path) for path in fields]
    meant = frozenset(meanings_of(phrase.replace(".", " ")))
    for agrees in (_is_path, _is_leaf, _means_leaf, _is_concept, _holds):
        found = [one for one in named if one.names and agrees(phrase, meant, one)]
        if found:
            outside = [one.path for one in found if not one.is_in_row]
            return list(dict.fromkeys(outside or [one.path for one in found]))
    return []


def _is_path(phrase: str, _: frozenset[str], field: Named) -> bool:
    return squeezed(phrase) == squeezed("".join(field.names))


def _is_leaf(phrase: str, _: frozenset[str], field: Named) -> bool:
    return squeezed(phrase) == squeezed(field.names[-1])


def _means_leaf(_: str, meant: frozenset[str], field: Named) -> bool:
    leaf = frozenset(meanings_of(field.names[-1]))
    whole = frozenset(meaning for name in field.names for meaning in meanings_of(name))
    return bool(meant) and meant in (leaf, whole)


def _is_concept(_: str, meant: frozenset[str], field: Named) -> bool:
    in_row = field.is_in_row
    wanted = concept_for(meant, in_row=in_row)
    return (
        wanted is not None and concept_for(frozenset(meanings_of(field.names[-1])), in_row=in_row) is wanted
    )


def _holds(_: str, meant: frozenset[str], field: Named) -> bool:
    whole = {meaning for name in field.names for meaning in meanings_of(name)}
    return bool(meant) and meant <= whole
