"""The frames of a turn: how the updates of the loop (agent/updates.py) look on the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docagent.agent.updates import AgentUpdate, AgentUpdates, TokenStream, Update
from docagent.domain.turns import events

Frame = dict[str, Any]


class TurnFrames:
    """Takes the items of a turn in order and gives the frames for each.

    Every frame but a piece of text carries the number of its event as `seq`, and its place among the frames of that
    event as `part`: the two say exactly what a client has seen.
    """

    def __init__(self) -> None:
        self._updates = AgentUpdates()

    def of(self, item: events.Recorded | events.Delta) -> Iterator[Frame]:
        part = 0
        for update in self._updates.of(item):
            frame = _frame(update)
            if isinstance(item, events.Recorded) and not (
                isinstance(update, TokenStream) and not update.is_last
            ):
                frame |= {"seq": item.seq, "part": part}
                part += 1
            yield frame


def _frame(update: Update) -> Frame:
    if isinstance(update, AgentUpdate):
        return {"type": "agent_update", "update_type": update.name, **update.payload()}
    return {"type": update.name, **update.payload()}
