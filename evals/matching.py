"""Compares text and boxes that were read with the labelled ones. Shared by the suites."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from docagent.domain.documents.text import Box, Word

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_QUOTES = "\u2018\u2019\u201c\u201d\u0060\u00b4"
_ALIKE = str.maketrans(_DASHES + _QUOTES, "-" * len(_DASHES) + "''\"\"''")


def normalise(text: str) -> str:
    """Return the text in compatibility form, with one kind of quote and dash, case-folded, with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).casefold().split())


def squeeze(text: str) -> str:
    """Return the normalised text without spaces, so that it does not matter how it was divided into words."""
    return normalise(text).replace(" ", "")


def letters(text: str) -> str:
    """Return only the letters and digits of the normalised text."""
    return "".join(character for character in normalise(text) if character.isalnum())


def distance(left: str, right: str) -> int:
    """Count the characters to insert, delete or replace to turn one text into the other."""
    if not left:
        return len(right)
    *_, last = len(left), *_distances(left, right, anywhere=False)
    return last


def distance_within(wanted: str, text: str) -> int:
    """Return the distance from `wanted` to the most similar part of `text`."""
    return min((len(wanted), *_distances(wanted, text, anywhere=True)))


def end_within(wanted: str, text: str, allowed: int) -> int | None:
    """Return where the first part of `text` ends that differs from `wanted` in at most `allowed` characters."""
    distances = enumerate(_distances(wanted, text, anywhere=True), start=1)
    return next((end for end, score in distances if score <= allowed), None)


def _distances(pattern: str, text: str, *, anywhere: bool) -> Iterator[int]:
    """Yield the distance from the pattern to the text up to each character, by Myers' bit-parallel algorithm.

    Each bit of a long integer stands for one character of the pattern.
    """
    length = len(pattern)
    if not length:
        return
    full, last = (1 << length) - 1, 1 << (length - 1)
    places: dict[str, int] = {}
    for index, character in enumerate(pattern):
        places[character] = places.get(character, 0) | 1 << index
    plus, minus, score = full, 0, length
    for character in text:
        equal = places.get(character, 0)
        diagonal = (((equal & plus) + plus) ^ plus) | equal | minus
        up, down = minus | ~(diagonal | plus) & full, plus & diagonal
        score += bool(up & last) - bool(down & last)
        yield score
        up = (up << 1 | (0 if anywhere else 1)) & full
        down = (down << 1) & full
        plus, minus = (down | ~(diagonal | up)) & full, up & diagonal


def edits(left: str, right: str, *, kept: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what turns one text into the other: pairs of characters, one of them empty if it is left out or added.

    `kept` yields the characters that stay too, each with itself.
    """
    costs = [list(range(len(right) + 1))]
    for number, one in enumerate(left, 1):
        above, row = costs[-1], [number]
        for place, other in enumerate(right, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (one != other)))
        costs.append(row)
    before, after = len(left), len(right)
    found = []
    while before or after:
        if (
            before
            and after
            and costs[before][after] == costs[before - 1][after - 1] + (left[before - 1] != right[after - 1])
        ):
            before, after = before - 1, after - 1
            found.append((left[before], right[after]))
        elif after and costs[before][after] == costs[before][after - 1] + 1:
            after -= 1
            found.append(("", right[after]))
        else:
            before -= 1
            found.append((left[before], ""))
    return ((one, other) for one, other in reversed(found) if kept or one != other)


def similarity(left: str, right: str) -> float:
    """Return 1 for equal texts and 0 for texts that have nothing in common."""
    longest = max(len(left), len(right))
    return 1 - distance(left, right) / longest if longest else 1.0


def found_share(wanted: str, text: str) -> float:
    """Return how much of `wanted` stands in `text` in one piece: 1 if all of it does, letter by letter."""
    return 1 - distance_within(wanted, text) / len(wanted) if wanted else 1.0


def box_around(points: Sequence[float], width: float = 1.0, height: float = 1.0) -> Box:
    """Return the box around the points x, y, x, y, ... in fractions of a page of the given size."""
    across, down = points[0::2], points[1::2]
    return Box(min(across) / width, min(down) / height, max(across) / width, max(down) / height)


def overlap(left: Box, right: Box) -> float:
    """Return the intersection over the union."""
    common = max(0.0, min(left.right, right.right) - max(left.left, right.left)) * max(
        0.0, min(left.bottom, right.bottom) - max(left.top, right.top)
    )
    union = left.width * left.height + right.width * right.height - common
    return common / union if union else 0.0


def words_inside(words: Iterable[Word], box: Box) -> list[Word]:
    """Return the words whose middle lies in the box."""
    return [word for word in words if centre_inside(word.box, box)]


def centre_inside(inner: Box, outer: Box) -> bool:
    across, down = (inner.left + inner.right) / 2, (inner.top + inner.bottom) / 2
    return outer.left <= across <= outer.right and outer.top <= down <= outer.bottom


def union_of(words: Sequence[Word]) -> Box:
    box = words[0].box
    for word in words[1:]:
        box = box.union(word.box)
    return box


def share(part: float, whole: float) -> float:
    """Return part / whole, or 0 if there is no whole."""
    return part / whole if whole else 0.0


def occurrences(words: Sequence[Word], wanted: str) -> list[list[Word]]:
    """Return every run of words, in reading order, that spells `wanted`, however it is divided and punctuated."""
    target = letters(wanted)
    spelled = [letters(word.text) for word in words]
    runs = []
    for start, first in enumerate(spelled):
        if not first or not target.startswith(first):
            continue
        text, end = "", start
        while end < len(words) and len(text) < len(target):
            text += spelled[end]
            end += 1
        if text == target:
            runs.append([word for word in words[start:end] if letters(word.text)])
    return runs
