"""Past turns as bytes of a wire format, each written once. What was sent before is sent again byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import orjson

from docagent.adapters.llm.call_ids import CallIds
from docagent.domain.models.llm import Message, ModelRequest, PastTurn

Write = Callable[[Iterable[Message], CallIds], Sequence[Any]]


def whole_conversation(request: ModelRequest, ids: CallIds, form: Hashable, write: Write) -> list[Any]:
    """Write a conversation as a list for the body. `form` names all that `write` depends on besides the messages."""
    written = (_written(turn, ids, form, write) for turn in request.past)
    past = [orjson.Fragment(items) for items in written if items]
    return [*past, *write(request.messages, ids)]


def _written(turn: PastTurn, ids: CallIds, form: Hashable, write: Write) -> bytes:
    """Write a turn's items of the list, with commas between them.

    The ids of its calls depend on the turns before it, because some servers count again in every turn.
    """
    called = tuple(map(ids.of_answered_call, turn.call_ids))

    def make(turn: PastTurn) -> bytes:
        items = write(turn.messages, CallIds(ids.accepted, ids.used.difference(called)))
        return orjson.dumps(items)[1:-1]

    return turn.form((form, called), make)
