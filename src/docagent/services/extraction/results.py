"""Results of extractions: read, edit, verify, delete and export."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.deliveries.notices import ResultChanged, ResultRejected, ResultReviewed
from docagent.domain.documents.documents import Document
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import Conflict, InvalidInput, NotFound, existing
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.extraction.doubts import Standing
from docagent.domain.extraction.results import DEFAULT_PROMPT, Origin, Result
from docagent.domain.extraction.voices import heard_before, with_voices
from docagent.domain.field_path import FieldPath
from docagent.domain.ids import is_id
from docagent.domain.problem import Problem
from docagent.evidence.grounding import DocumentIndex, PointedWord, as_json, locate
from docagent.export import result_to_csv, results_to_xlsx
from docagent.jsonschema import resolved
from docagent.services.deliveries.bus import Bus
from docagent.services.documents.documents import find_document
from docagent.services.documents.text import all_pages
from docagent.services.extraction.checking import (
    Calibrations,
    Places,
    field_problems,
    pointed_before,
    proof_of,
    said_of_kept_values,
)
from docagent.services.extraction.learning import LearningService
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.results import NewRevision, RevisionHeader
from docagent.store.extraction.schemas import asked_by, asked_by_each


@dataclass(frozen=True, slots=True)
class DraftedEdit:
    """An edit of a result that only needs to be stored."""

    result: Result
    path: FieldPath
    new: NewRevision


class ResultService:
    def __init__(self, db: Database, bus: Bus, calibrations: Calibrations, learning: LearningService) -> None:
        self._db = db
        self._bus = bus
        self._learning = learning
        self._calibrations = calibrations

    async def get(
        self,
        member: Member,
        document_id: str,
        *,
        prompt_revid: str | None = None,
        prompt_id: str | None = None,
        fallback: bool = False,
    ) -> Result:
        """The result of a prompt revision, or the newest of a prompt. `fallback` allows another prompt version."""
        async with self._db.read_as(member) as tx:
            await find_document(tx, document_id)
            found = None
            if prompt_id is not None and _is_prompt(prompt_id):
                found = await results.newest_of_prompt(tx, document_id, prompt_id)
            elif prompt_revid is not None and _is_prompt(prompt_revid):
                found = await results.get(tx, document_id, prompt_revid)
                if found is None and fallback:
                    found = await self._of_any_version(tx, document_id, prompt_revid)
        return existing(found, _missing(document_id, prompt_revid or prompt_id))

    async def all_of(self, member: Member, document_id: str) -> tuple[Document, list[tuple[str, Result]]]:
        """The document, and each result with the name of its prompt."""
        async with self._db.read_as(member) as tx:
            document = await find_document(tx, document_id)
            found = await results.all_of(tx, document_id)
            return document, await _named(tx, existing(found or None, _missing(document_id, None)))

    async def revisions(self, member: Member, document_id: str, prompt_revid: str) -> list[RevisionHeader]:
        result = await self.get(member, document_id, prompt_revid=prompt_revid)
        async with self._db.read_as(member) as tx:
            return await results.revisions(tx, result.id)

    async def revision_data(
        self, member: Member, document_id: str, prompt_revid: str, number: int
    ) -> dict[str, Any]:
        result = await self.get(member, document_id, prompt_revid=prompt_revid)
        async with self._db.read_as(member) as tx:
            data = await results.data_of_revision(tx, result.id, number)
            return existing(data, f"This result has no revision {number}.")

    async def replace(
        self,
        member: Member,
        document_id: str,
        prompt_revid: str,
        data: dict[str, Any],
        *,
        is_verified: bool,
    ) -> Result:
        """Store a person's version of the whole result, which must have the same fields at the top."""
        result = await self._existing(member, document_id, prompt_revid)
        if set(data) != set(result.model_data):
            raise InvalidInput(
                "Updated result signature does not match original. "
                f"Original keys: {list(result.model_data)}, Updated keys: {list(data)}"
            )
        verified = [] if not is_verified else result.verified_paths
        new = await self._revision(member, result, data, is_verified=is_verified, verified_paths=verified)
        return await self._added(member, result, new)

    async def edit(
        self,
        member: Member,
        document_id: str,
        prompt_revid: str,
        path: str,
        value: Any,
        places: Mapping[str, Sequence[PointedWord]] | None = None,
    ) -> Result:
        """Change the value at a path. The field is no longer verified. `places` are words that a person pointed at."""
        result, schema = await self.with_schema(member, document_id, prompt_revid)
        where = FieldPath.parse(path, result.data, schema)
        known = {*result.data, *(resolved(schema or {}, schema or {}).get("properties") or ())}
        if len(where) > 1 and where[0] not in known:
            raise where.unknown()  # the parts of a name that is not there would become an object in an object
        data = where.set(result.data, value)
        pointed = {FieldPath.parse(one, data, schema): words for one, words in (places or {}).items()}
        if outside := [one for one in pointed if not one.is_within(where)]:
            raise InvalidInput(
                f"The place of {outside[0]} is not one of {where}. Give places only for values that change."
            )
        kept = _untouched(result, where)
        new = await self._revision(
            member, result, data, is_verified=False, verified_paths=kept, places=pointed
        )
        return await self._added(member, result, new)

    async def find(self, member: Member, document_id: str, prompt_revid: str) -> Result | None:
        async with self._db.read_as(member) as tx:
            await find_document(tx, document_id)
            return await results.get(tx, document_id, prompt_revid) if _is_prompt(prompt_revid) else None

    async def named(self, member: Member, document_id: str) -> list[tuple[str, Result]]:
        """Each result of the document with the name of its prompt; empty when there is none."""
        async with self._db.read_as(member) as tx:
            await find_document(tx, document_id)
            return await _named(tx, await results.all_of(tx, document_id))

    async def with_schemas(
        self, member: Member, document_id: str
    ) -> list[tuple[str, dict[str, Any] | None, Result]]:
        """Each result of the document with the name of its prompt and the schema that the prompt asks for."""
        async with self._db.read_as(member) as tx:
            await find_document(tx, document_id)
            found = await results.all_of(tx, document_id)
            prompts = await _prompts(tx, found)
            schemas = await asked_by_each(tx, prompts.values())
        by_revid = {revid: schema.json_schema for revid, schema in schemas.items()}
        return [(_name(prompts, result), by_revid.get(result.prompt_revid), result) for result in found]

    async def with_schema(
        self, member: Member, document_id: str, prompt_revid: str
    ) -> tuple[Result, dict[str, Any] | None]:
        """The result of a prompt revision, and the schema that the prompt asks for."""
        result = await self._existing(member, document_id, prompt_revid)
        return result, (await self._schema_and_document(member, result))[0]

    async def draft_edit(
        self, member: Member, document_id: str, prompt_revid: str, path: str, value: Any
    ) -> DraftedEdit:
        """Change the value at a path, without storing it yet. Refuses a value that the schema does not allow there."""
        result, schema = await self.with_schema(member, document_id, prompt_revid)
        where = FieldPath.parse(path, result.data, schema)
        data = where.set(result.data, value)
        if schema is None and where[0] not in result.data:
            raise where.unknown()
        known = await field_problems(schema, result.data)
        found = await field_problems(schema, data)
        broken = [item for item in found if item not in known and _is_about(item, where)]
        if broken:
            raise InvalidInput("; ".join(f"{item.path or where}: {item.message}" for item in broken[:5]))
        kept = _untouched(result, where)
        new = await self._revision(member, result, data, is_verified=False, verified_paths=kept)
        return DraftedEdit(result, where, new)

    async def store(self, member: Member, drafted: DraftedEdit) -> Result:
        """Store a drafted edit. Raises Conflict if the result has changed since the edit was made."""
        base = drafted.result
        async with self._db.write_as(member) as tx:
            current = await results.get(tx, base.document_id, base.prompt_revid, lock=True)
            if current is None or (current.id, current.revision) != (base.id, base.revision):
                raise Conflict("The result has changed in the meantime. Review it again.")
            return await self.add(tx, base, drafted.new)

    async def take_back(
        self,
        member: Member,
        document_id: str,
        prompt_revid: str,
        made: tuple[str, int],
        to: int | None = None,
    ) -> bool:
        """Undo the change that made a revision, by writing the former one again as a new revision.

        `made` is the result's id and the revision's number; `to` is an even earlier revision. Returns False if there
        was no former one, so that the result was deleted. Raises Conflict if the result has changed since.
        """
        result_id, number = made
        async with self._db.write_as(member) as tx:
            try:
                await find_document(tx, document_id)
            except NotFound as error:
                raise Conflict("The document was deleted since.") from error
            current = await results.get(tx, document_id, prompt_revid, lock=True)
            if current is None or current.id != result_id:
                raise Conflict("The result was deleted since.")
            if current.revision != number:
                raise Conflict(
                    f"The result has changed since: revision {current.revision} is newer. Undo that first."
                )
            restored = await self.restore(tx, member, current, number - 1 if to is None else to)
            if not restored:
                await results.delete(tx, document_id, prompt_revid)
        return restored

    async def restore(self, tx: OrgTx, member: Member, current: Result, number: int) -> bool:
        """Write a former revision again as a new one. False if there is none of this number."""
        former = await results.revision(tx, current.id, number)
        if former is not None:
            await self.add(tx, current, replace(former, created_by=member.user_id))
        return former is not None

    async def verify(
        self, member: Member, document_id: str, prompt_revid: str, path: str, verified: bool
    ) -> Result:
        """Mark one field as seen and right, or take the mark away."""
        result = await self._existing(member, document_id, prompt_revid)
        where = FieldPath.parse(path, result.data)
        where.value_in(result.data)
        paths = [other for other in result.verified_paths if other != where] + ([where] if verified else [])
        still = result.is_verified and verified
        new = await self._revision(member, result, result.data, is_verified=still, verified_paths=paths)
        return await self._added(member, result, new)

    async def conclude(
        self, member: Member, document_id: str, prompt_revid: str, revision: int, standing: Standing
    ) -> Result:
        """Say of a result as a whole what a person found. Raises Conflict if it is no longer what the person saw."""
        async with self._db.write_as(member) as tx:
            found = await results.unchanged(tx, document_id, prompt_revid, revision)
            if found is None:
                raise Conflict("The result has changed in the meantime. Review it again.")
            concluded = replace(
                found[1],
                origin=Origin.PERSON,
                is_verified=standing is Standing.VERIFIED,
                is_rejected=standing is Standing.REJECTED,
                auto_verified=False,
                created_by=member.user_id,
            )
            return await self.add(tx, found[0], concluded)

    async def delete(self, member: Member, document_id: str, prompt_revid: str) -> None:
        async with self._db.write_as(member) as tx:
            await find_document(tx, document_id)
            if not _is_prompt(prompt_revid) or not await results.delete(tx, document_id, prompt_revid):
                raise NotFound(_missing(document_id, prompt_revid))

    async def find_value(
        self, member: Member, document_id: str, value: Any, label: str | None
    ) -> dict[str, Any]:
        """Find where a value stands in the document."""
        async with self._db.read_as(member) as tx:
            document = await find_document(tx, document_id)
        pages = await all_pages(self._db, document)
        index = await asyncio.to_thread(DocumentIndex.of, pages)
        found = locate(index, value, label=label)
        if found is None:
            raise InvalidInput("Give a value to look for.")
        return {"value": value, **as_json(found)}

    async def export(
        self,
        member: Member,
        document_id: str,
        format: Literal["json", "csv", "xlsx"],
        prompt_revid: str | None,
    ) -> tuple[bytes, str]:
        """The results as a file's bytes, and their media type."""
        if format == "csv" or prompt_revid is not None:
            one = await self.get(member, document_id, prompt_revid=prompt_revid or DEFAULT_PROMPT)
            async with self._db.read_as(member) as tx:
                chosen = [(name, result.data) for name, result in await _named(tx, [one])]
        else:
            _, found = await self.all_of(member, document_id)
            chosen = [(name, result.data) for name, result in found]
        return await asyncio.to_thread(_exported, format, chosen)

    async def _existing(self, member: Member, document_id: str, prompt_revid: str) -> Result:
        async with self._db.read_as(member) as tx:
            await find_document(tx, document_id)
            result = await results.get(tx, document_id, prompt_revid) if _is_prompt(prompt_revid) else None
        if result is None:
            raise InvalidInput(
                f"No existing LLM result found for document {document_id}: run the prompt first."
            )
        return result

    async def _added(self, member: Member, result: Result, new: NewRevision) -> Result:
        async with self._db.write_as(member) as tx:
            return await self.add(tx, result, new)

    async def _revision(
        self,
        member: Member,
        result: Result,
        data: dict[str, Any],
        *,
        is_verified: bool,
        verified_paths: Sequence[FieldPath],
        places: Places | None = None,
    ) -> NewRevision:
        """A person's revision of a result, checked and grounded."""
        schema, document = await self._schema_and_document(member, result)
        problems, grounding = result.problems, result.grounding
        if data != result.data or places:
            pages = await all_pages(self._db, document, document.text_run_id)
            problems = await field_problems(schema, data)
            said = said_of_kept_values(result.grounding, result.data, data)
            calibration = await self._calibrations.of(member.organization_id)
            pointed = {**pointed_before(result.grounding, result.data, data), **(places or {})}
            grounding = await asyncio.to_thread(
                proof_of, pages, data, schema, problems, calibration, said, pointed
            )
            grounding = with_voices(grounding, heard_before(result.grounding, result.data, data))
        return NewRevision(
            Origin.PERSON,
            result.model_data,
            data,
            is_verified,
            verified_paths,
            problems,
            grounding,
            result.run,
            member.user_id,
        )

    async def add(self, tx: OrgTx, result: Result, new: NewRevision) -> Result:
        """Write a revision after `result`, and tell what became of it."""
        await find_document(tx, result.document_id)
        is_truth = new.is_verified or bool(new.verified_paths)
        if is_truth:
            await self._calibrations.after_verifying(tx)
        added = await results.add(
            tx,
            document_id=result.document_id,
            prompt_revid=result.prompt_revid,
            prompt_id=result.prompt_id,
            prompt_version=result.prompt_version,
            new=new,
            now=now(),
            proposed=result.proposed,
        )
        assert added is not None
        if is_truth or result.is_verified or result.verified_paths:
            await self._learning.after_verifying(tx, result.document_id)
        if not added.proposed:
            await self._bus.announce(tx, _told(tx, result, added, new.created_by))
        return added

    async def _schema_and_document(
        self, member: Member, result: Result
    ) -> tuple[dict[str, Any] | None, Document]:
        async with self._db.read_as(member) as tx:
            document = await find_document(tx, result.document_id)
            prompt = await PROMPTS.get(tx, result.prompt_revid)
            schema = await asked_by(tx, prompt) if prompt else None
        return (schema.json_schema if schema else None), document

    async def _of_any_version(self, tx: OrgTx, document_id: str, prompt_revid: str) -> Result | None:
        prompt = await PROMPTS.get(tx, prompt_revid)
        return await results.newest_of_prompt(tx, document_id, prompt.id) if prompt else None


