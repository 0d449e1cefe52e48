"""Pictures that the agent asked to see. The log keeps which; every call gets the newest ones, drawn again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import orjson

from docagent.domain.documents.text import Box
from docagent.domain.errors import NotFound
from docagent.domain.models import llm
from docagent.domain.models.catalogue import ChosenModel
from docagent.domain.models.pictures import eyes_of
from docagent.services.documents.pictures import PictureService
from docagent.services.models.model_calls import ModelCalls, expected_usage

LOOK = "look_at_page"
MOST_SHOWN = 4
"""Earlier pictures of a turn are left out; what the tool said of them stays."""
THOUSANDTHS = 1000
Parts = list[llm.TextPart | llm.ImagePart]


@dataclass(eq=False)
class Looking:
    """Adds to the requests of one turn the pictures that its calls of `look_at_page` are about."""

    _models: ModelCalls
    _pictures: PictureService
    _organization_id: str
    _chosen: ChosenModel
    _drawn: dict[llm.PageView, Parts] = field(default_factory=dict, init=False)

    async def with_pictures(self, request: llm.ModelRequest) -> llm.ModelRequest:
        """The request with pictures after the results that they belong to, the newest first as far as there is room."""
        wanted = looked_at(request.messages)
        if self._chosen.is_built_in or not wanted:
            return request
        room = self._chosen.info.max_input_tokens - expected_usage(self._chosen.info, request).input_tokens
        added: dict[int, Parts] = {}
        for at, view in reversed(wanted[-MOST_SHOWN:]):
            parts = await self._parts(view)
            room -= sum(part.tokens for part in parts if isinstance(part, llm.ImagePart))
            if room < 0:
                break
            added[at] = parts + added.get(at, [])
        messages = tuple(
            llm.Message(one.role, (*one.parts, *added.get(at, ()))) for at, one in enumerate(request.messages)
        )
        return replace(request, messages=messages)

    async def _parts(self, view: llm.PageView) -> Parts:
        why = await self._models.why_no_pictures(self._organization_id, self._chosen)
        if why:
            return [llm.TextPart(f"(The picture of page {view.page} is not shown: {why})")]
        if view not in self._drawn:
            self._drawn[view] = await self._draw(view)
        return self._drawn[view]

    async def _draw(self, view: llm.PageView) -> Parts:
        eyes = eyes_of(self._chosen.info, self._chosen.connection.kind)
        try:
            return await self._pictures.of_page(self._organization_id, view, eyes)
        except NotFound:
            return [llm.TextPart("(The document is no longer there.)")]


def looked_at(messages: Sequence[llm.Message]) -> list[tuple[int, llm.PageView]]:
    """What the calls of the tool are about, each with the number of the message that holds its result."""
    names: dict[str, str] = {}
    found = []
    for at, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, llm.ToolCall):
                names[part.id] = part.name
            elif isinstance(part, llm.ToolResult) and names.get(part.call_id) == LOOK and not part.is_error:
                view = _view_of(part.content)
                found += [(at, view)] if view else []
    return found


def _view_of(content: str) -> llm.PageView | None:
    """What a result says was looked at. One that was shortened, or written by something else, says nothing."""
    try:
        said = orjson.loads(content)
        region = said["region"]
        box = Box(*(side / THOUSANDTHS for side in region)) if region else None
        return llm.PageView(str(said["document_id"]), int(said["page"]), box)
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
