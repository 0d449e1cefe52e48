"""Line ends: a text that is written again keeps those that it had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from docagent.markdown.blocks import LINE_BREAK

MOST_COMPARED = 5_000
"""Longer stretches that differ are not compared line by line: that takes the square of the lines."""


def with_line_ends_of(old: str, new: str) -> str:
    """The new text with the line ends of the old one: line by line where they are mixed.

    A line that is new takes the end of the line above it, or of the one below if there is none above.
    """
    used = set(LINE_BREAK.findall(old))
    if not used:
        return new
    if len(used) == 1:
        (end,) = used
        return LINE_BREAK.sub(lambda _: end, new)
    lines, ends = _split(new)
    old_lines, old_ends = _split(old)
    known = _matched(old_lines, old_ends, lines)
    written: list[str] = []
    last = next((end for end in known if end), "\n")
    for line, had, end in zip(lines, ends, known, strict=True):
        last = end or last
        written.append(line + (last if had else ""))
    return "".join(written)


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning of both texts, and how many of the rest at the end."""
    shorter = min(len(old), len(new))
    first = next((place for place in range(shorter) if old[place] != new[place]), shorter)
    left = shorter - first
    return first, next((place for place in range(left) if old[-1 - place] != new[-1 - place]), left)


def _split(text: str) -> tuple[list[str], list[str]]:
    """The lines, and the end of each. The last line has none."""
    return LINE_BREAK.split(text), [*LINE_BREAK.findall(text), ""]


def _matched(old: Sequence[str], ends: Sequence[str], new: Sequence[str]) -> list[str]:
    """For each new line, the end of the old line that it is or that it stands for; empty if it is new."""
    first, last = common_ends(old, new)
    middle, changed = old[first : len(old) - last], new[first : len(new) - last]
    known = [""] * len(changed)
    for start, end, begin, stop in _parts(middle, changed):
        for place in range(min(end - start, stop - begin)):
            known[begin + place] = ends[first + start + place]
    return [*ends[:first], *known, *ends[len(old) - last : len(old)]]


def _parts(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The stretches of the old lines and the stretches of the new ones that stand for them."""
    if len(old) == len(new) or max(len(old), len(new)) > MOST_COMPARED:
        yield 0, len(old), 0, len(new)
        return
    for _, *stretch in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield stretch[0], stretch[1], stretch[2], stretch[3]
