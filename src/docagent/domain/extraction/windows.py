"""Long documents: read in windows of pages, merged without a silent cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from docagent.domain.documents.text import Page
from docagent.domain.field_path import ROOT, FieldPath

_TOTAL_WORDS = ("total", "sum", "balance", "amount_due", "gesamt", "summe")
_NET_WORDS = ("net", "netto", "before_tax")
_AMOUNT_WORDS = ("amount", "total", "betrag")
_UNIT_WORDS = ("unit", "each", "einzel")
_ENOUGH_ALIKE = 0.6
"""The share of rows on a page that two windows must have read alike to be taken as the same rows."""


@dataclass(frozen=True, slots=True)
class Window:
    """A run of pages that fits into one call; pages are counted from 1."""

    first_page: int
    last_page: int

    @property
    def pages(self) -> str:
        if self.first_page == self.last_page:
            return f"page {self.first_page}"
        return f"pages {self.first_page}-{self.last_page}"

    def shows(self, page: int) -> bool:
        return self.first_page <= page <= self.last_page


@dataclass(frozen=True, slots=True)
class WindowReply:
    """What came of one window: data, or the reason why there is none."""

    window: Window
    data: dict[str, Any] | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field for which two windows gave different values. The first is kept; of totals the last, as earlier pages
    carry theirs forward. `pages` are those of the other value.
    """

    path: FieldPath
    kept: Any
    other: Any
    pages: str


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """A printed total, and the sum of the rows that should add up to it."""

    total_path: FieldPath
    rows_path: FieldPath
    printed: str
    computed: str
    agrees: bool


@dataclass(slots=True)
class MergeReport:
    """Everything a person should know about how the parts were put together."""

    windows: int = 1
    gaps: list[str] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    reconciliations: list[Reconciliation] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        told = asdict(self)
        for one in (*told["conflicts"], *told["reconciliations"]):
            one |= {name: str(path) for name, path in one.items() if isinstance(path, FieldPath)}
        return told


def split(pages: Sequence[Page], most_characters: int, most_pages: int) -> list[Window]:
    """Split pages into windows in order. Each begins with the last page of the one before, where there is room for it:
    a row that goes over the end of a page is whole in one of them. A page that is too long is a window of its own.
    """
    windows: list[Window] = []
    first, characters = 0, 0
    for position, page in enumerate(pages):
        full = position > first and (
            characters + len(page.text) > most_characters or position - first >= most_pages
        )
        if full:
            windows.append(Window(pages[first].number, pages[position - 1].number))
            shared = len(pages[position - 1].text)
            overlaps = position - first > 1 and shared + len(page.text) <= most_characters
            first, characters = (position - 1, shared) if overlaps else (position, 0)
        characters += len(page.text)
    if pages:
        windows.append(Window(pages[first].number, pages[-1].number))
    return windows


def merge(replies: Sequence[WindowReply]) -> tuple[dict[str, Any], MergeReport]:
    """Make one result of all windows. Lists are joined in order; rows that repeat at a seam are taken once."""
    merging = _Merging(MergeReport(windows=len(replies)))
    merged: dict[str, Any] = {}
    for reply in replies:
        if reply.data is None:
            merging.report.gaps.append(f"{reply.window.pages}: {reply.failure or 'no usable reply'}")
        else:
            merging.add(merged, reply.data, ROOT, reply.window)
    return merged, merging.report


@dataclass(slots=True)
class _Merging:
    report: MergeReport
    origins: dict[FieldPath, Window] = field(default_factory=dict)
    """By path, the window from which a value, or the last part of a list, was taken; of an object with all in it."""

    def add(self, into: dict[str, Any], part: dict[str, Any], path: FieldPath, window: Window) -> None:
        for key, value in part.items():
            here = path / key
            present = into.get(key)
            if _is_empty(present):
                if key not in into or not _is_empty(value):
                    into[key] = value
                    self.origins[here] = window
            elif isinstance(present, list) and isinstance(value, list):
                into[key] = self._joined(present, value, here, window)
            elif isinstance(present, dict) and isinstance(value, dict):
                self.add(present, value, here, window)
            elif not _is_empty(value) and value != present:
                into[key] = self._chosen(present, value, here, window)

    def _chosen(self, present: Any, value: Any, path: FieldPath, window: Window) -> Any:
        """Return which of two values is kept, and tell of the other."""
        is_later_total = _says(str(path[-1]).lower(), _TOTAL_WORDS) and _decimal(value) is not None
        if not is_later_total:
            self.report.conflicts.append(Conflict(path, present, value, window.pages))
            return present
        origin = self._origin(path) or window
        self.report.conflicts.append(Conflict(path, value, present, origin.pages))
        self.origins[path] = window
        return value

    def _origin(self, path: FieldPath) -> Window | None:
        steps = tuple(path)
        while steps and FieldPath(steps) not in self.origins:
            steps = steps[:-1]
        return self.origins.get(FieldPath(steps))

    def _joined(self, before: list[Any], new: list[Any], path: FieldPath, window: Window) -> list[Any]:
        """Return both lists as one, without the first of the new rows if those repeat the last that are there."""
        last = self._origin(path)
        self.origins[path] = window
        if last is not None and window.first_page <= last.last_page:
            count = _shared_rows(before, new)
            kept = len(before) - count
            seam = [_fuller(one, other) for one, other in zip(before[kept:], new[:count], strict=True)]
            return [*before[:kept], *seam, *new[count:]]
        for count in range(min(len(before), len(new)), 0, -1):
            if before[-count:] == new[:count]:
                told = f"{path}: {count} rows repeated at the beginning of {window.pages}"
                self.report.duplicates.append(told)
                return before + new[count:]
        return before + new


