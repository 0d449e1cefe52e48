"""Puts the readings of two readers together: which pieces the second one reads, and whose words are kept.

The first reader is good at spaces and at the order of lines, the second at letters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate, chain, groupby
from statistics import median

from docagent.adapters.parse.recognition.found import Found, LineKey
from docagent.adapters.parse.recognition.regions import Region, SeenWord, confidence

_MARGIN = 0.15
"""The share of a region's height above and below its letters."""
_TRUSTED = 0.8
"""The second reader's words are kept from this confidence on, or if the first one has less."""
_PROSE, _SURE_IN_PROSE = 6, 0.88
"""In lines of at least so many words, those that the first reader is sure of are not read again."""
_LEAST_TRUSTED = 0.5
_WORTH_READING = 0.04
_USUAL, _MOST_USUAL = 0.02, 0.3
"""The least confidence of a line's words falls by the first with each word, up to the second, if all are right."""
_ODD = 0.2
_ODD_SIGNS = set("_|[]{}~\\<>=°\N{SINGLE LOW-9 QUOTATION MARK}")
_GAP = 0.9
"""A stretch of a region without words, as a multiple of their height, in which something may have been overlooked."""
_CREDIBLE_ALONE = 0.6
"""Words with less confidence than this that stand where the second reader sees no writing are specks."""
_SAME_ROW = 0.5


def words_of_regions(found: Sequence[Found], regions: Sequence[Region]) -> list[list[Found]]:
    """Return the words that stand in each region. A word that runs over several is in all of them."""
    ends = [(region, region.left, region.right) for region in regions]
    return [[word for word in found if _stands_in(word, *place)] for place in ends]


def _stands_in(word: Found, region: Region, left: int, right: int) -> bool:
    """Judge by the slope: the upright box around a sloping line also holds words of its neighbours."""
    shared = min(word.right, right) - max(word.left, left)
    return (
        shared > 0.5 * min(word.right - word.left, right - left)
        and abs(word.middle - region.level_at((word.left + word.right) / 2)) < region.height / 2
    )


def in_pieces(
    regions: Sequence[Region], known: Sequence[list[Found]]
) -> tuple[list[Region], list[list[Found]]]:
    """Cut the doubtful words out of long lines. The sure ones are in no piece, and stay as they are."""
    places = _places(known)
    pieces: list[tuple[Region, list[Found]]] = []
    for region, words in zip(regions, known, strict=True):
        if len(words) < _PROSE:
            pieces.append((region, words))
        elif _doubt(region, words, places) > _WORTH_READING:
            pieces.extend(_doubtful_pieces(region, sorted(words, key=lambda word: word.left), places))
    return [region for region, _ in pieces], [words for _, words in pieces]


def _doubtful_pieces(
    region: Region, words: Sequence[Found], places: Mapping[Found, int]
) -> Iterator[tuple[Region, list[Found]]]:
    """Yield runs of doubtful words, each up to the middle of the spaces around it."""
    spaces = _spaces(region, words)
    gaps = _gaps(words, spaces)
    doubtful = [
        word.confidence < _SURE_IN_PROSE
        or _is_odd(word)
        or places[word] > 1
        or any(gaps[number : number + 2])
        for number, word in enumerate(words)
    ]
    for is_doubtful, run in groupby(range(len(words)), key=doubtful.__getitem__):
        numbers = list(run)
        if is_doubtful:
            before, after = spaces[numbers[0]], spaces[numbers[-1] + 1]
            yield region.between(sum(before) / 2, sum(after) / 2), [words[number] for number in numbers]


def by_doubt(
    regions: Sequence[Region], known: Sequence[Sequence[Found]], *, all_of_them: bool = False
) -> list[int]:
    """Return the numbers of the regions in which the first reader may be wrong, the most doubtful first."""
    places = _places(known)
    doubts = [_doubt(region, words, places) for region, words in zip(regions, known, strict=True)]
    worth = [number for number, doubt in enumerate(doubts) if all_of_them or doubt > _WORTH_READING]
    return sorted(worth, key=lambda number: -doubts[number])


