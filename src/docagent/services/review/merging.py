"""Merges two sheets into one: finds those that are alike, shows what would come of it, moves the results, undoes it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from docagent import builtin_model
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, NotFound, Noun, existing
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.extraction.doubts import ReviewPolicy
from docagent.domain.extraction.merges import (
    Merge,
    MergedSchema,
    Moved,
    merged,
    path_under_names,
    under_names,
)
from docagent.domain.extraction.results import BEFORE_MEMORY
from docagent.domain.ids import new_id
from docagent.domain.shown import quoted
from docagent.services.extraction.checking import field_problems
from docagent.services.extraction.results import ResultService
from docagent.services.extraction.versions import Versions
from docagent.store import proposals
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import learning, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.results import NewRevision
from docagent.store.extraction.schemas import SCHEMAS, asked_by_each, dependent_prompts
from docagent.store.proposals import Candidate
from docagent.store.review import merges, review
from docagent.store.review.review import Counts

MOST_COMPARED = 60
MOST_MOVED = 2000

_prompts, _schemas = Versions(Noun.PROMPT, PROMPTS), Versions(Noun.SCHEMA, SCHEMAS)


@dataclass(frozen=True, slots=True)
class Side:
    """A sheet that may be merged, or with a `proposal_id` one that waits for a verdict."""

    prompt_id: str
    name: str
    proposal_id: str | None
    documents: int


@dataclass(frozen=True, slots=True)
class Alike:
    """Two sheets that share their heart: the one with fewer documents may be merged into the other."""

    into: Side
    source: Side
    shared: int


@dataclass(frozen=True, slots=True)
class MergePreview:
    into: Side
    source: Side
    shared: int
    merged: MergedSchema
    in_both: int
    """Documents that are in both sheets: their values in the first one count."""


@dataclass(eq=False)
class MergingService:
    _db: Database
    _results: ResultService

    async def alike(self, member: Member) -> list[Alike]:
        """Sheets and proposals that share their heart. It depends on what they hold, not on what came first."""
        async with self._db.read_org(member.organization_id, long=True) as tx:
            found = await proposals.candidates(tx, MOST_COMPARED)
            sides = await _sides(tx, found, member.user_id)
        ranked = sorted(zip(sides, found, strict=True), key=lambda one: (-one[0].documents, one[0].prompt_id))
        return await asyncio.to_thread(_alike, ranked)

    async def preview(self, member: Member, prompt_id: str, source_id: str) -> MergePreview:
        async with self._db.read_org(member.organization_id, long=True) as tx:
            found = {one.prompt.id: one for one in await proposals.candidates(tx, MOST_COMPARED)}
            if prompt_id == source_id or not {prompt_id, source_id} <= set(found):
                raise NotFound("Choose two sheets whose prompts have a schema.", Noun.PROMPT)
            into, source = found[prompt_id], found[source_id]
            sides = await _sides(tx, (into, source), member.user_id)
            there, moving = [await merges.results_of(tx, one) for one in (prompt_id, source_id)]
        made, shared = await asyncio.to_thread(_merged, into.schema, source.schema)
        return MergePreview(sides[0], sides[1], shared, made, len(there.keys() & moving.keys()))

    async def into(self, member: Member, prompt_id: str) -> list[Merge]:
        """What was merged into a sheet and not undone, the newest first."""
        async with self._db.read_as(member) as tx:
            await _prompts.newest(tx, prompt_id)
            return await merges.of_prompt(tx, prompt_id)

    async def merge(self, member: Member, prompt_id: str, source_id: str) -> Merge:
        """Give a sheet the fields of another one and its results, corrections included, and delete the other prompt."""
        if prompt_id == source_id:
            raise InvalidInput("Choose two different sheets.")
        async with self._db.write_as(member, long=True) as tx:
            # In one order, so that two people who merge the same sheets do not wait for each other.
            locked = {one: await _prompts.locked(tx, one) for one in sorted((prompt_id, source_id))}
            into, source = locked[prompt_id], locked[source_id]
            if waiting := await proposals.number_waiting(tx, source_id):
                raise Conflict(
                    f"{waiting} documents still wait for a verdict on {quoted(source.name)}. Decide about them first."
                )
            asked = await asked_by_each(tx, (into, source))
            if len(asked) < len(locked):
                raise InvalidInput("Only sheets whose prompts have a schema can be merged.")
            schema, other = asked[into.revid], asked[source.revid]
            made, _ = await asyncio.to_thread(_merged, schema.json_schema, other.json_schema)
            named = {**schema.response_format["json_schema"], "schema": made.schema}
            response_format = {**schema.response_format, "json_schema": named}
            newest = await _schemas.locked(tx, schema.id)
            kept = {"response_format": response_format}
            version = await SCHEMAS.next_version(tx, schema.id, newest.name, kept, member.user_id)
            values = PROMPTS.values_of(into) | {
                "schema_version": version.version,
                "tag_ids": list(dict.fromkeys([*into.tag_ids, *source.tag_ids])),
            }
            new = await PROMPTS.next_version(tx, prompt_id, into.name, values, member.user_id)
            there, moving = [await merges.results_of(tx, one) for one in (prompt_id, source_id)]
            chosen = {document: revid for document, revid in moving.items() if document not in there}
            if len(chosen) > MOST_MOVED:
                raise InvalidInput(f"{len(chosen)} documents would move; at most {MOST_MOVED} can at once.")
            await results.lock(tx, source_id, chosen)
            moved = [
                await self._move(tx, member, made, document_id, revid, new)
                for document_id, revid in chosen.items()
            ]
            await _prompts.delete(tx, source)
            is_unused = other.id != schema.id and not await dependent_prompts(tx, other.id)
            if is_unused:
                await _schemas.delete(tx, other)
            merge = Merge(
                new_id(),
                prompt_id,
                new.revid,
                into.revid,
                source_id,
                other.id if is_unused else None,
                tuple(moved),
                member.user_id,
                now(),
            )
            await merges.insert(tx, merge)
        return merge

    async def undo(self, member: Member, merge_id: str) -> tuple[int, int]:
        """Restore both sheets. Returns how many documents went back, and how many changed since and stay."""
        async with self._db.write_as(member, long=True) as tx:
            merge = existing(await merges.get(tx, merge_id), "There is no such merge.")
            await PROMPTS.lock(tx, merge.prompt_id)  # first, as a merge does
            if not await merges.undone(tx, merge_id, now()):
                raise Conflict("This merge was undone before.")
            there = await results.lock(tx, merge.prompt_id, [one.document_id for one in merge.moved])
            if merge.source_schema_id is not None:
                await _schemas.undelete(tx, merge.source_schema_id)
            await _prompts.undelete(tx, merge.source_prompt_id)
            left = [one for one in merge.moved if one.document_id in there]
            restored = sum([await self._move_back(tx, member, merge, one) for one in left])
            current = await PROMPTS.latest(tx, merge.prompt_id)
            former = await PROMPTS.get(tx, merge.former_revid)
            if current is not None and former is not None and current.revid == merge.made_revid:
                values = PROMPTS.values_of(former)
                await PROMPTS.next_version(tx, current.id, current.name, values, member.user_id)
        return restored, len(merge.moved) - restored

    async def _move(
        self,
        tx: OrgTx,
        member: Member,
        made: MergedSchema,
        document_id: str,
        revid: str,
        to: Prompt,
    ) -> Moved:
        current = await results.get(tx, document_id, revid)
        former = await results.revision(tx, current.id, current.revision) if current else None
        assert current is not None
        assert former is not None
        there = await merges.move(tx, current, to.id, to.revid, to.version)
        await self._results.add(tx, there, await _under_new_names(former, made, member))
        return Moved(current.id, document_id, revid, current.prompt_version, current.revision)

    async def _move_back(self, tx: OrgTx, member: Member, merge: Merge, moved: Moved) -> bool:
        current = await results.get(tx, moved.document_id, merge.made_revid)
        if current is None or (current.id, current.revision) != (moved.result_id, moved.revision + 1):
            return False
        to = (merge.source_prompt_id, moved.prompt_revid, moved.prompt_version)
        await self._results.restore(tx, member, await merges.move(tx, current, *to), moved.revision)
        await learning.forget(tx, merge.prompt_id, moved.document_id)
        return True


async def _sides(tx: OrgTx, found: Sequence[Candidate], user_id: str) -> list[Side]:
    ids = [one.prompt.id for one in found]
    waiting = await proposals.numbers_waiting(tx, [one.proposal_id or one.prompt.id for one in found])
    there = await review.counts(tx, dict.fromkeys(ids, ReviewPolicy()), user_id, now())
    return [
        Side(
            one.prompt.id,
            one.prompt.name,
            one.proposal_id,
            there.get(one.prompt.id, Counts()).total + waiting.get(one.proposal_id or one.prompt.id, 0),
        )
        for one in found
    ]


def _alike(ranked: Sequence[tuple[Side, Candidate]]) -> list[Alike]:
    """Each belongs to the first before it that shares its heart, so the largest of a kind takes the others in."""
    heads: list[tuple[Side, Candidate]] = []
    found = []
    for side, candidate in ranked:
        for head, its in heads:
            shared = builtin_model.shared(its.schema, candidate.schema)
            if shared.is_heart and not any(map(_has_references, (its.schema, candidate.schema))):
                found.append(Alike(head, side, len(shared.names)))
                break
        else:
            heads.append((side, candidate))
    return found


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[MergedSchema, int]:
    if _has_references(one) or _has_references(other):
        raise InvalidInput("These schemas use references ($ref). Write their fields out to merge them.")
    shared = builtin_model.shared(one, other)
    return merged(one, other, shared.names, shared.columns), len(shared.names)


def _has_references(schema: Mapping[str, Any]) -> bool:
    return b'"$ref"' in orjson.dumps(schema)


async def _under_new_names(former: NewRevision, made: MergedSchema, member: Member) -> NewRevision:
    data = made.filled(former.data)
    report = former.run.report
    if BEFORE_MEMORY in report:
        report = {**report, BEFORE_MEMORY: made.filled(report[BEFORE_MEMORY])}
    return replace(
        former,
        data=data,
        model_data=made.filled(former.model_data),
        verified_paths=[path_under_names(path, made.names) for path in former.verified_paths],
        problems=await field_problems(made.schema, data),
        grounding=under_names(former.grounding, made.names),
        run=replace(former.run, report=report),
        created_by=member.user_id,
    )
