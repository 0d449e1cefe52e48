"""Gets the data out of many files: uploads, waits until they are read, has the prompt run, fetches what came out.

Nothing is done twice: files are known by their digest, results by document and version of the prompt. A command that
was killed is called again with the same words, and goes on where the server is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from docagent.cli.documents.placing import UNREADABLE, digest, place, until_prepared, until_read
from docagent.cli.extraction.extracted import Extracted, problems_of, values_of
from docagent.cli.extraction.prompt_rounds import PromptRounds
from docagent.client import AsyncClient, BadRequest, Conflict, NotFound
from docagent.client.models import DocumentContent, Prompt, Result
from docagent.domain.errors import DocAgentError, Unavailable


class Watcher(Protocol):
    """Whoever is shown how far it has come."""

    def read(self, pages: int) -> None: ...

    def ended(self, one: Extracted) -> None: ...


class Extraction:
    """Without a prompt, the agent prepares one for each kind of document, and what it prepared is accepted."""

    def __init__(self, client: AsyncClient, prompt: Prompt | None, watcher: Watcher, parallel: int) -> None:
        self._client = client
        self._prompt = prompt
        self._rounds = PromptRounds(client, prompt) if prompt else None
        self._watcher = watcher
        self._places = asyncio.Semaphore(parallel)
        self._accepting = asyncio.Lock()
        self._first: dict[str, asyncio.Task[Extracted]] = {}

    async def all_of(self, files: Sequence[Path]) -> list[Extracted]:
        """What came out of each file, in their order."""
        if self._rounds is None:
            return list(await asyncio.gather(*map(self._one, files)))
        rounds = asyncio.create_task(self._rounds.keep_running())
        work = asyncio.gather(*map(self._one, files))
        try:
            await asyncio.wait((rounds, work), return_when=asyncio.FIRST_COMPLETED)
            if rounds.done():
                rounds.result()  # raises why nothing can run
            return list(await work)
        finally:
            work.cancel()
            rounds.cancel()
            await asyncio.gather(work, rounds, return_exceptions=True)

    async def _one(self, file: Path) -> Extracted:
        async with self._places:
            try:
                file_digest = await digest(file)
            except OSError as error:
                return self._told(Extracted(file, "", error=f"It cannot be opened: {error.strerror}."))
            # The same bytes under two names are one document.
            task = self._first.get(file_digest)
            if task is None:
                read = asyncio.Event()
                task = asyncio.create_task(self._document(file, file_digest, read))
                self._first[file_digest] = task
                await read.wait()
        return self._told(replace(await task, file=file))

    async def _document(self, file: Path, file_digest: str, read: asyncio.Event) -> Extracted:
        """What came out of a document. `read` is set once it is read and, without a prompt, prepared: the next file may
        come, and only a few are worked on at once."""
        made = Extracted(file, file_digest)
        try:
            try:
                document = await self._read(file, file_digest)
            finally:
                read.set()
            made = replace(made, document_id=document.id, pages=document.page_count or 0)
            if document.state == UNREADABLE:
                return replace(made, error=document.state_reason or "It cannot be read.")
            prompt_name, result = await self._result(document)
        except (BadRequest, NotFound, Conflict, DocAgentError) as error:
            return replace(made, error=error.detail)
        return replace(
            made,
            prompt=prompt_name,
            data=result.updated_llm_result,
            values=values_of(result),
            problems=problems_of(result),
        )

    async def _read(self, file: Path, file_digest: str) -> DocumentContent:
        prepares = True if self._prompt is None else None
        document_id, _ = await place(self._client, file, file_digest, auto_create=prepares)
        document = await until_read(self._client, document_id)
        self._watcher.read(document.page_count or 0)
        if self._prompt is None and document.state != UNREADABLE:
            if document.auto_create_status is None and not document.auto_create:
                await self._client.documents.prepare(document.id)
            document = await until_prepared(self._client, document_id)
        return document

    async def _result(self, document: DocumentContent) -> tuple[str, Result]:
        if self._prompt is not None and self._rounds is not None:
            return self._prompt.name, await self._rounds.result_of(document.id)
        return await self._prepared(document)

    async def _prepared(self, document: DocumentContent) -> tuple[str, Result]:
        if document.auto_create_error is not None:
            raise Unavailable(document.auto_create_error)
        async with self._accepting:
            proposal = await self._client.documents.proposal(document.id)
            if proposal.status == "proposed":
                proposal = await self._client.documents.accept_proposal(document.id)
        if proposal.prompt is None:
            raise Unavailable("The agent found nothing to extract.")
        result = await self._client.results.get(document.id, proposal.prompt.prompt_revid)
        return proposal.prompt.name, result

    def _told(self, one: Extracted) -> Extracted:
        self._watcher.ended(one)
        return one