def _places(known: Sequence[Sequence[Found]]) -> Counter[Found]:
    """Return in how many regions each word stands."""
    return Counter(word for words in known for word in words)


def _doubt(region: Region, words: Sequence[Found], places: Mapping[Found, int]) -> float:
    if not words or any(places[word] > 1 for word in words):
        return 1.0
    least = min(word.confidence for word in words)
    odd = any(map(_is_odd, words)) or any(_gaps(words, _spaces(region, words)))
    return 1 - least - min(_MOST_USUAL, _USUAL * len(words)) + (_ODD if odd else 0)


def _is_odd(word: Found) -> bool:
    return bool(_ODD_SIGNS & set(word.text))


def _spaces(region: Region, words: Sequence[Found]) -> list[tuple[float, float]]:
    """Return the stretches before, between and after words. The region begins and ends with a margin."""
    margin = region.height * _MARGIN
    across = sorted((word.left, word.right) for word in words)
    ends = [region.left + margin, *accumulate((end for _, end in across), max)]
    return list(zip(ends, [*(start for start, _ in across), region.right - margin], strict=True))


def _gaps(words: Sequence[Found], spaces: Sequence[tuple[float, float]]) -> list[bool]:
    """Return which spaces something may have been overlooked in. Those of justified prose are all wide."""
    widths = [end - start for start, end in spaces]
    wide = _GAP * max(word.bottom - word.top for word in words)
    if len(words) >= _PROSE:
        wide = max(wide, 2 * median(widths[1:-1]))
    return [width > wide for width in widths]


def is_trusted(seen: Sequence[SeenWord], known: Sequence[Found]) -> bool:
    """Return whether the second reader's words for a region are kept, and not the first one's."""
    sure = confidence(seen)
    if sure >= _TRUSTED or not known:
        return sure > _LEAST_TRUSTED
    return sure > min(word.confidence for word in known)


def overlooked(regions: Sequence[Region], known: Sequence[Sequence[Found]]) -> float:
    """Return the share of the writing in which the first reader read nothing."""
    whole = sum(region.cost for region in regions)
    empty = sum(region.cost for region, words in zip(regions, known, strict=True) if not words)
    return empty / whole if whole else 0.0


def joined(
    found: Sequence[Found],
    regions: Sequence[Region],
    known: Sequence[Sequence[Found]],
    seen: Mapping[int, Sequence[SeenWord]],
    *,
    careful: bool = False,
) -> list[Found]:
    """Return all words, in lines: the second reader's where it read and is trusted, the first one's elsewhere."""
    replaced: set[Found] = set()
    kept: list[Found] = []
    added: list[list[Found]] = []
    for number, words in seen.items():
        before = known[number]
        placed = _placed(regions[number], _with_spaces(words, before), before)
        if is_trusted(words, before):
            replaced.update(before)
            pieces = _judged(placed, before) if careful else placed
            (kept.extend if before else added.append)(pieces)
        elif careful:
            replaced.update(before)
            kept.extend(_judged(before, placed))
    covered = {word for words in known for word in words}
    for word in found:
        if word not in replaced and (word in covered or word.confidence >= _CREDIBLE_ALONE):
            kept.extend(_judged([word], []) if careful else [word])
    return _in_lines(found, kept, added)


def _placed(region: Region, words: Iterable[SeenWord], known: Sequence[Found]) -> list[Found]:
    """Return the words in pixels. Where the first reader read the same word, its box is kept."""
    line: LineKey = known[0].line if known else ()
    boxes = {word.text: word for word in known}
    placed = []
    for word in words:
        left, top, right, bottom = region.part(word.left, word.right)
        margin = round(region.height * _MARGIN)
        there = Found(word.text, word.confidence, line, left, top + margin, right, bottom - margin)
        same = boxes.get(word.text)
        if same is not None and left < (same.left + same.right) / 2 < right:
            there = same._replace(confidence=max(word.confidence, same.confidence))
        placed.append(there)
    return placed


