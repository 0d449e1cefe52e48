"""The name of a new living document: as given, else from what is intended, else from the message, else a number."""

from __future__ import annotations

import re

from docagent.domain.projects.projects import MOST_NAME_CHARACTERS, is_storable, name_key
from docagent.domain.shown import without_hidden

NO_NAME = "New Document"
"""What models write when they know no name."""

MOST_WORDS = 3
MOST_TOPIC_WORDS = 6

QUOTED = re.compile(
    r"\b(?:called|named|titled|entitled|document|page|note|file|list)\s+"
    r"(?:'(.+?)'(?!\w)|\"(.+?)\"|`(.+?)`|\u2018(.+?)\u2019(?!\w)|“(.+?)”|„(.+?)[“”]|«\s*(.+?)\s*»)",
    re.IGNORECASE | re.DOTALL,
)
CALLED = re.compile(r"\b(?:called|named|titled|entitled)\s+(?:as\s+)?(.+)", re.IGNORECASE | re.DOTALL)
TOPIC = re.compile(r"\b(?:for|about)\s+(.+)", re.IGNORECASE | re.DOTALL)
MAKING = re.compile(
    r"\b(?:add|create|creating|make|making|start|write|draft|new|my)\b(.*)", re.IGNORECASE | re.DOTALL
)
SENTENCE_END = re.compile(r"[,;:!?\n()]|\.(?=\s|$)|\s[-\u2013\u2014]\s")
WORD = re.compile(r"[^\s\"“”„«»`]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONTAINERS = _words("document documents doc page file note project")
"""Words for the thing itself, which say nothing of what it is about."""

LEADING = CONTAINERS | _words(
    "a an the my our your some new another me us please living markdown of for about on to called named"
)
"""What may stand before a name and is no part of it."""

STOPPING = CONTAINERS | _words(
    "a an the to in into on with that which who and or for about from using so containing including "
    "please here this these called named of at by as"
)
"""Where a name has ended."""

NO_TOPIC = _words("you me us it this that these those them him her now later")
WHERE = re.compile(
    r"(?<!\s)\s+(?:in|to|within|inside|with|that|which|from|based)\s+(?:this|the|your|our|my|a|an)\b.*",
    re.I | re.S,
)
SMALL_WORDS = _words("a an and at by for from in of on or the to with")


def document_name(given: str | None, intent: str | None, message: str, number_of_documents: int) -> str:
    """Return the first name that the four steps find. It is fit to be stored, and may be taken already."""
    given, intent = _fit(given or ""), intent or ""
    if name_key(given) == name_key(NO_NAME):
        return numbered_name(number_of_documents + 1)
    said = _called(intent) or _topic(intent) or _made(intent) or _called(message) or _made(message)
    return given or said or numbered_name(number_of_documents + 1)


def numbered_name(number: int) -> str:
    return f"Document {number}"


def _called(text: str) -> str:
    quoted = QUOTED.search(text)
    if quoted:
        return _fit(next(group for group in quoted.groups() if group))
    called = CALLED.search(text)
    if not called:
        return ""
    words = WORD.findall(WHERE.sub("", _first_clause(called[1])))
    end = next(
        (
            at
            for at, word in enumerate(words)
            if word.lower() in {"with", "for", "about", "that", "containing"}
        ),
        len(words),
    )
    return _fit(" ".join(words[:end][:MOST_TOPIC_WORDS]))


def _topic(text: str) -> str:
    """Return what stands after "for" or "about": "hiking in Iceland"."""
    found = TOPIC.search(text)
    if not found:
        return ""
    words = _without_leading(WORD.findall(WHERE.sub("", _first_clause(found[1]))))
    if not words or words[0].lower() in NO_TOPIC:
        return ""
    return _fit(" ".join(words[:MOST_TOPIC_WORDS]))


def _made(text: str) -> str:
    """Return up to three words after the word for making: "Travel Guide" of "create a travel guide"."""
    found = MAKING.search(text)
    if not found:
        return ""
    words = WORD.findall(WHERE.sub("", _first_clause(found[1])))
    named = _without_leading(words)
    is_topic = any(word.lower() in {"about", "for", "on"} for word in words[: len(words) - len(named)])
    stopping = STOPPING - {"in", "of"} if is_topic else STOPPING
    end = next((at for at, word in enumerate(named) if word.lower() in stopping), len(named))
    kept = named[:end][:MOST_WORDS]
    while kept and kept[-1].lower() in SMALL_WORDS:
        kept.pop()
    if not kept or kept[0].lower() in NO_TOPIC:
        return ""
    return _fit(" ".join(_title(word, first=at == 0) for at, word in enumerate(kept)))


def _first_clause(text: str) -> str:
    text = text.strip()
    return SENTENCE_END.split(text, maxsplit=1)[0] if text else ""


def _without_leading(words: list[str]) -> list[str]:
    start = next((at for at, word in enumerate(words) if word.lower() not in LEADING), len(words))
    return words[start:]


def _title(word: str, *, first: bool) -> str:
    """Return a word of a title; one that has capitals of its own keeps them."""
    if word != word.lower() or (word in SMALL_WORDS and not first):
        return word
    return word[0].upper() + word[1:]


def _fit(name: str) -> str:
    """Return the name on one line, without quotes around it and no longer than names may be; "" if none is left."""
    name = " ".join(without_hidden(name).split()).strip("'\"`“”„«»\u2018\u2019 ")
    if not is_storable(name) or not any(one.isalnum() for one in name):
        return ""
    return without_hidden(name[:MOST_NAME_CHARACTERS]).rstrip()
