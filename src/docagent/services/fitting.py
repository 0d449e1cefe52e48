"""Finds out whether a schema that is there fits a document, by its content: fields, types, and what they find."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.builtin_model import fill, propose_schema
from docagent.domain.documents import Document
from docagent.domain.text import Page
from docagent.services.text import all_pages
from docagent.store import proposals
from docagent.store.engine import Database, OrgTx
from docagent.store.proposals import Candidate

MOST_COMPARED = 30
FILLED_SHARE = 0.6
"""The share of a schema's fields that a document of its kind fills at least."""
ALIKE_SHARE = 0.5
"""The share of fields that the schema has in common with the one that would be made for the document."""
FEWEST_FILLED = 3


@dataclass(frozen=True, slots=True)
class Fit:
    candidate: Candidate
    filled: int
    fields: int
    alike: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The prompt that fits best, if one does, and the revisions of all that were compared."""

    best: Fit | None
    compared: frozenset[str]


class FittingService:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def comparable(self, tx: OrgTx) -> frozenset[str]:
        """The revisions of all prompts that a document would be compared with now."""
        return _revids(await proposals.candidates(tx, MOST_COMPARED))

    async def compare(self, document: Document, without: str | None) -> Comparison:
        """Compare the document with every prompt that could be used, except the one with the id `without`."""
        async with self._db.read_org(document.organization_id, long=True) as tx:
            found = await proposals.candidates(tx, MOST_COMPARED)
        compared = _revids(found)
        usable = [candidate for candidate in found if candidate.prompt.id != without]
        if not usable:
            return Comparison(None, compared)
        pages = await all_pages(self._db, document)
        return Comparison(await asyncio.to_thread(best_fit, pages, usable), compared)


def _revids(candidates: Sequence[Candidate]) -> frozenset[str]:
    return frozenset(candidate.prompt.revid for candidate in candidates)


def best_fit(pages: Sequence[Page], candidates: Sequence[Candidate]) -> Fit | None:
    own = {path: _kind(part) for path, part in _fields(propose_schema(pages)["json_schema"]["schema"])}
    fits = [fit for candidate in candidates if (fit := _fit(pages, candidate, own)) is not None]
    return max(fits, key=lambda fit: (fit.alike, fit.filled), default=None)


def _fit(pages: Sequence[Page], candidate: Candidate, own: Mapping[str, str]) -> Fit | None:
    theirs = {path: _kind(part) for path, part in _fields(candidate.schema)}
    together = own.keys() | theirs.keys()
    shared = sum(path in own and own[path] == kind for path, kind in theirs.items())
    alike = shared / len(together) if together else 0.0
    if alike < ALIKE_SHARE:
        return None
    found = fill(pages, dict(candidate.schema))
    filled = sum(_value(found, path) not in (None, "", []) for path in theirs)
    if filled < min(FEWEST_FILLED, len(theirs)) or filled < FILLED_SHARE * len(theirs):
        return None
    return Fit(candidate, filled, len(theirs), alike)


def _fields(schema: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every field with its path. A list is one field: how many rows it has says nothing."""
    for name, part in schema.get("properties", {}).items():
        path = f"{within}{name}"
        if _kind(part) == "object":
            yield from _fields(part, f"{path}.")
        else:
            yield path, part


def _kind(part: Mapping[str, Any]) -> str:
    kinds = part.get("type")
    named = [kind for kind in kinds if kind != "null"] if isinstance(kinds, list) else [kinds]
    return str(named[0]) if named else ""


def _value(data: Any, path: str) -> Any:
    for name in path.split("."):
        data = data.get(name) if isinstance(data, dict) else None
    return data
