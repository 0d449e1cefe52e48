"""Markdown by its headings, and edits of it. What an edit does not name stays byte for byte.

Headings are lines that begin with `#`, or a line of its own that is underlined with `=` or `-`. Inside a code fence
nothing is a heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docagent.domain.errors import InvalidInput

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ATX = re.compile(r" {0,3}(?P<marks>#{1,6})(?=[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?P<mark>=+|-{2,})[ \t]*")
_PARAGRAPH = re.compile(r" {0,3}(?![-*+]\s|\d+[.)]\s|[#>|=]|-+\s*$|`{3}|~{3})\S")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_GIVEN = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.+)")
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    line: int
    """Counted from 1."""
    start: int
    body: int
    """Where the text below the heading begins."""
    path: tuple[str, ...]
    """The titles of the headings above it, and its own."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with all that is below it, up to the next heading of the same or a higher level."""

    heading: Heading
    end: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Text that stands there exactly once."""

    find: str
    replace: str


@dataclass(frozen=True, slots=True)
class ReplaceSection:
    """What is below a heading; the heading stays."""

    section: str
    content: str


@dataclass(frozen=True, slots=True)
class RemoveSection:
    """A heading and what is below it."""

    section: str


@dataclass(frozen=True, slots=True)
class Append:
    """At the end of the text, or of a section."""

    text: str
    section: str | None = None


Edit = Replace | ReplaceSection | RemoveSection | Append


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    start: int
    end: int
    text: str
    """Without the line break."""
    fence: bool = False
    """Inside a code fence, or its beginning or end."""


def headings(text: str) -> list[Heading]:
    """All headings in their order."""
    found: list[Heading] = []
    above: list[tuple[int, str]] = []
    for level, title, first, last in _heading_lines(list(_lines(text))):
        above = [*(one for one in above if one[0] < level), (level, title)]
        path = tuple(one for _, one in above)
        found.append(Heading(level, title, first.number, first.start, last.end, path))
    return found


def unclosed_fence(text: str) -> int | None:
    """The line of a code fence that is never closed."""
    opened: tuple[str, int] | None = None
    for number, match in enumerate(_LINE.finditer(text), 1):
        opened, _ = _after(match[0], number, opened)
    return opened[1] if opened else None


def find_section(text: str, wanted: str) -> Section:
    """By title, by `## title`, or by `parent > title`. Raises InvalidInput with what there is."""
    known = headings(text)
    if not known:
        raise InvalidInput(f"There is no section “{_short(wanted)}”: the document has no headings.")
    found = _matching(known, wanted)
    if not found:
        shown = ", ".join(f"“{_short(one.title)}”" for one in known[:MOST_SHOWN])
        raise InvalidInput(f"There is no section “{_short(wanted)}”. The sections are {shown}.")
    if len(found) > 1:
        lines = ", ".join(str(one.line) for one in found[:MOST_SHOWN])
        raise InvalidInput(
            f"There are {len(found)} sections “{_short(wanted)}” (lines {lines}). Say which by the heading above "
            "it, as in “parent > title”, or use find and replace."
        )
    heading = found[0]
    later = (one.start for one in known if one.start > heading.start and one.level <= heading.level)
    return Section(heading, next(later, len(text)))


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """One after the other, each on what the one before made. Raises InvalidInput and names the edit."""
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
            return _put(text, section.heading.body, section.end, body)
        case RemoveSection():
            section = find_section(text, edit.section)
            return text[: section.heading.start] + text[section.end :]
        case Append(section=None):
            return _append(text, len(text), edit.text)
        case Append():
            section = find_section(text, edit.section or "")
            return _append(text, _end_of_own_text(text, section, edit.text), edit.text)


def losses(before: str, after: str) -> list[str]:
    """What a new text drops, in words: more than half of the headings, or nine tenths of the text."""
    said = []
    old, new = (Counter(_key(one.title) for one in headings(text)) for text in (before, after))
    gone, come = (old - new).total(), (new - old).total()
    if 2 * gone > old.total():
        counted = f"{gone} of {old.total()}"
        if come:
            said.append(f"drops {counted} headings and brings {come} others")
        else:
            said.append(f"removes {counted} sections")
    length, left = len(before.strip()), len(after.strip())
    if length and not left:
        said.append("leaves the document empty")
    elif left * 10 < length:
        said.append(f"removes {100 * (length - left) // length} % of the text")
    return said


# --- lines -------------------------------------------------------------------------------------------------------


def _lines(text: str) -> Iterator[_Line]:
    opened: tuple[str, int] | None = None
    for number, match in enumerate(_LINE.finditer(text), 1):
        was_open = opened is not None
        opened, is_fence = _after(match[0], number, opened)
        yield _Line(number, match.start(), match.end(), match[0].rstrip("\r\n"), was_open or is_fence)


def _after(line: str, number: int, opened: tuple[str, int] | None) -> tuple[tuple[str, int] | None, bool]:
    """The fence that is open after a line, and whether the line is one."""
    match = _FENCE.fullmatch(line.rstrip("\r\n"))
    if match is None:
        return opened, False
    fence, info = match["fence"], match["info"]
    if opened is None:
        is_code = fence[0] == "`" and "`" in info
        return (None, False) if is_code else ((fence, number), True)
    closes = fence[0] == opened[0][0] and len(fence) >= len(opened[0]) and not info.strip()
    return (None, True) if closes else (opened, False)


def _heading_lines(lines: Sequence[_Line]) -> Iterator[tuple[int, str, _Line, _Line]]:
    """Level, title, the line and the last line of each heading."""
    for place, line in enumerate(lines):
        if line.fence:
            continue
        if match := _ATX.match(line.text):
            yield len(match["marks"]), _title(line.text[match.end() :]), line, line
            continue
        under = lines[place + 1] if place + 1 < len(lines) else None
        if under is None or under.fence or not _PARAGRAPH.match(line.text):
            continue
        alone = place == 0 or not lines[place - 1].text.strip()
        if alone and (match := _UNDERLINE.fullmatch(under.text)):
            yield 1 if match["mark"][0] == "=" else 2, line.text.strip(), line, under


def _title(rest: str) -> str:
    """A heading's text without the marks that may close it."""
    title = rest.strip()
    opened = title.rstrip("#")
    return opened.strip() if not opened or opened[-1] in " \t" else title


