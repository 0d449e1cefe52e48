"""The check marks that a PDF page draws with lines, small pictures or groups of them, beside its text."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse import imaging
from docagent.adapters.parse.marks.check_marks import Drawn, without_replaced
from docagent.adapters.parse.pdf.matrix import objects_of_form, objects_of_page
from docagent.adapters.parse.pdf.ruling import Drawing
from docagent.adapters.parse.pdf.words import PageFrame
from docagent.adapters.parse.tokens import TEXT, UNITS, box_of
from docagent.domain.documents.text import Box
from docagent.reading.page_codec import Sides, Token

_DPI = 200
_MOST_PIXELS = 12_000_000
_OBJECTS_LOOKED_AT = 3000
_FORM_DEPTH = 3
_SMALLEST, _LONGEST_SIDE, _LARGEST = 5.0, 27.0, 40.0
"""In points: the shortest and the longest side of a box, and the largest picture of one with the paper around it."""
_FLATTEST = 2.0
_BESIDE = 1.5
"""In points: how far apart lines may be that run along the same side."""
_NEAR_ACROSS, _NEAR_DOWN = 7.0, 3.0
"""In heights of a box: how far away a word may be that says what the box means."""
_WHOLE_PAGE = 0.5
_EXPLAINED = 0.4
"""Where a scan lies under the text, the share of its ink that the words must cover: else they are not its words."""
_Rect = tuple[float, float, float, float]


def with_drawn_marks(
    page: pdfium.PdfPage, frame: PageFrame, words: list[Token], fields: list[Box], drawing: Drawing
) -> list[Token]:
    """Return the words with the marks that the page draws outside of its form's fields.

    A page is only rendered, which costs more than all else, if its paths or small pictures may be boxes.
    """
    if not words or frame.width * frame.height * (_DPI / 72) ** 2 > _MOST_PIXELS:
        return words
    pictures = _Pictures(page, frame)
    if not pictures.is_scan and not _may_show_boxes(frame, words, drawing, pictures.small):
        return words
    picture = page.render(scale=_DPI / 72, grayscale=True).to_pil()
    if pictures.is_scan:
        boxes = [box_of(word[1:5]) for word in words]
        if imaging.share_of_ink(imaging.ink_sketch(picture), boxes) < _EXPLAINED:
            return words
    drawn = Drawn(picture, _DPI, frame.width, frame.height)
    marks = [(*mark[:5], 1.0, TEXT) for mark in drawn.marks(words, [*fields, *pictures.large])]
    return [*without_replaced(words, marks), *marks] if marks else words


def _may_show_boxes(
    frame: PageFrame, words: list[Token], drawing: Drawing, pictures: Sequence[Sides]
) -> bool:
    """Return whether something may be a box or circle: it has its size, a word beside it, and no word in it."""
    across, down = frame.width / UNITS, frame.height / UNITS

    def in_points(sides: Sides) -> _Rect:
        return sides[0] * across, sides[1] * down, sides[2] * across, sides[3] * down

    texts = [in_points(word[1:5]) for word in words if len(word[0]) > 1]
    found = [
        *_boxes_of(list(map(in_points, drawing.lines))),
        *map(in_points, drawing.circles),
        *map(in_points, pictures),
    ]
    return any(_is_labelled(box, texts) for box in found)


def _boxes_of(lines: list[_Rect]) -> Iterator[_Rect]:
    """Yield the boxes that four lines make. A line that runs on beyond a corner is none of its level sides."""
    upright = [line for line in lines if line[3] - line[1] > line[2] - line[0]]
    level = [line for line in _joined(lines) if _SMALLEST <= line[2] - line[0] <= _LONGEST_SIDE]
    for number, (left, top, right, bottom) in enumerate(level):
        for other_left, other_top, other_right, other_bottom in level[number + 1 :]:
            high, wide = other_bottom - top, right - left
            if high > _LONGEST_SIDE:
                break
            slack = max(_BESIDE, 0.15 * wide)
            if (
                other_top > bottom + _BESIDE
                and high >= _SMALLEST
                and max(wide, high) <= _FLATTEST * min(wide, high)
                and abs(other_left - left) <= slack
                and abs(other_right - right) <= slack
                and all(_has_side(upright, x, top, other_bottom, slack) for x in (left, right))
            ):
                yield left, top, right, other_bottom


def _joined(lines: list[_Rect]) -> list[_Rect]:
    """Return the level lines from the top down, those that run on as one."""
    joined: list[_Rect] = []
    last: dict[int, int] = {}
    """By its height on the page, in points, the number of the line that reaches farthest to the right."""
    for line in sorted(line for line in lines if line[2] - line[0] >= line[3] - line[1]):
        height = round(line[1])
        number = next((last[near] for near in (height, height - 1, height + 1) if near in last), None)
        if number is not None and line[0] <= joined[number][2] + _BESIDE:
            left, top, right, bottom = joined[number]
            joined[number] = left, top, max(right, line[2]), bottom
        else:
            last[height] = len(joined)
            joined.append(line)
    return sorted(joined, key=lambda line: line[1])


def _has_side(upright: list[_Rect], x: float, top: float, bottom: float, slack: float) -> bool:
    """Return whether upright lines run along the side, one alone or several together."""
    along = [line for line in upright if abs((line[0] + line[2]) / 2 - x) <= slack]
    covered = sum(max(0.0, min(line[3], bottom) - max(line[1], top)) for line in along)
    return covered >= bottom - top - 2 * slack


def _is_labelled(box: _Rect, words: list[_Rect]) -> bool:
    """Return whether a word stands near the box, and none in it, as in a cell of a table."""
    left, top, right, bottom = box
    high = bottom - top
    near = [
        word
        for word in words
        if max(word[0] - right, left - word[2]) < _NEAR_ACROSS * high
        and max(word[1] - bottom, top - word[3]) < _NEAR_DOWN * high
    ]
    return bool(near) and not any(
        left < (word[0] + word[2]) / 2 < right and top < (word[1] + word[3]) / 2 < bottom for word in near
    )


class _Pictures:
    """The pictures of a page: a scan under its text, charts and logos, and small ones that may be boxes."""

    def __init__(self, page: pdfium.PdfPage, frame: PageFrame) -> None:
        self.large: list[Box] = []
        """Pictures such as charts and logos, whose shapes are no check marks."""
        self.small: list[Sides] = []
        self.is_scan = False
        self._frame = frame
        self._look_at(objects_of_page(page, _OBJECTS_LOOKED_AT), _FORM_DEPTH)

    def _look_at(self, items: Iterator[object], depth: int) -> None:
        for item in items:
            kind = pdfium_c.FPDFPageObj_GetType(item)
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
                # The parts of a group are placed within it, so only their sizes are known.
                self._look_at(objects_of_form(item, _OBJECTS_LOOKED_AT), depth - 1)
            elif kind not in (pdfium_c.FPDF_PAGEOBJ_TEXT, pdfium_c.FPDF_PAGEOBJ_PATH):
                self._note(_bounds(item), is_image=kind == pdfium_c.FPDF_PAGEOBJ_IMAGE)

    def _note(self, rect: _Rect, *, is_image: bool) -> None:
        smaller, larger = sorted((rect[2] - rect[0], rect[1] - rect[3]))
        shown = self._frame.shown(rect)
        if is_image and smaller > _LARGEST:
            box = box_of(shown)
            if box.width * box.height >= _WHOLE_PAGE:
                self.is_scan = True
            else:
                self.large.append(box)
        elif smaller >= _SMALLEST and larger <= min(_LARGEST, _FLATTEST * smaller):
            self.small.append(shown)


def _bounds(item: object) -> _Rect:
    """Return the left, top, right and bottom side in the page's own coordinates."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium_c.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return left.value, top.value, right.value, bottom.value
