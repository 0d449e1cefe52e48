"""A small network that finds values in the words of a document: questions in, spans of words out.

It was taught with made documents (`training/`), is part of the package, and runs on one core of the processor. It and
the library that runs it are loaded at first use, so that the server starts without them.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from types import ModuleType

from docagent.domain.documents.text import Page
from docagent.reader_model.questions import KindOfDocument, Question, Row, Span

__all__ = ["KindOfDocument", "Question", "Row", "Span", "answer", "is_available", "kind_of", "rows_of"]


@cache
def is_available() -> bool:
    """Return whether the network can run here: whether there is an onnxruntime that can be loaded."""
    try:
        importlib.import_module("onnxruntime")
    except ImportError:
        return False
    return True


def answer(pages: Sequence[Page], questions: Sequence[Question]) -> list[list[Span]]:
    """Return for each question what the document may say: the likeliest first, or in reading order for lists."""
    found: list[list[Span]] = _module("reading").answer(pages, questions)
    return found


def rows_of(pages: Sequence[Page], columns: Sequence[Question]) -> list[Row]:
    """Return the rows of a table: for each, by the number of the column, what stands in it."""
    found: list[Row] = _module("rows").rows_of(pages, columns)
    return found


def kind_of(pages: Sequence[Page]) -> KindOfDocument | None:
    """Return what kind of document the network takes it for, or None if it has no words."""
    found: KindOfDocument | None = _module("reading").kind_of(pages)
    return found


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{name}")
