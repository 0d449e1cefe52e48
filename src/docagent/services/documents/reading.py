"""Reading documents: from a stored file to stored pages of words, as a job."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import DocumentRead, DocumentReadFailed
from docagent.domain.documents.documents import TEXT_VERSION, Document, DocumentState, parse_metadata_search
from docagent.domain.documents.text import PackedPage
from docagent.domain.errors import InvalidInput, ReadFailed, ReadFailure
from docagent.domain.jobs import Job, JobKind
from docagent.domain.listing import ListQuery
from docagent.domain.ports import BlobMissing, BlobStore, FileReader, Opened
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.documents import DocumentService, find_document
from docagent.services.documents.model_reading import ModelReading
from docagent.services.documents.pictures import PictureService
from docagent.services.documents.text import blank_pages_reason
from docagent.services.jobs import JobRun, JobService
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import parts

logger = logging.getLogger(__name__)

PAGES_PER_WRITE = 50
SECONDS_PER_WRITE = 0.5
SCAN_SIZE = 1000

Mode = Literal["all", "missing", "outdated"]


@dataclass(frozen=True, slots=True)
class ToRead:
    """A document that a bulk run would read, and why."""

    document_id: str
    document_name: str
    reason: str


@dataclass(slots=True)
class _Unwritten:
    """Pages that were read and not stored yet."""

    pages: list[PackedPage] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)

    @property
    def is_due(self) -> bool:
        return len(self.pages) >= PAGES_PER_WRITE or time.monotonic() - self.since > SECONDS_PER_WRITE


_OF_PICTURES = {
    ReadFailure.TIMED_OUT: "Reading this picture took too long and was stopped. Make it smaller and upload that.",
    ReadFailure.OUT_OF_MEMORY: "Reading this picture needs more memory than one file may use. Make it smaller and "
    "upload that.",
    ReadFailure.CRASHED: "This picture made the reader fail: it is damaged or unusual. Save it again as PNG or JPEG, "
    "and upload that.",
}
"""What to do about failures that are no matter of the file's content; a picture cannot be split."""


class WantedAfterReading(Protocol):
    """Queues what the organisation wants of every document that has been read."""

    async def after_reading(self, tx: OrgTx, document: Document) -> None: ...


