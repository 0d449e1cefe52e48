"""Lets a correction spread: shows what it would change in documents that look alike, changes them, and undoes it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docagent import builtin_model
from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.documents.text import Page
from docagent.domain.errors import Conflict, existing
from docagent.domain.extraction.results import BEFORE_MEMORY, Origin, Result
from docagent.domain.extraction.review import is_verified_at, is_vouched_for
from docagent.domain.extraction.sheets import SheetResult
from docagent.domain.extraction.spreads import Earned, Spread, SpreadChange, SpreadPreview
from docagent.domain.extraction.voices import heard_before, with_voices
from docagent.domain.field_path import FieldPath
from docagent.domain.ids import new_id
from docagent.services.extraction.checking import (
    Calibrations,
    field_problems,
    pointed_before,
    proof_of,
    said_of_kept_values,
)
from docagent.services.extraction.extraction_tasks import newest_task
from docagent.services.extraction.lessons import (
    LEAST_LIKENESS,
    MOST_VOTES,
    Filled,
    filled_from,
    heard_from,
    of_layout,
    recalled_from,
    said_of,
    teach,
)
from docagent.services.extraction.results import ResultService
from docagent.store.documents import pages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import learning, results, spreads
from docagent.store.extraction.learning import Lesson
from docagent.store.extraction.results import NewRevision
from docagent.store.review import sheets

MOST_COMPARED = 200
"""Documents of the sheet, newest first, that are looked at."""
MOST_CHANGED = 40
MOST_PAGES = 10
MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class _Changed:
    """Another document as the correction would have it."""

    result: SheetResult
    pages: list[Page]
    recalled: Mapping[str, builtin_model.Recalled]
    filled: Filled

    @property
    def paths(self) -> list[FieldPath]:
        return [FieldPath.parse(path, self.filled.data) for path in self.filled.changed]

    @property
    def changes(self) -> list[SpreadChange]:
        one = self.result
        where = (one.document_id, one.document_name, one.prompt_revid, one.revision)
        return [
            SpreadChange(*where, str(path), path.get(one.data), path.get(self.filled.data))
            for path in self.paths
        ]


@dataclass(frozen=True, slots=True)
class _Drafted:
    result: Result
    path: FieldPath
    schema: dict[str, Any] | None
    alike: int = 0
    changed: Sequence[_Changed] = ()


class SpreadingService:
    def __init__(self, db: Database, result_service: ResultService, calibrations: Calibrations) -> None:
        self._db = db
        self._results = result_service
        self._calibrations = calibrations

    async def preview(self, member: Member, document_id: str, prompt_revid: str, path: str) -> SpreadPreview:
        """What the value at the path, taken as right, would change in documents that look like this one."""
        drafted = await self._drafted(member, document_id, prompt_revid, path)
        return SpreadPreview(drafted.alike, [change for one in drafted.changed for change in one.changes])

    async def apply(
        self, member: Member, document_id: str, prompt_revid: str, path: str, seen: Mapping[str, int]
    ) -> Spread:
        """Change the documents as the preview showed, and verify the value that they are changed by.

        `seen` are the documents and the revisions of their results. One that has changed since is left alone.
        """
        drafted = await self._drafted(member, document_id, prompt_revid, path)
        wanted = [one for one in drafted.changed if seen.get(one.result.document_id) == one.result.revision]
        made = [(one, *await self._proved(member, one, drafted.schema)) for one in wanted]
        async with self._db.write_as(member) as tx:
            changing = [document_id, *(one.result.document_id for one in wanted)]
            there = await results.lock(tx, drafted.result.prompt_id, changing)
            await self._verify(tx, member, drafted)
            changes: list[SpreadChange] = []
            for one, problems, grounding in made:
                current = await results.get(tx, one.result.document_id, prompt_revid)
                is_there = one.result.document_id in there
                if current is None or current.revision != one.result.revision or not is_there:
                    continue
                model_data = current.model_data
                for where in one.paths:
                    model_data = where.set(model_data, where.get(one.filled.data))
                before = current.run.report.get(BEFORE_MEMORY, current.model_data)
                new = NewRevision(
                    Origin.SPREAD,
                    model_data,
                    one.filled.data,
                    False,
                    current.verified_paths,
                    problems,
                    grounding,
                    replace(current.run, report={**current.run.report, BEFORE_MEMORY: before}),
                    member.user_id,
                )
                await self._results.add(tx, current, new)
                changes += one.changes
            if not changes:
                raise Conflict("These documents changed after you opened the preview. Review it again.")
            spread = Spread(
                new_id(),
                drafted.result.prompt_id,
                document_id,
                str(drafted.path),
                tuple(changes),
                len(changes),
                member.user_id,
                now(),
            )
            await spreads.insert(tx, spread)
        return spread

    async def undo(self, member: Member, spread_id: str) -> tuple[int, int]:
        """Restore what a spread changed. Returns how many documents, and how many changed since and stay."""
        async with self._db.write_as(member) as tx:
            spread = existing(await spreads.get(tx, spread_id), "There is no such spread correction.")
            if not await spreads.undone(tx, spread_id, now()):
                raise Conflict("This correction was undone before.")
            made = {(one.document_id, one.prompt_revid): one.revision for one in spread.changes}
            restored = 0
            there = await results.lock(tx, spread.prompt_id, [document_id for document_id, _ in made])
            for (document_id, prompt_revid), revision in made.items():
                current = await results.get(tx, document_id, prompt_revid)
                if current is None or current.revision != revision + 1 or document_id not in there:
                    continue
                restored += await self._results.restore(tx, member, current, revision)
        return restored, len(made) - restored

    async def earned(self, member: Member, prompt_id: str) -> tuple[Earned, list[Spread]]:
        """What a prompt's corrections were worth, and the newest of those that were spread."""
        async with self._db.read_as(member) as tx:
            task = await newest_task(tx, prompt_id)
            newest = await spreads.newest(tx, task.prompt_id, MOST_LISTED)
            return await spreads.earned(tx, task.prompt_id), newest

    async def _drafted(self, member: Member, document_id: str, prompt_revid: str, path: str) -> _Drafted:
        result, schema = await self._results.with_schema(member, document_id, prompt_revid)
        where = FieldPath.parse(path, result.data, schema)
        where.value_in(result.data)
        nothing = _Drafted(result, where, schema)
        if schema is None or result.proposed:
            return nothing
        async with self._db.read_as(member, long=True) as tx:
            if not (await learning.switches(tx)).is_on:
                return nothing
            others = [
                one
                for one in await sheets.newest(tx, result.prompt_id, MOST_COMPARED)
                if one.document_id != document_id
                and one.prompt_revid == prompt_revid
                and not (one.is_verified or one.is_rejected)
            ]
            first = await pages.of_several(tx, [document_id, *(one.document_id for one in others)], 1)
        signature = await asyncio.to_thread(builtin_model.signature_of, first.get(document_id, []))
        alike = await asyncio.to_thread(_alike, signature, others, first)
        if not alike:
            return nothing
        async with self._db.read_as(member, long=True) as tx:
            bands = builtin_model.bands_of(signature)
            lessons = await learning.alike(tx, result.prompt_id, bands, MOST_VOTES, document_id)
            read = await pages.of_several(tx, [document_id, *(one.document_id for one in alike)], MOST_PAGES)
        own = await asyncio.to_thread(_lesson_of, result, where, schema, read[document_id], signature)
        heard = [own, *of_layout(lessons, signature)]
        changed = await asyncio.to_thread(_changed, heard, where, schema, alike, read)
        return replace(nothing, alike=len(alike), changed=changed)

    async def _proved(
        self, member: Member, one: _Changed, schema: dict[str, Any] | None
    ) -> tuple[list[Any], Any]:
        """The problems of the changed data, and its tree of places."""
        old, data = one.result, one.filled.data
        problems = await field_problems(schema, data)
        calibration = await self._calibrations.of(member.organization_id)
        voices = {**heard_before(old.grounding, old.data, data), **heard_from(one.filled, one.recalled)}
        kept, learnt = said_of_kept_values(old.grounding, dict(old.data), data), said_of(data, one.recalled)
        said = replace(
            kept,
            learnt={**kept.learnt, **learnt.learnt},
            learnt_from={**kept.learnt_from, **learnt.learnt_from},
            voices={**kept.voices, **{path: heard.voices for path, heard in voices.items()}},
        )
        pointed = pointed_before(old.grounding, dict(old.data), data)
        proof = await asyncio.to_thread(
            proof_of, one.pages, data, schema, problems, calibration, said, pointed
        )
        return problems, with_voices(proof, voices)

    async def _verify(self, tx: OrgTx, member: Member, drafted: _Drafted) -> None:
        """Mark the value as right that others are changed by: it teaches the next documents too."""
        one = drafted.result
        found = await results.unchanged(tx, one.document_id, one.prompt_revid, one.revision)
        if found is None:
            raise Conflict("The corrected result changed after you opened the preview. Review it again.")
        current, made = found
        if not is_verified_at(current, drafted.path):
            paths = [*current.verified_paths, drafted.path]
            new = replace(made, origin=Origin.PERSON, verified_paths=paths, created_by=member.user_id)
            await self._results.add(tx, current, new)


