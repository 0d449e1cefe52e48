"""What counts as a word in the full-text indexes, and how to ask each database for one or for several.

Both fold case and accents, make words of letters and digits with gaps for everything else, and also find words that
begin with the given one. Chinese and its like have no gaps between words: there a beginning is that of a whole run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.database import OrgTx

SHORTEST_BEGINNING = 4
"""Shorter words, and words with digits, are found only as whole words."""
LONGEST = 200
"""No longer word is looked for: PostgreSQL overlooks those of more than 2,046 bytes and finds what has the others."""
_WORD = re.compile(r"[^\W_]+")
_WITHOUT_GAPS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_ACCENTS = re.compile(r"[\u0300-\u036f]+")
_PLANS_THAT_PASS_BY_THE_INDEX = ("enable_seqscan", "enable_indexscan", "enable_indexonlyscan")


def is_word(text: str) -> bool:
    """Whether the text is one word that can be looked for. No other may reach the databases' query languages."""
    return len(text) <= LONGEST and _WORD.fullmatch(text) is not None


def longest_word(text: str) -> str | None:
    """The longest word of a text that can be looked for."""
    return max(filter(is_word, _WORD.findall(text)), key=len, default=None)


def on_sqlite(index: str, word: str) -> sa.ColumnElement[bool]:
    """The condition that a row of the FTS5 index with this name holds the word."""
    return sa.column(index).op("MATCH")(f'"{word}"*' if is_beginning(word) else f'"{word}"')


def on_postgresql(words: sa.ColumnElement[Any], word: str) -> sa.ColumnElement[bool]:
    """The condition that `words`, which the database's function `page_words` made, hold the word."""
    query = sa.func.to_tsquery("simple", f"{word}:*" if is_beginning(word) else word)
    return words.op("@@", return_type=sa.Boolean())(query)


def is_beginning(word: str) -> bool:
    """Whether words are found that only begin with this one."""
    if _WITHOUT_GAPS.match(word):
        return True
    return len(word) >= SHORTEST_BEGINNING and not any(letter.isdigit() for letter in word)


def all_on_sqlite(words: Sequence[str], *, begins: bool) -> str:
    """What FTS5 is asked for all of the words, as they were typed: it folds them as it folded the texts.

    `begins`: the last may be the beginning of a word, for it may still be being typed. That costs much more where many
    words begin with it.
    """
    return " AND ".join(f'"{word}"*' if begun else f'"{word}"' for word, begun in _begun(words, begins))


def all_on_postgresql(words: Sequence[str], *, begins: bool) -> sa.ColumnElement[Any]:
    """The same as a query of PostgreSQL, without accents, as `page_words` takes them from the texts."""
    plain = [_without_accents(word) for word in words]
    asked = " & ".join(f"{word}:*" if begun else word for word, begun in _begun(plain, begins))
    return sa.func.to_tsquery("simple", asked)


def any_on_sqlite(words: Sequence[str]) -> str:
    """What FTS5 is asked for at least one of the words."""
    return " OR ".join(f'"{word}"' for word in words)


def any_on_postgresql(scope: str, words: Sequence[str]) -> sa.ColumnElement[Any]:
    """The same as a query of PostgreSQL, within a scope."""
    return sa.func.to_tsquery("simple", f"{scope} & ({' | '.join(map(_without_accents, words))})")


async def insist_on_the_index(tx: OrgTx) -> None:
    """Have PostgreSQL use the full-text indexes for the rest of the transaction.

    For words that are frequent it would rather take the words of every row again, of which it does not know the cost.
    """
    if tx.dialect == "postgresql":
        await tx.rows(
            sa.select(*(sa.func.set_config(name, "off", True) for name in _PLANS_THAT_PASS_BY_THE_INDEX))
        )


def _begun(words: Sequence[str], begins: bool) -> list[tuple[str, bool]]:
    last = len(words) - 1
    return [
        (word, bool(_WITHOUT_GAPS.match(word)) or (begins and at == last)) for at, word in enumerate(words)
    ]


def _without_accents(word: str) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFD", word))
