"""The form of a rule, and the words that many patterns share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from docagent.builtin_model.agent.clauses import listed, unquoted
from docagent.builtin_model.agent.wishes import Wish

Make = Callable[[re.Match[str]], Wish | None]

_SORT = (
    r"document|doc|file|pdf|page|one|paper|scan|invoice|receipt|contract|order|bill|letter|quote|report"
    r"|form|statement"
    r"|agreement|credit note|delivery note|purchase order|dokument|rechnung|datei|vertrag|beleg"
)
_THE = r"(?:this|that|the|my|our|these|current|whole|entire|dieses|diese|diesen|dieser|das|die|den|der|dem)"
_NO_THING = r"(?!(?:schema|prompt|tag|field|label|column|name|value|type|called|named|titled|and)s?\b)"
DOC = rf"(?:(?:{_THE}\s+)+(?:{_NO_THING}[\w-]+\s+)?(?:{_SORT})s?|this|it|that|here|das|dies|es)"
"""Matches the document in view."""
THIS_DOC = (
    rf"(?:{_THE}\s+(?:document|doc|file|pdf|dokument|datei)|(?:this|dieses|diese)\s+(?:{_SORT})"
    r"|this|it|that|das|dies|es)"
)
"""The same, but without words such as `the order` that more likely name a field."""
ART = r"(?:(?:the|a|an|its|my|our|your|this|that|das|die|der|den|dem|ein|eine|einen)\s+)?"

CALLED = (
    r"(?:called|named|titled|entitled|with the (?:name|title)|under the name(?: of)?|by the name of|and call it|namens"
    r"|mit dem namen)"
)
MAKE = (
    r"(?:create|make|build|generate|propose|draft|design|suggest|write|define|new|prepare|start|set up|add"
    r"|erstelle|erzeuge|baue|lege)"
)


@cache
def spaced(pattern: str) -> re.Pattern[str]:
    """Compile a pattern at its first use. A space in it matches one of any white space, one with `?` also none."""
    return re.compile(pattern.replace(" ", r"\s"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rule:
    pattern: str
    """See `spaced`."""
    wish: Make
    asks: bool = False
    """Whether the rule is only for clauses that end in a question mark."""
    tells: bool = False
    """Whether the rule is only for clauses that do not."""
    whole: bool = False
    """Whether the rule looks at the clause with its polite words, which may be all there is."""


def name_in(match: re.Match[str], group: str) -> str | None:
    """Return what a group caught, without quotes, or None if it caught nothing."""
    try:
        caught = match[group]
    except IndexError:
        return None
    return unquoted(caught) or None if caught else None


def names_in(match: re.Match[str], group: str) -> tuple[str, ...]:
    members = [re.sub(rf"^{ART}", "", part, flags=re.IGNORECASE) for part in listed(match[group])]
    return tuple(name for name in map(unquoted, members) if name)


def is_name(text: str | None, longest: int = 6) -> bool:
    """Return whether the text could be a field's name."""
    return bool(text) and any(map(str.isalpha, text or "")) and len((text or "").split()) <= longest
