"""Hunks: the stretches of lines in which two texts differ."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from docagent.markdown.blocks import LINE_BREAK
from docagent.markdown.line_ends import common_ends

MOST_PAIRS = 250_000
"""A stretch with more pairs of an old and a new line is one hunk: comparing all pairs takes too long."""
MOST_LEVELS = 20
"""How often a stretch is divided again at lines that stand in it once."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of the old text, from `start` up to and without `end`, and what stands there instead."""

    start: int
    end: int
    lines: tuple[str, ...]


def lines_of(text: str) -> list[str]:
    """The lines with their ends. The last has none; it is empty if the text ends with a line break."""
    ends = [*LINE_BREAK.findall(text), ""]
    return [line + end for line, end in zip(LINE_BREAK.split(text), ends, strict=True)]


def hunks(before: str, after: str) -> list[Hunk]:
    return hunks_of_lines(lines_of(before), lines_of(after))


def hunks_of_lines(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The hunks that turn the old lines into the new ones, in order. Between two of them a line stays."""
    found: list[Hunk] = []
    below = len(old) + 1
    for start, end, begin, stop in reversed(list(_differing(old, new))):
        found.append(_slid(old, Hunk(start, end, tuple(new[begin:stop])), below))
        below = found[-1].start
    return found[::-1]


def with_hunks(before: str, after: str, accepted: Collection[int]) -> str:
    """The old text with some of the hunks that turn it into the new one, named by their numbers from 0."""
    old = lines_of(before)
    chosen = [hunk for number, hunk in enumerate(hunks(before, after)) if number in accepted]
    return "".join(applied(old, chosen, 0, len(old)))


def applied(old: Sequence[str], chosen: Sequence[Hunk], start: int, end: int) -> list[str]:
    """The old lines from `start` up to `end` with these hunks, which lie between them."""
    made: list[str] = []
    for hunk in chosen:
        made += [*old[start : hunk.start], *hunk.lines]
        start = hunk.end
    return [*made, *old[start:end]]


def _slid(old: Sequence[str], hunk: Hunk, below: int) -> Hunk:
    """The same change as far down as it can stand, above the line `below`.

    Which of two equal lines goes cannot be known. Two texts that lack one of them then lack the same.
    """
    start, end, lines = hunk.start, hunk.end, hunk.lines
    while end + 1 < below and end < len(old):
        if not lines and old[start] == old[end]:
            start, end = start + 1, end + 1
        elif start == end and lines[0] == old[end]:
            start, end, lines = start + 1, end + 1, (*lines[1:], lines[0])
        else:
            break
    return Hunk(start, end, lines)


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The stretches that differ: from and to in the old lines, from and to in the new ones."""
    waiting = [(0, len(old), 0, len(new), 0)]
    while waiting:
        start, end, begin, stop, level = waiting.pop()
        first, last = common_ends(old[start:end], new[begin:stop])
        start, end, begin, stop = start + first, end - last, begin + first, stop - last
        if start == end or begin == stop:
            if start < end or begin < stop:
                yield start, end, begin, stop
            continue
        anchors = _anchors(old[start:end], new[begin:stop]) if level < MOST_LEVELS else []
        if not anchors:
            yield from _compared(old, new, start, end, begin, stop)
            continue
        ends = [(start + place, begin + other) for place, other in anchors]
        begins = [(start, begin), *((place + 1, other + 1) for place, other in ends)]
        pairs = zip(begins, [*ends, (end, stop)], strict=True)
        gaps = [(one[0], other[0], one[1], other[1], level + 1) for one, other in pairs]
        # Most of them are the same in both texts.
        waiting += [gap for gap in reversed(gaps) if old[gap[0] : gap[1]] != new[gap[2] : gap[3]]]


def _compared(
    old: Sequence[str], new: Sequence[str], start: int, end: int, begin: int, stop: int
) -> Iterator[tuple[int, int, int, int]]:
    if (end - start) * (stop - begin) > MOST_PAIRS:
        yield start, end, begin, stop
        return
    matcher = SequenceMatcher(None, old[start:end], new[begin:stop], autojunk=False)
    for kind, *(one, two, three, four) in matcher.get_opcodes():
        if kind != "equal":
            yield start + one, start + two, begin + three, begin + four


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of lines that stand once in both and in the same order: the longest such list."""
    counted, counted_new = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if counted_new[line] == 1}
    pairs = [(place, places[line]) for place, line in enumerate(old) if counted[line] == 1 and line in places]
    lowest: list[int] = []
    """The lowest end, in the new lines, of a list of each length."""
    ends: list[int] = []
    before: list[int] = []
    for number, (_, other) in enumerate(pairs):
        length = bisect_left(lowest, other)
        before.append(ends[length - 1] if length else -1)
        if length == len(lowest):
            lowest.append(other)
            ends.append(number)
        else:
            lowest[length], ends[length] = other, number
    longest: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        longest.append(pairs[number])
        number = before[number]
    return longest[::-1]
