"""Finds where JSON stands in a text that a model wrote.

Brackets in strings and comments do not count, and strings may stand in single quotes. Prose may have brackets of its
own, so only what begins like an object or a list is looked at. Every text is walked through once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

NAME = r"(?:[^\W\d]|\$)[\w$-]*+"
"""A key without quotes."""
_COMMENT = r"//[^\n]*+ | \#[^\n]*+ | /\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_STRING = r""" "(?:[^"\\]|\\.)*+" | '(?:[^'\\]|\\.)*+' """
_UNCLOSED = r""" "(?:[^"\\]|\\.?)*+\Z | '(?:[^'\\]|\\.?)*+\Z """
_FLAGS = re.DOTALL | re.VERBOSE
_TOKEN = re.compile(
    rf"""(?P<gap>\s++ | {_COMMENT})
    | (?P<string>{_STRING})
    | (?P<unclosed>{_UNCLOSED})
    | (?P<mark>[{{}}\[\],:])
    | (?P<word>[^\s{{}}\[\],:"'/][^\s{{}}\[\],:"/]*+ | /)""",
    _FLAGS,
)
_SHORT_GAP = r"""(?: \s++ | (?: // | \# )[^\n]{0,300}+ | /\*(?:[^*]|\*(?!/)){0,300}+\*/ ){0,5}+"""
"""A gap after a bracket. It is searched again for every bracket, so its length is limited."""
_NAMED = rf"{NAME} \s*+ : \s*+ (?: [\"'{{\[\d-] | (?i:true|false|null|none)\b | \Z )"
"""A key without quotes counts only with a value behind it, since prose has colons too."""
_OBJECT = re.compile(
    rf"\{{ (?: {_SHORT_GAP} (?: \}} | (?:{_STRING}) {_SHORT_GAP} : | {_NAMED} ) | \s*+ (?: {_UNCLOSED} | \Z ) )",
    _FLAGS,
)
_LIST = re.compile(
    rf"\[ {_SHORT_GAP} (?: [\[\]{{\"'] | (?:-?\d[^\s,\[\]{{}}]*+ | true | false | null | none) {_SHORT_GAP} [,\]] )",
    _FLAGS | re.IGNORECASE,
)
CLOSING = {"{": "}", "[": "]"}


class Token(NamedTuple):
    kind: str
    """`string`, `word`, `mark`, or `unclosed` for a string that the end of the text cuts off."""
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that looks like JSON."""

    start: int
    end: int
    tokens: Sequence[Token]
    is_whole: bool
    """Whether the piece is closed. If not, it reaches to the end of the text."""


def objects(text: str) -> Iterator[Piece]:
    """Yield the objects that stand in no other, in order. An object that is never closed is the last."""
    return _pieces(text, _OBJECT)


def object_at(text: str, position: int) -> Piece | None:
    """Return the object that begins exactly here; None if nothing here looks like one."""
    return _piece(text, position) if _OBJECT.match(text, position) else None


def lists(text: str) -> Iterator[Piece]:
    return _pieces(text, _LIST)


def cut_back(tokens: Sequence[Token]) -> list[Token]:
    """Cut JSON that breaks off back to its last whole member, and close it."""
    waiting: list[str] = []
    end = 0
    for place, token in enumerate(tokens):
        if token.kind != "mark" or token.text == ":":
            continue
        if token.text in CLOSING:
            waiting.append(CLOSING[token.text])
        elif token.text in "}]":
            if not waiting:
                break
            waiting.pop()
        end = place if token.text == "," else place + 1
    return [*tokens[:end], *(Token("mark", closing) for closing in reversed(waiting))]


def _pieces(text: str, beginning: re.Pattern[str]) -> Iterator[Piece]:
    position = 0
    while match := beginning.search(text, position):
        piece = _piece(text, match.start())
        yield piece
        position = piece.end


def _piece(text: str, start: int) -> Piece:
    opening, closing = text[start], CLOSING[text[start]]
    tokens: list[Token] = []
    depth = 0
    for match in _TOKEN.finditer(text, start):
        if match.lastgroup is None or match.lastgroup == "gap":
            continue
        tokens.append(Token(match.lastgroup, match[0]))
        if match.lastgroup == "mark" and match[0] in (opening, closing):
            depth += 1 if match[0] == opening else -1
            if depth == 0:
                return Piece(start, match.end(), tokens, is_whole=True)
    return Piece(start, len(text), tokens, is_whole=False)