@dataclass(eq=False)
class ReadingService:
    _db: Database
    _blobs: BlobStore
    _reader: FileReader
    _jobs: JobService
    _documents: DocumentService
    _pictures: PictureService
    _model_reading: ModelReading
    _wanted: WantedAfterReading
    _bus: Bus

    # --- asking for it ----------------------------------------------------------------------------------------

    async def request(self, member: Member, document_id: str, *, force: bool, ocr_only: bool) -> bool:
        """Queue a document to be read again. False if its text is up to date and `force` is off."""
        async with self._db.write_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            if not document.serves_ocr:
                raise InvalidInput("Document type does not support OCR")
            if not force and document.text_version == TEXT_VERSION:
                return False
            state = DocumentState.OCR_PROCESSING if ocr_only else DocumentState.UPLOADED
            await documents.set_state(tx, document_id, state, now(), pages_read=0)
            await self._jobs.enqueue(tx, JobKind.READ_TEXT, document_id, {"then_extract": not ocr_only})
        return True

    async def plan_bulk(
        self,
        member: Member,
        mode: Mode,
        query: ListQuery,
        *,
        tag_ids: list[str],
        metadata_search: str | None,
    ) -> list[ToRead]:
        """Which of the matching documents a bulk run in this mode would read."""
        planned: list[ToRead] = []
        async with self._db.read_org(member.organization_id, long=True) as tx:
            skip, total = 0, 1
            while skip < total:
                part = ListQuery(skip, SCAN_SIZE, query.name_search, (), query.filters)
                found = await documents.search(
                    tx, part, tag_ids=tag_ids, metadata=parse_metadata_search(metadata_search)
                )
                skip, total = skip + SCAN_SIZE, found.total
                planned += [
                    ToRead(document.id, document.name, reason)
                    for document in found.items
                    if document.serves_ocr and (reason := _reason(document, mode)) is not None
                ]
        return planned

    # --- doing it ---------------------------------------------------------------------------------------------

    async def read(self, run: JobRun) -> None:
        """Do the job. A reading that was interrupted continues after the last stored page."""
        job = run.job
        async with self._db.write_org(job.organization_id) as tx:
            document = await documents.get(tx, job.subject_id or "")
            if document is None:
                await run.finish(tx, "The document was deleted.")
                return
            done = await pages.count(tx, document.id, job.id)
            await documents.set_state(
                tx, document.id, DocumentState.OCR_PROCESSING, now(), pages_read=done, page_count=None
            )
        try:
            await self._read_pages(run, document, done)
        except ReadFailed as failure:
            await self._fail(run, document, failure)
            return
        if not document.has_pdf:
            await self._try_pdf(document)

    async def give_up(self, tx: OrgTx, job: Job) -> None:
        """Record that the job failed for the last time, in the transaction that gives it up."""
        if job.subject_id is not None:
            await documents.set_state(
                tx,
                job.subject_id,
                DocumentState.OCR_FAILED,
                now(),
                reason="The server could not read this document, although it tried several times. "
                "The file is kept; ask your administrator to look at the log, then read it again.",
                reason_code=ReadFailure.CRASHED,
            )
            await self._tell_failure(tx, job.subject_id, ReadFailure.CRASHED)

    async def _read_pages(self, run: JobRun, document: Document, done: int) -> None:
        password = self._documents.password_of(document)
        unwritten = _Unwritten()
        page_count = 0
        async with AsyncExitStack() as open_ones:
            pictures = Path(open_ones.enter_context(tempfile.TemporaryDirectory(prefix="docagent-")))
            path = await open_ones.enter_async_context(self._local_copy(document))
            reading = self._reader.read(
                path, document.extension, password=password, first_page=done + 1, pictures=pictures
            )
            events = await open_ones.enter_async_context(aclosing(reading))
            async for event in events:
                if isinstance(event, Opened):
                    page_count = event.page_count
                    async with self._db.write_org(document.organization_id) as tx:
                        await documents.change(tx, document.id, {"page_count": page_count})
                        await run.alive(tx, progress=done, total=page_count)
                    continue
                unwritten.pages.append(event)
                if unwritten.is_due:
                    async with self._db.write_org(document.organization_id) as tx:
                        await self._append(tx, run, document, unwritten)
                    unwritten = _Unwritten()
            await self._pictures.keep(document, pictures)
        by_model: list[PackedPage] | None = None
        if (model := await self._model_reading.model(document.organization_id)) is not None:
            async with self._db.write_org(document.organization_id) as tx:
                await self._append(tx, run, document, unwritten)
                document = await documents.get(tx, document.id) or document
            unwritten = _Unwritten()
            by_model = await self._model_reading.read(document, run.job.id, model)
        await self._end(run, document, unwritten, page_count, by_model)

    async def _end(
        self,
        run: JobRun,
        document: Document,
        unwritten: _Unwritten,
        page_count: int,
        by_model: Sequence[PackedPage] | None,
    ) -> None:
        """Point the document at its new pages, in the transaction that ends the job."""
        async with self._db.write_org(document.organization_id, long=True) as tx:
            await self._append(tx, run, document, unwritten)
            await pages.delete_other_runs(tx, document.id, run.job.id)
            if by_model is not None:
                await pages.put(tx, document.id, run.job.id, by_model)
                await parts.forget(tx, run.job.id, 1, page_count)
            was_read, private = await documents.at_end_of_reading(tx, document.id)
            blank = await blank_pages_reason(tx, document, run.job.id)
            await pages.hide_private(tx, document.id, run.job.id, private)
            await documents.set_state(
                tx,
                document.id,
                DocumentState.OCR_COMPLETED,
                now(),
                reason=blank,
                reason_code=ReadFailure.NO_TEXT if blank else None,
                text_run_id=run.job.id,
                text_version=TEXT_VERSION,
                text_date=now(),
                page_count=page_count,
                pages_read=page_count,
            )
            await run.finish(tx)
            await self._bus.announce(
                tx,
                DocumentRead(document.organization_id, now(), document.id, document.name, page_count),
            )
            if run.job.arguments.get("then_extract", True):
                await self._wanted.after_reading(tx, document)
            if not was_read and document.auto_create:
                await self._jobs.enqueue(tx, JobKind.SET_UP, document.id)

    async def _append(self, tx: OrgTx, run: JobRun, document: Document, unwritten: _Unwritten) -> None:
        if not unwritten.pages:
            return
        last = unwritten.pages[-1].number
        await pages.append(tx, document.id, run.job.id, unwritten.pages)
        await documents.change(tx, document.id, {"pages_read": last})
        await run.alive(tx, progress=last)

    async def _fail(self, run: JobRun, document: Document, failure: ReadFailed) -> None:
        reason = reason_for(document.mime_type, failure)
        async with self._db.write_org(document.organization_id) as tx:
            await documents.set_state(
                tx,
                document.id,
                DocumentState.OCR_FAILED,
                now(),
                reason=reason,
                reason_code=failure.failure,
            )
            await run.finish(tx, reason, failure.failure)
            await self._tell_failure(tx, document.id, failure.failure)
        logger.info(
            "document not readable", extra={"document_id": document.id, "failure": str(failure.failure)}
        )

    async def _tell_failure(self, tx: OrgTx, document_id: str, failure: ReadFailure) -> None:
        """Announce the failure, and let extractions that wait for the text end with it now."""
        await self._jobs.make_due(tx, JobKind.EXTRACT, document_id)
        await self._bus.announce(
            tx, DocumentReadFailed(tx.organization_id, now(), document_id, failure.value)
        )

    async def _try_pdf(self, document: Document) -> None:
        """Make the viewer's PDF before someone looks. If that fails, the viewer shows why."""
        try:
            await self._documents.make_pdf(document)
        except ReadFailed as failure:
            logger.info("no PDF made", extra={"document_id": document.id, "failure": str(failure.failure)})

    @asynccontextmanager
    async def _local_copy(self, document: Document) -> AsyncIterator[Path]:
        try:
            async with self._blobs.local_copy(document.original_key) as path:
                yield path
        except BlobMissing as error:
            raise ReadFailed(
                ReadFailure.DAMAGED, "The stored file is missing. Upload the document again."
            ) from error


def reason_for(mime_type: str, failure: ReadFailed) -> str:
    """What happened and what to do, in words that fit the kind of file."""
    of_pictures = _OF_PICTURES.get(failure.failure) if mime_type.startswith("image/") else None
    return of_pictures or failure.detail


def _reason(document: Document, mode: Mode) -> str | None:
    if mode == "all":
        return "all"
    if document.text_version is None:
        return "missing"
    if mode == "outdated" and document.text_version < TEXT_VERSION:
        return "outdated"
    return None
