"""The signs of fonts such as Wingdings, whose boxes and ticks a PDF's text gives as letters."""

from __future__ import annotations

import ctypes
import re

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

_EMPTY, _TICKED, _CROSSED, _TICK, _CROSS = "\u2610", "\u2611", "\u2612", "\u2713", "\u2717"
_CIRCLE, _FILLED_CIRCLE = "\u25cb", "\u25c9"
_SIGNS = {
    "wingdings2": {_CROSS: "O", _TICK: "P", _CROSSED: "QST", _TICKED: "R", _EMPTY: "\u00a3"},
    "wingdings": {
        _EMPTY: "opqr\u00a8",
        _CROSSED: "x\u00fd",
        _CIRCLE: "\u00a1",
        _FILLED_CIRCLE: "\u00a4",
        _CROSS: "\u00fb",
        _TICK: "\u00fc",
        _TICKED: "\u00fe",
    },
    "dingbats": {_TICK: "34", _CROSS: "5678", _CIRCLE: "m", _EMPTY: "opqr"},
    "webdings": {_TICK: "a", _EMPTY: "c", _CROSS: "r"},
}
"""For each font, the more special name first, the signs of check marks with the letters in their place."""
_PRIVATE = 0xF000
"""Some PDFs give the letters as characters for private use, from here on."""
_MAY_BE_SIGN = re.compile(
    r"[\uf021-\uf0ff\u00a1\u00a3\u00a4\u00a8\u00fb-\u00fe]"
    r"|(?<!\S)[OPQRSTacmopqrx3-8](?!\S)"
    r"|(?<!\S)[opqrx](?=[A-Z])"
)
_MOST_ASKED = 2000
_LONGEST_NAME = 128


def with_signs(text: str, text_page: pdfium.PdfTextPage) -> str:
    """Return the text with the signs that the page shows, each in the place of one letter."""
    letters: list[str] | None = None
    for asked, match in enumerate(_MAY_BE_SIGN.finditer(text)):
        if asked == _MOST_ASKED:
            break
        sign = _sign(text_page, match.start(), match[0])
        if sign is not None:
            letters = letters or list(text)
            letters[match.start()] = sign
    return "".join(letters) if letters else text


def _sign(text_page: pdfium.PdfTextPage, place: int, letter: str) -> str | None:
    if ord(letter) > _PRIVATE:
        letter = chr(ord(letter) - _PRIVATE)
    buffer = ctypes.create_string_buffer(_LONGEST_NAME)
    flags = ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(text_page, place, buffer, _LONGEST_NAME, flags)
    name = buffer.value.decode("latin-1").lower().replace(" ", "").replace("-", "")
    signs = next((signs for font, signs in _SIGNS.items() if font in name), {})
    return next((sign for sign, letters in signs.items() if letter in letters), None)
