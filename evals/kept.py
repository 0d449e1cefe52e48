"""Keeps what takes long to make on disk, until a file or the code that made it changes: readings, and answers."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import docagent
from docagent.domain.documents.text import Page
from evals.asking import answer
from evals.reading import read

FOLDER = Path("build/evals")
_SOURCE = Path(docagent.__file__).parent
_READERS = ("adapters/parse", "reading/page_codec.py", "domain/documents/text.py")
_ANSWERERS = (
    "builtin_model/*.py",
    "builtin_model/asked",
    "builtin_model/page",
    "builtin_model/values/*.py",
    "builtin_model/tables",
    "builtin_model/prose",
    "reader_model",
    "reading",
    "words",
    "jsonschema",
)
"""The learning of the built-in model is not among them: what it says by itself does not depend on it."""

T = TypeVar("T")


def read_pages(file: Path) -> list[Page]:
    """Return the pages of a file, read now or in an earlier run."""
    content = hashlib.sha256(file.read_bytes()).hexdigest()
    return _kept(("pages", file.name, content, _code_of(_READERS)), lambda: read(file).pages)


def answer_for(file: Path, pages: Sequence[Page], schema: dict[str, Any]) -> dict[str, Any]:
    """Return what the built-in model says of a file by itself, asked now or in an earlier run."""
    content = hashlib.sha256(file.read_bytes()).hexdigest()
    code = _code_of((*_READERS, *_ANSWERERS, "builtin_model/values/*.json"))
    return _kept(
        ("answer", file.name, content, code, repr(schema)), lambda: answer(pages, "document", schema)
    )


def kept_of(names: Sequence[str], make: Callable[[], T]) -> T:
    """Return what is made with the built-in model, made now or in an earlier run."""
    return _kept((*names, _code_of((*_READERS, *_ANSWERERS, "evidence/grounding"))), make)


def _kept(names: Sequence[str], make: Callable[[], T]) -> T:
    file = FOLDER / f"{hashlib.sha256(repr(names).encode()).hexdigest()[:32]}.pickle"
    if file.exists():
        kept: T = pickle.loads(file.read_bytes())
        return kept
    made = make()
    FOLDER.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part")
    unfinished.write_bytes(pickle.dumps(made))
    unfinished.replace(file)
    return made


@cache
def _code_of(patterns: tuple[str, ...]) -> str:
    """Return a hash of the source files that the patterns name."""
    found = hashlib.sha256()
    for pattern in patterns:
        places = sorted(_SOURCE.glob(pattern))
        if not places:
            raise FileNotFoundError(
                f"No source file matches {pattern}; evals/kept.py must name where it is now."
            )
        for place in places:
            files = [*place.rglob("*.py"), *place.rglob("*.toml")] if place.is_dir() else [place]
            for file in sorted(files):
                found.update(file.read_bytes())
    return found.hexdigest()
