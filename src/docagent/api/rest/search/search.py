"""Finding anything of an organisation by words."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import Limit, OrgMember, ServicesDep, comma_separated
from docagent.api.router import Router
from docagent.domain.errors import InvalidInput
from docagent.services.search.searching import FoundKind

router = Router(prefix="/v0/orgs/{organization_id}", tags=["search"])

KINDS = ", ".join(f"`{kind}`" for kind in FoundKind)
PLACES = "Where the words stand, in characters (code points): first, and one after the last"


class MarkOut(Answer):
    start: int
    end: int


class FoundOut(Answer):
    kind: FoundKind
    id: str = Field(description="Of a schema or prompt the id of all its versions")
    name: str
    name_hits: list[MarkOut] = Field(description=f"{PLACES} in `name`")
    passage: str = at_path("text", "A piece of the text, or the values, that hold the words; may be empty")
    hits: list[MarkOut] = Field(description=f"{PLACES} in `passage`")
    page: int | None = Field(description="The page of the document that the passage is from")
    prompt_id: str | None = Field(description="The prompt whose result holds the words")
    field: str | None = Field(description="The first value of that result that holds one of the words")
    line: int | None = Field(description="The line of a living document that the passage is from")
    project_id: str | None = Field(description="Where a living document or a conversation belongs")
    project_name: str | None


class FoundAnythingOut(Answer):
    results: list[FoundOut]


@router.get("/search")
async def search_anything(
    member: OrgMember,
    services: ServicesDep,
    q: Annotated[
        str, Query(description="Words that all stand in what is found; the last may be a beginning")
    ],
    kinds: Annotated[str | None, Query(description=f"Only these, separated by commas: {KINDS}")] = None,
    limit: Limit = 20,
) -> FoundAnythingOut:
    """Find documents (by name, extracted values and text), schemas, prompts, tags, projects and what they hold.

    Names come before values and texts. Conversations are only your own.
    """
    found = await services.searching.search(member, q, kinds=_kinds(kinds), limit=limit)
    return FoundAnythingOut.model_validate({"results": found})


def _kinds(text: str | None) -> list[FoundKind]:
    wanted = comma_separated(text)
    if not set(wanted) <= set(FoundKind):
        raise InvalidInput(f"kinds are some of {KINDS}, separated by commas.")
    return [FoundKind(kind) for kind in wanted] or list(FoundKind)
