"""Proposals: what the agent prepared for uploaded documents, and the verdicts of people on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.fields import Name, ShortText
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.extraction.prompts import ProposedPromptOut
from docagent.api.rest.extraction.schemas import ProposedSchemaOut
from docagent.api.router import Router
from docagent.api.stream import event_json
from docagent.domain.extraction.artefacts import Schema
from docagent.domain.extraction.doubts import tally_of
from docagent.domain.extraction.review import Reviewable, places_in
from docagent.domain.proposals import ProposalStatus
from docagent.domain.shown import quoted
from docagent.services.extraction.proposed import Proposed
from docagent.services.proposals.proposals import ProposalGroup, ProposalInFull, Verdict
from docagent.tools.changes import field_names, prompt_change, schema_change
from docagent.tools.words import listed

router = Router(prefix="/v0/orgs/{organization_id}", tags=["proposals"])

MOST_AT_ONCE = 1000


class SummaryOut(BaseModel):
    fields: int = Field(description="Fields of the schema")
    values: int = Field(description="Values in the result")
    proven: int = Field(description="Values whose words were found on a page")
    to_check: int = Field(description="Values that a person should look at; missing ones count")


class _StoredProposal(Answer):
    document_id: str = at_path("document.id")
    document_name: str = at_path("document.name")
    status: ProposalStatus = at_path("proposal.status")
    error: str | None = at_path("proposal.error")
    done_at: datetime | None = at_path("proposal.done_at")
    proposal_id: str = at_path("proposal.proposal_id", "Shared by documents for which the same is proposed")
    turn_id: str | None = at_path(
        "proposal.turn_id", "The turn that prepared it; null if something fitted already"
    )
    thread_id: str | None
    is_new: bool = at_path("proposed.is_new", "False when an existing schema and prompt are used")
    reason: str | None = at_path("proposal.reason", "Why a schema fits")
    documents_waiting: int
    schema_: ProposedSchemaOut | None = Field(
        validation_alias=AliasPath("proposed", "schema"), serialization_alias="schema"
    )
    prompt: ProposedPromptOut | None = at_path("proposed.prompt")


class ProposalOut(_StoredProposal):
    summary: SummaryOut
    changes: list[dict[str, Any]] = Field(
        description="What accepting brings about, as previews of approval cards"
    )


class ProposedDocumentOut(BaseModel):
    document_id: str
    document_name: str
    done_at: datetime | None
    summary: SummaryOut


class _StoredGroup(Answer):
    proposal_id: str
    is_new: bool
    reason: str | None
    documents_waiting: int
    schema_: ProposedSchemaOut | None = Field(validation_alias="schema", serialization_alias="schema")
    prompt: ProposedPromptOut | None


class ProposalGroupOut(_StoredGroup):
    documents: list[ProposedDocumentOut]


class ReviewOut(BaseModel):
    groups: list[ProposalGroupOut]
    total_count: int = Field(description="How many groups wait")
    skip: int
    counts: dict[ProposalStatus, int] = Field(description="Documents by status")


class AgentLogOut(BaseModel):
    turn_id: str | None
    thread_id: str | None
    events: list[dict[str, Any]]


class TagsIn(BaseModel):
    tag_ids: list[ShortText] = []
    tag_name: Name | None = Field(None, description="A tag by its name; created if there is none")


class DocumentsIn(BaseModel):
    document_ids: Annotated[list[ShortText], Field(min_length=1, max_length=MOST_AT_ONCE)]


class AcceptManyIn(DocumentsIn, TagsIn):
    pass


class VerdictOut(Answer):
    document_id: str
    status: ProposalStatus | None
    error: str | None = Field(description="Why nothing was decided about this document")


class VerdictsOut(Answer):
    documents: list[VerdictOut]


@router.get("/auto_create")
async def list_proposals(
    member: OrgMember, services: ServicesDep, skip: Skip = 0, limit: Limit = 50
) -> ReviewOut:
    """What waits for a verdict, in groups that share a schema and a prompt."""
    found = await services.proposals.waiting(member, skip=skip, limit=limit)
    return ReviewOut(
        groups=[_group(group) for group in found.items],
        total_count=found.total,
        skip=found.skip,
        counts=await services.proposals.counts(member),
    )


@router.get("/documents/{document_id}/auto_create")
async def get_proposal(document_id: str, member: OrgMember, services: ServicesDep) -> ProposalOut:
    """What the agent prepared for a document."""
    return _out(await services.proposals.get(member, document_id))


@router.get("/documents/{document_id}/auto_create/agent_log")
async def get_agent_log(document_id: str, member: OrgMember, services: ServicesDep) -> AgentLogOut:
    """Every event of the turn that prepared the proposal."""
    found = await services.proposals.get(member, document_id)
    events = await services.proposals.log(member, found.document)
    return AgentLogOut(
        turn_id=found.proposal.turn_id,
        thread_id=found.thread_id,
        events=[event_json(event) for event in events],
    )


@router.post("/documents/{document_id}/auto_create/accept")
async def accept_proposal(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    repeat: OrgRepeat,
    body: TagsIn | None = None,
) -> ProposalOut:
    """Accept everything that is proposed. With a tag, documents that carry it are processed by themselves."""
    tags = body or TagsIn()
    await services.proposals.accept(member, document_id, tags.tag_ids, tags.tag_name, repeat)
    return _out(await services.proposals.get(member, document_id))


@router.post("/documents/{document_id}/auto_create/reject")
async def reject_proposal(document_id: str, member: OrgMember, services: ServicesDep) -> ProposalOut:
    """Discard what is proposed. `restore` takes it back."""
    await services.proposals.reject(member, document_id)
    return _out(await services.proposals.get(member, document_id))


@router.post("/documents/{document_id}/auto_create/restore")
async def restore_proposal(document_id: str, member: OrgMember, services: ServicesDep) -> ProposalOut:
    """Take a rejection back."""
    await services.proposals.restore(member, document_id)
    return _out(await services.proposals.get(member, document_id))


@router.post("/documents/{document_id}/auto_create/retry")
async def retry_proposal(document_id: str, member: OrgMember, services: ServicesDep) -> ProposalOut:
    """Prepare the document again, or for the first time."""
    await services.proposals.retry(member, document_id)
    return _out(await services.proposals.get(member, document_id))


@router.post("/auto_create/accept")
async def accept_proposals(
    body: AcceptManyIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> VerdictsOut:
    """Accept the proposals of many documents."""
    verdicts = await services.proposals.accept_many(
        member, body.document_ids, body.tag_ids, body.tag_name, repeat
    )
    return _verdicts(verdicts)


@router.post("/auto_create/reject")
async def reject_proposals(body: DocumentsIn, member: OrgMember, services: ServicesDep) -> VerdictsOut:
    """Reject the proposals of many documents."""
    return _verdicts(await services.proposals.reject_many(member, body.document_ids))


@router.post("/auto_create/restore")
async def restore_proposals(body: DocumentsIn, member: OrgMember, services: ServicesDep) -> VerdictsOut:
    """Take the rejections of many documents back."""
    return _verdicts(await services.proposals.restore_many(member, body.document_ids))


@router.post("/auto_create/retry")
async def retry_proposals(body: DocumentsIn, member: OrgMember, services: ServicesDep) -> VerdictsOut:
    """Prepare many documents again, or for the first time."""
    return _verdicts(await services.proposals.retry_many(member, body.document_ids))


def _verdicts(verdicts: list[Verdict]) -> VerdictsOut:
    return VerdictsOut.model_validate({"documents": verdicts})


def _out(found: ProposalInFull) -> ProposalOut:
    proposed, waits = found.proposed, found.proposal.status is ProposalStatus.PROPOSED
    return ProposalOut(
        **_StoredProposal.model_validate(found).model_dump(),
        summary=_summary(proposed.schema, proposed.result),
        changes=list(_changes(proposed, found.tag_names)) if waits else [],
    )


def _group(group: ProposalGroup) -> ProposalGroupOut:
    return ProposalGroupOut(
        **_StoredGroup.model_validate(group).model_dump(),
        documents=[
            ProposedDocumentOut(
                document_id=document.id,
                document_name=document.name,
                done_at=document.proposal.done_at if document.proposal else None,
                summary=_summary(group.schema, result),
            )
            for document, result in group.documents
        ],
    )


def _summary(schema: Schema | None, result: Reviewable | None) -> SummaryOut:
    places = list(places_in(result.grounding)) if result else []
    return SummaryOut(
        fields=len(field_names(schema.response_format)) if schema else 0,
        values=len(places),
        proven=sum(bool(place["words"]) for _, place in places),
        to_check=tally_of(result).to_check if result else 0,
    )


def _changes(proposed: Proposed, tag_names: Sequence[str]) -> Iterator[dict[str, Any]]:
    schema, prompt, result = proposed.schema, proposed.prompt, proposed.result
    if proposed.schema_is_new and schema is not None:
        yield schema_change(schema.name, None, schema.response_format)
    if proposed.is_new and prompt is not None:
        after = {
            "content": prompt.content,
            "schema": quoted(schema.name) if schema else None,
            "model": prompt.requested_model or "default",
            "tags": listed(tag_names),
        }
        yield dict(prompt_change(prompt.name, (None, 1), {}, after))
    if prompt is not None and result is not None:
        summary = _summary(schema, result)
        yield {"kind": "result", "prompt": prompt.name, "values": summary.values, "proven": summary.proven}
