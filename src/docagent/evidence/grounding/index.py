"""An index of a document for finding values in it. It is built once and asked many times."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from docagent.domain.documents.text import Page, Word, WordSource, mark_state
from docagent.evidence.grounding.flows import block_order, field_order, reading_order
from docagent.evidence.grounding.normal import tokens
from docagent.evidence.grounding.numbers import NumberPlace, key, numbers_of_line
from docagent.evidence.grounding.streams import Stream
from docagent.reading.printed import Day, PrintedDate, Style, find_dates, told_style

_DIGIT = re.compile(r"\d")

Rectangle = tuple[float, float, float, float]


class Rectangles:
    """Rectangles in few bytes each: as tuples, those of a long document would take six times the memory."""

    __slots__ = ("bottoms", "lefts", "rights", "tops")

    def __init__(self) -> None:
        self.lefts, self.tops, self.rights, self.bottoms = (array("d") for _ in range(4))

    def append(self, left: float, top: float, right: float, bottom: float) -> None:
        self.lefts.append(left)
        self.tops.append(top)
        self.rights.append(right)
        self.bottoms.append(bottom)

    def __getitem__(self, number: int) -> Rectangle:
        return self.lefts[number], self.tops[number], self.rights[number], self.bottoms[number]


@dataclass(frozen=True, slots=True)
class DatePlace:
    """A printed date and its words."""

    words: tuple[int, ...]
    days: tuple[Day, ...]


@dataclass(slots=True)
class DocumentIndex:
    """The words that are seen, numbered in the order of reading, and ways to find them.

    They are found by text, number, date and check mark.
    """

    pages: tuple[Page, ...]
    words: list[Word] = field(default_factory=list)
    page_of: list[int] = field(default_factory=list)
    """For each word, the index in `pages` of its page."""
    line_of: list[int] = field(default_factory=list)
    lines: list[range] = field(default_factory=list)
    first_of_page: list[int] = field(default_factory=list)
    streams: tuple[Stream, ...] = ()
    by_number: dict[Decimal, list[NumberPlace]] = field(default_factory=dict)
    by_day: dict[Day, list[DatePlace]] = field(default_factory=dict)
    marks: list[tuple[int, bool]] = field(default_factory=list)
    by_token: dict[str, list[int]] = field(default_factory=dict)
    by_text: dict[str, list[int]] = field(default_factory=dict)
    recognised: bool = False
    """True if some of the words come from recognition."""
    with_digits: set[int] = field(default_factory=set)
    boxes: Rectangles = field(default_factory=Rectangles)
    """For each word its left, top, right and bottom edge in points."""
    pages_with_hidden: tuple[Page, ...] = ()
    """All pages with all their words, if some of these are hidden; else none."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> DocumentIndex:
        """Read the pages into an index."""
        all_pages = tuple(pages)
        if not any(page.has_hidden_words for page in all_pages):
            return cls._made(all_pages)
        index = cls._made(tuple(page.without_hidden_words() for page in all_pages))
        index.pages_with_hidden = all_pages
        return index

    def with_hidden(self) -> DocumentIndex | None:
        """Return an index of all words; None if this one has them all."""
        return self._made(self.pages_with_hidden) if self.pages_with_hidden else None

    @classmethod
    def _made(cls, pages: tuple[Page, ...]) -> DocumentIndex:
        index = cls(pages)
        index._take_words()
        index._make_streams()
        dates = [
            found for page in range(len(index.pages)) for found in index._dates_of(index.words_of_page(page))
        ]
        # A point or comma may tell which of them parts the decimals.
        marked = "\n".join(word.text for word in index.words if "." in word.text or "," in word.text)
        style = told_style((date for date, _ in dates), marked)
        index._take_numbers(style)
        index._take_dates(dates, style)
        return index

    def words_of_page(self, page: int) -> range:
        following = self.first_of_page[page + 1] if page + 1 < len(self.first_of_page) else len(self.words)
        return range(self.first_of_page[page], following)

    def on_page(self, token: str, page: int) -> list[int]:
        """Return the words of a page that contain the token, in the order of reading."""
        numbers, there = self.by_token.get(token, []), self.words_of_page(page)
        return numbers[bisect_left(numbers, there.start) : bisect_left(numbers, there.stop)]

    def _take_words(self) -> None:
        by_token: dict[str, list[int]] = defaultdict(list)
        by_text: dict[str, list[int]] = defaultdict(list)
        for page_index, page in enumerate(self.pages):
            self.first_of_page.append(len(self.words))
            width, height = page.width, page.height
            for line in (line for line in page.lines if line.words):
                start = len(self.words)
                for word in line.words:
                    number = len(self.words)
                    self.words.append(word)
                    box = word.box
                    self.boxes.append(
                        box.left * width, box.top * height, box.right * width, box.bottom * height
                    )
                    runs = tokens(word.text)
                    for run in runs:
                        by_token[run].append(number)
                    if not runs:
                        by_text[word.text].append(number)
                    if _DIGIT.search(word.text):
                        self.with_digits.add(number)
                    state = mark_state(word.text)
                    if state is not None:
                        self.marks.append((number, state))
                    self.recognised |= word.source is WordSource.OCR
                self.page_of += [page_index] * len(line.words)
                self.line_of += [len(self.lines)] * len(line.words)
                self.lines.append(range(start, len(self.words)))
        self.by_token, self.by_text = dict(by_token), dict(by_text)

    def _make_streams(self) -> None:
        orders = [reading_order, block_order]
        if any(word.source is WordSource.WIDGET for word in self.words):
            orders.append(field_order)
        pages = list(zip(self.pages, self.first_of_page, strict=True))
        self.streams = tuple(Stream(self.words, [order(*page) for page in pages]) for order in orders)

    def _take_numbers(self, style: Style) -> None:
        found: dict[Decimal, list[NumberPlace]] = defaultdict(list)
        for line in self.lines:
            words = self.words[line.start : line.stop]
            page = self.pages[self.page_of[line.start]]
            for place in numbers_of_line(words, line.start, page, style):
                for value in place.values:
                    found[key(value)].append(place)
        self.by_number = dict(found)

    def _take_dates(self, dates: Iterable[tuple[PrintedDate, tuple[int, ...]]], style: Style) -> None:
        found: dict[Day, list[DatePlace]] = defaultdict(list)
        for date, numbers in dates:
            place = DatePlace(numbers, date.in_style(style).days)
            for day in place.days:
                found[day].append(place)
        self.by_day = dict(found)

    def _dates_of(self, numbers: Sequence[int]) -> Iterator[tuple[PrintedDate, tuple[int, ...]]]:
        texts = [self.words[number].text for number in numbers]
        starts: list[int] = []
        length = 0
        for text in texts:
            starts.append(length)
            length += len(text) + 1
        for date in find_dates(" ".join(texts)):
            first, last = bisect_right(starts, date.start) - 1, bisect_left(starts, date.end)
            yield date, tuple(numbers[first:last])
