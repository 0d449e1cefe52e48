"""Takes a message apart: removes polite words, keeps quotes whole, splits joined wishes wherever one could end."""

from __future__ import annotations

import re
from collections.abc import Sequence

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u2019": "'", "\u2018": "'"})
_QUOTED = re.compile(r'"[^"]*"|`[^`]*`|(?<!\w)\'[^\']*\'(?!\w)')
_JOIN = re.compile(
    r"\s?[,;]\s(?:(?:and|then|und|dann|also|afterwards)\s)*"
    r"|\s(?:and|und|&)\s(?:(?:then|dann|also|afterwards|finally)\s)?"
    r"|\s(?:then|dann|afterwards)\s"
    r"|(?<=[.!?])\s|\n",
    re.IGNORECASE,
)
"""Between wishes in a text that `straight` returned, so white space is one character."""
_BEFORE = re.compile(
    r"""(?:
      (?:please|pls|plz|kindly|hey|hi|hello|ok(?:ay)?|so|now|well|great|fine|good|right|perfect|nice|cool|thanks|
        thank\ you|yes|sure|and|then|also|next|finally|first|just|oh|actually|um|bitte|dann|und|jetzt|hallo|danke)
      (?:[\s,:!.;-]+(?!$)|$)
     |(?:can|could|would|will)\ (?:you|we|u|i)\ (?:please\ |kindly\ |perhaps\ |maybe\ |also\ |just\ |now\ )*(?=\w)
     |(?:i|we)(?:'d|\ would)?\ (?:want|need|like|wish|love)\ (?:you\ )?to\s
     |i\ want\ you\ to\ |you\ (?:should|can|may|could|must)\ |let'?s\ |let\ us\ |go\ ahead\ and\ |try\ to\s
     |tell\ me\ (?=(?:what|who|when|where|which|how)\b)
     |help\ me\ (?:to\ )?(?=\w)|do\ you\ know\ |i\ wonder\ |do\ me\ a\ favou?r\ and\s
     |(?:kannst|könntest)\ du\ (?:bitte\ |mir\ )*|ich\ möchte\ (?:bitte\ )?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_WANT_A = re.compile(r"(?:i|we)(?:'d| would)? (?:want|need|like)(?: to have)? (?=an? |the )", re.IGNORECASE)
_AFTER = re.compile(
    r"(?<![\s,])[\s,]+(?:please|pls|plz|for me|for us|thanks?(?: you)?|bitte|danke|instead|if you can"
    r"|right now|right away)$",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"(?:\b(?:inc|ltd|co|corp|bhd|pvt|jr|sr|st|no|nr)|\.[a-z]{1,3})\.$", re.IGNORECASE)
_BETWEEN = re.compile(r"(?<!\s)(?:\s*[,;&\n]\s*(?:and\s+|und\s+|or\s+)?|\s+(?:and|und|as well as|plus)\s+)")
_FEW_PIECES = 16
_MOST_POLITE_WORDS = 20


def straight(text: str) -> str:
    """Return the text with straight quotes and single spaces. Line breaks stay, because they end a wish."""
    lines = (" ".join(line.split()) for line in text.translate(_QUOTES).splitlines())
    return "\n".join(line for line in lines if line)


def pieces(text: str) -> Sequence[tuple[str, str]]:
    """Split the text at joining words, and return each piece with the join after it. Quotes are never split."""
    masked = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    found: list[tuple[str, str]] = []
    start = 0
    for join in _JOIN.finditer(masked):
        if join.start() > start:
            found.append((text[start : join.start()], text[join.start() : join.end()]))
            start = join.end()
        if len(found) == _FEW_PIECES:
            break
    return [*found, (text[start:], "")]


def together(parts: Sequence[tuple[str, str]]) -> str:
    """Return the pieces joined as they stood in the text."""
    return "".join(text + join for text, join in parts[:-1]) + parts[-1][0]


def bare(text: str) -> str:
    """Return the clause without polite words and closing marks."""
    clause = text.strip()
    for _ in range(_MOST_POLITE_WORDS):
        shorter = _without_mark(_AFTER.sub("", clause)).strip()
        match = _BEFORE.match(shorter)
        if match is not None and match.end():
            shorter = shorter[match.end() :].strip()
        shorter = _WANT_A.sub("create ", shorter, count=1) if _WANT_A.match(shorter) else shorter
        if shorter == clause:
            break
        clause = shorter
    return clause


def _without_mark(text: str) -> str:
    stripped = text.rstrip("!?;:, \u2026")
    if stripped.endswith(".") and not _ABBREVIATION.search(stripped):
        stripped = stripped.rstrip(". ")
    return stripped


def unquoted(text: str) -> str:
    """Return a name or value without its quotes, and without the @ of a mention."""
    value = text.strip()
    while len(value) > 1 and value[0] == value[-1] and value[0] in "\"'`":
        value = value[1:-1].strip()
    return value[1:].strip("\"'`") if value.startswith("@") and len(value) > 1 else value


def listed(text: str) -> list[str]:
    """Return the members of a list such as `a, b and c`."""
    masked = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    found: list[str] = []
    start = 0
    for join in _BETWEEN.finditer(masked):
        found.append(text[start : join.start()])
        start = join.end()
    return [part.strip() for part in [*found, text[start:]] if part.strip()]
