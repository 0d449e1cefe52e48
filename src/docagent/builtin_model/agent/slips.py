"""Slips of the keyboard: a letter too many, too few, a wrong one, or two in the wrong order."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORTEST_WRONG = 6
"""In a shorter word, another letter makes another word too easily: made is not make."""
_WORD = re.compile(r"\w+")


def is_slip(word: str, meant: str) -> bool:
    """Return whether a word is another one with one slip in it. Its first letter is right, and its end is no ending."""
    if word == meant or not word or word[0] != meant[0]:
        return False
    if word.startswith(meant) or len(word) < 2:
        return word == meant + meant[-1]
    if len(word) == len(meant):
        wrong = [place for place in range(len(word)) if word[place] != meant[place]]
        if len(wrong) == 1:
            return len(word) >= _SHORTEST_WRONG
        first, *rest = wrong
        return rest == [first + 1] and word[first] == meant[first + 1] and word[first + 1] == meant[first]
    longer, shorter = sorted((word, meant), key=len, reverse=True)
    return len(longer) == len(shorter) + 1 and any(
        longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer))
    )


def mended(text: str, first: Iterable[str], anywhere: Iterable[str]) -> str:
    """Return the text with slips mended: in its first word, and in certain words wherever they stand."""
    everywhere = tuple(anywhere)
    at_first = (*first, *everywhere)

    def mend(match: re.Match[str]) -> str:
        known = everywhere if match.start() else at_first
        word = match[0].lower()
        return match[0] if word in known else next((one for one in known if is_slip(word, one)), match[0])

    return _WORD.sub(mend, text)
