"""Clean-up that runs now and then: what was deleted, unreferenced files, old sessions, invitations and jobs."""

from __future__ import annotations

from datetime import timedelta

from docagent.domain.clock import now
from docagent.domain.ports import BlobStore
from docagent.store import jobs, proposals
from docagent.store.accounts import credentials, invitations
from docagent.store.documents import documents
from docagent.store.engine.database import Database
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
        """Clean everything up once. Returns how many documents were removed for good."""
        purged = 0
        while True:
            async with self._db.write(long=True) as tx:
                count = await documents.purge(tx, now() - self._purge_after, now())
            purged += count
            if not count:
                break
        await self._empty_trash()
        async with self._db.write(long=True) as tx:
            await projects.purge(tx, now() - self._purge_after)
            await proposals.drop_forgotten_heads(tx)
            await credentials.delete_expired(tx, now())
            await invitations.delete_expired(tx, now())
            await jobs.delete_finished(tx, now() - FINISHED_JOBS_KEPT)
            await parts.forget_older(tx, now() - UNFINISHED_EXTRACTIONS_KEPT)
        await self._db.refresh_statistics()
        return purged

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
