"""Reads the words of a page image with one or two readers.

Tesseract reads every page, and finds out how it lies. The second reader then looks for writing, and reads what
Tesseract overlooked or may have misread: most lines of photographs, few of a clean scan.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from PIL import Image

from docagent.adapters.parse import imaging
from docagent.adapters.parse.recognition.found import Found, Reading, letter_count
from docagent.adapters.parse.recognition.regions import LineReader, SeenWord, confidence
from docagent.adapters.parse.recognition.tesseract import Tesseract
from docagent.adapters.parse.recognition.two_readings import (
    as_rows,
    by_doubt,
    in_pieces,
    joined,
    overlooked,
    words_of_regions,
)
from docagent.domain.documents.text import Line, Word

_BADLY_READ = 0.8
"""The mean confidence below which Tesseract failed."""
_ENOUGH_WORDS = 20
"""Words that were read well, from which the size of the print is taken."""
_MUCH_OVERLOOKED = 0.3
"""A page with more writing that Tesseract overlooked was badly read, too."""
_COLUMNS_PER_WORD, _COLUMNS_FOR_FINDING, _COLUMNS_OF_RECEIPT = 40, 3500, 10_000
"""The second reader may read so much that it costs twice what Tesseract does, and always as much as a receipt has."""
_COLUMNS_OF_PHOTO, _COLUMNS_WITH_CARE = 40_000, 150_000
"""What it may read of a page that was badly read, about 12 seconds' worth, and of any page in a careful reading."""
_TRIED, _KNOWN_SCRIPT = 8, 0.75
"""If the widest pieces of a badly read page are read with less confidence, the models do not know its script."""
_LEAST_OF_WORD, _LEAST_OF_LINE, _LEAST_OF_PAGE = 0.2, 0.35, 0.45
"""A word, line or page with less confidence than this is taken for specks or pictures."""
_LEAST_OF_SIGN = 0.5
_FEW_LETTERS, _LEAST_OF_FEW = 30, 0.75
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_LEAST_OF_SCRIPT = 0.1
"""A page with a smaller share of ideographs has none: the second reader made them of boxes and crosses."""


@dataclass(frozen=True)
class OcrResult:
    """The words of an image, with boxes in fractions of the image as it was given."""

    lines: tuple[Line, ...]
    rotation: int
    """How far the content is turned clockwise: 0, 90, 180 or 270 degrees."""
    mean_confidence: float
    other_readings: dict[Word, str] = field(default_factory=dict)
    """What the other reader made of words on which the two disagree. Only a careful reading has them."""


class Ocr:
    """The readers, loaded once for page after page. Not safe for several threads at once."""

    def __init__(self, second: LineReader | None = None, *, careful: bool = False) -> None:
        """`careful`: both readers read everything, and say where they disagree."""
        self._tesseract = Tesseract(alone=second is None)
        self._second = second
        self._careful = careful

    def read(self, image: Image.Image, *, dpi: int) -> OcrResult:
        """Find the words of an image with a resolution of `dpi` pixels per inch."""
        grey = imaging.without_noise(imaging.dark_on_light(image))
        dpi = max(72, round(dpi * grey.width / image.width))
        reading = self._tesseract.read(grey, dpi=dpi)
        if self._second is not None:
            reading = self._read_twice(self._second, reading)
        lines = _without_noise(reading)
        on_page = [(word, reading.on_page([word]).words[0]) for line in lines for word in line]
        return OcrResult(
            tuple(reading.on_page(line) for line in lines),
            reading.view.quarter_turn or _turn_of_lines(lines),
            Reading([word for line in lines for word in line], reading.view).confidence,
            {placed: word.other for word, placed in on_page if word.other is not None},
        )

    def _read_twice(self, second: LineReader, reading: Reading) -> Reading:
        found, image = reading.found, reading.view.image
        regions = second.find(image, letters=_small_print(found))
        known = words_of_regions(found, regions)
        badly = reading.confidence < _BADLY_READ or overlooked(regions, known) > _MUCH_OVERLOOKED
        if not self._careful:
            regions, known = in_pieces(regions, known)
        wanted = by_doubt(regions, known, all_of_them=self._careful)
        seen: dict[int, list[SeenWord]] = {}
        if badly:
            widest = sorted(wanted, key=lambda number: -regions[number].cost)[:_TRIED]
            seen = {number: second.read(image, regions[number]) for number in widest}
            if not _knows_script(seen.values()):
                return reading
        budget = self._budget(len(found), badly=badly)
        for number in wanted:
            budget -= regions[number].cost
            if budget < 0:
                break
            if number not in seen:
                seen[number] = second.read(image, regions[number])
        whole = joined(found, regions, known, seen, careful=self._careful)
        return Reading(as_rows(whole) if badly else whole, reading.view)

    def _budget(self, words: int, *, badly: bool) -> float:
        """Return how many columns of a page the second reader may read."""
        if self._careful:
            return _COLUMNS_WITH_CARE
        if badly:
            return _COLUMNS_OF_PHOTO
        usual = _COLUMNS_PER_WORD * words - _COLUMNS_FOR_FINDING
        return min(_COLUMNS_OF_PHOTO, max(_COLUMNS_OF_RECEIPT, usual))


def _small_print(found: Sequence[Found]) -> float | None:
    """Return the height of small words in pixels, or None if too few were read to know it."""
    heights = sorted(
        word.bottom - word.top for word in found if word.confidence >= _BADLY_READ and len(word.text) > 1
    )
    return heights[len(heights) // 10] if len(heights) >= _ENOUGH_WORDS else None


def _knows_script(readings: Iterable[Sequence[SeenWord]]) -> bool:
    sure = [confidence(words) for words in readings]
    return not sure or statistics.median(sure) >= _KNOWN_SCRIPT


def _turn_of_lines(lines: Sequence[Sequence[Found]]) -> int:
    """Return how the text is turned. Tesseract reads blocks on their side by itself: their lines run up or down."""
    down = up = across = 0
    for line in lines:
        width = max(word.right for word in line) - min(word.left for word in line)
        height = max(word.bottom for word in line) - min(word.top for word in line)
        if width >= height or len(line) < 2:
            across += 1
        elif line[0].top < line[-1].top:
            down += 1
        else:
            up += 1
    if across >= max(down, up):
        return 0
    return 90 if down > up else 270


def _without_noise(reading: Reading) -> list[list[Found]]:
    """Drop what was made of specks, rules, boxes and pictures."""
    text = "".join(word.text for line in reading.lines for word in line)
    are_strays = len(_IDEOGRAPH.findall(text)) < _LEAST_OF_SCRIPT * letter_count(text)
    kept = []
    for line in reading.lines:
        words = [
            word for word in line if not _is_noise(word) and not (are_strays and _IDEOGRAPH.search(word.text))
        ]
        if (
            any(letter_count(word.text) for word in words)
            and Reading(words, reading.view).confidence >= _LEAST_OF_LINE
        ):
            kept.append(words)
    rest = Reading([word for line in kept for word in line], reading.view)
    few = rest.credible_letters < _FEW_LETTERS
    return [] if rest.confidence < (_LEAST_OF_FEW if few else _LEAST_OF_PAGE) else kept


def _is_noise(word: Found) -> bool:
    return word.confidence < (_LEAST_OF_WORD if letter_count(word.text) else _LEAST_OF_SIGN)