def _shared_rows(before: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many rows of a page that two windows saw are the last of one and the first of the other.

    One of them may have read some of these rows otherwise, or only a part of a row.
    """
    for count in range(min(len(before), len(new)), 0, -1):
        pairs = zip(before[-count:], new[:count], strict=True)
        if sum(_may_be_same(one, other) for one, other in pairs) >= _ENOUGH_ALIKE * count:
            return count
    return 0


def _may_be_same(one: Any, other: Any) -> bool:
    """Return whether two rows have a value in common, and none in which they differ."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return bool(one == other)
    both = [key for key in one if not _is_empty(one[key]) and not _is_empty(other.get(key))]
    return bool(both) and all(one[key] == other[key] for key in both)


def _fuller(one: Any, other: Any) -> Any:
    """Return a row with the cells of both readings, if they are of the same row; else the first."""
    if not isinstance(one, dict) or not _may_be_same(one, other):
        return one
    return {**other, **{key: value for key, value in one.items() if not _is_empty(value)}}


def reconcile(data: dict[str, Any], report: MergeReport) -> None:
    """Compare the sum of every column of amounts with the totals of the result.

    Rows may add up to a total before tax, so a sum that agrees with any total, net amount or subtotal is in order;
    a sum that agrees with none of them is reported against the first total.
    """
    numbers = _numbers(data, ROOT)
    totals = [(path, value) for path, value in numbers if _says(path.name, _TOTAL_WORDS)]
    partial = [(path, value) for path, value in numbers if _says(path.name, _NET_WORDS)]
    columns = _number_columns(data, ROOT)
    for rows_path, summed in columns:
        if not totals or not _adds_up(rows_path, [path for path, _ in columns], totals):
            continue
        agreeing = next((item for item in (*totals, *partial) if item[1] == summed), None)
        path, value = agreeing or totals[0]
        report.reconciliations.append(
            Reconciliation(path, rows_path, str(value), str(summed), agrees=value == summed)
        )


def _adds_up(rows_path: FieldPath, columns: list[FieldPath], totals: list[tuple[FieldPath, Decimal]]) -> bool:
    """True for a column of amounts. Prices are a column of amounts only where there is no other."""
    column = rows_path.name
    if _says(column, _AMOUNT_WORDS) and not _says(column, _UNIT_WORDS):
        return True
    others = [path for path in columns if path != rows_path and path.parent == rows_path.parent]
    amounts = any(_says(other.name, _AMOUNT_WORDS) for other in others)
    if not amounts and _says(column, ("price",)) and not _says(column, _UNIT_WORDS):
        return True
    return any(_says(path.name, (column.lower(),)) for path, _ in totals)


def _says(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name.lower() for word in words)


def _numbers(data: Any, path: FieldPath) -> list[tuple[FieldPath, Decimal]]:
    found: list[tuple[FieldPath, Decimal]] = []
    if isinstance(data, dict):
        for key, value in data.items():
            here = path / key
            if isinstance(value, dict):
                found += _numbers(value, here)
            elif (number := _decimal(value)) is not None:
                found.append((here, number))
    return found


def _number_columns(data: Any, path: FieldPath) -> list[tuple[FieldPath, Decimal]]:
    """Sums of the columns that hold only numbers, for each list of objects."""
    found: list[tuple[FieldPath, Decimal]] = []
    if not isinstance(data, dict):
        return found
    for key, value in data.items():
        here = path / key
        if isinstance(value, dict):
            found += _number_columns(value, here)
        elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            for column in value[0]:
                numbers = [_decimal(row.get(column)) for row in value]
                known = [number for number in numbers if number is not None]
                if known and len(known) == len(numbers):
                    found.append((here / column, sum(known, Decimal(0))))
    return found


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = Decimal(str(value).replace(",", "")) if isinstance(value, str) else Decimal(str(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})
