"""Text recognition that is loaded for the first page that needs it; most files never do."""

from __future__ import annotations

import logging
import resource
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from docagent.adapters.parse.limits import MIB
from docagent.adapters.parse.marks.recognised_marks import lines_with_marks

if TYPE_CHECKING:
    from PIL import Image

    from docagent.adapters.parse.recognition.ocr import Ocr, OcrResult
    from docagent.adapters.parse.recognition.regions import LineReader

log = logging.getLogger(__name__)

_LEAST_MEMORY = 800 * MIB
_UNAVAILABLE = "This page is a picture, and text recognition does not work on this server. Tell the operator."


class RecognitionUnavailable(Exception):
    """Tesseract could not be loaded. The message is shown as the page's note."""


class Recogniser:
    """Reads pictures of pages, one after another."""

    def __init__(self, *, careful: bool = False) -> None:
        self._careful = careful

    @cached_property
    def _engine(self) -> Ocr:
        try:
            kind = import_module("docagent.adapters.parse.recognition.ocr").Ocr
            engine: Ocr = kind(_second_reader(), careful=self._careful)
        except (ImportError, RuntimeError) as error:
            log.exception("Text recognition could not be loaded")
            raise RecognitionUnavailable(_UNAVAILABLE) from error
        return engine

    def read(self, image: Image.Image, *, dpi: int) -> OcrResult:
        """Return the words and check marks of a picture. Raises RecognitionUnavailable."""
        found = self._engine.read(image, dpi=dpi)
        if not found.lines or found.rotation:
            return found
        return replace(found, lines=lines_with_marks(found.lines, image, dpi))


def _second_reader() -> LineReader | None:
    """Return the second reader; None where tesseract reads alone, for want of packages or of memory."""
    memory, _ = resource.getrlimit(resource.RLIMIT_AS)
    if memory != resource.RLIM_INFINITY and memory < _LEAST_MEMORY:
        log.warning("The process that reads files has too little memory for the second reader")
        return None
    try:
        reader: LineReader | None = import_module("docagent.adapters.parse.recognition.second_reader").load()
    except ImportError as error:
        log.warning("The second reader could not be loaded, tesseract reads alone: %s", error)
        return None
    return reader
