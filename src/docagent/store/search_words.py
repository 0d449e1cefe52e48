"""What the full-text indexes take for a word, and how each database is asked for one.

Both fold case and accents, take letters and digits for words and everything else for gaps, and find words that begin
with the one that is looked for.
"""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa

SHORTEST_BEGINNING = 4
"""Shorter words, and numbers, are found whole only."""
_WORD = re.compile(r"[^\W_]+")


def is_word(text: str) -> bool:
    """Anything else finds nothing, and must not reach the databases' query languages."""
    return _WORD.fullmatch(text) is not None


def on_sqlite(index: str, word: str) -> sa.ColumnElement[bool]:
    """For the table of an FTS5 index of this name."""
    return sa.column(index).op("MATCH")(f'"{word}"*' if _is_beginning(word) else f'"{word}"')


def on_postgresql(words: sa.ColumnElement[Any], word: str) -> sa.ColumnElement[bool]:
    """For words as the database's function `page_words` gives them, with a GIN index on them."""
    query = sa.func.to_tsquery("simple", f"{word}:*" if _is_beginning(word) else word)
    return words.op("@@", return_type=sa.Boolean())(query)


def _is_beginning(word: str) -> bool:
    return len(word) >= SHORTEST_BEGINNING and not any(letter.isdigit() for letter in word)
