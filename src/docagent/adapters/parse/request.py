"""The request that the server sends to a reading process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

import orjson

from docagent.adapters.parse.limits import ReadLimits
from docagent.domain.documents.formats import FORMATS
from docagent.domain.documents.pictures import Drawing

Lines = Callable[[Path, int], list[str]]
"""Reads the lines of a file that has at most so many characters. Raises ReadFailed."""


class Task(StrEnum):
    """What to do with the file."""

    READ = "read"
    MAKE_PDF = "make_pdf"
    DRAW = "draw"
    REREAD = "reread"


@dataclass(frozen=True, slots=True)
class ReadRequest:
    """One file, what to do with it, and how much of the machine this may use."""

    task: Task
    path: Path
    extension: str
    limits: ReadLimits
    password: str | None = None
    first_page: int = 1
    target: Path | None = None
    careful: bool = False
    """Two readers read every picture, and say where they disagree."""
    pictures: Path | None = None
    """The folder for pictures of pages; without one, reading draws none."""
    strip: int | None = None
    """Which strip of pages to draw, instead of the first page."""
    drawings: tuple[Drawing, ...] = ()
    """Which parts of pages to draw instead of the first page, or to read again."""

    @property
    def seconds_per_step(self) -> float:
        """Processor time that may pass until the first page is there, and then until the next one is."""
        if self.task is Task.MAKE_PDF:
            return self.limits.seconds_per_file
        conversion = self.limits.seconds_per_conversion if FORMATS[self.extension].shown.is_converted else 0.0
        return self.limits.seconds_per_page + conversion

    def encoded(self) -> bytes:
        fields = asdict(self) | {
            "path": str(self.path.absolute()),
            "target": str(self.target.absolute()) if self.target else None,
            "pictures": str(self.pictures.absolute()) if self.pictures else None,
        }
        return orjson.dumps(fields) + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> Self:
        fields = orjson.loads(line)
        paths = {name: Path(fields[name]) for name in ("path", "target", "pictures") if fields[name]}
        drawings = tuple(map(Drawing.of, fields["drawings"]))
        kinds = {"task": Task(fields["task"]), "limits": ReadLimits(**fields["limits"]), "drawings": drawings}
        return cls(**fields | paths | kinds)
