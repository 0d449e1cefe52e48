"""A sheet: the results of one prompt as a table, a row for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from docagent.domain.extraction.paths import found_at, leaves
from docagent.domain.extraction.results import FieldProblem
from docagent.domain.extraction.review import UNPROVEN


class ColumnKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    YES_NO = "boolean"
    DATE = "date"
    LIST = "list"
    """Several values, or rows of a table: unfolded, they get columns of their own."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of the schema. `steps` are the names on the way to it; within a list, from the list's items on."""

    path: str
    title: str
    kind: ColumnKind
    steps: tuple[str, ...]
    within: str | None = None
    """The path of the unfolded list that the column's values come from."""
    unfolds: bool = False
    """Whether it holds rows, which can be unfolded."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with what is known of it."""

    path: str
    value: Any
    match: str | None
    """How it was found on the page; of a list, the worst of its values. None for what is empty."""
    page: int | None
    edited: bool
    """Whether a person has changed it."""
    verified: bool
    problem: str | None

    @property
    def doubtful(self) -> bool:
        """Whether a person should look at it: it breaks the schema, or no page shows it and nobody vouches for it."""
        if self.verified:
            return False
        return self.problem is not None or (self.match == UNPROVEN and not self.edited)


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The newest result of a document for the sheet's prompt, with the document's name."""

    id: str
    document_id: str
    document_name: str
    upload_date: datetime
    prompt_revid: str
    prompt_version: int
    revision: int
    updated_at: datetime
    data: Mapping[str, Any]
    model_data: Mapping[str, Any]
    """As the model gave it."""
    is_edited: bool
    is_verified: bool
    verified_paths: Sequence[str]
    problems: Sequence[FieldProblem]
    grounding: Any


@dataclass(frozen=True, slots=True)
class Row:
    """A document, or one item of its unfolded list."""

    result: SheetResult
    item: int | None
    cells: tuple[Cell, ...]

    @property
    def doubts(self) -> int:
        return sum(cell.doubtful for cell in self.cells)

    @property
    def state(self) -> str:
        if self.result.is_verified:
            return "verified"
        return "doubtful" if self.doubts else "proven"

    @property
    def page(self) -> int | None:
        """The first page that a value stands on."""
        return min((cell.page for cell in self.cells if cell.page is not None), default=None)


def rows_of(result: SheetResult, columns: Sequence[Column], unfold: str | None) -> Iterator[Row]:
    """One row, or one for each item of the unfolded list. A list without items still leaves the document's row."""
    if unfold is None:
        yield Row(result, None, tuple(_cell(result, column, column.path) for column in columns))
        return
    items = found_at(result.data, unfold.split("."))
    for number in range(len(items)) if isinstance(items, list) and items else (None,):
        yield Row(result, number, tuple(_cell(result, column, _path(column, number)) for column in columns))


def _path(column: Column, item: int | None) -> str:
    if column.within is None:
        return column.path
    below = ".".join(column.steps)
    return ".".join(part for part in (column.within, str(item or 0), below) if part)


def _cell(result: SheetResult, column: Column, path: str) -> Cell:
    steps = path.split(".") if column.within else column.steps
    value = found_at(result.data, steps)
    match, page = _place(found_at(result.grounding, steps))
    inner = f"{path}."
    return Cell(
        path=path,
        value=value,
        match=match if value not in (None, "", [], {}) else None,
        page=page,
        edited=result.is_edited and value != found_at(result.model_data, steps),
        verified=result.is_verified or path in result.verified_paths,
        problem=next(
            (
                problem.message
                for problem in result.problems
                if problem.path == path or (column.kind is ColumnKind.LIST and problem.path.startswith(inner))
            ),
            None,
        ),
    )


_WORST_FIRST = ("unproven", "several_candidates", "fuzzy", "normalised", "exact")


def _place(tree: Any) -> tuple[str | None, int | None]:
    """How the values of a tree of places were found, at worst, and the first page of them."""
    if isinstance(tree, Mapping) and isinstance(tree.get("match"), str) and "words" in tree:
        return tree["match"], tree.get("page")
    if not isinstance(tree, Mapping | list):
        return None, None
    below = [_place(branch) for branch in (tree.values() if isinstance(tree, Mapping) else tree)]
    matches = {match for match, _ in below}
    pages = [page for _, page in below if page is not None]
    return next((match for match in _WORST_FIRST if match in matches), None), min(pages, default=None)


def plain(value: Any) -> Any:
    """A value as one cell of a file: what holds several values becomes text."""
    if isinstance(value, list) and all(not isinstance(item, dict | list) for item in value):
        return ", ".join(str(item) for item in value if item is not None)
    if isinstance(value, dict | list):
        return "; ".join(f"{path}: {inner}" for path, inner in leaves(value) if path and inner is not None)
    return value
