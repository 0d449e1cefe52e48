"""Cuts words into the pieces that the model knows: lower case, no accents, the longest known piece first."""

from __future__ import annotations

import unicodedata
from pathlib import Path

_VOCABULARY = Path(__file__).parent / "data" / "vocab.txt"
_LONGEST_WORD = 60
MOST_PIECES = 6
"""A word has seldom more; of those that have, their beginning tells enough."""
_MOST_KEPT = 100_000


class Pieces:
    """The vocabulary of all-MiniLM-L6-v2. Words that were cut once are kept."""

    def __init__(self) -> None:
        self._numbers = {piece: number for number, piece in enumerate(_VOCABULARY.read_text().split("\n"))}
        self._kept: dict[str, tuple[int, ...]] = {}
        self.unknown = self._numbers["[UNK]"]
        self.start = self._numbers["[CLS]"]
        self.mark = self._numbers["[MASK]"]

    def of_word(self, word: str) -> tuple[int, ...]:
        """Return the numbers of a word's pieces: at least one."""
        kept = self._kept.get(word)
        if kept is None:
            kept = self._cut(word[:_LONGEST_WORD])
            if len(self._kept) < _MOST_KEPT:
                self._kept[word] = kept
        return kept

    def _cut(self, word: str) -> tuple[int, ...]:
        plain = unicodedata.normalize("NFD", word.lower())
        letters = [letter for letter in plain if unicodedata.category(letter) not in ("Mn", "Cc", "Cf")]
        found: list[int] = []
        for part in _parts(letters):
            found += self._longest_first(part)
        return tuple(found[:MOST_PIECES]) or (self.unknown,)

    def _longest_first(self, part: str) -> list[int]:
        found: list[int] = []
        start = 0
        while start < len(part):
            lead = "##" if start else ""
            for stop in range(len(part), start, -1):
                number = self._numbers.get(lead + part[start:stop])
                if number is not None:
                    found.append(number)
                    start = stop
                    break
            else:
                return [self.unknown]
        return found


def _parts(letters: list[str]) -> list[str]:
    """Return runs of letters and digits, and each other sign alone."""
    parts: list[str] = []
    glued = False
    for letter in letters:
        alone = not letter.isalnum()
        if glued and not alone:
            parts[-1] += letter
        else:
            parts.append(letter)
        glued = not alone
    return parts
