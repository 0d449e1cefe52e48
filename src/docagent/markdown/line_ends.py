"""Line ends: a text that is written anew keeps those that it had."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from docagent.markdown.blocks import LINE_BREAK

MOST_COMPARED = 5_000
"""In longer texts with mixed ends every line is new: comparing takes the square of the lines."""


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


def _split(text: str) -> tuple[list[str], list[str]]:
    """The lines, and the end of each. The last line has none."""
    return LINE_BREAK.split(text), [*LINE_BREAK.findall(text), ""]


def _matched(old: Sequence[str], ends: Sequence[str], new: Sequence[str]) -> list[str]:
    """For each new line, the end of the old line that it is; empty if it is new."""
    known = [""] * len(new)
    if max(len(old), len(new)) > MOST_COMPARED:
        return known
    for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        for place in range(block.size):
            known[block.b + place] = ends[block.a + place]
    return known
