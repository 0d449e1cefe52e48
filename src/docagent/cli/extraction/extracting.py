"""Has the agent find out what is in many files: it prepares a schema for each kind, and what it prepared is accepted.

Nothing is done twice: files are known by their digest. A command that was killed is called again with the same words,
and continues where the server is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from docagent.cli.documents.placing import UNREADABLE, digest, place, until_prepared, until_read
from docagent.cli.extraction.extracted import Extracted
from docagent.client import AsyncClient, BadRequest, Conflict, NotFound
from docagent.client.models import DocumentContent
from docagent.domain.errors import DocAgentError, Unavailable


class AgentExtraction:
    def __init__(self, client: AsyncClient, ended: Callable[[Extracted], None], parallel: int) -> None:
        self._client = client
        self._ended = ended
        self._places = asyncio.Semaphore(parallel)
        self._accepting = asyncio.Lock()
        self._first: dict[str, asyncio.Task[Extracted]] = {}

    async def all_of(self, files: Sequence[Path]) -> list[Extracted]:
        """What came out of each file, in their order."""
        return list(await asyncio.gather(*map(self._one, files)))

    async def _one(self, file: Path) -> Extracted:
        async with self._places:
            try:
                file_digest = await digest(file)
            except OSError as error:
                one = Extracted(file, "", error=f"It cannot be opened: {error.strerror}.")
            else:
                # The same bytes under two names are one document.
                if (task := self._first.get(file_digest)) is None:
                    task = asyncio.create_task(self._document(file, file_digest))
                    self._first[file_digest] = task
                one = replace(await task, file=file)
        self._ended(one)
        return one

    async def _document(self, file: Path, file_digest: str) -> Extracted:
        made = Extracted(file, file_digest)
        try:
            document_id, _ = await place(self._client, file, file_digest, auto_create=True)
            document = await until_read(self._client, document_id)
            made = replace(made, document_id=document.id, pages=document.page_count or 0)
            if document.state == UNREADABLE:
                return replace(made, error=document.state_reason or "It cannot be read.")
            if document.auto_create_status is None and not document.auto_create:
                await self._client.documents.prepare(document.id)
            return await self._prepared(made, await until_prepared(self._client, document_id))
        except (BadRequest, NotFound, Conflict, DocAgentError) as error:
            return replace(made, error=error.detail)

    async def _prepared(self, made: Extracted, document: DocumentContent) -> Extracted:
        if document.auto_create_error is not None:
            raise Unavailable(document.auto_create_error)
        async with self._accepting:
            proposal = await self._client.documents.proposal(document.id)
            if proposal.status == "proposed":
                proposal = await self._client.documents.accept_proposal(document.id)
        if proposal.prompt is None:
            raise Unavailable("The agent found nothing to extract.")
        prompt = await self._client.prompts.get(proposal.prompt.prompt_revid)
        found = await self._client.extract(document.id, prompt)
        return Extracted.of_answer(made.file, made.sha256, found.answer)