def _with_spaces(words: Sequence[SeenWord], known: Sequence[Found]) -> list[SeenWord]:
    """Part the words also where the first reader parts them, if both read the letters around the space alike."""
    ours, theirs = "".join(word.text for word in words), "".join(word.text for word in known)
    spaces = set(accumulate(len(word.text) for word in known[:-1]))
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    cuts = {
        space - block.a + block.b
        for block in matcher.get_matching_blocks()
        for space in spaces
        if block.a < space < block.a + block.size
    }
    parted = []
    start = 0
    for word in words:
        end = start + len(word.text)
        ends = [*sorted(cut for cut in cuts if start < cut < end), end]
        for first, last in zip([start, *ends], ends, strict=False):
            share = (word.right - word.left) / len(word.text)
            left, right = word.left + (first - start) * share, word.left + (last - start) * share
            parted.append(SeenWord(ours[first:last], word.confidence, left, right))
        start = end
    return parted


def _judged(chosen: Sequence[Found], other: Sequence[Found]) -> list[Found]:
    """Return the chosen words with what the other reader made of them."""
    judged = []
    for word in chosen:
        beside = (each.text for each in other if word.left < (each.left + each.right) / 2 < word.right)
        reading = " ".join(beside)
        agreed = reading == word.text
        judged.append(word._replace(agreed=agreed, other=None if agreed else reading or None))
    return judged


def _in_lines(found: Sequence[Found], kept: Sequence[Found], added: Sequence[Sequence[Found]]) -> list[Found]:
    """Order the words by the first reader's lines. What it overlooked joins the line at its height, or makes one."""
    lines: dict[LineKey, list[Found]] = {word.line: [] for word in found}
    for word in kept:
        lines[word.line].append(word)
    known = [word for word in kept if word.line]
    alone: list[Sequence[Found]] = []
    for words in added:
        middle = (words[0].middle + words[-1].middle) / 2
        beside = [word for word in known if word.top < middle < word.bottom]
        if beside:
            nearest = min(beside, key=lambda word: _distance(word, words))
            lines[nearest.line].extend(words)
        else:
            alone.append(words)
    ordered = [_from_left(words) for words in lines.values() if words]
    for row in _rows(chain.from_iterable(alone)):
        above = [number for number, line in enumerate(ordered) if line[0].middle < row[0].middle]
        ordered.insert(above[-1] + 1 if above else 0, row)
    return _numbered(ordered)


def _from_left(words: list[Found]) -> list[Found]:
    """Sort a line, unless it runs up or down the page."""
    across = max(word.right for word in words) - min(word.left for word in words)
    down = max(word.bottom for word in words) - min(word.top for word in words)
    return sorted(words, key=lambda word: word.left) if across >= down else words


def _distance(word: Found, words: Sequence[Found]) -> int:
    return max(word.left - words[-1].right, words[0].left - word.right)


def as_rows(found: Iterable[Found]) -> list[Found]:
    """Put the words in lines by where they stand alone."""
    return _numbered(_rows(found))


def _rows(found: Iterable[Found]) -> list[list[Found]]:
    """Return rows of words. Each word goes on with the row whose end is at its height."""
    rows: list[list[Found]] = []
    for word in sorted(found, key=lambda word: word.left):
        row = max(rows, key=lambda row: _beside(row[-1], word), default=None)
        if row is not None and _beside(row[-1], word) > _SAME_ROW:
            row.append(word)
        else:
            rows.append([word])
    return sorted(rows, key=lambda row: sum(word.middle for word in row) / len(row))


def _numbered(lines: Iterable[Sequence[Found]]) -> list[Found]:
    return [word._replace(line=(str(number),)) for number, line in enumerate(lines) for word in line]


def _beside(one: Found, other: Found) -> float:
    """Return how much of the lower word's height both share."""
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared / max(1, min(one.bottom - one.top, other.bottom - other.top))
