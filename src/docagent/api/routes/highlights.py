"""What a list of documents shows of their results."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep, comma_separated
from docagent.api.router import Router
from docagent.services.highlights import highlights_of

router = Router(prefix="/v0/orgs/{organization_id}/llm", tags=["extraction"])


class HighlightOut(Answer):
    name: str
    value: str


class DocumentHighlightsOut(BaseModel):
    document_id: str
    values: list[HighlightOut]


class HighlightsOut(BaseModel):
    highlights: list[DocumentHighlightsOut]


@router.get("/highlights")
async def list_highlights(
    member: OrgMember,
    services: ServicesDep,
    document_ids: Annotated[str, Query(description="Ids, separated by commas; at most 100")],
) -> HighlightsOut:
    """The first short values of each document's result, for those that have one."""
    found = await highlights_of(services.db, member, comma_separated(document_ids))
    return HighlightsOut(
        highlights=[
            DocumentHighlightsOut(
                document_id=document_id,
                values=[HighlightOut.model_validate(item) for item in values],
            )
            for document_id, values in found.items()
        ]
    )
