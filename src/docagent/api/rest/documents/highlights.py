"""What a list of documents shows of their results."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep, comma_separated
from docagent.api.router import Router
from docagent.services.documents.highlights import highlights_of

router = Router(prefix="/v0/orgs/{organization_id}/llm", tags=["extraction"])


class HighlightOut(Answer):
    name: str
    value: str


class TallyOut(Answer):
    values: int = Field(
        description="Values of all results but the summary, missing ones that a schema asks for included"
    )
    sure: int = Field(description="Sure enough, and without a problem")
    to_check: int = Field(
        description="Less sure than the prompt's policy asks for, missing, or with a problem"
    )
    checked: int = Field(description="Corrected or verified by a person")


class ExtractingOut(Answer):
    prompt: int = Field(description="Which of the prompts runs, counted from 1")
    prompts: int
    window: int = Field(description="Which part of the document the model has before it, counted from 1")
    windows: int


class DocumentHighlightsOut(Answer):
    document_id: str
    values: list[HighlightOut] = Field(description="The first short values, as the page prints them")
    summarised: bool = Field(description="The default prompt has a result")
    extracted: int = Field(description="How many other prompts have a result")
    review: TallyOut
    extracting: ExtractingOut | None = Field(description="Where a running extraction stands")


class HighlightsOut(Answer):
    highlights: list[DocumentHighlightsOut]


@router.get("/highlights")
async def list_highlights(
    member: OrgMember,
    services: ServicesDep,
    document_ids: Annotated[str, Query(description="Ids, separated by commas; at most 100")],
) -> HighlightsOut:
    """What there is to show of each document that has a result, or that an extraction is running on."""
    found = await highlights_of(services.db, member, comma_separated(document_ids))
    return HighlightsOut.model_validate({"highlights": found})
