"""Whether a text layer can be trusted, or only holds glyph numbers that the font does not map to letters."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from string import ascii_lowercase

from docagent.domain.documents.text import Word

_CID = re.compile(r"\(cid:\d+\)")
_WORDS = re.compile(r"[^\W\d_]{3,20}")

_MOST_UNMAPPED = 0.15
_LEAST_LETTERS = 80
_LEAST_LIKELIHOOD = -3.42
"""Least mean log frequency of the letters. Prose has -2.8 to -3.1, a shifted alphabet less than -3.5."""
_MOST_MARKED = 0.55
"""The largest believable share of letters with accents and the like. Vietnamese has about a third."""
_MANY_SCRIPTS = 4
_MANY_SYMBOLS = 3
_DRAWN = ".-_=*•·…[]|\N{EN DASH}\N{EM DASH}"

_A_TO_M = (90, 15, 35, 42, 135, 13, 18, 25, 78, 6, 15, 45, 28)
_N_TO_Z = (78, 70, 24, 4, 68, 66, 70, 38, 13, 10, 4, 13, 10)
_PER_MILLE = dict(zip(ascii_lowercase, _A_TO_M + _N_TO_Z, strict=True))
"""How often letters occur, averaged over European languages."""
_LIKELIHOOD = {letter: math.log(count / sum(_PER_MILLE.values())) for letter, count in _PER_MILLE.items()}
_ONE_SCRIPT = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HANGUL": "CJK", "FULLWIDTH": "CJK", "HALFWIDTH": "CJK"}


def looks_garbled(words: Sequence[Word]) -> bool:
    """Return whether the words differ from what the page shows: unmapped glyphs or a shifted alphabet."""
    text = " ".join(word.text for word in words)
    characters = Counter(text)
    del characters[" "]
    if not characters:
        return False
    if _unmapped(text, characters) > _MOST_UNMAPPED * characters.total():
        return True
    if _mostly_symbols(characters):
        return True
    letters = Counter({each: count for each, count in characters.items() if each.isalpha()})
    if letters.total() < _LEAST_LETTERS:
        return False
    if _script_count(letters) >= _MANY_SCRIPTS:
        return True
    return _is_unlikely_latin(Counter("".join(_WORDS.findall(text))))


def _unmapped(text: str, characters: Counter[str]) -> int:
    """Count characters that nobody writes: controls, private use, unassigned, the replacement character."""
    named = sum(len(match) for match in _CID.findall(text))
    return named + sum(
        count
        for character, count in characters.items()
        if character == "\N{REPLACEMENT CHARACTER}"
        or unicodedata.category(character) in {"Cc", "Co", "Cn", "Cs"}
    )


def _mostly_symbols(characters: Counter[str]) -> bool:
    """Return whether there is mixed punctuation instead of words. Ruled lines and dot leaders do not count."""
    symbols = {
        each: count
        for each, count in characters.items()
        if not each.isalnum() and each not in _DRAWN and not unicodedata.combining(each)
    }
    return sum(symbols.values()) > characters.total() / 2 and len(symbols) >= _MANY_SYMBOLS


def _script_count(letters: Counter[str]) -> int:
    """Return how many scripts make up more than a twentieth of the letters each."""
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        script = unicodedata.name(letter, "UNKNOWN").split(" ")[0]
        scripts[_ONE_SCRIPT.get(script, script)] += count
    return sum(count > letters.total() / 20 for count in scripts.values())


def _is_unlikely_latin(letters: Counter[str]) -> bool:
    latin = marked = 0
    likelihood = 0.0
    for letter, count in letters.items():
        base = unicodedata.normalize("NFD", letter)[0].lower()
        if base in _LIKELIHOOD:
            latin += count
            likelihood += count * _LIKELIHOOD[base]
            marked += 0 if letter.isascii() else count
        elif unicodedata.name(letter, "").startswith("LATIN"):
            marked += count
    if latin < _LEAST_LETTERS:
        return False
    return marked > _MOST_MARKED * latin or likelihood / latin < _LEAST_LIKELIHOOD
