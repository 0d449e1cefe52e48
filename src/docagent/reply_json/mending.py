"""Mends JSON that models wrote wrongly: quotes, escapes, words of Python, unquoted keys, comments, commas.

Nothing is invented and nothing left out: every value comes out as it was written and stands where it stood. What is
wrong in more than its form stays unreadable. docs/decisions/0011 says why no library does this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import zip_longest

from docagent.reply_json.finding import NAME, Token

_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null"}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_NAME = re.compile(NAME)
_ODD = re.compile(r'\\(?:u[0-9a-fA-F]{4}|.)|["\x00-\x1f]', re.DOTALL)
_ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')


def mended(tokens: Sequence[Token]) -> str | None:
    """Write the tokens as JSON; None if a word among them has no meaning. The text may still not be valid JSON."""
    parts: list[str] = []
    is_after_value = False
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.kind == "mark" and token.text == ",":
            continue
        if token.kind == "mark" and token.text in "}]:":
            parts.append(token.text)
            is_after_value = token.text != ":"
            continue
        if is_after_value:
            parts.append(",")
        if token.kind == "mark":
            value: str | None = token.text
        else:
            is_key = following is not None and following.text == ":"
            value = _value(token, is_key)
        if value is None:
            return None
        parts.append(value)
        is_after_value = token.kind != "mark"
    return "".join(parts)


def _value(token: Token, is_key: bool) -> str | None:
    if token.kind == "string":
        return f'"{_ODD.sub(_escaped, token.text[1:-1])}"'
    if token.kind != "word":
        return None
    if is_key:
        return json.dumps(token.text) if _NAME.fullmatch(token.text) else None
    return token.text if _NUMBER.fullmatch(token.text) else _LITERALS.get(token.text.lower())


def _escaped(match: re.Match[str]) -> str:
    """Escape raw line breaks and quotes, and a backslash that begins no escape."""
    piece = match[0]
    if piece == r"\'":
        return "'"
    return piece if _ESCAPE.fullmatch(piece) else json.dumps(piece)[1:-1]
