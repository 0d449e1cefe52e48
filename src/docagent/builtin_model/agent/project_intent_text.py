"""Finds the text of a document that a user means."""

from __future__ import annotations

import re

from docagent.markdown import headings
from docagent.reading.printed import squeezed

_NUMBER = re.compile(r"\d[\d.,]*")
_POINT = r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+"


def as_it_stands(content: str | None, wanted: str) -> str | None:
    """Return the text as the document writes it, if only the letter case differs."""
    if not content or not wanted:
        return None
    if wanted in content:
        return wanted
    found = re.search(re.escape(wanted), content, re.IGNORECASE)
    return found[0] if found else None


def whole_point(content: str | None, text: str) -> str:
    """Return the whole line, with its end, if the text is a point of a list. So no empty point is left."""
    mark = "" if re.match(_POINT, text) else _POINT
    found = re.search(rf"^{mark}{re.escape(text)}[ \t]*(?:\r\n|\r|\n)", content or "", re.MULTILINE)
    return found[0] if found else text


def line_with(content: str, *words: str) -> str | None:
    """Return the only line that holds all the words."""
    wanted = [re.sub(r"^(?:the|my|our|its) ", "", word.strip(), flags=re.I).casefold() for word in words]
    found = [
        line for line in re.split(r"\r\n|\r|\n", content) if all(word in line.casefold() for word in wanted)
    ]
    return found[0] if len(found) == 1 else None


def with_its_end(content: str, line: str) -> str:
    """Return a line of the text with the line break that follows it."""
    found = re.search(rf"^{re.escape(line)}(?:\r\n|\r|\n|\Z)", content, re.MULTILINE)
    return found[0] if found else line


def with_value(content: str | None, thing: str, value: str) -> tuple[str, str] | None:
    """Return the line that gives a thing's number, and the same line with another number."""
    if not content or not _NUMBER.fullmatch(value) or _NUMBER.search(thing):
        return None
    line = line_with(content, thing)
    numbers = [] if line is None else _NUMBER.findall(line)
    if line is None or len(numbers) != 1:
        return None
    return line, line.replace(numbers[0], value)


def as_point(content: str, section: str | None, text: str) -> str:
    """Return the text as a point if what stands before its place is a list."""
    lines = [line for line in re.split(r"\r\n|\r|\n", _own_text(content, section)) if line.strip()]
    mark = re.match(r"[-*+] ", lines[-1]) if lines else None
    return f"{mark[0]}{text}" if mark and "\n" not in text and not re.match(_POINT, text) else text


def first_beside(content: str, section: str) -> str | None:
    """Return the title of the first section beside this one, or None if that is itself."""
    known = headings(content)
    own = next((one for one in known if squeezed(one.title) == squeezed(section)), None)
    beside = [one for one in known if own and one.level == own.level and one.path[:-1] == own.path[:-1]]
    return None if not beside or beside[0] is own else beside[0].title


def _own_text(content: str, section: str | None) -> str:
    if section is None:
        return content
    known = headings(content)
    for place, one in enumerate(known):
        if squeezed(one.title) == squeezed(section):
            return content[one.body : known[place + 1].start if place + 1 < len(known) else None]
    return ""
