"""Edits of markdown. Everything that an edit does not name stays the same, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docagent.domain.errors import InvalidInput
from docagent.domain.shown import quoted
from docagent.markdown.blocks import LINE_BREAK, Heading, goes_on, headings
from docagent.markdown.line_ends import with_line_ends_of
from docagent.markdown.sections import MOST_SHOWN, Section, find_section, is_same_heading, short


@dataclass(frozen=True, slots=True)
class Replace:
    """Replaces a text that occurs exactly once, or every occurrence of it."""

    find: str
    replace: str
    every: bool = False


@dataclass(frozen=True, slots=True)
class ReplaceSection:
    """Replaces everything below a heading. The heading stays."""

    section: str
    content: str


@dataclass(frozen=True, slots=True)
class RemoveSection:
    """Removes a heading and everything below it."""

    section: str


@dataclass(frozen=True, slots=True)
class MoveSection:
    """Moves a heading with everything below it before or after another section, else to the end of the text."""

    section: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """Adds text at the end of the whole text, or of a section."""

    text: str
    section: str | None = None


Edit = Replace | ReplaceSection | RemoveSection | MoveSection | Append


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Apply the edits in order, each to the result of the one before. Raises InvalidInput and names the edit."""
    for number, edit in enumerate(edits, 1):
        try:
            text = apply_edit(text, edit)
        except InvalidInput as error:
            if len(edits) == 1:
                raise
            raise InvalidInput(f"Edit {number} of {len(edits)}: {error.detail}") from error
    return text


def apply_edit(text: str, edit: Edit) -> str:
    match edit:
        case Replace():
            return _replaced(text, edit)
        case ReplaceSection():
            section = find_section(text, edit.section)
            body = _without_heading(edit.content, section.heading)
            return _with_body(text, section, body)
        case RemoveSection():
            section = find_section(text, edit.section)
            return _spliced(text, section.heading.start, section.end, "")
        case MoveSection():
            return _moved(text, edit)
        case Append(section=None):
            return _append(text, len(text), edit.text)
        case Append():
            section = find_section(text, edit.section or "")
            return _append(
                text, section.end if _begins_with_heading(edit.text) else section.own_end, edit.text
            )


def _replaced(text: str, edit: Replace) -> str:
    find = edit.find
    if not find:
        raise InvalidInput("find is empty. Use append to add text at the end.")
    places = list(_places(text, find))
    if len(places) == 1 or (places and edit.every):
        return _replaced_at(text, places, edit.replace)
    if places:
        lines = ", ".join(str(text.count("\n", 0, start) + 1) for start, _ in places[:MOST_SHOWN])
        raise InvalidInput(
            f"{quoted(short(find))} occurs {len(places)} times (lines {lines}). Give more of the text around it, so "
            "that it occurs once, or replace every occurrence."
        )
    raise InvalidInput(f"{quoted(short(find))} occurs 0 times. {_nearly(text, find)}")


def _replaced_at(text: str, places: Sequence[tuple[int, int]], new: str) -> str:
    parts, done = [], 0
    for start, end in places:
        if start >= done:
            parts += [text[done:start], _in_line_breaks(text, start, end, new)]
            done = end
    return "".join([*parts, text[done:]])


def _places(text: str, find: str) -> Iterator[tuple[int, int]]:
    """Where a text stands; if nowhere exactly so, where it stands with other line breaks."""
    lines = [find] if find in text else LINE_BREAK.split(find)
    pattern = f"(?:{LINE_BREAK.pattern})".join(map(re.escape, lines))
    # Looking ahead finds places that overlap.
    for match in re.finditer(f"(?=({pattern}))", text):
        yield match.span(1)


def _nearly(text: str, find: str) -> str:
    """Say what to do about a text that was not found."""
    words = find.split()
    pattern = r"\s+".join(map(re.escape, words))
    near = re.search(pattern, text, re.IGNORECASE) if words and len(find) < 2000 else None
    if near is None:
        return "Read the document and copy the text exactly as it stands there."
    line = text.count("\n", 0, near.start()) + 1
    return f"It stands in line {line} with other spaces or letter case; copy it exactly."


