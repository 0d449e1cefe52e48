"""Matrices of a PDF's objects: from the coordinates of what a form draws to those of the page."""

from __future__ import annotations

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
