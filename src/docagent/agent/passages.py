"""The part of a page that answers best, cut out around the words that were looked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

PASSAGE_CHARACTERS = 1200
SHORTEST_WORD = 3
_WORD = re.compile(r"\w+")
_COMMON_WORDS = """
the and for are was were that this with from have has had what which who whom when where how why can could will
would should does did its our your their them they there here you please tell show give about into
der die das und ist sind was wer wie wann wo mit von für ein eine einen dem den des auf im zu nicht auch
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def search_words(question: str) -> list[str]:
    """The words of a question that are worth looking for, each once, in their order."""
    words = [word.casefold() for word in _WORD.findall(question)]
    wanted = [
        word
        for word in words
        if word not in _COMMON and (len(word) >= SHORTEST_WORD or any(letter.isdigit() for letter in word))
    ]
    return list(dict.fromkeys(wanted))


def best_passage(text: str, words: Sequence[str], most: int = PASSAGE_CHARACTERS) -> str:
    """A stretch of the text, at most that long, with as many different words as possible."""
    if len(text) <= most:
        return text.strip()
    folded = text.casefold()
    hits = sorted((match.start(), word) for word in words for match in re.finditer(re.escape(word), folded))
    if not hits:
        return text[:most].strip() + " …"
    best_start, best_score = 0, -1
    for start, _ in hits:
        inside = {word for position, word in hits if start <= position < start + most * 3 // 4}
        if len(inside) > best_score:
            best_start, best_score = start, len(inside)
    begin = max(0, best_start - most // 4)
    cut = text[begin : begin + most].strip()
    return f"{'… ' if begin else ''}{cut}{' …' if begin + most < len(text) else ''}"
