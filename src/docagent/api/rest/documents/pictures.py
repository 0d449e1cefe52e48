"""Pictures of a document's pages."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Path, Query
from fastapi.responses import Response

from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import PageNumber
from docagent.api.router import Router
from docagent.domain.documents.pictures import CELL, PAGES_A_STRIP
from docagent.domain.documents.text import Box
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import PageView

router = Router(prefix="/v0/orgs/{organization_id}/documents/{document_id}/pictures", tags=["documents"])

MOST_PARTS = 10_000
THOUSANDTHS = 1000
ANSWERS: dict[int | str, dict[str, Any]] = {204: {"description": "There is no picture, or not yet"}}


class Jpeg(Response):
    media_type = "image/jpeg"


def _answer(picture: bytes | None) -> Response:
    return Jpeg(picture) if picture else Response(status_code=HTTPStatus.NO_CONTENT)


@router.get("/first", response_class=Jpeg, responses=ANSWERS)
async def get_first_page_picture(document_id: str, member: OrgMember, services: ServicesDep) -> Response:
    """The first page as a JPEG that can be read."""
    return _answer(await services.pictures.first(member, document_id))


@router.get("/thumbnail", response_class=Jpeg, responses=ANSWERS)
async def get_thumbnail(document_id: str, member: OrgMember, services: ServicesDep) -> Response:
    """The first page as a small JPEG."""
    return _answer(await services.pictures.thumbnail(member, document_id))


@router.get(
    "/strips/{part}",
    response_class=Jpeg,
    responses=ANSWERS,
    description=f"{PAGES_A_STRIP} pages as one JPEG, each in a cell of {CELL[0]} by {CELL[1]} pixels, one below the "
    "other. A page fills as much of its cell as it can, from the top left.",
)
async def get_strip_of_pages(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    part: Annotated[int, Path(ge=0, le=MOST_PARTS, description="Which pages, counted from 0")],
) -> Response:
    return _answer(await services.pictures.strip(member, document_id, part))


@router.get("/pages/{page}", response_class=Jpeg, responses=ANSWERS)
async def get_page_as_models_see_it(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    page: PageNumber,
    region: Annotated[
        str | None,
        Query(
            pattern=r"^\d{1,4}(,\d{1,4}){3}$",
            description="A part of it: left, top, right, bottom in thousandths, such as `0,0,1000,500`",
        ),
    ] = None,
) -> Response:
    """A page, or a part of it, as a model is shown it: private regions are black."""
    sides = [min(int(side), THOUSANDTHS) / THOUSANDTHS for side in (region or "0,0,1000,1000").split(",")]
    box = Box(*sides)
    if box.left >= box.right or box.top >= box.bottom:
        raise InvalidInput("The region is empty. Give left, top, right and bottom in this order.")
    return _answer(await services.pictures.as_shown(member, PageView(document_id, page, box)))
