"""Reads Word documents and spreadsheets: through LibreOffice if it is installed, else only their text."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from docagent.adapters.parse.frames import Sent
from docagent.adapters.parse.office.libreoffice import ConversionFailed, convert_to_pdf, find_converter
from docagent.adapters.parse.office.lock import unlocked
from docagent.adapters.parse.office.package import check_package
from docagent.adapters.parse.pdf import pages
from docagent.adapters.parse.plain import text_pages
from docagent.adapters.parse.request import Lines, ReadRequest
from docagent.domain.documents.formats import FORMATS
from docagent.domain.errors import ReadFailed, ReadFailure


def read(request: ReadRequest, lines: Lines | None) -> Iterator[Sent]:
    """Yield the pages of an office file. `lines` reads its text where LibreOffice is missing. Raises ReadFailed."""
    request = replace(request, path=unlocked(request))
    try:
        pdf = _converted(request)
    except ReadFailed as failure:
        if lines is None or failure.failure is not ReadFailure.CONVERTER_MISSING:
            raise
        yield from text_pages.read(request, lines)
        return
    yield from pages.read(replace(request, path=pdf, password=None))


def make_pdf(request: ReadRequest) -> None:
    """Write a PDF that shows the file as an office program would. Raises ReadFailed."""
    assert request.target is not None
    shutil.copyfile(_converted(replace(request, path=unlocked(request))), request.target)


def _converted(request: ReadRequest) -> Path:
    if FORMATS[request.extension].is_office_package:
        check_package(request.path, request.limits)
    program = find_converter()
    if program is None:
        raise ReadFailed(
            ReadFailure.CONVERTER_MISSING,
            f"Showing {request.extension} files needs LibreOffice, which is not installed on this server. "
            "Ask the operator to install it, download the original, or save the file as PDF and upload that.",
        )
    try:
        return convert_to_pdf(program, request.path, request.extension, request.limits)
    except ConversionFailed as error:
        raise ReadFailed(
            ReadFailure.DAMAGED,
            "LibreOffice could not open this file: it may be damaged. "
            "Open it in its program, save it as PDF and upload that.",
        ) from error
