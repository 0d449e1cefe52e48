"""Where the data of an extraction goes, and what is shown on the way."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from docagent.cli.extraction.extracted import Extracted
from docagent.cli.output import complain, json_bytes, note, print_json
from docagent.domain.errors import CannotStart
from docagent.export import MarkedRow, marked_csv, marked_xlsx

FORMATS = ("csv", "json", "xlsx")


@dataclass(frozen=True, slots=True)
class Target:
    """A format, and a file; without one it goes to the output. A summary as JSON may go there beside a file."""

    format: str
    file: Path | None
    summary: bool = False

    @classmethod
    def of(cls, out: str | None, *, as_json: bool) -> Target:
        """What `--out` and `--json` mean together."""
        if out is None:
            return cls("json" if as_json else "csv", None)
        format = out if out in FORMATS else Path(out).suffix.removeprefix(".").lower()
        if format not in FORMATS:
            raise CannotStart(f"--out is csv, json or xlsx, or a file that ends in one of them; not {out}.")
        file = None if out in FORMATS else Path(out)
        if file is not None and not file.parent.is_dir():
            raise CannotStart(f"There is no folder {file.parent} for the file of --out.")
        if file is None and format == "xlsx" and sys.stdout.isatty():
            raise CannotStart("A workbook cannot be shown here. Name a file: --out values.xlsx.")
        return cls("json" if as_json and file is None else format, file, summary=as_json and file is not None)

    def write(self, extracted: Sequence[Extracted]) -> None:
        content = self._content(extracted)
        if self.file is None:
            typer.echo(content, nl=False)
        else:
            self.file.write_bytes(content)
        if self.summary:
            print_json({"file": self.file, **summary_json(extracted)})
        for one in extracted:
            if one.error is not None:
                complain(f"{one.file}: {one.error}")
        told = summary_json(extracted)
        note(
            "{documents} documents, {pages} pages, {values} values, {unproven} of them unproven".format(
                **told
            )
        )

    def _content(self, extracted: Sequence[Extracted]) -> bytes:
        if self.format == "json":
            return json_bytes([document_json(one) for one in extracted])
        rows = [
            MarkedRow(
                {"file": str(one.file), "prompt": one.prompt},
                one.data,
                one.unproven,
                {
                    "unproven": "; ".join(map(str, one.unproven)),
                    "problems": "; ".join(one.problems),
                    "error": one.error,
                },
            )
            for one in extracted
        ]
        return marked_csv(rows) if self.format == "csv" else marked_xlsx(rows)


def document_json(one: Extracted) -> dict[str, Any]:
    values = [{**asdict(value), "path": str(value.path)} for value in one.values]
    return {**asdict(one), "values": values, "unproven": [str(path) for path in one.unproven]}


def summary_json(extracted: Sequence[Extracted]) -> dict[str, int]:
    """Counts of everything; a document that was named twice counts once."""
    documents = {one.document_id or str(one.file): one for one in extracted}.values()
    return {
        "documents": len(documents),
        "pages": sum(one.pages for one in documents),
        "values": sum(len(one.values) for one in documents),
        "unproven": sum(len(one.unproven) for one in documents),
        "failed": sum(one.error is not None for one in documents),
    }


class Shown:
    """A bar with what was read and found so far, on the error output of a terminal; elsewhere nothing."""

    def __init__(self) -> None:
        self.done = self.files = self._pages = self._values = self._unproven = 0
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(self._said())

    def of(self, files: int) -> Self:
        """Say how many files there are."""
        self.files = files
        self._progress.update(self._task, total=files)
        return self

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def ended(self, one: Extracted) -> None:
        self.done += 1
        self._pages += one.pages
        self._values += len(one.values)
        self._unproven += len(one.unproven)
        self._progress.update(self._task, description=self._said(), advance=1)

    def _said(self) -> str:
        return f"{self._pages} pages, {self._values} values, {self._unproven} unproven"
