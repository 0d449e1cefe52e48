"""Makes files for other programs from what was read. Workbooks: their library is slow to import and rarely wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docagent.export.archive import ArchivedFile, zipped
from docagent.export.marked import MarkedRow, marked_csv
from docagent.export.results_csv import result_to_csv
from docagent.export.sheet_lines import ForPeople, NamedColumn, Part, SheetFormat, SheetLines
from docagent.reading.layout import Table

if TYPE_CHECKING:
    from docagent.export.sheet_xlsx import SheetWorkbook as SheetWorkbook

__all__ = [
    "ArchivedFile",
    "ForPeople",
    "MarkedRow",
    "NamedColumn",
    "Part",
    "SheetFormat",
    "SheetLines",
    "SheetWorkbook",
    "marked_csv",
    "marked_xlsx",
    "parquet_file",
    "result_to_csv",
    "results_to_xlsx",
    "sheet_workbook",
    "tables_to_xlsx",
    "zipped",
]


def results_to_xlsx(results: Sequence[tuple[str, dict[str, Any]]]) -> bytes:
    """Write tabs for each named result: first its fields, then each of its lists."""
    from docagent.export import results_xlsx  # noqa: PLC0415

    return results_xlsx.results_to_xlsx(results)


def marked_xlsx(rows: Sequence[MarkedRow]) -> bytes:
    """One tab of many results, in which unproven values are coloured."""
    from docagent.export import results_xlsx  # noqa: PLC0415

    return results_xlsx.marked_xlsx(rows)


def tables_to_xlsx(tables: Sequence[tuple[int, Table]]) -> bytes:
    """Write a sheet for each table, which comes with its page's number. Raises NotFound without tables."""
    from docagent.export import tables_xlsx  # noqa: PLC0415

    return tables_xlsx.tables_to_xlsx(tables)


def sheet_workbook(name: str, parts: Sequence[Part], look: ForPeople, documents: int) -> SheetWorkbook:
    """Begin a workbook of a sheet, to which rows are added."""
    from docagent.export import sheet_xlsx  # noqa: PLC0415

    return sheet_xlsx.SheetWorkbook(name, parts, look, documents)


def parquet_file(columns: Sequence[NamedColumn], rows: Path, target: Path) -> None:
    """Write a sheet as a Parquet file, from rows that are JSON objects, one a line."""
    from docagent.export import sheet_parquet  # noqa: PLC0415

    sheet_parquet.write(columns, rows, target)
