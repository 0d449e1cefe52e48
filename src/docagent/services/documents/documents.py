"""Documents: upload, list, fetch, change, delete."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import DocumentDeleted, DocumentUploaded
from docagent.domain.documents.documents import (
    Document,
    DocumentState,
    PrivateRegion,
    check_name,
    original_key,
    parse_metadata_search,
)
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import Conflict, InvalidInput, NotFound, Noun, ReadFailure, TooLarge, existing
from docagent.domain.ids import is_id, new_id
from docagent.domain.jobs import JobKind
from docagent.domain.listing import Found, ListQuery
from docagent.domain.ports import BlobMissing, BlobStore, FileReader
from docagent.domain.proposals import ProposalStatus
from docagent.domain.repeats import Repeat
from docagent.domain.shown import quoted, without_hidden
from docagent.security import Secrets
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.contents import MEGABYTE, SpooledContent, chunks, decoded
from docagent.services.documents.tags import check_tag_ids
from docagent.services.jobs import JobService
from docagent.services.repeats import Made, keep, once
from docagent.store.accounts import organizations
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database, OrgTx


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document as a client sends it in JSON: the content in base64, plain or as a data URL, or already decoded."""

    name: str
    content: str | SpooledContent
    tag_ids: list[str] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    auto_create: bool | None = None
    """None leaves it to the organisation's default."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    document: Document
    duplicate_of: list[str]
    """Ids of earlier documents with the same bytes."""


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a member may change about a document."""

    name: str
    tag_ids: list[str]
    metadata: dict[str, str]

    @classmethod
    def of(cls, document: Document) -> Particulars:
        return cls(document.name, list(document.tag_ids), dict(document.metadata))


