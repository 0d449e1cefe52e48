"""Which texts a spreadsheet would run as a formula."""

from __future__ import annotations

import unicodedata

_SIGNS = frozenset("=+-@\N{MINUS SIGN}")
_BREAKS = ("\t", "\r", "\n")
_BLANK = ("Z", "C")


def runs_as_formula(text: str) -> bool:
    """Whether the text begins with a sign that starts a formula, blanks and invisible characters aside.

    A wide or small form of a sign counts as the sign: spreadsheets and what reads their files make one of the other.
    """
    if text.startswith(_BREAKS):
        return True
    first = next((letter for letter in text if not unicodedata.category(letter).startswith(_BLANK)), "")
    return unicodedata.normalize("NFKC", first) in _SIGNS
