"""Text recognition that is loaded for the first page that needs it; most files never do."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from docagent.adapters.parse.recognised_marks import lines_with_marks

if TYPE_CHECKING:
    from PIL import Image

    from docagent.adapters.parse.ocr import Ocr, OcrResult

log = logging.getLogger(__name__)

_UNAVAILABLE = "This page is a picture, and text recognition does not work on this server. Tell the operator."


class RecognitionUnavailable(Exception):
    """Tesseract could not be loaded. The message is shown as the page's note."""


class Recogniser:
    """Reads pictures of pages, one after another."""

    @cached_property
    def _engine(self) -> Ocr:
        try:
            engine: Ocr = import_module("docagent.adapters.parse.ocr").Ocr()
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
