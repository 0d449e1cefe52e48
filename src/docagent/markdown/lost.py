"""What a new text takes away from the old one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from docagent.domain.shown import quoted
from docagent.markdown.blocks import headings, with_own_text
from docagent.markdown.sections import short, title_key

MOST_NAMED = 8
MOST_PERCENT = 33
"""How much of a text may go before it counts as a loss: a third."""


@dataclass(frozen=True, slots=True)
class Losses:
    sections: tuple[str, ...] = ()
    """The titles of the sections that are gone with their text, in the old order."""
    percent: int = 0
    """How much shorter the text is. Blanks do not count."""
    replaced_percent: int = 0
    """How much of the text is gone, with other text in its place: words that no longer stand there."""
    empties: bool = False

    @property
    def is_large(self) -> bool:
        """More than one section, or more than a third of the text, or all of it."""
        return (
            self.empties or len(self.sections) > 1 or max(self.percent, self.replaced_percent) > MOST_PERCENT
        )

    @property
    def in_words(self) -> list[str]:
        said = []
        if self.empties:
            return ["leaves the document empty"]
        if self.sections:
            named = [quoted(short(title)) for title in self.sections[:MOST_NAMED]]
            more = len(self.sections) - len(named)
            listed = ", ".join(named) + f" and {more} more" if more else _joined(named)
            said.append(f"drops the section{'s' if len(self.sections) > 1 else ''} {listed}")
        if self.percent > MOST_PERCENT:
            said.append(f"removes {self.percent} % of the text")
        elif self.replaced_percent > MOST_PERCENT:
            said.append(f"replaces {self.replaced_percent} % of the text")
        return said


def losses(before: str, after: str) -> Losses:
    """Compare two texts. A section that is only renamed or moved is not lost; one that keeps only its heading is."""
    old, new = _size(before), _size(after)
    if not old:
        return Losses()
    return Losses(
        tuple(_dropped(list(_sections(before)), list(_sections(after)))),
        max(0, 100 * (old - new) // old),
        100 * _gone(before, after) // old,
        empties=not new,
    )


def _dropped(old: Sequence[Section], new: Sequence[Section]) -> Iterator[str]:
    """The titles of old sections that are gone, or of which only the heading is left."""
    left = list(new)
    gone: list[Section] = []
    for one in old:
        same = [other for other in left if title_key(other.title) == title_key(one.title)]
        if not same:
            gone.append(one)
            continue
        kept = next((other for other in same if other.body == one.body), same[0])
        left.remove(kept)
        if one.body and not kept.body:
            yield one.title
    for one in gone:
        renamed = next((other for other in left if other.body == one.body), None)
        if renamed is None:
            yield one.title
        else:
            left.remove(renamed)


class Section(NamedTuple):
    title: str
    body: str
    """The text between the heading and the next one, blanks evened out."""


def _sections(text: str) -> Iterator[Section]:
    for one, own in with_own_text(text):
        yield Section(one.title, " ".join(own.split()))


def _gone(before: str, after: str) -> int:
    """How many letters the words below headings have that the new text no longer holds, wherever they stood."""
    gone = _words(before) - _words(after)
    return sum(len(word) * times for word, times in gone.items())


def _words(text: str) -> Counter[str]:
    known = headings(text)
    first = text[: known[0].start] if known else text
    return Counter([*first.split(), *(word for one in _sections(text) for word in one.body.split())])


def _size(text: str) -> int:
    return sum(map(len, text.split()))


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
