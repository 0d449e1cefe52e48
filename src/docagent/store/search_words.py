"""What counts as a word in the full-text indexes, and how to ask each database for one.

Both fold case and accents, make words of letters and digits with gaps for everything else, and also find words that
begin with the given one.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa

SHORTEST_BEGINNING = 4
"""Shorter words, and words with digits, are found only as whole words."""
_WORD = re.compile(r"[^\W_]+")


def is_word(text: str) -> bool:
    """Whether the text is one word. No other text may reach the databases' query languages."""
    return _WORD.fullmatch(text) is not None


def on_sqlite(index: str, word: str) -> sa.ColumnElement[bool]:
    """The condition that a row of the FTS5 index with this name holds the word."""
    return sa.column(index).op("MATCH")(f'"{word}"*' if is_beginning(word) else f'"{word}"')


def on_postgresql(words: sa.ColumnElement[Any], word: str) -> sa.ColumnElement[bool]:
    """The condition that `words`, which the database's function `page_words` made, hold the word."""
    query = sa.func.to_tsquery("simple", f"{word}:*" if is_beginning(word) else word)
    return words.op("@@", return_type=sa.Boolean())(query)


def is_beginning(word: str) -> bool:
    """Whether words are found that only begin with this one."""
    return len(word) >= SHORTEST_BEGINNING and not any(letter.isdigit() for letter in word)
