"""Keeps text of a message that goes into a document exactly as it was written.

Quoted text and text after a colon is replaced by a sign, so that nothing in it is taken for a wish.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SIGN = "\ue000\\d+\ue001"
_SIGN = re.compile("\ue000(\\d+)\ue001")
_SIGNS = "\ue000\ue001"
_STRAIGHT = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u2019": "'", "\u2018": "'"})
_QUOTED = re.compile(r'"[^"]*"|`[^`\n]+`|(?<![\w])\'[^\'\n]*\'(?!\w)')
_COLON = re.compile(r":(?:\s+|$)")
_MARKDOWN = re.compile(r"\n[^\S\n]*(?=#{1,6}\s|[-*+>|]\s|\d+[.)]\s|```|~~~)")


@dataclass(frozen=True, slots=True)
class Said:
    """A message with signs in place of the text that is kept."""

    text: str
    kept: tuple[str, ...] = ()
    """The text behind each sign, with its quotes if it has any."""

    def back(self, part: str) -> str:
        """Put the text back in place of the signs. A part that is only one quoted text loses its quotes."""
        whole = _SIGN.fullmatch(part.strip())
        if whole is None:
            return _SIGN.sub(lambda match: self.kept[int(match[1])], part)
        text = self.kept[int(whole[1])]
        return text[1:-1] if _QUOTED.fullmatch(text.translate(_STRAIGHT)) else text


def readings(message: str) -> list[Said]:
    """Return the ways to read the message. If there is a colon or markdown, the first keeps all text after it."""
    clean = message.translate({ord(sign): None for sign in _SIGNS}).strip()
    # Straight quotes are as long as the ones they replace, so positions in both texts are the same.
    hidden = _QUOTED.sub(lambda match: "x" * len(match[0]), clean.translate(_STRAIGHT))
    starts = [match.end() for pattern in (_COLON, _MARKDOWN) if (match := pattern.search(hidden))]
    quotes = _with_signs(clean)
    for start in sorted(starts):
        if tail := clean[start:].strip():
            head = _with_signs(clean[:start].rstrip().removesuffix(":"))
            sign = f"\ue000{len(head.kept)}\ue001"
            return [Said(f"{head.text} {sign}", (*head.kept, tail)), quotes]
    return [quotes]


def _with_signs(text: str) -> Said:
    kept: list[str] = []
    parts: list[str] = []
    end = 0
    straight = text.translate(_STRAIGHT)
    for match in _QUOTED.finditer(straight):
        parts += [straight[end : match.start()], f"\ue000{len(kept)}\ue001"]
        kept.append(text[match.start() : match.end()])
        end = match.end()
    return Said("".join([*parts, straight[end:]]), tuple(kept))


def holds_sign(part: str) -> bool:
    return _SIGN.search(part) is not None
