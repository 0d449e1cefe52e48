"""What commands print. Results go to the output: JSON, tables for people, lines with tabs for programs. What is said
about the work goes to the error output, and only when somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import orjson
import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

from docagent.domain.shown import visible


class ExitCode(IntEnum):
    """How a command ended, for scripts."""

    DONE = 0
    FAILED = 1
    CANNOT_START = 2
    """Wrong use, or settings or data that cannot be used."""
    DOUBTFUL = 3
    """Everything was done, and a person has to look at something."""
    INTERRUPTED = 130


def print_json(value: Any) -> None:
    typer.echo(json_bytes(value), nl=False)


def json_bytes(value: Any) -> bytes:
    """JSON for people and programs, with a line end."""
    return orjson.dumps(value, default=_plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def show(value: Any, say: Callable[[], object], *, as_json: bool) -> None:
    """Print a result as JSON, or say it to people."""
    if as_json:
        print_json(value)
    else:
        say()


def show_rows(value: Any, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, as_json: bool) -> None:
    """Print a list as JSON, or as a table."""
    show(value, lambda: print_table(columns, list(rows)), as_json=as_json)


def print_json_line(value: Any) -> None:
    """Print one object of many, such as an event, as soon as it is there."""
    typer.echo(orjson.dumps(value, default=_plain).decode())
    sys.stdout.flush()


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a table with its head to people, and bare lines with tabs to programs."""
    if not sys.stdout.isatty():
        for row in rows:
            typer.echo("\t".join(_one_line(value) for value in row))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(Text(_one_line(value)) for value in row))
    Console().print(table)


def is_watched() -> bool:
    """Whether a person sees what is said about the work."""
    return sys.stderr.isatty()


def note(text: str) -> None:
    """Show progress on a terminal."""
    if is_watched():
        typer.echo(visible(text), err=True)


def complain(text: str) -> None:
    """Say what went wrong, watched or not."""
    typer.echo(visible(text), err=True)


def say(text: str) -> None:
    """Print a line of the result, without characters that a terminal would obey."""
    typer.echo(visible(text))


def _one_line(value: Any) -> str:
    """The value in one line, without characters that a terminal would obey."""
    return "" if value is None else visible(" ".join(str(value).split()))


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)
