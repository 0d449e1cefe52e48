"""Carries what is live between the processes: a turn runs in one, and may be watched in another.

A commit tells the others that something happened to a turn (`store/engine/told.py`). Pieces of replies are in no log:
they
travel only to processes where somebody watches, which say so while they do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Any

import orjson

from docagent.domain.deliveries.line import TURN, Line
from docagent.domain.turns.events import Delta
from docagent.services.turns.live import LiveTurns, joined

WATCHED, PIECES = "docagent_watched", "docagent_pieces"
SECONDS_GATHERED = 0.05
SECONDS_BETWEEN_WORDS = 10.0
"""How often a process says that it still watches a turn, and how often it looks at the log in any case."""
SECONDS_WHILE_CUT = 0.5
SECONDS_OF_INTEREST = 2.5 * SECONDS_BETWEEN_WORDS
LONGEST_PIECE = 1000
"""In characters, so that a message stays below PostgreSQL's 8,000 bytes however its characters are written."""

Piece = tuple[int, Delta]
"""A piece of a reply, with the number of the last event before it."""


class Relay:
    def __init__(self, line: Line, live: LiveTurns) -> None:
        self._line = line
        self._live = live
        self._elsewhere: dict[str, dict[str, float]] = {}
        """For turns of this process: the processes that watch them, and until when that holds."""
        self._unsent: dict[str, list[Piece]] = {}
        self._asked: dict[str, float] = {}
        """For turns of others that are watched here: when this was said last."""
        self._receives: set[str] = set()
        """Those of them whose unfinished reply has come, so that further pieces follow it."""
        live.outward = self
        line.hear(TURN, live.wake)
        line.hear(WATCHED, self._is_watched)
        line.hear(PIECES, self._pieces_came)

    # --- in the process that runs the turn ----------------------------------------------------------------------

    def begins(self, turn_id: str) -> None:
        """Let those who watched a former run of the turn know where to ask now."""
        self._say(turn_id, "", begins=True)

    def piece(self, turn_id: str, after: int, delta: Delta) -> None:
        if turn_id not in self._elsewhere:
            return
        unsent = self._unsent.setdefault(turn_id, [])
        unsent.append((after, delta))
        if len(unsent) == 1:
            asyncio.get_running_loop().call_later(SECONDS_GATHERED, self._send_gathered, turn_id)

    def paused(self, turn_id: str) -> None:
        self._elsewhere.pop(turn_id, None)
        self._unsent.pop(turn_id, None)

    def _is_watched(self, text: str) -> None:
        turn_id, _, watcher = text.partition(" ")
        if not self._live.runs(turn_id):
            return
        watchers = self._elsewhere.setdefault(turn_id, {})
        is_new = watchers.get(watcher, 0.0) < monotonic()
        watchers[watcher] = monotonic() + SECONDS_OF_INTEREST
        if is_new:
            self._send_gathered(turn_id)
            self._send(turn_id, self._live.so_far(turn_id), watcher)

    def _send_gathered(self, turn_id: str) -> None:
        pieces = self._unsent.pop(turn_id, [])
        watchers = self._elsewhere.get(turn_id, {})
        if not any(until > monotonic() for until in watchers.values()):
            self._elsewhere.pop(turn_id, None)
        elif pieces:
            self._send(turn_id, pieces, "")

    def _send(self, turn_id: str, pieces: Sequence[Piece], to: str) -> None:
        """To one process, the whole reply so far, or to all what came since. One message may not hold all of it."""
        parts = list(_short(pieces))
        if not parts and to:
            self._say(turn_id, to)
        for part in parts:
            self._say(turn_id, to, **part)

    def _say(self, turn_id: str, to: str, **more: Any) -> None:
        self._line.say(PIECES, orjson.dumps({"turn": turn_id, "to": to, **more}).decode())

    # --- in a process where somebody watches --------------------------------------------------------------------

    @property
    def seconds_between_looks(self) -> float:
        """How often to look at the log of a turn that runs elsewhere."""
        return SECONDS_BETWEEN_WORDS if self._line.is_open else SECONDS_WHILE_CUT

    def watch(self, turn_id: str) -> None:
        """Say that somebody here watches a turn, unless it runs here or this was said a moment ago."""
        if self._live.runs(turn_id):
            return
        if monotonic() - self._asked.get(turn_id, -SECONDS_BETWEEN_WORDS) >= SECONDS_BETWEEN_WORDS:
            self._asked[turn_id] = monotonic()
            self._line.say(WATCHED, f"{turn_id} {self._line.name}")

    def forget(self, turn_id: str) -> None:
        """Nobody here watches the turn any longer."""
        self._asked.pop(turn_id, None)
        self._receives.discard(turn_id)

    def _pieces_came(self, text: str) -> None:
        said = orjson.loads(text)
        turn_id = said["turn"]
        if turn_id not in self._asked:
            return
        if said.get("begins"):
            self.forget(turn_id)
            self._live.starts_again(turn_id)
            self.watch(turn_id)
            return
        if said["to"] == self._line.name:
            self._receives.add(turn_id)
        elif said["to"] or turn_id not in self._receives:
            return
        if "piece" in said:
            after, kind, words, step, phase = said["piece"]
            call, begins = said.get("call") or (0, None)
            self._live.came(turn_id, after, Delta(kind, words, step, phase, call, begins))


def _short(pieces: Sequence[Piece]) -> Iterator[dict[str, Any]]:
    """The pieces in as few as possible, none too long for a message."""
    for after, delta in joined(pieces):
        for start in range(0, len(delta.text) or 1, LONGEST_PIECE):
            words = delta.text[start : start + LONGEST_PIECE]
            piece = [after, delta.kind, words, delta.step, delta.phase]
            if delta.kind == "call":
                yield {"piece": piece, "call": [delta.call, None if start else delta.begins]}
            else:
                yield {"piece": piece}
