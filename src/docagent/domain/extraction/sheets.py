"""A sheet: the results of one prompt as a table, a row for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from docagent.domain.extraction.doubts import USUAL_THRESHOLD, Judged, judged
from docagent.domain.extraction.paths import found_at, leaves
from docagent.domain.extraction.results import FieldProblem
from docagent.domain.extraction.review import is_verified_at


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
    confidence: float | None
    """How sure it is, 0 to 1; of a list, its least sure value. None for what is empty and in order."""
    doubtful: bool
    """Whether a person should look at it."""
    remark: str | None
    """What does not add up, in the document or between documents."""


Remarks = Mapping[str, str]
"""What does not add up, by the path of the value."""


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
    is_rejected: bool
    auto_verified: bool = False


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
        if self.result.is_rejected:
            return "rejected"
        if self.result.auto_verified:
            return "auto_verified"
        if any(cell.remark for cell in self.cells):
            return "inconsistent"
        return "doubtful" if self.doubts else "proven"

    @property
    def page(self) -> int | None:
        """The first page that a value stands on."""
        return min((cell.page for cell in self.cells if cell.page is not None), default=None)


def rows_of(
    result: SheetResult,
    columns: Sequence[Column],
    unfold: str | None,
    *,
    threshold: float = USUAL_THRESHOLD,
    remarks: Remarks = MappingProxyType({}),
) -> Iterator[Row]:
    """One row, or one for each item of the unfolded list. A list without items still leaves the document's row.

    A value of less confidence than the threshold is doubtful.
    """
    look = _Look(judged(result), threshold, remarks)
    if unfold is None:
        yield Row(result, None, tuple(_cell(result, column, column.path, look) for column in columns))
        return
    items = found_at(result.data, unfold.split("."))
    for number in range(len(items)) if isinstance(items, list) and items else (None,):
        cells = (_cell(result, column, _path(column, number), look) for column in columns)
        yield Row(result, number, tuple(cells))


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of the values of one result."""

    judged: Mapping[str, Judged]
    threshold: float
    remarks: Remarks

    def at(self, path: str, *, with_inner: bool) -> list[Judged]:
        if not with_inner:
            return [self.judged[path]] if path in self.judged else []
        inner = f"{path}."
        return [one for one in self.judged.values() if one.path == path or one.path.startswith(inner)]


def _path(column: Column, item: int | None) -> str:
    if column.within is None:
        return column.path
    below = ".".join(column.steps)
    return ".".join(part for part in (column.within, str(item or 0), below) if part)


def _cell(result: SheetResult, column: Column, path: str, look: _Look) -> Cell:
    steps = path.split(".") if column.within else column.steps
    value = found_at(result.data, steps)
    match, page = _place(found_at(result.grounding, steps))
    verified = is_verified_at(result, steps)
    known = look.at(path, with_inner=column.kind is ColumnKind.LIST)
    confidence = min((one.confidence for one in known), default=None)
    return Cell(
        path=path,
        value=value,
        match=match if value not in (None, "", [], {}) else None,
        page=page,
        edited=result.is_edited and value != found_at(result.model_data, steps),
        verified=verified,
        problem=next((one.problem for one in known if one.problem), None),
        confidence=confidence,
        doubtful=confidence is not None and confidence < look.threshold,
        remark=None if verified else look.remarks.get(path),
    )


_WORST_FIRST = ("unproven", "several_candidates", "fuzzy", "normalised", "exact")


def _place(tree: Any) -> tuple[str | None, int | None]:
    """How the values of a tree of places were found, at worst, and the first page of them."""
    if isinstance(tree, dict):
        if isinstance(tree.get("match"), str) and "words" in tree:
            return tree["match"], tree.get("page")
        below = [_place(branch) for branch in tree.values()]
    elif isinstance(tree, list):
        below = [_place(branch) for branch in tree]
    else:
        return None, None
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