async def _named(tx: OrgTx, found: Sequence[Result]) -> list[tuple[str, Result]]:
    """Each result with the name of its prompt."""
    prompts = await _prompts(tx, found)
    return [(_name(prompts, result), result) for result in found]


async def _prompts(tx: OrgTx, found: Sequence[Result]) -> dict[str, Prompt]:
    """The versions of prompts that the results are of, as far as there are any, by their ids."""
    return await PROMPTS.several_revisions(tx, [one.prompt_revid for one in found if is_id(one.prompt_revid)])


def _name(prompts: Mapping[str, Prompt], result: Result) -> str:
    if result.prompt_revid == DEFAULT_PROMPT:
        return DEFAULT_PROMPT
    prompt = prompts.get(result.prompt_revid)
    return prompt.name if prompt else "deleted prompt"


def _exported(format: str, chosen: list[tuple[str, dict[str, Any]]]) -> tuple[bytes, str]:
    if format == "csv":
        return result_to_csv(chosen[0][1]).encode(), "text/csv"
    if format == "xlsx":
        return results_to_xlsx(chosen), FORMATS[".xlsx"].mime_type
    return orjson.dumps(dict(chosen), option=orjson.OPT_INDENT_2), "application/json"


def _untouched(result: Result, path: FieldPath) -> list[FieldPath]:
    """What was verified and neither holds the value at the path nor is a part of it."""
    return [one for one in result.verified_paths if not (one.is_within(path) or path.is_within(one))]


def _is_about(problem: Problem, path: FieldPath) -> bool:
    """True for a problem of the value at the path, or of a field on the way that the schema does not know."""
    return problem.path.is_within(path) or (
        path.is_within(problem.path) and problem.keyword == "additionalProperties"
    )


def _is_prompt(text: str) -> bool:
    return text == DEFAULT_PROMPT or is_id(text)


def _missing(document_id: str, prompt: str | None) -> str:
    named = f" and prompt: {prompt[:40]}" if prompt else ""
    return f"LLM result not found for document_id: {document_id}{named}"


def _told(
    tx: OrgTx, before: Result, after: Result, user_id: str
) -> ResultChanged | ResultReviewed | ResultRejected:
    """The notice of a person's revision."""
    notice: type[ResultChanged | ResultReviewed | ResultRejected] = ResultChanged
    if after.is_rejected and not before.is_rejected:
        notice = ResultRejected
    elif after.is_verified and not before.is_verified:
        notice = ResultReviewed
    return notice(
        organization_id=tx.organization_id,
        at=after.updated_at,
        document_id=after.document_id,
        prompt_revid=after.prompt_revid,
        prompt_id=after.prompt_id,
        prompt_version=after.prompt_version,
        revision=after.revision,
        user_id=user_id,
    )
