"""Clean-up that runs now and then: what was deleted, unreferenced files, old sessions, invitations and jobs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

from docagent.domain.clock import now
from docagent.domain.ports import BlobStore
from docagent.domain.repeats import KEPT
from docagent.store import jobs, proposals, repeats
from docagent.store.accounts import credentials, invitations
from docagent.store.documents import documents
from docagent.store.engine.database import Database, Tx
from docagent.store.extraction import parts
from docagent.store.projects import projects

FINISHED_JOBS_KEPT = timedelta(days=30)
UNFINISHED_EXTRACTIONS_KEPT = timedelta(days=7)


class HousekeepingService:
    def __init__(self, db: Database, blobs: BlobStore, purge_after: timedelta) -> None:
        self._db = db
        self._blobs = blobs
        self._purge_after = purge_after

    async def sweep(self) -> int:
        """Clean everything up once. Returns how many documents were removed permanently."""
        moment = now()
        purged = await self._each(lambda tx: documents.purge(tx, moment - self._purge_after, moment))
        await self._empty_trash()
        for clean_up in (
            lambda tx: projects.purge(tx, moment - self._purge_after),
            proposals.drop_forgotten_heads,
            lambda tx: credentials.delete_expired(tx, moment),
            lambda tx: invitations.delete_expired(tx, moment),
            lambda tx: jobs.delete_finished(tx, moment - FINISHED_JOBS_KEPT),
            lambda tx: repeats.forget_older(tx, moment - KEPT),
            lambda tx: parts.forget_older(tx, moment - UNFINISHED_EXTRACTIONS_KEPT),
        ):
            await self._each(clean_up)
        await self._db.refresh_statistics()
        return purged

    async def _each(self, clean_up: Callable[[Tx], Awaitable[int]]) -> int:
        """Remove batch after batch, each in a transaction of its own: others write in between. Returns how many."""
        total = 0
        while True:
            async with self._db.write(long=True) as tx:
                count = await clean_up(tx)
            if not count:
                return total
            total += count

    async def _empty_trash(self) -> None:
        """Delete files first, then their entries, so that a sweep that was interrupted can be repeated."""
        while True:
            async with self._db.read() as tx:
                keys = await documents.discarded_files(tx)
            if not keys:
                return
            await self._blobs.delete(keys)
            async with self._db.write(long=True) as tx:
                await documents.forget_discarded(tx, keys)
