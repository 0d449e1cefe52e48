"""Pictures of pages for models that see: which part of a page, at what size for which provider, for how many tokens.

A provider makes larger pictures smaller before its model sees them, and small print is gone then. So a page is sent
in as many pieces as it takes for its print to stay legible within the provider's limits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from docagent.domain.documents.text import Box, Page
from docagent.domain.models.catalogue import ModelInfo
from docagent.domain.models.credits import SentPicture
from docagent.domain.models.llm import DocumentPart, ImagePart, Message, ModelRequest, Part, TextPart
from docagent.domain.models.providers import WireKind

LEAST_DPI = 120
"""Fewer dots per inch make print of 8 points hard to read."""
MOST_DPI = 220
"""More show nothing that fewer do not."""
MOST_PIECES = 3
OVERLAP = 0.03
"""What neighbouring pieces share of the page, so that no line is cut in both."""
POINTS = 72
_PIECES: Mapping[int, tuple[str, ...]] = {
    1: ("",),
    2: ("upper half", "lower half"),
    3: ("top", "middle", "bottom"),
}


class Size(NamedTuple):
    """In pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Eyes:
    """What a provider does with pictures, as it documents it."""

    longest: int
    """The most pixels of the longer side."""
    pixels: int
    tokens: Callable[[Size], int]
    shorter: int = 10_000
    """The most pixels of the shorter side."""
    most: int = 20
    """The most pictures in one request."""

    def size_of(self, width: float, height: float) -> Size:
        """The pixels of a picture of so many points: as large as the provider leaves it."""
        scale = min(
            MOST_DPI / POINTS,
            self.longest / max(width, height),
            self.shorter / min(width, height),
            math.sqrt(self.pixels / (width * height)),
        )
        return Size(max(1, int(width * scale)), max(1, int(height * scale)))

    def pieces_of(self, page: Page) -> list[Piece]:
        """The pictures that show a page legibly."""
        for count in range(1, MOST_PIECES + 1):
            pieces = [self._piece(page, region, name) for region, name in _split(count)]
            if pieces[0].size.width * POINTS >= LEAST_DPI * page.width:
                break
        return pieces

    def fitting(self, pages: Sequence[Page]) -> list[Page]:
        """The first of these pages whose pictures fit into one request."""
        left, chosen = self.most, list[Page]()
        for page in pages:
            left -= len(self.pieces_of(page))
            if left < 0:
                break
            chosen.append(page)
        return chosen

    def region_of(self, page: Page, region: Box) -> Piece:
        return self._piece(page, region, "detail")

    def _piece(self, page: Page, region: Box, name: str) -> Piece:
        return Piece(region, self.size_of(page.width * region.width, page.height * region.height), name)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page and the size of its picture."""

    region: Box
    size: Size
    name: str
    """Which part it is, in words; empty for the whole page."""


def eyes_of(model: ModelInfo, kind: WireKind) -> Eyes:
    """The limits of the model's provider. Where they are not known, those that nearly every server takes."""
    name = model.wire_name.lower()
    if kind in (WireKind.OPENAI, WireKind.OPENAI_RESPONSES) or re.search(r"\b(gpt-|o[134]\b)", name):
        return Eyes(2048, 1536 * 32 * 32, _openai_tokens(name), shorter=768)
    if kind is WireKind.ANTHROPIC or "claude" in name:
        return Eyes(1568, 1_150_000, lambda size: math.ceil(size.width * size.height / 750))
    if kind is WireKind.GEMINI or "gemini" in name:
        return Eyes(2048, 3_000_000, _gemini_tokens)
    return USUAL


def _tiles(size: Size, edge: int) -> int:
    return math.ceil(size.width / edge) * math.ceil(size.height / edge)


def _openai_tokens(name: str) -> Callable[[Size], int]:
    """Small models count patches of 32 pixels, each with its own factor; the others count tiles of 512."""
    for small, factor in (("nano", 2.46), ("gpt-5-mini", 1.62), ("gpt-4.1-mini", 1.62), ("o4-mini", 1.72)):
        if small in name:
            return lambda size: math.ceil(_tiles(size, 32) * factor)
    base, tile = (2833, 5667) if "4o-mini" in name else (85, 170)
    return lambda size: base + tile * _tiles(size, 512)


def _gemini_tokens(size: Size) -> int:
    """258 for each tile of 768 pixels; models of the third generation use 1,120 for any picture."""
    return max(1120, 258 * _tiles(size, 768))


def _split(count: int) -> Iterator[tuple[Box, str]]:
    for number, name in enumerate(_PIECES[count]):
        top, bottom = number / count - OVERLAP, (number + 1) / count + OVERLAP
        yield Box(0.0, max(0.0, top), 1.0, min(1.0, bottom)), name


def pictures_in(messages: Sequence[Message]) -> list[ImagePart]:
    """The pictures of pages that messages hold."""
    return [
        part for message in messages for part in message.parts if isinstance(part, ImagePart) and part.view
    ]


def holds_pictures(request: ModelRequest) -> bool:
    """Whether the request shows pages to the model: as pictures, or in a PDF."""
    parts = [part for message in request.messages for part in message.parts]
    pdfs = [part for part in parts if isinstance(part, DocumentPart) and part.pdf]
    return bool(pdfs or pictures_in(request.messages))


def sent_pictures(request: ModelRequest) -> tuple[SentPicture, ...]:
    found = []
    for part in pictures_in(request.messages):
        assert part.view is not None
        box = part.view.region
        region = None if box is None else [box.left, box.top, box.right, box.bottom]
        found.append(SentPicture(part.view.document_id, part.view.page, part.width, part.height, region))
    return tuple(found)


def without_pictures(request: ModelRequest, why: str) -> ModelRequest:
    """The request with the reason in place of each picture of a page, and without PDFs."""

    def told(part: Part) -> Part:
        if isinstance(part, DocumentPart):
            return replace(part, pdf=None)
        if not (isinstance(part, ImagePart) and part.view):
            return part
        return TextPart(f"(The picture of page {part.view.page} is not shown: {why})")

    messages = tuple(Message(one.role, tuple(map(told, one.parts))) for one in request.messages)
    return replace(request, messages=messages)


USUAL = Eyes(1568, 1_500_000, lambda size: _tiles(size, 28), most=5)
"""Local models cut pictures into patches of 28 pixels. Some servers take no more than five pictures, or 4 MB."""
