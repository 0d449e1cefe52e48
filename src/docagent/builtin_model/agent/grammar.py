"""What the built-in agent understands: patterns for clauses, tried in order. The first match gives the wish.

A pattern covers one clause without polite words (see `clauses`). `understand` splits a message into the most
clauses that all make sense. So `add a and b` stays one wish, and `add a and run it` becomes two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docagent.builtin_model.agent import clauses, phrases_changes, phrases_questions, phrases_schemas
from docagent.builtin_model.agent.phrases import Rule, spaced
from docagent.builtin_model.agent.wishes import (
    CallIt,
    Chat,
    CreateSchema,
    CreateTag,
    Delete,
    RenameField,
    SetUp,
    SetValue,
    TagDocument,
    Wish,
)

RULES: tuple[Rule, ...] = (
    *phrases_questions.TALK,
    *phrases_schemas.CREATING,
    *phrases_changes.WHOLE,
    *phrases_questions.SHOWING,
    *phrases_changes.THINGS,
    *phrases_schemas.FIELDS,
    *phrases_changes.RUNNING,
    *phrases_changes.VALUES,
    *phrases_questions.QUESTIONS,
)
_HALF = re.compile(r"(?:the\s+)?[\w .'-]+?(?<!\s)\s+(?:to|into|=)\s+\S.*", re.IGNORECASE)
_HALF_DELETE = re.compile(
    r"(?:the\s+)?(?:schema|prompt|tag|document)\s+\S.*|(?:the\s+)?\S.*\s(?:schema|prompt|tag)", re.I
)
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Understood:
    """The wishes in a message, or the part of it that made no sense."""

    wishes: tuple[Wish, ...] = ()
    puzzling: str = ""


def understand(text: str) -> Understood:
    straight = clauses.straight(text)
    if not straight or len(straight) > _LONGEST:
        return Understood(puzzling=straight[:80])
    parts = clauses.pieces(straight)
    wishes = Splitting(parts, _read, _continued).wishes_from(0, ())
    if wishes is None:
        return Understood(puzzling=_first_puzzling(parts))
    return Understood(tuple(_referring(wishes)))


class Splitting:
    """Finds the finest split of a message in which every clause is a wish."""

    def __init__(
        self,
        parts: Sequence[tuple[str, str]],
        read: Callable[[str], Wish | None],
        continued: Callable[[str, Wish], Wish | None],
    ) -> None:
        self._parts = parts
        self._read = read
        self._continued = continued
        self._hopeless: set[tuple[int, type | None]] = set()
        """Places, with the kind of wish before them, from which no split makes sense."""

    def wishes_from(self, start: int, before: tuple[Wish, ...]) -> tuple[Wish, ...] | None:
        if start == len(self._parts):
            return before
        here = (start, type(before[-1]) if before else None)
        if here in self._hopeless:
            return None
        for end in range(start + 1, len(self._parts) + 1):
            read = self._with(clauses.together(self._parts[start:end]), before)
            wishes = None if read is None else self.wishes_from(end, read)
            if wishes is not None:
                return wishes
        self._hopeless.add(here)
        return None

    def _with(self, clause: str, before: tuple[Wish, ...]) -> tuple[Wish, ...] | None:
        """Add the clause's wish to those before. A clause of polite words adds none; one without sense gives None."""
        wish = self._read(clause)
        if wish is None and not clauses.bare(clause):
            return before
        if wish is None and before:
            wish = self._continued(clause, before[-1])
        return None if wish is None else (*before, wish)


@lru_cache(maxsize=500)
def _read(clause: str) -> Wish | None:
    bare = clauses.bare(clause)
    asks = clause.rstrip().endswith("?")
    for rule in RULES:
        match = spaced(rule.pattern).fullmatch(clause.strip(" .!?,") if rule.whole else bare)
        if match is not None and (not rule.asks or asks) and (not rule.tells or not asks):
            wish = rule.wish(match)
            if wish is not None:
                return wish
    return None


def _continued(clause: str, before: Wish) -> Wish | None:
    """Read the second half of `set a to 1 and b to 2`, which relies on the verb of the first half."""
    bare = clauses.bare(clause)
    verbs: dict[type, tuple[str, re.Pattern[str]]] = {
        SetValue: ("set", _HALF),
        RenameField: ("rename", _HALF),
        Delete: ("delete", _HALF_DELETE),
    }
    verb, shape = verbs.get(type(before), ("", None))
    if shape is None or not shape.fullmatch(bare):
        return None
    wish = _read(f"{verb} {bare}")
    return wish if type(wish) is type(before) else None


def _first_puzzling(parts: Sequence[tuple[str, str]]) -> str:
    """Return the first part of a message that means nothing by itself, or else the whole message."""
    strange = [text for text, _ in parts if clauses.bare(text) and _read(text) is None]
    if strange and len(strange) < len(parts):
        return clauses.bare(strange[0])
    return clauses.together(parts)


def _referring(wishes: Sequence[Wish]) -> Iterator[Wish]:
    """Merge `create a schema ... and call it Bill` into one wish, and replace "it" by the tag just created."""
    merged: list[Wish] = []
    for wish in wishes:
        last = merged[-1] if merged else None
        if isinstance(wish, CallIt) and isinstance(last, CreateSchema | SetUp) and last.name is None:
            merged[-1] = _renamed(last, wish.name)
        elif isinstance(wish, TagDocument) and wish.names == ("it",) and isinstance(last, CreateTag):
            merged.append(TagDocument((last.name,)))
        else:
            merged.append(wish)
    real = [wish for wish in merged if not isinstance(wish, Chat)]
    yield from real or merged[:1]


def _renamed(wish: CreateSchema | SetUp, name: str) -> Wish:
    if isinstance(wish, SetUp):
        return SetUp(name, wish.or_run)
    return CreateSchema(name, wish.fields)
