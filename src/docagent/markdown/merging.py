"""Three-way merge: two texts that were made from the same one become one text, line by line.

Lines that only one side changed are taken from that side, and every other line stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docagent.markdown.differing import Hunk, applied, hunks_of_lines, lines_of


@dataclass(frozen=True, slots=True)
class Clash:
    """Lines that both sides changed, each in its own way."""

    base: str
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    parts: tuple[str | Clash, ...]
    """The text in order: what is settled, and between it what both sides changed."""

    @property
    def text(self) -> str | None:
        """The merged text; None if a person must choose."""
        settled = [part for part in self.parts if isinstance(part, str)]
        return "".join(settled) if len(settled) == len(self.parts) else None


def merge(base: str, mine: str, theirs: str) -> Merge:
    if base in (mine, theirs) or mine == theirs:
        return Merge((theirs if mine == base else mine,))
    lines = lines_of(base)
    parts: list[str | Clash] = [""]
    done = 0
    for region in _regions(lines, mine, theirs):
        settled, done = "".join(lines[done : region.start]), region.end
        for part in (settled, _decided(lines, region)):
            last = parts[-1]
            if isinstance(part, str) and isinstance(last, str):
                parts[-1] = last + part
            else:
                parts.append(part)
    rest = "".join(lines[done:])
    last = parts[-1]
    parts[-1:] = [last + rest] if isinstance(last, str) else [last, rest]
    return Merge(tuple(part for part in parts if part != "") or ("",))


@dataclass(slots=True)
class _Region:
    """Lines of the base that one side changed, or both where their hunks overlap."""

    start: int
    end: int
    mine: list[Hunk] = field(default_factory=list)
    theirs: list[Hunk] = field(default_factory=list)

    def holds(self, hunk: Hunk) -> bool:
        """Two insertions at the same place overlap too: nobody knows which comes first."""
        return hunk.start < self.end or self.start == self.end == hunk.start == hunk.end


def _regions(lines: Sequence[str], mine: str, theirs: str) -> Iterator[_Region]:
    changes = [(hunk, True) for hunk in hunks_of_lines(lines, lines_of(mine))]
    changes += [(hunk, False) for hunk in hunks_of_lines(lines, lines_of(theirs))]
    region: _Region | None = None
    for hunk, is_mine in sorted(changes, key=lambda change: (change[0].start, change[0].end)):
        if region is None or not region.holds(hunk):
            if region is not None:
                yield region
            region = _Region(hunk.start, hunk.end)
        region.end = max(region.end, hunk.end)
        (region.mine if is_mine else region.theirs).append(hunk)
    if region is not None:
        yield region


def _decided(lines: Sequence[str], region: _Region) -> str | Clash:
    start, end = region.start, region.end
    base = "".join(lines[start:end])
    mine = "".join(applied(lines, region.mine, start, end))
    theirs = "".join(applied(lines, region.theirs, start, end))
    if not region.theirs or mine == theirs:
        return mine
    return theirs if not region.mine else Clash(base, mine, theirs)
