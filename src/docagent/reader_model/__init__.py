"""A small network that finds values in the words of a document: questions in, spans of words out.

It was taught with made documents (`training/`), is part of the package, and runs on one core of the processor. It and
the library that runs it are loaded at first use, so that the server starts without them.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence

from docagent.domain.text import Page
from docagent.reader_model.questions import Question, Span

__all__ = ["Question", "Span", "answer", "is_available"]


def is_available() -> bool:
    """Return whether the network can run here: whether there is an onnxruntime."""
    return importlib.util.find_spec("onnxruntime") is not None


def answer(pages: Sequence[Page], questions: Sequence[Question]) -> list[list[Span]]:
    """Return for each question what the document may say: the likeliest first, or in reading order for lists."""
    found: list[list[Span]] = importlib.import_module("docagent.reader_model.reading").answer(
        pages, questions
    )
    return found
