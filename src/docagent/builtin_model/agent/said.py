"""A message as tokens: words and signs, each quoted text as one token, and text after a colon as one more."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from docagent.reading.printed import fold

MOST_CHARACTERS = 100_000
"""What is read of a message. The rest would be text to keep, and documents are shorter."""
MOST_TOKENS = 64
_MOST_LETTERS = 4_000
"""A request that is longer, without its quoted texts, is not taken for one."""
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u2019": "'", "\u2018": "'"})
_TOKEN = re.compile(
    r'"(?P<double>[^"]*)"|`(?P<code>[^`\n]*)`|(?<!\w)\'(?P<single>[^\'\n]{0,2000})\'(?!\w)'
    r"|(?P<word>[-=]>|→|(?:[cdjlmnst]|qu)'(?=\w)|@?\w+(?:[._/'-]\w+)*)|(?P<sign>\S)",
    re.I,
)
# Elided words, as in l'offre, are words of their own.
_ARROWS = {"=>": "->", "→": "->"}
_TAIL = re.compile(r":(?=\s|$)|\n(?=[^\S\n]{0,8}(?:#{1,6}\s|[-*+>|]\s|\d{1,3}[.)]\s|```|~~~))")


@dataclass(frozen=True, slots=True)
class Token:
    word: str
    """Folded, for comparing; a quoted text has none."""
    start: int
    end: int
    text: str | None = None
    """What a quoted text says, or the text after a colon."""
    is_tail: bool = False

    @property
    def is_sign(self) -> bool:
        is_word = any(map(str.isalnum, self.word)) or self.word in ("->", "=")
        return self.text is None and not is_word


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    tokens: tuple[Token, ...]

    @property
    def may_be_request(self) -> bool:
        quoted = sum(one.end - one.start for one in self.tokens if one.text is not None)
        letters = self.tokens[-1].end - self.tokens[0].start - quoted if self.tokens else 0
        return 0 < len(self.tokens) <= MOST_TOKENS and letters <= _MOST_LETTERS

    def between(self, start: int, end: int) -> str:
        """Return what was written at these tokens. One quoted text alone loses its quotes."""
        if end - start == 1 and self.tokens[start].text is not None:
            return self.tokens[start].text or ""
        written = self.text[self.tokens[start].start : self.tokens[end - 1].end]
        return written.strip(" \t\n,;" if self.tokens[end - 1].text is not None else " \t\n,;.!?:")


def readings(message: str) -> list[Said]:
    """Return the ways to read a message: with all text after its first colon or line of markdown kept, and without."""
    text = message[:MOST_CHARACTERS].strip()
    straight = text.translate(_STRAIGHT)  # as long as the text, so that places in both are the same
    plain = Said(text, tuple(_tokens(text, straight)))
    starts = [one.start for one in plain.tokens]
    for found in _TAIL.finditer(straight):
        before = bisect_left(starts, found.start())
        if (
            before
            and plain.tokens[before - 1].text is not None
            and found.start() < plain.tokens[before - 1].end
        ):
            continue  # it is quoted
        start = found.end()
        start += len(text[start:]) - len(text[start:].lstrip())
        head = [one for one in plain.tokens if one.end <= found.start()]
        if not head or start >= len(text):
            break
        written = text[start:]
        whole = _TOKEN.fullmatch(written.translate(_STRAIGHT))
        quoted = whole and whole.lastgroup in ("double", "code", "single")
        tail = Token("", start, len(text), written[1:-1] if quoted else written, is_tail=True)
        return [Said(text, (*head, tail)), plain]
    return [plain]


def _tokens(text: str, straight: str) -> list[Token]:
    found = []
    for match in _TOKEN.finditer(straight):
        if match.lastgroup in ("double", "code", "single"):
            kept = text[match.start() + 1 : match.end() - 1]
            kept = kept.strip() if text[match.start()] == "«" else kept  # French sets them with spaces
            found.append(Token("", match.start(), match.end(), kept))
        else:
            word = _ARROWS.get(match[0]) or fold(match[0]).lstrip("@") or "@"
            found.append(Token(word, match.start(), match.end()))
    return found
