"""The document as one long string of letters and digits, so that one search finds a value everywhere."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from docagent.domain.documents.text import Word
from docagent.evidence.grounding.normal import confused, tokens

_PAGE_BREAK = "\n"
_PARTED_NUMBER = re.compile(r"\d[.,'\u2019]\d")
_MOST_FOUND = 300
_LEAST_PART = 6
"""A value must be at least this long to begin or end inside a run of letters."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of the stream, and whether it begins and ends where words do."""

    start: int
    end: int
    whole: bool


class Stream:
    """The letters and digits of the words in one order, from which one can get back to the words.

    Places are kept in arrays: as lists, those of a long document would take ten times the memory.
    """

    def __init__(self, words: Sequence[Word], pages: Sequence[Sequence[int]]) -> None:
        runs: list[str] = []
        starts = array("I")
        places = array("I")
        inside_numbers: set[int] = set()
        order = array("I")
        length = 0
        for page in pages:
            for number in page:
                text = words[number].text
                within = _PARTED_NUMBER.search(text) is not None
                for run in tokens(text):
                    if within and run[0].isdigit() and places and places[-1] == len(order):
                        inside_numbers.add(length)
                    runs.append(run)
                    starts.append(length)
                    places.append(len(order))
                    length += len(run)
                order.append(number)
            runs.append(_PAGE_BREAK)
            length += 1
        self.text = "".join(runs)
        self.starts = starts
        self._order = order
        self._places = places
        self._inside_numbers = inside_numbers
        """Where a part of a number begins that is not a number by itself, such as the cents."""

    @cached_property
    def confused(self) -> str:
        return confused(self.text)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The places where each run of letters and digits begins."""
        places: dict[str, list[int]] = defaultdict(list)
        ends = [*self.starts[1:], len(self.text)]
        for start, end in zip(self.starts, ends, strict=True):
            places[self.text[start:end].rstrip(_PAGE_BREAK)].append(start)
        return places

    def find(self, needle: str, *, as_confused: bool = False) -> Iterator[Span]:
        """Yield every place of the needle that does not cut a word or a number in a misleading way."""
        text, at_most = self.confused if as_confused else self.text, _MOST_FOUND
        start = text.find(needle)
        while start >= 0 and at_most:
            end = start + len(needle)
            begins, ends = self._begins(start), self._begins(end) or self.text[end] == _PAGE_BREAK
            if (begins and ends) or (
                len(needle) >= _LEAST_PART
                and (begins or not self._cuts_number(start))
                and (ends or not self._cuts_number(end))
                and (begins or ends)
            ):
                at_most -= 1
                yield Span(start, end, begins and ends)
            start = text.find(needle, start + 1)

    def words_between(self, start: int, end: int) -> tuple[int, ...]:
        """Return the words of a part of the stream, and the signs between them."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_left(self.starts, end) - 1
        return tuple(self._order[self._places[first] : self._places[last] + 1])

    def runs_between(self, start: int, end: int) -> list[str]:
        """Return in full each run of letters and digits that a part of the stream touches."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_left(self.starts, end)
        edges = [*self.starts[first:last], self._end(last - 1)]
        return [self.text[left:right] for left, right in pairwise(edges)]

    def _begins(self, place: int) -> bool:
        index = bisect_left(self.starts, place)
        return index < len(self.starts) and self.starts[index] == place and place not in self._inside_numbers

    def _cuts_number(self, place: int) -> bool:
        return self.text[place - 1].isdigit() and self.text[place].isdigit()

    def _end(self, run: int) -> int:
        end = self.starts[run + 1] if run + 1 < len(self.starts) else len(self.text)
        while end and self.text[end - 1] == _PAGE_BREAK:
            end -= 1
        return end
