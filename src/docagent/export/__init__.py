"""Makes files for other programs from what was read. Workbooks: their library is slow to import and rarely wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from docagent.export.archive import ArchivedFile, zipped
from docagent.export.marked import MarkedRow, marked_csv
from docagent.export.results_csv import result_to_csv
from docagent.export.sheet_lines import NamedColumn, SheetFormat, SheetLines
from docagent.reading.layout import Table

__all__ = [
    "ArchivedFile",
    "MarkedRow",
    "NamedColumn",
    "SheetFormat",
    "SheetLines",
    "marked_csv",
    "marked_xlsx",
    "result_to_csv",
    "results_to_xlsx",
    "sheet_file",
    "tables_to_xlsx",
    "zipped",
]


def results_to_xlsx(results: Sequence[tuple[str, dict[str, Any]]]) -> bytes:
    """Write sheets for each named result: first its fields, then each of its lists."""
    from docagent.export import results_xlsx  # noqa: PLC0415

    return results_xlsx.results_to_xlsx(results)


def marked_xlsx(rows: Sequence[MarkedRow]) -> bytes:
    """One sheet of many results, in which unproven values are coloured."""
    from docagent.export import marked_workbook  # noqa: PLC0415

    return marked_workbook.marked_xlsx(rows)


def tables_to_xlsx(tables: Sequence[tuple[int, Table]]) -> bytes:
    """Write a sheet for each table, which comes with its page's number. Raises NotFound without tables."""
    from docagent.export import tables_xlsx  # noqa: PLC0415

    return tables_xlsx.tables_to_xlsx(tables)


def sheet_file(format: SheetFormat, columns: Sequence[NamedColumn], rows: Path, target: Path) -> None:
    """Write a sheet as a workbook or a Parquet file, from rows that are JSON objects, one a line."""
    if format is SheetFormat.XLSX:
        from docagent.export import sheet_xlsx  # noqa: PLC0415

        sheet_xlsx.write([column.name for column in columns], rows, target)
    else:
        from docagent.export import sheet_parquet  # noqa: PLC0415

        sheet_parquet.write(columns, rows, target)
