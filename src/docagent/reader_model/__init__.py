"""A small network that finds values in the words of a document: questions in, spans of words out.

It was taught with made documents (`training/`), is part of the package, and runs on one core of the processor. It and
the library that runs it are loaded at first use, so that the server starts without them.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

from docagent.reader_model.questions import KindOfDocument, Question, Row, Span

if TYPE_CHECKING:
    from docagent.reader_model.reading import answer, kind_of
    from docagent.reader_model.rows import rows_of

__all__ = ["KindOfDocument", "Question", "Row", "Span", "answer", "is_available", "kind_of", "rows_of"]
_MODULES = {"answer": "reading", "kind_of": "reading", "rows_of": "rows"}


@cache
def is_available() -> bool:
    """Return whether the network can run here: whether there is an onnxruntime that can be loaded."""
    try:
        importlib.import_module("onnxruntime")
    except ImportError:
        return False
    return True


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
