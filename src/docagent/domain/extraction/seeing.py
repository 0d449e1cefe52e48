"""Which pages a model sees as pictures beside their text, and where it says that it saw a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import orjson

from docagent.domain.documents.text import Box, Page, WordSource
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import ImagePart

SURE = 0.8
"""A word that text recognition is less sure of is doubtful."""
MOST_DOUBTFUL = 0.1
"""A page on which a larger share of the letters is doubtful goes as a picture."""
THOUSANDTHS = 1000
AROUND = 0.01
"""How much of the page around a value is read again with it: models point roughly."""


class Pictures(StrEnum):
    """When a model that sees is sent pictures of pages."""

    NEVER = "never"
    DOUBTFUL = "doubtful"
    """Of pages whose text is doubtful."""
    ALWAYS = "always"
    """The whole document: as a PDF where the model takes one, else as pictures."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a model says that it saw a value."""

    page: int
    region: Box


def is_doubtful(page: Page) -> bool:
    """Whether the page's text may lack something that a person sees: handwriting, faint print, a stamp, a picture.

    A page that was read as a picture is not doubtful if nearly all of its letters were read surely.
    """
    letters = doubtful = 0
    for word in page.words:
        letters += len(word.text)
        if word.source is WordSource.OCR and word.confidence < SURE:
            doubtful += len(word.text)
    if not letters:
        return True
    return page.note is not None or bool(page.other_readings) or doubtful > MOST_DOUBTFUL * letters


def doubtful_pages(pages: Sequence[Page]) -> list[Page]:
    """The doubtful pages, the worst first: not all of them may fit."""
    found = [page for page in pages if is_doubtful(page)]
    return sorted(found, key=lambda page: (_mean_confidence(page), page.number))


def _mean_confidence(page: Page) -> float:
    words = page.words
    return sum(word.confidence for word in words) / len(words) if words else 0.0


def where(values: Mapping[FieldPath, Any]) -> str:
    """Ask where on the pictures values stand."""
    listed = "\n".join(f"- {path.pointer}: {orjson.dumps(value).decode()}" for path, value in values.items())
    return (
        f"These values were read from the pictures above:\n{listed}\nSay for each where it stands: `picture`, counted "
        "from 1 in the order above, and `box`, [left, top, right, bottom] in thousandths of that picture. Give null "
        "for a value that you do not see. Answer with one JSON object that has these paths as names."
    )


PLACE: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "picture": {"type": "integer"},
        "box": {"type": "array", "items": {"type": "number"}},
    },
    "required": ["picture", "box"],
    "additionalProperties": False,
}


def places_schema(values: Mapping[FieldPath, Any]) -> dict[str, Any]:
    names = [path.pointer for path in values]
    return {
        "type": "object",
        "properties": dict.fromkeys(names, PLACE),
        "required": names,
        "additionalProperties": False,
    }


def seen_at(
    answer: Mapping[str, Any], values: Mapping[FieldPath, Any], shown: Sequence[ImagePart]
) -> dict[FieldPath, Seen]:
    """Where the model saw the values. What it says may be anything, so only places on a picture count."""
    found = {}
    for path in values:
        if (place := place_on(shown, answer.get(path.pointer))) is not None:
            found[path] = replace(place, region=place.region.grown(AROUND))
    return found


def place_on(shown: Sequence[ImagePart], said: Any) -> Seen | None:
    """The place on a page that a model names by a picture and a box on it; None if there is no such place."""
    if not isinstance(said, dict):
        return None
    number, inside = said.get("picture"), _fractions(said.get("box"))
    if not isinstance(number, int) or not 1 <= number <= len(shown) or inside is None:
        return None
    view = shown[number - 1].view
    assert view is not None
    return Seen(view.page, view.region.part(inside) if view.region else inside)


def _fractions(box: Any) -> Box | None:
    if not (isinstance(box, list) and len(box) == 4 and all(type(side) in (int, float) for side in box)):
        return None
    left, top, right, bottom = (min(1.0, max(0.0, side / THOUSANDTHS)) for side in box)
    return Box(left, top, right, bottom) if left < right and top < bottom else None


def marked(grounding: Any, seen: Mapping[FieldPath, tuple[Seen, str]]) -> Any:
    """The grounding with a mark at values that only the model saw: where, and what our readers read there.

    Such a value stays unproven.
    """
    for path, (place, text) in seen.items():
        box = list(place.region.rounded(4))
        path.get(grounding)["seen"] = {"page": place.page, "box": box, "read": text}
    return grounding
