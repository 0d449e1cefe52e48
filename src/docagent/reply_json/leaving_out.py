"""Leaves JSON objects that are meant for a program out of a text that people read, even while it arrives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from docagent.reply_json.finding import CLOSING, Piece, object_at

_FENCE = "```"
_CANDIDATE = re.compile(r"\{|`{3}|`{1,2}\Z")
_OPENING_FENCE = re.compile(r"```[A-Za-z]*+\s*+")
_CLOSING_FENCE = re.compile(r"\s*+```")
_BEGUN = re.compile(
    r"""\{\s*+(?:"[^"]*+"?|'[^']*+'?|[\w$-]*+)\s*+(?::\s*+(?:true|false|null|none|[a-z]{0,4})\s*+)?""",
    re.IGNORECASE,
)
"""What may still become the beginning of an object."""


def without_objects(text: str, names: Collection[str]) -> str:
    """The text without the objects that have one of the names, whole or broken off, and without their fences."""
    leaving_out = ObjectsLeftOut(names)
    return (leaving_out.feed(text) + leaving_out.rest()).strip()


class ObjectsLeftOut:
    """Does the same for a text that comes in pieces. An object is held back until it is known which kind it is."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._held = ""
        self._at = 0
        """How much of `_held` is decided."""
        self._open_brackets = 0
        """How many brackets of an object that has begun are still open, if none stands in a string."""
        self._fence_is_open = False

    def feed(self, piece: str) -> str:
        """Take the next piece and return what can be shown of the text by now."""
        self._held += piece
        if self._open_brackets > 0:
            self._open_brackets += piece.count("{") - piece.count("}")
            if self._open_brackets > 0:
                return ""
        return self._shown(is_whole=False)

    def rest(self) -> str:
        """Return what is left to be shown at the end of the text."""
        return self._shown(is_whole=True)

    def _shown(self, *, is_whole: bool) -> str:
        shown = "".join(self._decided(is_whole=is_whole))
        self._held, self._at = self._held[self._at :], 0
        return shown

    def _decided(self, *, is_whole: bool) -> Iterator[str]:
        """Walk through what is held, as far as it can be decided, and yield what is shown of it."""
        while self._at < len(self._held):
            if self._fence_is_open and not self._close_fence(is_whole=is_whole):
                return
            candidate = _CANDIDATE.search(self._held, self._at)
            yield self._through(candidate.start() if candidate else len(self._held))
            if candidate is None:
                return
            shown = self._decide(is_whole=is_whole)
            if shown is None:
                return
            yield shown

    def _close_fence(self, *, is_whole: bool) -> bool:
        """Leave out the end of the fence around an object that was left out. False to wait for it."""
        closing = _CLOSING_FENCE.match(self._held, self._at)
        if closing is None and not is_whole and _FENCE.startswith(self._held[self._at :].lstrip()):
            return False
        self._at = closing.end() if closing else self._at
        self._fence_is_open = False
        return True

    def _decide(self, *, is_whole: bool) -> str | None:
        """Step over what looks like an object or a fence, and return what is shown of it. None to wait for more."""
        fence = _OPENING_FENCE.match(self._held, self._at)
        start = fence.end() if fence else self._at
        first = self._held[start : start + 1]
        if not is_whole and first in ("", "`"):
            return None
        piece = object_at(self._held, start) if first == "{" else None
        if piece is None:
            may_begin = first == "{" and _BEGUN.fullmatch(self._held, start)
            return None if may_begin and not is_whole else self._through(max(start, self._at + 1))
        if not piece.is_whole and not is_whole:
            waiting = self._held[start:]
            self._open_brackets = waiting.count("{") - waiting.count("}")
            return None
        shown = self._through(piece.end)
        if not any(name in self._names for name in _names_in(piece, self._names)):
            return shown
        self._fence_is_open = fence is not None
        return ""

    def _through(self, end: int) -> str:
        passed, self._at = self._held[self._at : end], end
        return passed


def _names_in(piece: Piece, known: Collection[str]) -> Iterator[str]:
    """The names of an object's own members. A name that breaks off stands for the known one that begins like it."""
    depth = 0
    for token, following in zip(piece.tokens, (*piece.tokens[1:], None), strict=True):
        if token.kind == "mark" and token.text in CLOSING:
            depth += 1
        elif token.kind == "mark" and token.text in CLOSING.values():
            depth -= 1
        elif depth == 1 and following is not None and following.text == ":":
            yield token.text if token.kind == "word" else token.text[1:-1]
        elif depth == 1 and token.kind == "unclosed" and len(token.text) > 1:
            yield from (name for name in known if name.startswith(token.text[1:]))
