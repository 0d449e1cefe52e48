"""Sections of a markdown text, found by what people and models call them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docagent.domain.errors import InvalidInput
from docagent.domain.shown import quoted
from docagent.markdown.blocks import Heading, headings

MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with everything below it, up to the next heading of the same or a higher level."""

    heading: Heading
    end: int
    own_end: int
    """Where the first heading below it begins; the same as `end` if there is none."""


def find_section(text: str, wanted: str) -> Section:
    """Find a section by `title`, `## title` or `parent > title`. Raises InvalidInput with the sections that exist."""
    known = headings(text)
    if not known:
        raise InvalidInput(f"There is no section {quoted(short(wanted))}: the document has no headings.")
    found = _matching(known, wanted)
    if not found:
        shown = ", ".join(f"{quoted(short(one.title))}" for one in known[:MOST_SHOWN])
        raise InvalidInput(f"There is no section {quoted(short(wanted))}. The sections are {shown}.")
    if len(found) > 1:
        lines = ", ".join(str(one.line) for one in found[:MOST_SHOWN])
        raise InvalidInput(
            f"There are {len(found)} sections {quoted(short(wanted))} (lines {lines}). Say which by the heading above "
            "it, as in “parent > title”, or use find and replace."
        )
    heading = found[0]
    below = [one for one in known if one.start > heading.start]
    end = next((one.start for one in below if one.level <= heading.level), len(text))
    return Section(heading, end, below[0].start if below else end)


def is_same_heading(one: Heading, other: Heading) -> bool:
    return one.level == other.level and title_key(one.title) == title_key(other.title)


def short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _matching(known: Sequence[Heading], wanted: str) -> list[Heading]:
    given = next(iter(headings(wanted.strip())), None)
    title = title_key(given.title if given else wanted)
    found = [one for one in known if one.title == wanted.strip()] or [
        one for one in known if title_key(one.title) == title
    ]
    if given:
        found = [one for one in found if one.level == given.level] or found
    if found or ">" not in wanted:
        return found
    path = [title_key(part) for part in wanted.split(">")]
    return [one for one in known if [title_key(part) for part in one.path[-len(path) :]] == path]


def title_key(title: str) -> str:
    return " ".join(title.split()).strip("#*_` ").casefold()
