"""Measures how well the words around a place agree with the name of the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.normal import tokens, words_of_name
from docagent.reading.printed import families_of, fold
from docagent.words import words

_LEAST_PREFIX = 3


@lru_cache(maxsize=65536)
def likeness(label: str, word: str) -> float:
    """Return 1 for the same word, less if one begins with the other or their meanings are related, otherwise 0."""
    if label == word or label.removesuffix("s") == word.removesuffix("s"):
        return 1.0
    shorter, longer = sorted((label, word), key=len)
    if len(shorter) >= _LEAST_PREFIX and longer.startswith(shorter):
        return 0.9
    return 0.7 if families_of(label) & families_of(word) else 0.0


_WEIGHTS = {"name": 1.0, "title": 1.0, "parent": 0.5, "description": 0.3}
_MOST_WORDS_OF_DESCRIPTION = 12
_INITIALS = 0.9
_PAST_A_NUMBER = 0.5
"""Words beyond another number count less, since they are more likely the label of that number."""
_WORDS_BELOW = 40
_REACH = 1.5
_LINES_ABOVE = 3.5
_LINES_OF_HEAD = 2.5
_FAR = 1e6
_CLEARLY_NEARER = 0.6
_OTHER_SIDE = 0.5
_MARK_REACH = 8.0
"""In line heights: how far to the side words above a check mark may be its label. `_REACH` is the same for a value."""


@cache
def _small_words() -> frozenset[str]:
    return frozenset(map(fold, words("small_words")["questions"]))


class Label:
    """The words that name a field, each with its weight."""

    def __init__(self, names: Iterable[tuple[str, str]], shared: Mapping[str, int] | None = None) -> None:
        """`shared` says how many fields have a word in their names. The more there are, the less the word tells."""
        weights: dict[str, float] = {}
        described: dict[str, float] = {}
        for role, text in names:
            kept = described if role == "description" else weights
            for word in words_of_name(text)[:_MOST_WORDS_OF_DESCRIPTION]:
                if word not in _small_words():
                    weight = _WEIGHTS[role] / max(1, (shared or {}).get(word, 1))
                    kept[word] = max(kept.get(word, 0.0), weight)
        self.weights = described | weights
        self.total = sum((weights or described).values())
        self._alike: dict[str, tuple[tuple[str, float], ...]] = {}

    def agreement(self, surroundings: Mapping[str, float]) -> float:
        """Return how much of the label stands around the place, 0..1. Near words count more."""
        if not self.weights:
            return 0.0
        found = dict.fromkeys(self.weights, 0.0)
        for word, near in surroundings.items():
            alike = self._alike.get(word)
            for label, like in self._like(word) if alike is None else alike:
                found[label] = max(found[label], like * near)
        return min(1.0, sum(weight * found[label] for label, weight in self.weights.items()) / self.total)

    def _like(self, word: str) -> tuple[tuple[str, float], ...]:
        """Return the words of the label that the word is like, and how much. Most words are like none."""
        found = ((label, likeness(label, word)) for label in self.weights)
        self._alike[word] = alike = tuple((label, like) for label, like in found if like)
        return alike


class KnownLabels(dict[tuple[tuple[str, str], ...], Label]):
    """The labels of a document's fields. Rows of a list share them, with what is known of the words around."""

    def __missing__(self, names: tuple[tuple[str, str], ...]) -> Label:
        label = self[names] = Label(names)
        return label


@lru_cache(maxsize=65536)
def _tokens_of_label(text: str) -> tuple[str, ...]:
    """Return the tokens, and all of them joined as one: $5,000 gives 5000 too."""
    found = tokens(text)
    return (*found, "".join(found)) if len(found) > 1 else found


