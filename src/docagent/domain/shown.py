"""Names inside sentences for people: nothing that somebody else wrote can pose as a part of the sentence.

A name stands in curly quotation marks, and no others are in it. Characters that are invisible or turn the direction of
writing are shown as a sign. A name that is written from right to left is isolated, so that it moves nothing around it.
"""

from __future__ import annotations

import re
import unicodedata

NAME_LENGTH = 80
STAND_IN = "\N{REPLACEMENT CHARACTER}"
OPEN, CLOSE = "“”"
_ISOLATE, _END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_UNSEEN = frozenset({"Cf", "Zl", "Zp"})
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_QUOTES = frozenset({"Pi", "Pf"})
_MORE_QUOTES = frozenset('"\u201e\u201a\uff02\u301d\u301e\u301f\u275d\u275e\u2033\u2036\u02ee\u05f4')
"""Marks that Unicode files elsewhere, and primes that look like them."""
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
_ISOLATED_NAME = re.compile(f"{OPEN}{_ISOLATE}([^{OPEN}{CLOSE}{_ISOLATE}{_END}]*){_END}{CLOSE}")


def quoted(text: str, most: int = NAME_LENGTH) -> str:
    """Return a name in quotation marks, cut to a length that fits into a sentence."""
    name = visible("".join(map(_without_quote, text[: most + 1])), kept="")
    if len(text) > most:
        name = f"{name[: most - 1]}…"
    if any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name):
        name = f"{_ISOLATE}{name}{_END}"
    return f"{OPEN}{name}{CLOSE}"


def plain(sentence: str, stand_in: str = STAND_IN) -> str:
    """The sentence with a sign, or nothing, for hidden characters. Names that `quoted` isolated stay isolated."""
    if sentence.isascii() and sentence.isprintable():
        return sentence
    parts: list[str] = []
    for place, part in enumerate(_ISOLATED_NAME.split(sentence)):
        clean = visible(part, stand_in)
        parts.append(f"{OPEN}{_ISOLATE}{clean}{_END}{CLOSE}" if place % 2 else clean)
    return "".join(parts)


def without_hidden(name: str) -> str:
    """The name without characters that turn the direction of writing or cannot be seen, so that two names that look
    the same are the same. Joiners stay between letters of scripts that need them."""
    if name.isascii():
        return name
    return "".join(
        letter
        for before, letter, after in zip(f" {name}", name, f"{name[1:]} ", strict=False)
        if not _is_unseen(letter) or (letter in _JOINERS and _may_join(before) and _may_join(after))
    )


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN


def _may_join(letter: str) -> bool:
    return not letter.isascii() and not _is_unseen(letter)


def visible(text: str, stand_in: str = STAND_IN, kept: str = "\n\t") -> str:
    """The text with a sign, or nothing, for each hidden character but those that are kept."""
    return "".join(
        letter if letter in kept or unicodedata.category(letter) not in _HIDDEN else stand_in
        for letter in text
    )


def _without_quote(letter: str) -> str:
    is_quote = letter in _MORE_QUOTES or unicodedata.category(letter) in _QUOTES
    return "'" if is_quote else letter
