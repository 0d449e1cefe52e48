"""The straight level and upright lines that a PDF page draws, such as those of tables, and its small circles."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.pdf.matrix import Matrix, matrix_of, objects_of_form, objects_of_page, within
from docagent.adapters.parse.pdf.words import PageFrame
from docagent.reading.page_codec import Sides

_Point = tuple[float, float]
_Line = tuple[float, float, float, float]

_OBJECTS_LOOKED_AT = 6000
_SEGMENTS_LOOKED_AT = 40_000
_MOST_LINES = 2000
_FORM_DEPTH = 3
_THIN = 2.5
_SHORTEST = 6.0
"""In points: a line is at most as thick as the first, and at least as long as the second."""
_LARGEST, _ROUND, _MEETS = 27.0, 0.8, 0.5
"""Of circles: the largest width in points, the least ratio of their sides, and how near their ends are."""
_AS_IT_IS: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Drawing:
    """What the paths of a page draw."""

    lines: list[Sides] = field(default_factory=list)
    circles: list[Sides] = field(default_factory=list)
    """Closed curves about as wide as high, as far as they may be check marks."""


def drawing_of(page: pdfium.PdfPage, frame: PageFrame) -> Drawing:
    """Return the lines of a page, drawn as strokes, as thin boxes or as the sides of boxes, and its small circles."""
    drawing = Drawing()
    segments = 0
    for path, matrix in _paths(objects_of_page(page, _OBJECTS_LOOKED_AT), _AS_IT_IS, _FORM_DEPTH):
        segments += pdfium_c.FPDFPath_CountSegments(path)
        if segments > _SEGMENTS_LOOKED_AT or len(drawing.lines) > _MOST_LINES:
            break
        for (left, bottom, right, top), curved in _lines_of(path, matrix):
            (drawing.circles if curved else drawing.lines).append(frame.shown((left, top, right, bottom)))
    del drawing.lines[_MOST_LINES:]
    return drawing


def _paths(items: Iterator[object], outer: Matrix, depth: int) -> Iterator[tuple[object, Matrix]]:
    """Yield the paths, also those in groups, each with the matrix from its coordinates to the page's."""
    for item in items:
        kind = pdfium_c.FPDFPageObj_GetType(item)
        if kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            yield item, within(matrix_of(item) or _AS_IT_IS, outer)
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
            inner = objects_of_form(item, _OBJECTS_LOOKED_AT)
            yield from _paths(inner, within(matrix_of(item) or _AS_IT_IS, outer), depth - 1)


def _lines_of(path: object, matrix: Matrix) -> Iterator[tuple[_Line, bool]]:
    """Yield left, bottom, right and top of the path's straight lines and, with True, of its circles."""
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(path, mode, stroked)
    seen = bool(stroked.value or mode.value)
    for points, closed, curved in _strands(path, matrix):
        across, down = [x for x, _ in points], [y for _, y in points]
        left, bottom, right, top = min(across), min(down), max(across), max(down)
        shorter, longer = sorted((right - left, top - bottom))
        if curved:
            returns = abs(across[0] - across[-1]) + abs(down[0] - down[-1]) < _MEETS
            if seen and returns and _SHORTEST <= longer <= _LARGEST and shorter >= _ROUND * longer:
                yield (left, bottom, right, top), True
        elif shorter <= _THIN:
            if longer >= _SHORTEST:
                yield (left, bottom, right, top), False
        elif seen:
            ring = [*points, points[0]] if closed or not stroked.value else points
            for (x1, y1), (x2, y2) in pairwise(ring):
                if min(abs(x1 - x2), abs(y1 - y2)) <= 0.5 and max(abs(x1 - x2), abs(y1 - y2)) >= _SHORTEST:
                    yield (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)), False


def _strands(path: object, matrix: Matrix) -> Iterator[tuple[list[_Point], bool, bool]]:
    """Yield the points of each unbroken line or curve of a path, whether it is closed, and whether it is a curve."""
    a, b, c, d, e, f = matrix
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[_Point] = []
    closed = curved = False
    for index in range(pdfium_c.FPDFPath_CountSegments(path)):
        segment = pdfium_c.FPDFPath_GetPathSegment(path, index)
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        begins = closed or kind == pdfium_c.FPDF_SEGMENT_MOVETO
        curves = kind == pdfium_c.FPDF_SEGMENT_BEZIERTO
        if begins or curves != curved:
            if len(points) > 1:
                yield points, closed, curved
            points = [] if begins else points[-1:]
            curved = curves
        points.append((a * x.value + c * y.value + e, b * x.value + d * y.value + f))
        closed = bool(pdfium_c.FPDFPathSegment_GetClose(segment))
    if len(points) > 1:
        yield points, closed, curved