# --- finding -----------------------------------------------------------------------------------------------------


def _matching(known: Sequence[Heading], wanted: str) -> list[Heading]:
    given = _GIVEN.fullmatch(wanted.strip())
    title = _key(given["title"] if given else wanted)
    found = [one for one in known if one.title == wanted.strip()] or [
        one for one in known if _key(one.title) == title
    ]
    if given:
        level = len(given["marks"])
        found = [one for one in found if one.level == level] or found
    if found or ">" not in wanted:
        return found
    path = [_key(part) for part in wanted.split(">")]
    return [one for one in known if [_key(part) for part in one.path[-len(path) :]] == path]


def _key(title: str) -> str:
    return " ".join(title.split()).strip("#*_` ").casefold()


def _replaced(text: str, edit: Replace) -> str:
    find = edit.find if edit.find in text else _in_line_breaks(text, edit.find)
    if not find:
        raise InvalidInput("find is empty. Use append to add text at the end.")
    places = list(_places(text, find))
    if len(places) == 1:
        put = _in_line_breaks(text, edit.replace)
        return text[: places[0]] + put + text[places[0] + len(find) :]
    if places:
        lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places[:MOST_SHOWN])
        raise InvalidInput(
            f"“{_short(find)}” occurs {len(places)} times (lines {lines}). Give more of the text around it, so that "
            "it occurs once."
        )
    raise InvalidInput(f"“{_short(find)}” occurs 0 times. {_nearly(text, find)}")


def _places(text: str, find: str) -> Iterator[int]:
    place = text.find(find)
    while place >= 0:
        yield place
        place = text.find(find, place + 1)


def _nearly(text: str, find: str) -> str:
    """What to do about text that is not there."""
    words = find.split()
    pattern = r"\s+".join(map(re.escape, words))
    near = re.search(pattern, text, re.IGNORECASE) if words and len(find) < 2000 else None
    if near is None:
        return "Read the document and copy the text exactly as it stands there."
    line = text.count("\n", 0, near.start()) + 1
    return f"It stands in line {line} with other spaces or letter case; copy it exactly."


def _short(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


# --- putting in --------------------------------------------------------------------------------------------------


def _put(text: str, start: int, end: int, content: str) -> str:
    """A section's new body, with the blank lines that the old one had around it."""
    old, line_break = text[start:end], _line_break(text)
    content = _in_line_breaks(text, content).strip("\r\n")
    if not content:
        return text[:start] + (line_break if end < len(text) else "") + text[end:]
    if old.strip("\r\n"):
        before = old[: len(old) - len(old.lstrip("\r\n"))]
        after = old[len(old.rstrip("\r\n")) :]
    else:
        before = line_break if text[:start].endswith("\n") else 2 * line_break
        after = 2 * line_break if end < len(text) else line_break
    return text[:start] + before + content + after + text[end:]


def _append(text: str, end: int, content: str) -> str:
    """After the last text before `end`: as the next line of a list or table, else as a paragraph of its own."""
    content = _in_line_breaks(text, content).strip("\r\n")
    if not content:
        return text
    kept, rest, line_break = text[:end].rstrip("\r\n"), text[end:], _line_break(text)
    space = text[len(kept) : end]
    if not kept:
        return text[:end] + content + line_break + (line_break + rest if rest else "")
    gap = line_break if _goes_on(kept, content) else 2 * line_break
    if rest:
        after = space if space.count("\n") > 1 else 2 * line_break
    else:
        after = line_break if space or "\n" not in text else ""
    return kept + gap + content + after + rest


def _end_of_own_text(text: str, section: Section, content: str) -> int:
    """Where text goes that is added to a section: above the headings below it, unless it has one itself."""
    below = headings(content)
    if below and not content[: below[0].start].strip():
        return section.end
    later = (one.start for one in headings(text) if one.start > section.heading.start)
    return min(next(later, section.end), section.end)


_ITEM = re.compile(r"\s*(?:(?P<mark>[-*+])(?: \[[ xX]\])?|(?P<number>\d+[.)]))\s")


def _goes_on(before: str, content: str) -> bool:
    """Whether the new text is the next item of a list, or the next row of a table."""
    last, first = before.rsplit("\n", 1)[-1], content.split("\n", 1)[0]
    if last.lstrip().startswith("|") and first.lstrip().startswith("|"):
        return True
    one, other = _ITEM.match(last), _ITEM.match(first)
    return bool(one and other and one["mark"] == other["mark"])


def _without_heading(content: str, heading: Heading) -> str:
    """The new body without the heading, which is often sent again."""
    own = headings(content)
    first = own[0] if own and not content[: own[0].start].strip() else None
    is_same = first and (first.level, _key(first.title)) == (heading.level, _key(heading.title))
    return content[first.body :] if first and is_same else content


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text and not re.search(r"(?<!\r)\n", text) else "\n"


def _in_line_breaks(text: str, piece: str) -> str:
    """A piece with the line breaks of the text that it goes into."""
    return re.sub(r"(?<!\r)\n", "\r\n", piece) if _line_break(text) == "\r\n" else piece
