"""Finished turns of threads in the form for the model, cached while their threads continue."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.history import join, past_turn, read_stored, stands_alone, stored_turn
from docagent.domain.models.llm import Message, PastTurn

MOST_CHARACTERS = 8 * 1024 * 1024
"""How much stored text is kept. The bytes that wire formats make of it take as much again."""


class PastTurns:
    """Keeps what was read lately by its stored text, so that nothing kept can be out of date."""

    def __init__(self, most_characters: int = MOST_CHARACTERS) -> None:
        self._most = most_characters
        self._characters = 0
        self._kept: dict[str, PastTurn] = {}

    def in_a_row(self, stored: Sequence[tuple[str, int]]) -> tuple[tuple[PastTurn, ...], tuple[Message, ...]]:
        """Turns with their tokens, the oldest first. Those that the next question joins are returned as messages."""
        row: list[PastTurn] = []
        joined: tuple[Message, ...] = ()
        joined_tokens = 0
        for text, tokens in stored:
            if not joined and (turn := self._turn(text, tokens)) is not None:
                row.append(turn)
                continue
            joined, joined_tokens = join([joined, read_stored(text)], ()), joined_tokens + tokens
            if stands_alone(joined):
                row.append(past_turn(joined, joined_tokens))
                joined, joined_tokens = (), 0
        return tuple(row), joined

    def _turn(self, text: str, tokens: int) -> PastTurn | None:
        """The turn, if it stands alone."""
        turn = self._kept.pop(text, None)
        if turn is None:
            if not stands_alone(read_stored(text)):
                return None
            turn = stored_turn(text, tokens)
            self._characters += len(text)
        self._kept[text] = turn
        while self._characters > self._most:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._characters -= len(oldest)
        return turn
