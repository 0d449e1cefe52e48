"""Pictures of a document's pages: made once, for people who look for a document or open it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from docagent.domain.documents.text import Box

PAGES_A_STRIP = 24
CELL = (120, 160)
"""Every page of a strip has a cell of this size in pixels, and fills as much of it as it can, from the top left."""
MOST_BYTES = 2 * 1024 * 1024
"""No picture is larger. Their pixels are limited so that none comes near."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Which picture: `name` is also its file's."""

    name: str
    first_page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of a part of a page, in pixels, as a model is shown it."""

    page: int
    region: Box
    width: int
    height: int
    covered: tuple[Box, ...] = ()
    """Parts of the page that are painted black."""

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Drawing:
        covered = tuple(Box(**box) for box in fields["covered"])
        return cls(**fields | {"region": Box(**fields["region"]), "covered": covered})


def drawing_name(number: int) -> str:
    return f"drawing-{number}.jpg"


FIRST = Picture("first.jpg", 1, 1)
"""The first page, large enough to be read."""
THUMBNAIL = Picture("thumbnail.jpg", 1, 1)
"""The first page, to know a document by in a list."""


def strip(part: int) -> Picture:
    """Small pictures of PAGES_A_STRIP pages, one below the other. Parts are counted from 0."""
    return Picture(f"strip-{part}.jpg", part * PAGES_A_STRIP + 1, PAGES_A_STRIP)


def every_picture(page_count: int) -> list[Picture]:
    return [FIRST, THUMBNAIL, *(strip(part) for part in range(math.ceil(page_count / PAGES_A_STRIP)))]


def picture_key(organization_id: str, document_id: str, picture: Picture) -> str:
    return f"{organization_id}/documents/{document_id}/pictures/{picture.name}"
