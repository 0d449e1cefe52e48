"""Finds texts that are nearly the value: with errors of recognition, or with words apart or in another order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.normal import confused, tokens
from docagent.evidence.grounding.streams import Stream

_ERRORS = 0.2
"""The share of letters that recognition may have got wrong."""
_ERRORS_IN_A_WORD = 0.34
_ANCHORS = 4
_PLACES_OF_AN_ANCHOR = 40
_LEAST_WORD = 4
_WORDS_FOR_A_MISSING_ONE = 7
_SAME_LINE_EXTRA = 1
_FREE_LINES = 1.5
_LINES_FOR_A_WORD = 0.5
_DENSITY = 0.34
_MOST_SCATTERED = 3


def nearly_equal_runs(index: DocumentIndex, wanted: Sequence[str]) -> list[tuple[int, ...]]:
    """Find the runs of words most like the value. All digits, and most letters of each word, must be right."""
    best: dict[tuple[int, ...], int] = {}
    needle = "".join(wanted)
    allowed = int(len(needle) * _ERRORS)
    for stream in index.streams:
        seen: set[int] = set()
        for window_start, window_end in _windows(stream, wanted, allowed):
            if window_start in seen:
                continue
            seen.add(window_start)
            found = _closest(needle, stream.text[window_start:window_end], allowed)
            if found is None:
                continue
            errors, start, end = found
            if _agree_word_by_word(wanted, stream.runs_between(window_start + start, window_start + end)):
                words = stream.words_between(window_start + start, window_start + end)
                best[words] = min(errors, best.get(words, errors))
    if not best:
        return []
    least = min(best.values())
    return [words for words, errors in best.items() if errors == least]


def _windows(stream: Stream, wanted: Sequence[str], allowed: int) -> Iterator[tuple[int, int]]:
    """Yield the start and end of parts of the stream around words of the value, rare and long words first."""
    length = sum(map(len, wanted))
    offsets: list[tuple[int, int, str, int]] = []
    offset = 0
    for word in wanted:
        places = stream.places.get(word)
        if places and len(word) > 2:
            offsets.append((len(places), -len(word), word, offset))
        offset += len(word)
    for _, _, word, offset in sorted(offsets)[:_ANCHORS]:
        for place in stream.places[word][:_PLACES_OF_AN_ANCHOR]:
            start = max(0, place - offset - allowed)
            page_start = stream.text.rfind("\n", start, place) + 1
            page_end = stream.text.find("\n", place)
            yield max(start, page_start), min(place - offset + length + allowed, page_end)


def _closest(needle: str, text: str, allowed: int) -> tuple[int, int, int] | None:
    """Return the fewest errors with which the needle stands in the text, and its start and end there."""
    errors, end = min(
        ((errors, end) for end, errors in enumerate(_errors(needle, text), 1)), default=(allowed + 1, 0)
    )
    if errors > allowed:
        return None
    backwards = _errors(needle[::-1], text[:end][::-1])
    _, length = min((errors, length) for length, errors in enumerate(backwards, 1))
    return errors, end - length, end


def _errors(pattern: str, text: str) -> Iterator[int]:
    """Yield the number of errors if the pattern ends at each character of the text (Myers' bit vectors)."""
    length = len(pattern)
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
        up, down = up << 1 & full, down << 1 & full
        plus, minus = (down | ~(diagonal | up)) & full, up & diagonal


def _agree_word_by_word(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Whether the words differ only by errors of recognition, so that no word or number is really another one."""
    text = "".join(found)
    lookalikes = Counter(map(confused, found))
    missing = 0
    for word in wanted:
        if any(map(str.isdigit, word)):
            if not _take_number(confused(word), lookalikes):
                return False
        elif len(word) >= _LEAST_WORD and word not in text:
            least = min(_errors(word, text), default=len(word))
            missing += least > max(1, int(len(word) * _ERRORS_IN_A_WORD))
    return missing <= len(wanted) // _WORDS_FOR_A_MISSING_ONE


def _take_number(word: str, lookalikes: Counter[str]) -> bool:
    """Take a wanted number from those found, each of which serves only once. A long one may be part of another."""
    if lookalikes[word] > 0:
        lookalikes[word] -= 1
        return True
    return len(word) >= _LEAST_WORD and any(word in other for other in lookalikes)


def scattered_words(index: DocumentIndex, wanted: Sequence[str]) -> tuple[list[tuple[int, ...]], bool]:
    """Find the value's words side by side in another order, or else close to each other.

    The flag is true if they stand side by side.
    """
    counts = Counter(wanted)
    telling = [word for word in counts if len(word) >= _LEAST_WORD]
    if len(wanted) < 2 or not telling or any(word not in index.by_token for word in counts):
        return [], False
    rarest = min(telling, key=lambda word: (len(index.by_token[word]), -len(word)))
    together: dict[tuple[int, ...], float] = {}
    close: dict[tuple[int, ...], float] = {}
    for anchor in index.by_token[rarest][:_PLACES_OF_AN_ANCHOR]:
        words = _nearest(index, counts, anchor)
        if words is None or _has_other_numbers(index, words, counts):
            continue
        if _side_by_side(index, words):
            together[tuple(sorted(words))] = _extent(index, words)
        elif _close(index, words):
            close[tuple(sorted(words))] = _extent(index, words)
    found = together or close
    return sorted(found, key=lambda words: found[words])[:_MOST_SCATTERED], bool(together)


def _nearest(index: DocumentIndex, counts: Counter[str], anchor: int) -> set[int] | None:
    page = index.page_of[anchor]
    middle = _middle(index, anchor)
    chosen: set[int] = set()
    for word, count in counts.items():
        there = index.on_page(word, page)
        if not there:
            return None
        there.sort(key=lambda number: _distance(middle, _middle(index, number)))
        chosen.update(there[:count])
    return chosen


def _has_other_numbers(index: DocumentIndex, words: set[int], counts: Counter[str]) -> bool:
    found = Counter(token for number in words for token in tokens(index.words[number].text))
    return any(token[0].isdigit() for token in found - counts)


def _middle(index: DocumentIndex, number: int) -> tuple[float, float]:
    left, top, right, bottom = index.boxes[number]
    return (left + right) / 2, (top + bottom) / 2


def _distance(one: tuple[float, float], other: tuple[float, float]) -> float:
    return abs(one[0] - other[0]) + 3 * abs(one[1] - other[1])


def _extent(index: DocumentIndex, words: set[int]) -> float:
    middles = [_middle(index, number) for number in words]
    across, down = [x for x, _ in middles], [y for _, y in middles]
    return max(across) - min(across) + 3 * (max(down) - min(down))


def _side_by_side(index: DocumentIndex, words: set[int]) -> bool:
    return (
        len({index.line_of[number] for number in words}) == 1
        and max(words) - min(words) < len(words) + _SAME_LINE_EXTRA
    )


def _close(index: DocumentIndex, words: set[int]) -> bool:
    """True if the area that the words span contains few other words and is not taller than they need."""
    boxes = [index.boxes[number] for number in words]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    line_height = max(box[3] - box[1] for box in boxes)
    if bottom - top > line_height * (_FREE_LINES + _LINES_FOR_A_WORD * len(words)):
        return False
    inside = 0
    for number in index.words_of_page(index.page_of[next(iter(words))]):
        x, y = _middle(index, number)
        inside += left <= x <= right and top <= y <= bottom
    return len(words) >= _DENSITY * inside
