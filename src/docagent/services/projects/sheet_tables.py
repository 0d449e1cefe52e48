"""Tables and sums of sheets in living documents: what they say now, as markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.extraction.sheets import Column, ColumnKind, decimals_of, plain
from docagent.domain.listing import ListQuery
from docagent.domain.projects.citations import CitationState, CitedSheet, SheetForm, escaped, sheet_at
from docagent.markdown import LinkedTable
from docagent.services.extraction.extraction_tasks import newest_task
from docagent.services.review.sheet_columns import columns_of
from docagent.store.engine.database import OrgTx
from docagent.store.review import sheets

MOST_ROWS = 100
MOST_SUMS = 24
_MOST_DECIMALS = 6
_BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class BoundTable:
    """A table of a living document that stands for a sheet, and what the sheet says now."""

    written: LinkedTable
    cited: CitedSheet
    state: CitationState
    name: str | None = None
    """What the sheet is called."""
    now: str | None = None
    """The table with the present values; None for one whose sheet or columns are gone."""

    @property
    def suggested(self) -> str | None:
        """Link and table with the present values, for one that is stale."""
        if self.state is not CitationState.STALE or self.now is None:
            return None
        return as_markdown(self.written.text, self.cited, self.now)


def as_markdown(caption: str, cited: CitedSheet, table: str) -> str:
    return f"[{escaped(caption)}]({cited.address})\n\n{table}"


async def bound_table(tx: OrgTx, written: LinkedTable) -> BoundTable | None:
    """Compare a table with its sheet. None for a link that stands for no sheet."""
    cited = sheet_at(written.address)
    if cited is None:
        return None
    try:
        name, table = await table_of(tx, cited)
    except (NotFound, InvalidInput):
        return BoundTable(written, cited, CitationState.GONE)
    is_same = _cells(table) == _cells(written.table)
    state = CitationState.CURRENT if is_same else CitationState.STALE
    return BoundTable(written, cited, state, name, table)


async def table_of(tx: OrgTx, cited: CitedSheet) -> tuple[str, str]:
    """The name of the sheet, and the table as markdown. Raises NotFound or InvalidInput."""
    task = await newest_task(tx, cited.prompt_id)
    known = columns_of(task.schema, None) if task.schema is not None else []
    template = await sheets.template(tx, task.prompt_id)
    columns = [_column(template.applied(known), path, task.name) for path in cited.columns]
    if cited.form is SheetForm.SUM:
        return task.name, await _sums(tx, task.prompt_id, columns)
    found, _ = await sheets.page(tx, task.prompt_id, columns, ListQuery(limit=MOST_ROWS), whole=MOST_ROWS)
    return task.name, _table(columns, [[one.path.get(result.data) for one in columns] for result in found])


def _column(columns: Sequence[Column], path: str, sheet: str) -> Column:
    found = next((column for column in columns if column.path.is_written(path)), None)
    if found is None:
        raise InvalidInput(f"The sheet {sheet} has no column {path}.")
    return found


async def _sums(tx: OrgTx, prompt_id: str, columns: Sequence[Column]) -> str:
    label, amount = columns[0], columns[1] if len(columns) > 1 else None
    if amount is not None and amount.kind is not ColumnKind.NUMBER:
        raise InvalidInput(
            f"{amount.title} holds no numbers, so there is nothing to add up. Choose another column."
        )
    rows = await sheets.summed(tx, prompt_id, label, amount, MOST_SUMS)
    heads = [label, amount or Column(label.path, "Documents", ColumnKind.NUMBER)]
    return _table(heads, [[name, round(total, _MOST_DECIMALS)] for name, total in rows])


def _table(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> str:
    """A table in which the numbers of a column have the same number of decimals."""
    written = [
        _numbers(values) if column.kind is ColumnKind.NUMBER else [_text(value) for value in values]
        for column, values in zip(
            columns, zip(*rows, strict=True) if rows else [()] * len(columns), strict=True
        )
    ]
    lines = [
        [escaped(column.title) for column in columns],
        ["---:" if column.kind is ColumnKind.NUMBER else "---" for column in columns],
        *zip(*written, strict=True),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(value: Any) -> str:
    shown = plain(value)
    if isinstance(shown, bool):
        return "yes" if shown else "no"
    return "" if shown is None else escaped(str(shown))


def _numbers(values: Sequence[Any]) -> list[str]:
    numbers = [round(value, _MOST_DECIMALS) for value in values if _is_number(value)]
    decimals = max(map(decimals_of, numbers), default=0)
    return [f"{value:.{decimals}f}" if _is_number(value) else _text(value) for value in values]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cells(table: str) -> list[list[str]]:
    """What the cells of a table say, however they are padded. The rule below the headings is left out."""
    rows = [[cell.strip() for cell in _BAR.split(line.strip().strip("|"))] for line in table.splitlines()]
    return rows[:1] + rows[2:]
