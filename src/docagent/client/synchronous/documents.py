# Written by `make client` from the asynchronous client: change that one.
"""Documents: upload, find, read, change."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal
from urllib.parse import quote

from docagent.client import models
from docagent.client.extraction import Source, name_of, opened
from docagent.client.synchronous.connection import Part

PAGE = 100
UNDER_WAY = ("queued", "running")
POLL_SECONDS = 0.5


class Documents(Part):
    def upload(
        self,
        file: Source,
        *,
        name: str | None = None,
        tag_ids: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        auto_create: bool | None = None,
    ) -> models.Uploaded:
        """Upload a file by its path, its bytes or an open file. Bytes need a `name`, which says the kind of file.

        `auto_create` has the agent prepare a schema, a prompt and a result; None leaves that to the organisation.
        """
        form = {"tag_ids": json.dumps(list(tag_ids)), "metadata": json.dumps(dict(metadata or {}))}
        if auto_create is not None:
            form["auto_create"] = str(auto_create).lower()
        with opened(file) as content:
            sent = (name or name_of(content), content)
            found = self._ask(
                models.Upload, "POST", "documents", "multipart", form=form, file=sent, once=True
            )
        return found.document

    def list(
        self,
        *,
        skip: int = 0,
        limit: int = 10,
        name: str | None = None,
        tag_ids: Sequence[str] = (),
        metadata: Mapping[str, str] | None = None,
        sort: str | None = None,
    ) -> models.Documents:
        """One page of the documents, the newest first unless `sort` says otherwise."""
        params = {
            "skip": skip,
            "limit": limit,
            "name_search": name,
            "tag_ids": ",".join(tag_ids) or None,
            "metadata_search": ",".join(
                f"{quote(key, safe='')}={quote(value, safe='')}" for key, value in (metadata or {}).items()
            )
            or None,
            "sort": sort,
        }
        return self._ask(models.Documents, "GET", "documents", params=params)

    def all(self, *, name: str | None = None, tag_ids: Sequence[str] = ()) -> Iterator[models.Document]:
        """Every document, page by page as they are asked for."""
        skip = 0
        while True:
            page = self.list(skip=skip, limit=PAGE, name=name, tag_ids=tag_ids)
            for document in page.documents:
                yield document
            skip += len(page.documents)
            if not page.documents or skip >= page.total_count:
                return

    def get(self, document_id: str) -> models.DocumentContent:
        """What is known about a document, without its file."""
        params = {"include_content": "false"}
        return self._ask(models.DocumentContent, "GET", "documents", document_id, params=params)

    def update(
        self,
        document_id: str,
        *,
        name: str | None = None,
        tag_ids: Sequence[str] | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        """Change what is named; the rest stays."""
        changes = {"document_name": name, "tag_ids": tag_ids, "metadata": metadata}
        body = {key: value for key, value in changes.items() if value is not None}
        self._ask(models.Message, "PUT", "documents", document_id, body=body)

    def delete(self, document_id: str) -> None:
        self._ask(models.Message, "DELETE", "documents", document_id)

    def download(self, document_id: str, *, kind: Literal["original", "pdf"] = "original") -> bytes:
        """The file as it was uploaded, or as a PDF."""
        return (self._send("GET", "documents", document_id, "file", params={"file_type": kind})).content

    def text(self, document_id: str, *, page: int | None = None) -> str:
        """The text that was read from the whole document or from one page, counted from 1."""
        params = {"page_num": page}
        return (self._send("GET", "ocr", "download", "text", document_id, params=params)).text

    def words(self, document_id: str) -> models.Words:
        """Every word with its place on the page."""
        return self._ask(models.Words, "GET", "ocr", "words", document_id)

    def proposal(self, document_id: str) -> models.Proposal:
        """What the agent prepared for the document by itself."""
        return self._ask(models.Proposal, "GET", "documents", document_id, "auto_create")

    def prepare(self, document_id: str) -> models.Proposal:
        """Have the agent prepare a schema, a prompt and a result, for the first time or again."""
        return self._ask(models.Proposal, "POST", "documents", document_id, "auto_create", "retry")

    def accept_proposal(self, document_id: str) -> models.Proposal:
        """Accept what the agent prepared: its schema, its prompt and the result become ordinary ones."""
        return self._ask(
            models.Proposal, "POST", "documents", document_id, "auto_create", "accept", once=True
        )

    def wait(self, document_id: str) -> models.DocumentContent:
        """Wait until nothing is done with the document any more, and tell what became of it."""
        while True:
            params = {"document_id": document_id}
            jobs = (self._ask(models.Jobs, "GET", "jobs", params=params)).jobs
            document = self.get(document_id)
            busy = any(job.state in UNDER_WAY for job in jobs)
            if not busy and document.auto_create_status != "running":
                return document
            time.sleep(POLL_SECONDS)
