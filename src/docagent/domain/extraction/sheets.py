"""A sheet: the results of one prompt as a table, a row for each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from docagent.domain.extraction.doubts import USUAL_THRESHOLD, Judged, judged
from docagent.domain.extraction.results import NewestResult
from docagent.domain.extraction.review import is_verified_at
from docagent.domain.field_path import FieldPath, leaves


class ColumnKind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    YES_NO = "boolean"
    DATE = "date"
    LIST = "list"
    """Several values, or rows of a table: unfolded, they get columns of their own."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of the schema. Its path has no positions in lists."""

    path: FieldPath
    title: str
    kind: ColumnKind
    within: FieldPath | None = None
    """The path of the unfolded list that the column's values come from."""
    unfolds: bool = False
    """Whether it holds rows, which can be unfolded."""
    hidden: bool = False
    """Whether the sheet's template leaves it out."""

    def at(self, item: int | None) -> FieldPath:
        """Return where the column's value stands in an item of the unfolded list."""
        if self.within is None:
            return self.path
        return FieldPath((*self.within, item or 0, *self.path[len(self.within) :]))


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """What a template says of a column. Without a title it has the field's own."""

    path: str
    title: str | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class SheetTemplate:
    """Order and names of a sheet's columns, on the page and in files for people."""

    columns: tuple[ColumnChoice, ...] = ()
    decimal: str = ""
    """The decimal mark of CSV files; empty while nobody has chosen one."""

    def applied(self, columns: Sequence[Column]) -> list[Column]:
        """Return the columns in the template's order. One that it does not know stays behind its neighbour."""
        places = {choice.path: place for place, choice in enumerate(self.columns)}
        place, placed = -1, []
        for column in columns:
            place = places.get(str(column.within), place) if column.within else place
            place = places.get(str(column.path), place)
            choice = self.columns[place] if str(column.path) in places else ColumnChoice(str(column.path))
            title = choice.title or column.title
            placed.append((place, replace(column, title=title, hidden=choice.hidden)))
        return [column for _, column in sorted(placed, key=lambda one: one[0])]

    def changed(self, columns: Sequence[ColumnChoice], decimal: str) -> SheetTemplate:
        """Return the template with these columns first. Those of tables that were not open are kept."""
        named = {choice.path for choice in columns}
        kept = [choice for choice in self.columns if choice.path not in named]
        return SheetTemplate((*columns, *kept) if columns else (), decimal)


@dataclass(frozen=True, slots=True)
class Cell:
    """A value with what is known of it."""

    path: FieldPath
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


Remarks = Mapping[FieldPath, str]
"""What does not add up, by the path of the value."""


@dataclass(frozen=True, slots=True)
class SheetResult(NewestResult):
    """The newest result of a document for the sheet's prompt, with the document's name."""

    document_name: str
    upload_date: datetime
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
    unfold: FieldPath | None,
    *,
    threshold: float = USUAL_THRESHOLD,
    remarks: Remarks = MappingProxyType({}),
) -> Iterator[Row]:
    """One row, or one for each item of the unfolded list. A list without items still leaves the document's row.

    A value of less confidence than the threshold is doubtful.
    """
    look = _Look(judged(result), threshold, remarks)
    items = unfold.get(result.data) if unfold is not None else None
    for number in range(len(items)) if isinstance(items, list) and items else (None,):
        yield Row(result, number, tuple(_cell(result, column, column.at(number), look) for column in columns))


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of the values of one result."""

    judged: Mapping[FieldPath, Judged]
    threshold: float
    remarks: Remarks

    def at(self, path: FieldPath, *, with_inner: bool) -> list[Judged]:
        if not with_inner:
            return [self.judged[path]] if path in self.judged else []
        return [one for one in self.judged.values() if one.path.is_within(path)]


def _cell(result: SheetResult, column: Column, path: FieldPath, look: _Look) -> Cell:
    value = path.get(result.data)
    match, page = _place(path.get(result.grounding))
    verified = is_verified_at(result, path)
    remark = None if verified else look.remarks.get(path)
    known = look.at(path, with_inner=column.kind is ColumnKind.LIST)
    confidence = min((one.confidence for one in known), default=None)
    return Cell(
        path=path,
        value=value,
        match=match if value not in (None, "", [], {}) else None,
        page=page,
        edited=result.is_edited and value != path.get(result.model_data),
        verified=verified,
        problem=next((one.problem for one in known if one.problem and one.problem != remark), None),
        confidence=confidence,
        doubtful=confidence is not None and confidence < look.threshold,
        remark=remark,
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


def decimals_of(value: Any) -> int:
    """How many decimals a number needs; at least 2 where it needs any: amounts have cents."""
    if not isinstance(value, float) or value.is_integer():
        return 0
    needed = Decimal(str(value)).normalize().as_tuple().exponent
    return min(max(-int(needed), 2), 10)


def plain(value: Any) -> Any:
    """A value as one cell of a file: what holds several values becomes text."""
    if isinstance(value, list) and all(not isinstance(item, dict | list) for item in value):
        return ", ".join(str(item) for item in value if item is not None)
    if isinstance(value, dict | list):
        return "; ".join(f"{path}: {inner}" for path, inner in leaves(value) if path and inner is not None)
    return value
