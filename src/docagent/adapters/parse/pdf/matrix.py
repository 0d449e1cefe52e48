"""The objects of a PDF's page and of its forms, and their matrices: from a form's coordinates to the page's."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

Matrix = tuple[float, float, float, float, float, float]


def matrix_of(item: object) -> Matrix | None:
    """Return the matrix of an object; None if it has none."""
    given = pdfium_c.FS_MATRIX()
    if not pdfium_c.FPDFPageObj_GetMatrix(item, given):
        return None
    return given.a, given.b, given.c, given.d, given.e, given.f


def within(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies the inner one and then the outer one."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def objects_of_page(page: pdfium.PdfPage, most: int) -> Iterator[object]:
    get: Callable[[object, int], object] = pdfium_c.FPDFPage_GetObject
    return (get(page, index) for index in range(min(pdfium_c.FPDFPage_CountObjects(page), most)))


def objects_of_form(form: object, most: int) -> Iterator[object]:
    get: Callable[[object, int], object] = pdfium_c.FPDFFormObj_GetObject
    return (get(form, index) for index in range(min(pdfium_c.FPDFFormObj_CountObjects(form), most)))
