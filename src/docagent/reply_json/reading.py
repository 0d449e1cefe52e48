"""Reads the JSON in what a model wrote: as it stands, or, if that fails, mended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.reply_json import finding
from docagent.reply_json.finding import Piece, Token
from docagent.reply_json.mending import mended


@dataclass(frozen=True, slots=True)
class FoundObject:
    """A JSON object and its place in the text."""

    value: dict[str, Any]
    start: int
    end: int
    is_mended: bool
    """Whether its form was wrong and had to be repaired."""


def plain_object(text: str) -> dict[str, Any] | None:
    """Read the whole text as one object; None if it is none."""
    value = _loaded(text)
    return value if isinstance(value, dict) else None


def objects_in(text: str) -> Iterator[FoundObject]:
    """Yield the closed objects that stand in no other, the last one first."""
    for piece in _whole(finding.objects(text)):
        value, is_mended = _read(text[piece.start : piece.end], piece.tokens)
        if isinstance(value, dict):
            yield FoundObject(value, piece.start, piece.end, is_mended)


def lists_in(text: str) -> Iterator[list[Any]]:
    """Yield the closed lists that stand in no other, the last one first."""
    for piece in _whole(finding.lists(text)):
        value, _ = _read(text[piece.start : piece.end], piece.tokens)
        if isinstance(value, list):
            yield value


def broken_off_object(text: str) -> dict[str, Any] | None:
    """Return the whole members of an object that the text breaks off in; None if there is no such object."""
    for piece in finding.objects(text):
        if not piece.is_whole:
            tokens = finding.cut_back(piece.tokens)
            value, _ = _read(" ".join(token.text for token in tokens), tokens)
            return value if isinstance(value, dict) else None
    return None


def _whole(pieces: Iterable[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.is_whole][::-1]


def _read(text: str, tokens: Sequence[Token]) -> tuple[Any, bool]:
    """Return the value, and whether it had to be repaired."""
    if (value := _loaded(text)) is not None:
        return value, False
    better = mended(tokens)
    return (None, False) if better is None else (_loaded(better), True)


def _loaded(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
