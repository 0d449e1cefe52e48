"""The words of a PDF page's text layer, each with its box."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docagent.adapters.parse.pdf.symbol_fonts import with_signs
from docagent.adapters.parse.tokens import TEXT, UNITS
from docagent.reading.page_codec import Token

_LINE_END_HYPHENS = "\x02\ufffe"
_WORD = re.compile(rf"[^\s{_LINE_END_HYPHENS}]+[{_LINE_END_HYPHENS}]?")
_LIGATURES = {sign: unicodedata.normalize("NFKC", sign) for sign in map(chr, range(0xFB00, 0xFB07))}
_REMOVED = [*range(0x20), 0x7F, 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xFFFF]
_TO_CLEAN = re.compile(r"[^\s!-~]")
_CLEAN = str.maketrans({**dict.fromkeys(_REMOVED, ""), **dict.fromkeys(_LINE_END_HYPHENS, "-"), **_LIGATURES})


def bare(function: object) -> Callable[..., int]:
    """Return the C function without conversion of its arguments, which halves the cost of a call.

    Pointers have to be given as c_void_p. The call keeps the interpreter lock, as the reading process has
    only one thread.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]
    return ctypes.PYFUNCTYPE(ctypes.c_int)(address or 0)


_count_rects = bare(pdfium_c.FPDFText_CountRects)
_get_rect = bare(pdfium_c.FPDFText_GetRect)

_BATCH = 512
_SHARED = (ctypes.c_double * (4 * _BATCH))()
_PLACES = [
    [ctypes.c_void_p(ctypes.addressof(_SHARED) + 8 * (4 * index + side)) for index in range(_BATCH)]
    for side in range(4)
]
"""For each side of a rectangle, its addresses for a batch of words. Made once, because making them is slow."""

_Rect = Sequence[float]
"""Left, top, right, bottom in the page's own coordinates, which start at the bottom left."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """Maps a page's own coordinates (from the bottom left, unrotated) to the page as it is shown."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    @classmethod
    def of(cls, page: pdfium.PdfPage) -> PageFrame:
        left, bottom, right, top = page.get_bbox()
        return cls(left, bottom, right, top, page.get_rotation())

    @property
    def width(self) -> float:
        return self.top - self.bottom if self.rotation in (90, 270) else self.right - self.left

    @property
    def height(self) -> float:
        return self.right - self.left if self.rotation in (90, 270) else self.top - self.bottom

    def shown(self, rect: _Rect) -> tuple[int, int, int, int]:
        """Return where a rectangle in the page's own coordinates lies on the page as shown."""
        left, top, right, bottom = _SIDES[self.rotation]
        across, right_shift, down, down_shift = self.scales()
        return (
            int(rect[left] * across + right_shift),
            int(rect[top] * down + down_shift),
            int(rect[right] * across + right_shift),
            int(rect[bottom] * down + down_shift),
        )

    def scales(self) -> tuple[float, float, float, float]:
        """Return factor and offset for the shown x, then for the shown y. The offsets round to the nearest unit."""
        wide = UNITS / (self.right - self.left)
        high = UNITS / (self.top - self.bottom)
        rightwards, leftwards = (wide, 0.5 - self.left * wide), (-wide, 0.5 + self.right * wide)
        upwards, downwards = (high, 0.5 - self.bottom * high), (-high, 0.5 + self.top * high)
        match self.rotation:
            case 90:
                return (*upwards, *rightwards)
            case 180:
                return (*leftwards, *upwards)
            case 270:
                return (*downwards, *leftwards)
            case _:
                return (*rightwards, *downwards)


_SIDES = {0: (0, 1, 2, 3), 90: (3, 0, 1, 2), 180: (2, 3, 0, 1), 270: (1, 2, 3, 0)}
"""For each rotation, which side of a rectangle becomes the left, top, right and bottom one."""


class PlacedWords(NamedTuple):
    """Words, and for each the place of its first character in pdfium's text of the page."""

    words: list[Token]
    starts: list[int]


def words_of(text_page: pdfium.PdfTextPage, frame: PageFrame) -> PlacedWords:
    """Return the words in the order of the file, without those that lie wholly outside the page as shown."""
    text = with_signs(_characters(text_page), text_page)
    spans = [match.span() for match in _WORD.finditer(text)]
    handle = ctypes.cast(text_page.raw, ctypes.c_void_p)
    left, top, right, bottom = _SIDES[frame.rotation]
    across, right_shift, down, down_shift = frame.scales()
    words: list[Token] = []
    starts: list[int] = []
    for first in range(0, len(spans), _BATCH):
        placed, sides = _rects(handle, spans[first : first + _BATCH])
        lefts = [int(side * across + right_shift) for side in sides[left::4]]
        tops = [int(side * down + down_shift) for side in sides[top::4]]
        rights = [int(side * across + right_shift) for side in sides[right::4]]
        bottoms = [int(side * down + down_shift) for side in sides[bottom::4]]
        texts = [text[start:end] for start, end in placed]
        words += zip(texts, lefts, tops, rights, bottoms, repeat(1.0), repeat(TEXT), strict=False)
        starts += [start for start, _ in placed]
    if _TO_CLEAN.search(text):
        words = [(word[0].translate(_CLEAN), *word[1:]) for word in words]
    kept = [
        word[0] != "" and word[3] > 0 and word[1] < UNITS and word[4] > 0 and word[2] < UNITS
        for word in words
    ]
    return PlacedWords(list(compress(words, kept)), list(compress(starts, kept)))


def _rects(
    handle: ctypes.c_void_p, spans: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[float]]:
    """Return the spans that have a place on the page, and four sides for each."""
    starts = [start for start, _ in spans]
    lengths = [end - start for start, end in spans]
    # pdfium gives the places of the text it counted last. So counting and asking alternate, word by word.
    counting = map(_count_rects, repeat(handle), starts, lengths)
    asking = map(_get_rect, repeat(handle), repeat(0), *_PLACES)
    counts = [pieces for pieces, _ in zip(counting, asking, strict=False)]
    sides = _SHARED[: 4 * len(spans)]
    if counts.count(1) == len(counts):
        return spans, sides
    for index, pieces in enumerate(counts):
        if pieces > 1:
            _count_rects(handle, starts[index], lengths[index])
            for piece in range(1, pieces):
                _get_rect(handle, piece, *(addresses[0] for addresses in _PLACES))
                sides[4 * index : 4 * index + 4] = _union(sides[4 * index : 4 * index + 4], _SHARED[:4])
    placed = [index for index, pieces in enumerate(counts) if pieces > 0]
    return [spans[index] for index in placed], [
        side for index in placed for side in sides[4 * index : 4 * index + 4]
    ]


def _union(one: _Rect, other: _Rect) -> list[float]:
    return [min(one[0], other[0]), max(one[1], other[1]), max(one[2], other[2]), min(one[3], other[3])]


def _characters(text_page: pdfium.PdfTextPage) -> str:
    """Return one character for each that pdfium counts, so that positions in the text are pdfium's indexes."""
    count = text_page.count_chars()
    if count <= 0:
        return ""
    text = str(text_page.get_text_range(errors="replace"))
    if len(text) == count:
        return text
    get_unicode = pdfium_c.FPDFText_GetUnicode
    raw = text_page.raw
    return "".join(map(_character, (get_unicode(raw, index) for index in range(count))))


def _character(code: int) -> str:
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return chr(code)
