"""Finds out whether a schema that is there fits a document, by its content: fields, types, and what they find."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from docagent import builtin_model
from docagent.domain.documents.documents import Document
from docagent.services.documents.text import all_pages
from docagent.store import proposals
from docagent.store.engine.database import Database, OrgTx
from docagent.store.proposals import Candidate

MOST_COMPARED = 30


@dataclass(frozen=True, slots=True)
class Comparison:
    """The prompt that fits best, if one does, and the revisions of all that were compared."""

    best: tuple[Candidate, builtin_model.Fit] | None
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
        usable = [candidate for candidate in found if candidate.prompt.id != without]
        if not usable:
            return Comparison(None, _revids(found))
        pages = await all_pages(self._db, document)
        judged = await asyncio.to_thread(
            builtin_model.fits, pages, [candidate.schema for candidate in usable]
        )
        fitting = [(candidate, fit) for candidate, fit in zip(usable, judged, strict=True) if fit.fits]
        best = max(fitting, key=lambda pair: (pair[1].alike, pair[1].filled), default=None)
        return Comparison(best, _revids(found))


def _revids(candidates: Sequence[Candidate]) -> frozenset[str]:
    return frozenset(candidate.prompt.revid for candidate in candidates)
