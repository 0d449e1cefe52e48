"""What a turn says, as pieces of text and thinking. Views that tell nothing else of a reply are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from docagent.domain.turns import events
from docagent.services.turns.live import Item

Kind = Literal["text", "thinking"]


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Kind
    text: str
    reply: str
    """Which reply it belongs to: the same for all pieces of one kind in it, and for no others of the turn."""


class Speech:
    """Takes a turn's items in order and tells everything once: in pieces as it comes, else whole when it is stored."""

    def __init__(self, log: Iterable[events.Recorded] = ()) -> None:
        """`log` holds what was told before."""
        self._heard: set[Kind] = set()
        self._said: set[str] = set()
        self._last = ""
        self._step = 0
        for recorded in log:
            for _ in self.pieces(recorded):
                pass

    def pieces(self, item: Item) -> Iterator[Piece]:
        if isinstance(item, events.Recorded):
            yield from self._of_event(item.event)
        elif item.kind != "call":
            yield self._of_delta(item)

    def _of_delta(self, delta: events.Delta) -> Piece:
        """What the model writes in another phase than `act` is meant for itself."""
        kind: Kind = "text" if delta.kind == "text" and delta.phase == "act" else "thinking"
        self._heard.add(kind)
        return Piece(kind, delta.text, f"{delta.step}-{delta.phase}-{kind}")

    def _of_event(self, event: events.Event) -> Iterator[Piece]:
        match event:
            case events.AssistantMessage():
                yield from self._whole("thinking", event.thinking, event.step, "act")
                yield from self._whole("text", event.text, event.step, "act")
                self._last, self._step = event.text.strip(), event.step
                self._said.add(self._last)
                self._heard.clear()
            case events.Reason() | events.Observe():
                yield from self._whole("thinking", event.text, event.step, event.type)
                self._heard.clear()
            case events.Plan():
                self._heard.clear()
            case events.Completed() | events.LimitReached():
                yield from self._rest(event.text.strip())
            case _:
                pass

    def _whole(self, kind: Kind, text: str, step: int, phase: str) -> Iterator[Piece]:
        if text and kind not in self._heard:
            yield Piece(kind, text, f"{step}-{phase}-{kind}")

    def _rest(self, answer: str) -> Iterator[Piece]:
        """What the answer has that no reply said: a strategy may put it together itself."""
        if answer in self._said:
            return
        rest = answer[len(self._last) :].strip() if answer.startswith(self._last) else answer
        if rest:
            yield Piece("text", rest, f"{self._step}-end-text")
