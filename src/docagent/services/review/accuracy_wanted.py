"""What an accuracy run is to measure, and the verified documents that it is measured on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import NotFound, Noun
from docagent.domain.extraction.runs import RunState
from docagent.domain.models.catalogue import ChosenModel
from docagent.jsonschema import SchemaValidator
from docagent.services.extraction.extraction_tasks import Task, find_task, newest_task
from docagent.services.models.model_calls import ModelCalls
from docagent.store.engine.database import OrgTx
from docagent.store.review import calibrations
from docagent.store.review.accuracy import AccuracyRun, Draft, Truth

MOST_DOCUMENTS = 1000
NOTHING_VERIFIED = (
    "No document of this prompt is verified. Verify some results first: a run is measured against them."
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure: a version of a prompt, the newest if none is named, with what a draft changes."""

    prompt_id: str
    prompt_revid: str | None = None
    draft: Draft | None = None
    model: str | None = None
    limit: int | None = None
    """At most so many documents, those that were verified last."""


@dataclass(frozen=True, slots=True)
class Chosen:
    task: Task
    truths: Sequence[Truth]
    verified: int
    by_pages: Sequence[int]


async def choose(tx: OrgTx, wanted: Wanted) -> Chosen:
    """The task, and the verified documents that were read: of each, the verified result of the highest version."""
    task = with_draft(await _task(tx, wanted), wanted.draft)
    newest: dict[str, tuple[int, Truth, int]] = {}
    for row in await calibrations.verified_heads(tx, task.prompt_id):
        known = newest.get(row.document_id)
        if row.text_run_id is not None and (known is None or row.prompt_version > known[0]):
            truth = Truth(row.document_id, row.id, row.revision)
            newest[row.document_id] = (row.prompt_version, truth, row.page_count or 1)
    chosen = list(newest.values())[: min(wanted.limit or MOST_DOCUMENTS, MOST_DOCUMENTS)]
    return Chosen(task, [truth for _, truth, _ in chosen], len(newest), [pages for _, _, pages in chosen])


async def chosen_model(models: ModelCalls, member: Member, wanted: Wanted, task: Task) -> ChosenModel:
    asked = wanted.model or task.model
    return await models.choose(member.organization_id, asked, strict=wanted.model is not None)


def new_run(
    run_id: str, member: Member, wanted: Wanted, task: Task, model: ChosenModel, total: int
) -> AccuracyRun:
    return AccuracyRun(
        id=run_id,
        prompt_id=task.prompt_id,
        prompt_revid=task.prompt_revid,
        prompt_version=task.prompt_version,
        prompt_name=task.name,
        draft=wanted.draft,
        requested_model=wanted.model,
        model=model.name,
        state=RunState.RUNNING,
        total=total,
        created_by=member.user_id,
        created_at=now(),
    )


async def _task(tx: OrgTx, wanted: Wanted) -> Task:
    newest = await newest_task(tx, wanted.prompt_id)
    if wanted.prompt_revid is None:
        return newest
    task = await find_task(tx, wanted.prompt_revid)
    if task.prompt_id != newest.prompt_id:
        raise NotFound("The prompt has no such version.", Noun.PROMPT)
    return task


def drafted_as(content: str | None, json_schema: dict[str, Any] | None) -> Draft | None:
    """A draft; None if it changes nothing."""
    return None if content is None and json_schema is None else Draft(content, json_schema)


def with_draft(task: Task, draft: Draft | None) -> Task:
    if draft is None:
        return task
    if draft.json_schema is not None:
        SchemaValidator(draft.json_schema)
    return replace(
        task,
        content=task.content if draft.content is None else draft.content,
        schema=task.schema if draft.json_schema is None else draft.json_schema,
    )