def _moved(text: str, edit: MoveSection) -> str:
    section = find_section(text, edit.section)
    start, end = section.heading.start, section.end
    place = len(text)
    other = edit.after if edit.before is None else edit.before
    if other is not None:
        neighbour = find_section(text, other)
        if start <= neighbour.heading.start < end:
            raise InvalidInput(f"The section {quoted(short(edit.section))} cannot be moved into itself.")
        place = neighbour.end if edit.before is None else neighbour.heading.start
    piece = text[start:end].rstrip("\r\n")
    if place <= start:
        parts = (text[:place], piece, text[place:start], text[end:])
    else:
        parts = (text[:start], text[end:place], piece, text[place:])
    made, line_break = "", _line_break(text, start)
    for part in filter(None, parts):
        breaks = len(LINE_BREAK.findall(made[len(made.rstrip("\r\n")) :]))
        made += (line_break * (2 - breaks) if made and breaks < 2 else "") + part
    return made.rstrip("\r\n") + text[len(text.rstrip("\r\n")) :]


def _with_body(text: str, section: Section, content: str) -> str:
    """Give a section a new body, with the blank lines that the old one had around it."""
    start, end = section.heading.body, section.end
    line_break = _line_break(text, start)
    old, content = text[start:end], _in_line_breaks(text, start, end, content).strip("\r\n")
    if not content:
        return _spliced(text, start, end, line_break if end < len(text) else "")
    if old.strip("\r\n"):
        before = old[: len(old) - len(old.lstrip("\r\n"))]
        after = old[len(old.rstrip("\r\n")) :]
    else:
        before = line_break if text[:start].endswith(("\n", "\r")) else 2 * line_break
        after = 2 * line_break if end < len(text) else line_break
    return _spliced(text, start, end, before + content + after)


def _spliced(text: str, start: int, end: int, new: str) -> str:
    """Replace the text between `start` and `end`, where a heading begins or the text ends.

    Add a blank line above that heading if it would not be a heading otherwise.
    """
    made = text[:start] + new + text[end:]
    if end == len(text) or _has_heading(made, start + len(new)):
        return made
    new += _line_break(text, start)
    apart = text[:start] + new + text[end:]
    return apart if _has_heading(apart, start + len(new)) else made


def _has_heading(text: str, start: int) -> bool:
    return any(one.start == start for one in headings(text))


def _append(text: str, end: int, content: str) -> str:
    """Add the content after the last text before `end`: as the next line of a list or table, or as a new paragraph."""
    kept, rest, line_break = text[:end].rstrip("\r\n"), text[end:], _line_break(text, end)
    content = LINE_BREAK.sub(lambda _: line_break, content).strip("\r\n")
    if not content:
        return text
    space = text[len(kept) : end]
    if not kept:
        return text[:end] + content + line_break + (line_break + rest if rest else "")
    gap = line_break if goes_on(kept, content) else 2 * line_break
    if rest:
        after = space if len(LINE_BREAK.findall(space)) > 1 else 2 * line_break
    else:
        after = line_break if space or not LINE_BREAK.search(text) else ""
    return kept + gap + content + after + rest


def _without_heading(content: str, heading: Heading) -> str:
    """Return the new body without the heading, which models often repeat."""
    if not _begins_with_heading(content):
        return content
    first = headings(content)[0]
    return content[first.body :] if is_same_heading(first, heading) else content


def _begins_with_heading(content: str) -> bool:
    found = headings(content)
    return bool(found) and not content[: found[0].start].strip()


def _line_break(text: str, place: int) -> str:
    """Return the line break of the line above the place, or else of its neighbours."""
    above = len(text[:place].rstrip("\r\n"))
    own = LINE_BREAK.search(text, above)
    return own[0] if own else next(iter(LINE_BREAK.findall(text)[-1:]), "\n")


def _in_line_breaks(text: str, start: int, end: int, piece: str) -> str:
    """Return a piece with the line breaks of what it stands for, line by line; without such, of its neighbours."""
    old = text[start:end] if LINE_BREAK.search(text, start, end) else _line_break(text, start)
    return with_line_ends_of(old, piece) if LINE_BREAK.search(text) else piece
