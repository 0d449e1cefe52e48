"""Finding by words what projects hold."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docagent.api.answers import Answer, Page, at_path
from docagent.api.deps import Limit, OrgMember, ServicesDep, Skip
from docagent.api.router import Router
from docagent.services.search.finding import FindingKind

router = Router(prefix="/v0/orgs/{organization_id}/projects", tags=["projects"])


class HitOut(Answer):
    start: int
    end: int


class FindingOut(Answer):
    kind: FindingKind
    project_id: str
    project_name: str
    name: str = Field(description="The name of the document, or the title of the conversation")
    document_id: str | None = Field(description="Null for a conversation")
    version: int | None = Field(description="The newest of the document, in which it was found")
    thread_id: str | None = Field(description="Null for a document")
    passage: str = at_path("excerpt.text")
    line: int = at_path("excerpt.line", "The line of the text in which the first hit stands, counted from 1")
    hits: list[HitOut] = at_path(
        "excerpt.hits",
        "Where the words stand in `passage`, in characters (code points): first, and one after the last",
    )


class FindingsOut(Page[FindingOut]):
    items: list[FindingOut] = Field(serialization_alias="results")


@router.get("/search")
async def search_projects(
    member: OrgMember,
    services: ServicesDep,
    q: Annotated[str, Query(description="Words that all stand in what is found, whole or as beginnings")],
    project_id: Annotated[str | None, Query(description="Only in this project")] = None,
    kind: Annotated[FindingKind | None, Query(description="Only documents, or only conversations")] = None,
    skip: Skip = 0,
    limit: Limit = 20,
) -> FindingsOut:
    """Find living documents, and your own conversations about projects, by words; documents come first.

    Of a document only the newest version is looked at, of conversations the newest messages.
    """
    found = await services.finding.find(member, q, project_id=project_id, kind=kind, skip=skip, limit=limit)
    return FindingsOut.model_validate(found)
