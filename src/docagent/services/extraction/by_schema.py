"""Extraction by a schema that the caller brings: one call from a file to its data with the proof of every value.

Nothing is done twice. A file is known by its bytes, a schema by its content, a result by document and prompt. A call
that is repeated finds what an earlier one made, and a job whose caller is gone ends by itself.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

from docagent.domain.accounts.accounts import Member
from docagent.domain.deliveries.webhooks import SECRET_PREFIX
from docagent.domain.documents.documents import Document
from docagent.domain.errors import InvalidInput, JobFailed, Noun, existing
from docagent.domain.extraction.artefacts import Prompt, schema_digest
from docagent.domain.extraction.results import Result
from docagent.domain.jobs import Job, JobKind, JobState
from docagent.domain.repeats import Repeat
from docagent.jsonschema import check_response_format, resolved
from docagent.security import random_token
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.deliveries.webhooks import WebhookService
from docagent.services.documents.documents import find_document
from docagent.services.extraction.prompts import PromptConfig, PromptService
from docagent.services.jobs import JobService
from docagent.services.repeats import keep, once
from docagent.store import jobs
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import prompts, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS, same_content

CONTENT = "Extract the fields of the schema from the document."
UNNAMED = "Extraction"
MESSAGES_SHOWN = 5
LONGEST_NAME = 255
FIRST_LOOK_SECONDS, LONGER, LAST_LOOK_SECONDS = 0.05, 1.5, 2.0
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to extract: the fields of a JSON Schema, or what a prompt that exists asks for.

    `instructions` and `model` of None accept those of a prompt that asks for the schema already.
    """

    json_schema: dict[str, Any] | None = None
    prompt_id: str | None = None
    name: str = UNNAMED
    instructions: str | None = None
    model: str | None = None

    @classmethod
    def by_schema(
        cls,
        schema: dict[str, Any],
        *,
        name: str | None = None,
        instructions: str | None = None,
        model: str | None = None,
    ) -> Self:
        """Take a JSON Schema of an object, bare or as a `response_format`. Raises InvalidInput."""
        named = schema.get("json_schema")
        bare = schema if named is None else named.get("schema") if isinstance(named, dict) else None
        if not isinstance(bare, dict):
            raise InvalidInput("The schema must be a JSON Schema: an object with type and properties.")
        names = (name, bare.get("title"), named and named.get("name"))
        title = next((one for one in names if one and isinstance(one, str)), UNNAMED)
        wanted = cls(bare, name=title[:LONGEST_NAME], instructions=instructions or None, model=model or None)
        if problems := check_response_format(wanted.response_format):
            raise InvalidInput("; ".join(problems[:MESSAGES_SHOWN]))
        if "properties" not in resolved(bare, bare):
            raise InvalidInput("The schema must describe an object: give it `type: object` and `properties`.")
        return wanted

    @property
    def response_format(self) -> dict[str, Any]:
        name = _NOT_IN_A_NAME.sub("_", self.name)[:64] or "extraction"
        return {
            "type": "json_schema",
            "json_schema": {"name": name, "schema": self.json_schema, "strict": True},
        }

    def fits(self, prompt: Prompt) -> bool:
        return self.instructions in (None, prompt.content) and self.model in (None, prompt.requested_model)


@dataclass(frozen=True, slots=True)
class Callback:
    """The address that receives, in a signed request, how an extraction ended."""

    url: str
    secret: str = field(default_factory=lambda: random_token(SECRET_PREFIX))


@dataclass(frozen=True, slots=True)
class Extraction:
    """What came out of a document; without a result, the job that is still at work."""

    document: Document
    prompt: Prompt
    job_id: str | None
    result: Result | None
    callback: Callback | None = None
    """Who will be told, where this request set it up."""