class Surroundings:
    """Finds the words around a place where a reader looks for a label: on the left, above, in the column's head."""

    def __init__(self, index: DocumentIndex) -> None:
        self._index = index
        self._known: dict[tuple[int, int, bool], dict[str, float]] = {}

    def of(self, words: Sequence[int], *, of_mark: bool = False) -> Mapping[str, float]:
        """Return the tokens around a place, each with its nearness 0..1 where it is nearest.

        The text of a check mark stands on its right more often than on its left.
        """
        place = (words[0], words[-1], of_mark)
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._tokens_around(words, of_mark)
        return known

    def _tokens_around(self, words: Sequence[int], of_mark: bool) -> dict[str, float]:
        near: dict[int, float] = {}
        self._beside(words, near, of_mark)
        self._above(words, near, of_mark)
        self._below(words, near)
        for own in words:
            near.pop(own, None)
        found: dict[str, float] = {}
        for number, nearness in near.items():
            for token in _tokens_of_label(self._index.words[number].text):
                if nearness > found.get(token, 0.0):
                    found[token] = nearness
        if of_mark:
            for letters, nearness in self._initials(words[-1]):
                found[letters] = max(found.get(letters, 0.0), nearness)
        return found

    def _initials(self, mark: int) -> list[tuple[str, float]]:
        """Return the initials of the words after a check mark, since its field may be called by them: LLC, TIN."""
        line = self._index.lines[self._index.line_of[mark]]
        first = [
            tokens(self._index.words[number].text) for number in range(mark + 1, min(mark + 6, line.stop))
        ]
        letters = "".join(each[0][0] if each else " " for each in first)
        return [(letters[:length], _INITIALS) for length in range(2, len(letters.split(" ")[0]) + 1)]

    def _beside(self, words: Sequence[int], near: dict[int, float], of_mark: bool) -> None:
        index = self._index
        line = index.lines[index.line_of[words[0]]]
        marks = {number for number, _ in index.marks} if of_mark else set()
        left_start, right_start = self._sides_of_mark(words[0], line) if of_mark else (1.0, 0.35)
        for numbers, nearness in (
            (range(words[0] - 1, line.start - 1, -1), left_start),
            (range(words[-1] + 1, line.stop), right_start),
        ):
            left, top, right, bottom = index.boxes[words[0] if numbers.step < 0 else words[-1]]
            height = bottom - top
            edge = left if numbers.step < 0 else right
            for number in numbers[:12]:
                other = index.boxes[number]
                gap = edge - other[2] if numbers.step < 0 else other[0] - edge
                if number in marks:
                    break
                nearness *= 0.97 if gap < 1.5 * height else 0.8
                near[number] = nearness
                if number in index.with_digits:
                    nearness *= _PAST_A_NUMBER
                edge = other[0] if numbers.step < 0 else other[2]

    def _sides_of_mark(self, mark: int, line: range) -> tuple[float, float]:
        """Return how much the words on the left and on the right of a check mark count.

        The label is on the side where it is nearer; if both sides are as near, where every mark of the line has one.
        """
        left, top, right, bottom = self._index.boxes[mark]
        step = 0.25 * (bottom - top)
        before = left - self._index.boxes[mark - 1][2] if mark > line.start else _FAR
        after = self._index.boxes[mark + 1][0] - right if mark + 1 < line.stop else _FAR
        if before + step < _CLEARLY_NEARER * after:
            return 1.0, _OTHER_SIDE
        if after + step < _CLEARLY_NEARER * before:
            return _OTHER_SIDE, 1.0
        marks = {number for number, _ in self._index.marks}
        if line[-1] in marks and line[0] not in marks:
            return 1.0, 0.9
        return 0.9, 1.0

    def _above(self, words: Sequence[int], near: dict[int, float], of_mark: bool) -> None:
        """Add the words of the lines just above, and of the head of the column."""
        index = self._index
        lefts, rights, bottoms = index.boxes.lefts, index.boxes.rights, index.boxes.bottoms
        left, top, right, height = self._place(words)
        margin = (_MARK_REACH if of_mark else _REACH) * height
        first, last = left - margin, right + margin
        head: float | None = None
        clear = 1.0
        for number in range(words[0] - 1, index.words_of_page(index.page_of[words[0]]).start - 1, -1):
            other_left, other_right = lefts[number], rights[number]
            if other_left > last or other_right < first:
                continue
            rows = (top - bottoms[number]) / height
            if rows < -0.5:
                continue
            overlaps = other_left < right and other_right > left
            if rows <= _LINES_ABOVE:
                aside = max(0.0, other_left - right, left - other_right) / margin
                nearness = clear * (0.85 - 0.12 * max(rows, 0.0)) * (1 - 0.6 * aside)
                near[number] = max(near.get(number, 0.0), nearness)
                if overlaps and number in index.with_digits:
                    clear = _PAST_A_NUMBER
            elif head is not None and rows - head > _LINES_OF_HEAD:
                break
            elif overlaps and number not in index.with_digits:
                head = rows if head is None else head
                near[number] = max(near.get(number, 0.0), 0.5)

    def _below(self, words: Sequence[int], near: dict[int, float]) -> None:
        """Add the words of the line just below with a low weight: some forms print the label under the value."""
        index, boxes = self._index, self._index.boxes
        left, top, right, height = self._place(words)
        margin = _REACH * height
        page = index.words_of_page(index.page_of[words[0]])
        for number in range(words[-1] + 1, min(words[-1] + _WORDS_BELOW, page.stop)):
            rows = (boxes.tops[number] - top) / height - 1
            if not 0 <= rows <= 1.5:
                continue
            if boxes.lefts[number] <= right + margin and boxes.rights[number] >= left - margin:
                near[number] = max(near.get(number, 0.0), 0.35)

    def _place(self, words: Sequence[int]) -> tuple[float, float, float, float]:
        """Return the left, top and right edge of the words' first line, and its height."""
        index = self._index
        left, top, right, bottom = index.boxes[words[0]]
        if index.line_of[words[-1]] == index.line_of[words[0]]:
            right = max(right, index.boxes[words[-1]][2])
        return left, top, right, max(bottom - top, 1.0)