def _alike(
    signature: Sequence[int], others: Sequence[SheetResult], first: Mapping[str, list[Page]]
) -> list[SheetResult]:
    """The documents of the same layout, the most similar first."""
    ranked = [
        (builtin_model.likeness(signature, builtin_model.signature_of(first[one.document_id])), one)
        for one in others
        if one.document_id in first
    ]
    near = [pair for pair in ranked if pair[0] >= LEAST_LIKENESS]
    return [one for _, one in sorted(near, key=lambda pair: -pair[0])][:MOST_CHANGED]


def _lesson_of(
    result: Result, where: FieldPath, schema: dict[str, Any], read: Sequence[Page], signature: list[int]
) -> Lesson:
    """What the document teaches if the value is right."""

    def is_right(text: str) -> bool:
        path = FieldPath.parse(text, result.data)
        return path == where or is_verified_at(result, path)

    given = result.run.report.get(BEFORE_MEMORY, result.model_data)
    truth = builtin_model.Placed(result.data, result.grounding)
    memories = teach(read, schema, truth, given, is_right, []).memories
    stored = {path: one.as_json() for path, one in memories.items()}
    return Lesson(result.document_id, "", signature, stored, {}, now())


def _changed(
    heard: Sequence[Lesson],
    where: FieldPath,
    schema: dict[str, Any],
    alike: Sequence[SheetResult],
    read: Mapping[str, list[Page]],
) -> list[_Changed]:
    """The documents in which the field gets another value that no person has vouched for."""
    found = []
    for one in alike:
        recalled = {
            text: said
            for text, said in recalled_from(heard, read[one.document_id], schema).items()
            if _is_open(one, FieldPath.parse(text, one.data), where)
        }
        filled = filled_from(dict(one.data), recalled)
        if filled.changed:
            found.append(_Changed(one, read[one.document_id], recalled, filled))
    return found


def _is_open(result: SheetResult, path: FieldPath, where: FieldPath) -> bool:
    """Whether the path is that of the corrected field, and no person has written or verified what stands there."""
    is_meant = where.is_within(path) or path.is_within(where)
    is_checked = any(verified.is_within(path) for verified in result.verified_paths)
    return is_meant and not is_checked and not is_vouched_for(result, path)