@dataclass(eq=False)
class SchemaExtraction:
    _db: Database
    _prompts: PromptService
    _jobs: JobService
    _webhooks: WebhookService
    _streams: OpenStreams

    async def extract(
        self,
        member: Member,
        document_id: str,
        wanted: Wanted,
        *,
        seconds: float,
        again: bool = False,
        callback: Callback | None = None,
        repeat: Repeat | None = None,
    ) -> Extraction:
        """Extract from a document, and wait so long for the result; a stored one is returned unless `again` is on.

        A document that is still being read is waited for. A repeated request waits for the job that the first one
        queued. Raises JobFailed with the reason if nothing came of it.
        """
        begun = await once(
            self._db,
            member,
            repeat,
            lambda: self._begun(member, document_id, wanted, again, callback, repeat),
            lambda made: self._look(member, made["job_id"]),
        )
        if begun.result is not None or begun.job_id is None:
            return begun
        return replace(await self.outcome(member, begun.job_id, seconds=seconds), callback=begun.callback)

    async def _begun(
        self,
        member: Member,
        document_id: str,
        wanted: Wanted,
        again: bool,
        callback: Callback | None,
        repeat: Repeat | None,
    ) -> Extraction:
        """The result that is there, or the job that is to find one."""
        prompt = await self.prompt_for(member, wanted)
        async with self._db.read_as(member) as tx:
            document = await find_document(tx, document_id)
            stored = await results.get(tx, document_id, prompt.revid)
        if stored is not None and not again and callback is None:
            return Extraction(document, prompt, None, stored)
        async with self._db.write_as(member) as tx:
            arguments: dict[str, Any] = {
                "prompt_revids": [prompt.revid],
                "user_id": member.user_id,
                "only_missing": not again,
            }
            if callback is not None:
                added = await self._webhooks.add_callback(tx, member, callback.url, callback.secret)
                arguments |= {"callback_id": added, "credential_id": member.principal.credential_id}
            await tx.take_turns(f"extract {document_id} {prompt.revid}")
            same = [
                job.id
                for job in await jobs.queued(tx, JobKind.EXTRACT, document_id)
                if job.arguments == arguments
            ]
            job_id = next(iter(same), None) or await self._jobs.enqueue(
                tx, JobKind.EXTRACT, document_id, arguments
            )
            await keep(tx, repeat, {"job_id": job_id})
        return Extraction(document, prompt, job_id, None, callback)

    async def outcome(self, member: Member, job_id: str, *, seconds: float = 0) -> Extraction:
        """What became of an extraction, which is waited for so long. Raises JobFailed.

        Whoever waits is a stream like others: the wait ends with the credential.
        """
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + seconds, FIRST_LOOK_SECONDS
        woken = asyncio.Event()
        with self._streams.open(member.principal, member.organization_id, wake=woken.set) as stream:
            while (found := await self._look(member, job_id)).result is None:
                left = deadline - loop.time()
                if left <= 0:
                    break
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(pause, left)):
                        await woken.wait()
                await stream.check()
                pause = min(pause * LONGER, LAST_LOOK_SECONDS)
        return found

    async def prompt_for(self, member: Member, wanted: Wanted) -> Prompt:
        """The prompt that asks for the schema. The same schema under any name makes no second one."""
        if wanted.prompt_id is not None:
            return await self._prompts.find(member, wanted.prompt_id)
        async with self._db.read_as(member) as tx:
            found = await _asking(tx, wanted)
        if found is not None:
            return found
        async with self._db.write_as(member) as tx:
            await tx.take_turns(f"schema {tx.organization_id} {schema_digest(wanted.json_schema)}")
            return await _asking(tx, wanted) or await self._create(tx, member, wanted)

    async def _create(self, tx: OrgTx, member: Member, wanted: Wanted) -> Prompt:
        schema = await same_content(tx, wanted.json_schema)
        if schema is None:
            values = {"response_format": wanted.response_format}
            schema = await SCHEMAS.save(tx, wanted.name, values, member.user_id)
        named = await PROMPTS.named(tx, schema.name)
        is_ours = named is None or (named.schema_id == schema.id and not named.tag_ids)
        config = PromptConfig(
            # A prompt that serves another schema, or documents with a tag, is left as it is.
            name=schema.name if is_ours else await PROMPTS.free_name(tx, schema.name),
            content=wanted.instructions or (named.content if named is not None and is_ours else CONTENT),
            schema_id=schema.id,
            schema_version=schema.version,
            model=wanted.model,
        )
        return await self._prompts.create_in(tx, member, config)

    async def _look(self, member: Member, job_id: str) -> Extraction:
        async with self._db.read_as(member) as tx:
            job = existing(await jobs.get(tx, job_id), "Extraction not found")
            prompt_revid = _only_prompt(job)
            if prompt_revid is None:
                raise InvalidInput("This job extracts nothing by one prompt.")
            document = await find_document(tx, job.subject_id or "")
            prompt = existing(await PROMPTS.get(tx, prompt_revid), "Prompt not found", Noun.PROMPT)
            if job.state in (JobState.QUEUED, JobState.RUNNING):
                return Extraction(document, prompt, job.id, None)
            if job.error is None:
                result = await results.get(tx, document.id, prompt_revid)
                if result is not None:
                    return Extraction(document, prompt, job.id, result)
        raise JobFailed(job.error or "The result was deleted. Extract again.", job.error_code or "not_found")


async def _asking(tx: OrgTx, wanted: Wanted) -> Prompt | None:
    """The prompt that asks for the schema already, first of all the one that has the schema's name."""
    schema = await same_content(tx, wanted.json_schema)
    found = await prompts.asking_for(tx, schema.id, schema.version) if schema else []
    fitting = [prompt for prompt in found if wanted.fits(prompt)]
    return min(fitting, key=lambda prompt: schema is None or prompt.name != schema.name, default=None)


def _only_prompt(job: Job) -> str | None:
    """The prompt of a job that extracts with one; None of any other job."""
    if job.kind is not JobKind.EXTRACT:
        return None
    revids = job.arguments["prompt_revids"]
    return revids[0] if len(revids) == 1 else None
