"""One clause of a message about a project, with what a pattern caught of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docagent.builtin_model.agent.clauses import unquoted
from docagent.builtin_model.agent.kept_text import SIGN, Said, holds_sign
from docagent.builtin_model.agent.project_known import Known
from docagent.builtin_model.agent.project_places import Places

NEW = r"(?:an?|another|one|some|a separate)(?: (?:new|separate|fresh|empty|blank|further))*"
EVERY = r"(?:every|each|all|any)(?: (?:occurrences?|instances?|mentions?)(?: of)?)?(?: the)?"
TO_PLACE = re.compile(
    r"\s(?:(?:at|to) the (?:very )?(?:end|bottom|foot) of|into|onto|under|below|beneath|inside|within|to|in|on|for)"
    r"\s",
    re.I,
)
IN_PLACE = re.compile(r"\s(?:everywhere in|throughout|all over|across|inside|within|in|of)\s", re.I)
LINE = re.compile(
    r"(?:(?:an?|another|one|the|this|these|that)\s+)?(?:(?:new|last|final|short|following)\s+)*"
    r"(?:line|row|bullet(?:\s+point)?|item|entry|point|sentence|paragraph|text|word|term|phrase|number|string|todo|task|reminder|note|following)s?"
    r"(?:\s+(?:saying|that says|which says|with|reading|to|about))?(?:\s+(?P<text>\S.*))?",
    re.I | re.S,
)
_TAIL = re.compile(
    r"(?P<rest>.*?\S)(?:\s+(?:saying|that says|which says|reading|with(?:\s+the)?(?:\s+(?:text|content|words))?))?"
    rf"\s*(?P<tail>{SIGN})",
    re.I | re.S,
)


@dataclass(frozen=True)
class Clause:
    groups: dict[str, str | None]
    said: Said
    places: Places
    bare: str

    def words(self, *groups: str) -> str:
        """What the first of the groups caught that caught anything."""
        return next((caught.strip() for group in groups if (caught := self.groups.get(group))), "")

    def text(self, words: str) -> str:
        """The words as the user wrote them, without quotes around them."""
        return self.said.back(words) if holds_sign(words) else unquoted(words)

    @property
    def known(self) -> Known:
        return self.places.known


def without_tail(words: str) -> tuple[str, str]:
    """Return the words before text that was quoted or stands after a colon, and the sign of that text."""
    match = _TAIL.fullmatch(words)
    return (match["rest"], match["tail"]) if match else (words, "")