@dataclass(eq=False)
class DocumentService:
    _db: Database
    _blobs: BlobStore
    _reader: FileReader
    _jobs: JobService
    _secrets: Secrets
    _upload_limit_mb: int
    _bus: Bus

    # --- upload -----------------------------------------------------------------------------------------------

    async def upload(
        self, member: Member, new: Sequence[NewDocument], repeat: Repeat | None = None
    ) -> list[Uploaded]:
        """Upload all of the documents or none: each is checked before any is stored."""
        return await once(
            self._db,
            member,
            repeat,
            lambda: self._upload(member, new, repeat),
            lambda made: self._uploaded_before(member, made),
        )

    async def _upload(
        self, member: Member, new: Sequence[NewDocument], repeat: Repeat | None
    ) -> list[Uploaded]:
        new = [replace(item, name=without_hidden(item.name)) for item in new]
        contents = [(item, check_name(item.name), decoded(item.content)) for item in new]
        async with self._db.read_org(member.organization_id) as tx:
            for item in new:
                await check_tag_ids(tx, item.tag_ids)
        stored: list[Document] = []
        try:
            for item, _, content in contents:
                document = await self._store(member, item.name, item.tag_ids, item.metadata, chunks(content))
                stored.append(document)
            return await self._register(member, stored, [item.auto_create for item in new], repeat)
        except BaseException:
            await self._blobs.delete(document.original_key for document in stored)
            raise

    async def upload_stream(
        self,
        member: Member,
        name: str,
        chunks: AsyncIterator[bytes],
        tag_ids: list[str],
        metadata: dict[str, str],
        *,
        auto_create: bool | None = None,
        repeat: Repeat | None = None,
        by_content: bool = False,
    ) -> Uploaded:
        """Upload one document, whose bytes arrive in chunks and go straight to the blob store.

        `by_content`: if there is a document with these bytes, return the oldest one instead.
        """

        async def upload() -> list[Uploaded]:
            plain = without_hidden(name)
            check_name(plain)
            async with self._db.read_org(member.organization_id) as tx:
                await check_tag_ids(tx, tag_ids)
            stored = await self._store(member, plain, tag_ids, metadata, chunks)
            try:
                uploaded = await self._register(
                    member, [stored], [auto_create], repeat, by_content=by_content
                )
            except BaseException:
                await self._blobs.delete([stored.original_key])
                raise
            if uploaded[0].document.id != stored.id:
                await self._blobs.delete([stored.original_key])
            return uploaded

        found = await once(self._db, member, repeat, upload, lambda made: self._uploaded_before(member, made))
        return found[0]

    async def with_bytes(self, member: Member, name: str, chunks: AsyncIterator[bytes]) -> str:
        """The id of the oldest document with these bytes, which is stored if there is none."""
        found = await self.upload_stream(member, name, chunks, [], {}, auto_create=False, by_content=True)
        return found.document.id

    async def _store(
        self,
        member: Member,
        name: str,
        tag_ids: list[str],
        metadata: dict[str, str],
        chunks: AsyncIterator[bytes],
    ) -> Document:
        extension = check_name(name)
        document_id = new_id()
        key = original_key(member.organization_id, document_id)
        digest, size = hashlib.sha256(), 0

        async def measured() -> AsyncIterator[bytes]:
            nonlocal size
            async for chunk in chunks:
                size += len(chunk)
                if size > self._upload_limit_mb * MEGABYTE:
                    raise TooLarge(
                        f"{name} is larger than {self._upload_limit_mb} MB, the most that this server accepts."
                    )
                digest.update(chunk)
                yield chunk
            if size == 0:
                raise InvalidInput(f"{name} is empty. Upload a file with content.")

        await self._blobs.put(key, measured())
        return Document(
            id=document_id,
            organization_id=member.organization_id,
            name=name,
            extension=extension,
            mime_type=FORMATS[extension].mime_type,
            size=size,
            sha256=digest.hexdigest(),
            has_pdf=extension == ".pdf",
            state=DocumentState.UPLOADED,
            tag_ids=list(dict.fromkeys(tag_ids)),
            metadata=metadata,
            uploaded_by=member.name,
            upload_date=now(),
        )

    async def _register(
        self,
        member: Member,
        stored: Sequence[Document],
        auto_create: Sequence[bool | None],
        repeat: Repeat | None,
        *,
        by_content: bool = False,
    ) -> list[Uploaded]:
        uploaded = []
        async with self._db.write_org(member.organization_id) as tx:
            default = await organizations.auto_create_default(tx, member.organization_id)
            for bare, wanted in zip(stored, auto_create, strict=True):
                document = replace(bare, auto_create=default if wanted is None else wanted)
                await check_tag_ids(tx, document.tag_ids)
                if by_content:
                    await tx.take_turns(f"content {tx.organization_id} {document.sha256}")
                earlier = await documents.same_content(tx, document.sha256)
                if by_content and earlier:
                    uploaded.append(Uploaded(await find_document(tx, earlier[0]), earlier))
                    continue
                await documents.insert(tx, document, member.user_id)
                await self._jobs.enqueue(tx, JobKind.READ_TEXT, document.id)
                await self._bus.announce(tx, _uploaded(member, document))
                uploaded.append(Uploaded(document, earlier))
            await keep(tx, repeat, {"documents": [[one.document.id, one.duplicate_of] for one in uploaded]})
        return uploaded

    async def _uploaded_before(self, member: Member, made: Made) -> list[Uploaded]:
        """What the first request with a key uploaded, as it is now. Raises NotFound if some of it was deleted."""
        async with self._db.read_org(member.organization_id) as tx:
            return [
                Uploaded(await find_document(tx, document_id), earlier)
                for document_id, earlier in made["documents"]
            ]

    # --- read -------------------------------------------------------------------------------------------------

    async def list(
        self,
        member: Member,
        query: ListQuery,
        *,
        tag_ids: Sequence[str],
        metadata_search: str | Mapping[str, str] | None,
        proposal_status: ProposalStatus | None = None,
    ) -> Found[Document]:
        """List documents. `metadata_search` is text as clients write it, or a mapping."""
        pairs = (
            list(metadata_search.items())
            if isinstance(metadata_search, Mapping)
            else parse_metadata_search(metadata_search)
        )
        async with self._db.read_org(member.organization_id, long=True) as tx:
            return await documents.search(
                tx, query, tag_ids=tag_ids, metadata=pairs, proposal_status=proposal_status
            )

    async def get(self, member: Member, document_id: str) -> Document:
        async with self._db.read_org(member.organization_id) as tx:
            return await find_document(tx, document_id)

    async def several(self, member: Member, document_ids: Sequence[str]) -> Sequence[Document]:
        """The documents in the order given, each once. Raises NotFound if one is missing."""
        async with self._db.read_org(member.organization_id) as tx:
            found = await documents.several(tx, list(filter(is_id, document_ids)))
        if not found.keys() >= set(document_ids):
            raise NotFound("Document not found", Noun.DOCUMENT)
        return [found[document_id] for document_id in dict.fromkeys(document_ids)]

    async def with_content(self, member: Member, sha256: str) -> Document:
        """The oldest document with these bytes."""
        async with self._db.read_org(member.organization_id) as tx:
            found = await documents.same_content(tx, sha256, limit=1)
            return await find_document(tx, found[0] if found else "")

    async def open_original(self, document: Document) -> AsyncGenerator[bytes]:
        return await self._open(document.original_key)

    async def open_pdf(self, document: Document) -> AsyncGenerator[bytes]:
        """The document as a PDF, which is made now if there is none yet. Raises ReadFailed if it cannot be made."""
        if not document.has_pdf:
            await self.make_pdf(document)
        return await self._open(document.pdf_key)

    async def make_pdf(self, document: Document) -> None:
        """Make and keep the PDF that shows the document, unless the document was permanently removed since."""
        with tempfile.TemporaryDirectory(prefix="docagent-") as folder:
            target = Path(folder) / "rendition.pdf"
            async with self._blobs.local_copy(document.original_key) as source:
                await self._reader.make_pdf(
                    source, document.extension, target, password=self.password_of(document)
                )
            await self._blobs.put_file(document.pdf_key, target)
        async with self._db.write_org(document.organization_id) as tx:
            is_there = await documents.change(tx, document.id, {"has_pdf": True})
        if not is_there:
            await self._blobs.delete([document.pdf_key])

    def password_of(self, document: Document) -> str | None:
        """The password that somebody gave for the document's file."""
        return self._secrets.unseal(document.sealed_password) if document.sealed_password else None

    async def check_original(self, document: Document) -> None:
        """Raises NotFound when the file is gone."""
        await self._check(document.original_key)

    def read_original(self, document: Document) -> AsyncGenerator[bytes]:
        """The original's bytes, without checking first that the file exists."""
        return self._blobs.open(document.original_key)

    async def _open(self, key: str) -> AsyncGenerator[bytes]:
        await self._check(key)
        return self._blobs.open(key)

    async def _check(self, key: str) -> None:
        try:
            await self._blobs.size(key)
        except BlobMissing as error:
            raise NotFound("File not found") from error

    # --- change -----------------------------------------------------------------------------------------------

    async def update(
        self,
        member: Member,
        document_id: str,
        *,
        name: str | None,
        tag_ids: Sequence[str] | None,
        metadata: dict[str, str] | None,
        private_regions: Sequence[PrivateRegion] | None = None,
    ) -> bool:
        """False when there was nothing to change."""
        async with self._db.write_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            if name is not None:
                name = without_hidden(name)
                check_name(name)
            checked = await check_tag_ids(tx, tag_ids) if tag_ids is not None else None
            if private_regions is not None:
                stored = [asdict(region) for region in private_regions]
                await documents.change(tx, document_id, {"private_regions": stored or None})
                changed = {one.page for one in (*private_regions, *(document.private_regions or ()))}
                run_id = (await find_document(tx, document_id)).text_run_id or ""
                await pages.hide_private(tx, document_id, run_id, changed)
            elif name is None and checked is None and metadata is None:
                return False
            await documents.update(tx, document_id, name=name, tag_ids=checked, metadata=metadata)
        return True

    async def set_password(self, member: Member, document_id: str, password: str) -> None:
        """Keep the password of an encrypted file, sealed, and read the file again."""
        async with self._db.write_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            refused = (ReadFailure.ENCRYPTED, ReadFailure.WRONG_PASSWORD)
            if document.state_reason_code not in refused:
                raise InvalidInput("This document does not ask for a password.")
            await documents.set_state(
                tx,
                document_id,
                DocumentState.UPLOADED,
                now(),
                sealed_password=self._secrets.seal(password),
                pages_read=0,
            )
            await self._jobs.enqueue(tx, JobKind.READ_TEXT, document_id)

    async def take_back(
        self, member: Member, document_id: str, made: Particulars, former: Particulars
    ) -> None:
        """Give a document its former name, tags and metadata. Raises Conflict when they changed since."""
        async with self._db.write_org(member.organization_id) as tx:
            try:
                current = Particulars.of(await find_document(tx, document_id))
                tag_ids = await check_tag_ids(tx, former.tag_ids)
            except (InvalidInput, NotFound) as error:
                raise Conflict(f"The former state cannot be restored: {error.detail}") from error
            if current != made:
                raise Conflict(f"The document {quoted(current.name)} has changed since.")
            await documents.update(
                tx, document_id, name=former.name, tag_ids=tag_ids, metadata=dict(former.metadata)
            )

    async def undelete(self, member: Member, document_id: str) -> Document:
        """Bring a deleted document back. Raises Conflict when it was permanently removed in the meantime."""
        async with self._db.write_org(member.organization_id) as tx:
            document = await documents.undelete(tx, document_id)
        if document is None:
            raise Conflict("The document was removed permanently, or is no longer deleted.")
        return document

    async def delete(self, member: Member, document_id: str) -> None:
        """Hide the document from everyone at once. Its bytes go later, when it can no longer be brought back."""
        async with self._db.write_org(member.organization_id) as tx:
            if not is_id(document_id) or not await documents.soft_delete(tx, document_id, now()):
                raise NotFound("Document not found", Noun.DOCUMENT)
            await self._bus.announce(
                tx, DocumentDeleted(member.organization_id, now(), document_id, member.user_id)
            )


async def find_document(tx: OrgTx, document_id: str) -> Document:
    return existing(await documents.get(tx, document_id), "Document not found", Noun.DOCUMENT)


def _uploaded(member: Member, document: Document) -> DocumentUploaded:
    return DocumentUploaded(
        organization_id=document.organization_id,
        at=document.upload_date,
        document_id=document.id,
        name=document.name,
        mime_type=document.mime_type,
        size=document.size,
        user_id=member.user_id,
    )
