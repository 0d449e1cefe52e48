"""Sheets: the results of one prompt as a table, to look at and to export."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.doubts import ReviewPolicy
from docagent.domain.extraction.sheets import Column, ColumnChoice, Row, SheetResult, SheetTemplate, rows_of
from docagent.domain.field_path import FieldPath
from docagent.domain.listing import ListQuery
from docagent.export import ForPeople, Part, SheetFormat, SheetLines, parquet_file, sheet_workbook
from docagent.services.extraction.extraction_tasks import Task, newest_task
from docagent.services.review.sheet_columns import SheetChecks, columns_of, columns_of_data
from docagent.store.engine.database import Database, OrgTx
from docagent.store.review import review, sheets

if TYPE_CHECKING:
    from docagent.export import SheetWorkbook

Made = TypeVar("Made")
FirstPage = Callable[[Member, str], Awaitable[bytes | None]]
"""Gives the picture of a document's first page, if there is one."""
MOST_PICTURED = 500
"""Documents of one workbook with pictures, which are all in memory until it is written."""
EXAMPLES = 50
BATCH = 200
CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of a sheet. `total` counts the documents, of which each may have several rows."""

    prompt_id: str
    prompt_revid: str
    name: str
    columns: Sequence[Column]
    tables: Sequence[Column]
    """The columns that hold rows, whether or not one of them is unfolded."""
    rows: Sequence[Row]
    total: int
    skip: int
    settled: int
    """Of all documents, whatever was asked for: those that are verified, or sure and without a problem or remark."""
    to_review: int
    to_check: int
    """Values of those documents that a person should look at."""
    decimal: str


@dataclass(frozen=True, slots=True)
class _Look:
    """How the results of a prompt are judged."""

    prompt_id: str
    wanted: ReviewPolicy
    checks: SheetChecks
    unfold: FieldPath | None

    def rows(
        self, found: Sequence[SheetResult], columns: Sequence[Column], twice: Mapping[tuple[str, str], int]
    ) -> list[Row]:
        remarks = self.checks.remarks(found, twice, now().date())
        return [
            row
            for result in found
            for row in rows_of(
                result, columns, self.unfold, threshold=self.wanted.threshold, remarks=remarks[result.id]
            )
        ]

    async def settled(self, tx: OrgTx) -> int:
        checks = self.checks
        return await review.settled(
            tx,
            self.prompt_id,
            self.wanted,
            sheets.odd(tx, checks.number, checks.issuer, checks.past, now().date()),
        )


class SheetService:
    def __init__(self, db: Database, first_page: FirstPage) -> None:
        self._db = db
        self._first_page = first_page

    async def part(self, member: Member, prompt_id: str, query: ListQuery, *, unfold: str | None) -> Sheet:
        async with self._db.read_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            template = await sheets.template(tx, task.prompt_id)
            columns = template.applied(await _columns(tx, task, unfold))
            whole = template.applied(columns_of(task.schema, None)) if task.schema else []
            look = await _look(tx, task, columns)
            counts = await review.counts_of(tx, task.prompt_id, look.wanted, member.user_id, now())
            found, total = await sheets.page(tx, task.prompt_id, columns, query, whole=counts.total)
            twice = await look.checks.twice(tx, task.prompt_id, found)
            settled = await look.settled(tx)
        rows = look.rows(found, columns, twice)
        return Sheet(
            task.prompt_id,
            task.prompt_revid,
            task.name,
            columns,
            [column for column in whole if column.unfolds],
            rows,
            total,
            query.skip,
            settled=settled,
            to_review=counts.waiting,
            to_check=counts.values,
            decimal=template.decimal,
        )

    async def set_template(
        self, member: Member, prompt_id: str, columns: Sequence[ColumnChoice], decimal: str
    ) -> SheetTemplate:
        """Remember order and names of the columns for everybody; without columns, those of the schema."""
        async with self._db.write_as(member) as tx:
            task = await newest_task(tx, prompt_id)
            changed = (await sheets.template(tx, task.prompt_id)).changed(columns, decimal)
            await sheets.set_template(tx, task.prompt_id, changed)
        return changed

    async def export(
        self,
        member: Member,
        prompt_id: str,
        query: ListQuery,
        *,
        unfold: str | None,
        format: SheetFormat,
        only: Sequence[str] = (),
        people: ForPeople | None = None,
    ) -> tuple[str, AsyncIterator[bytes]]:
        """The prompt's name and the file in chunks: all rows that the query finds, in its order.

        `only` are the paths of the columns to write. Otherwise a file for people has those of the sheet's template,
        one for programs all. A few rows at a time are in memory.
        """
        async with self._db.read_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            columns = await _columns(tx, task, unfold)
            ids = await sheets.all_ids(tx, task.prompt_id, columns, query)
            look = await _look(tx, task, columns)
            twice = await look.checks.twice(tx, task.prompt_id)
            template = await sheets.template(tx, task.prompt_id) if people else SheetTemplate()
        columns = template.applied(columns)
        if only:
            columns = [column for column in columns if any(map(column.path.is_written, only))]
        columns = [column for column in columns if only or not column.hidden]
        if people is not None and format is SheetFormat.XLSX:
            if people.pictures and len(ids) > MOST_PICTURED:
                raise InvalidInput(
                    f"Pictures are for at most {MOST_PICTURED} documents; this sheet has {len(ids)}. Filter it."
                )
            parts = [Part(columns), *_tables(task.schema, template, columns)]
            looks = [
                (replace(look, unfold=part.column.path) if part.column else look, part.columns)
                for part in parts
            ]
            batches = self._batches(
                member, ids, lambda found: [one.rows(found, of, twice) for one, of in looks]
            )
            return task.name, self._workbook(
                member, sheet_workbook(task.name, parts, people, len(ids)), batches, people
            )
        rows = self._batches(member, ids, lambda found: look.rows(found, columns, twice))
        lines = SheetLines(columns, people)
        return task.name, _lines(lines, format, rows) if format.is_lines else _parquet(lines, rows)

    async def _batches(
        self, member: Member, ids: Sequence[str], made_of: Callable[[Sequence[SheetResult]], Made]
    ) -> AsyncIterator[Made]:
        """What is made of the results in batches, each read in a transaction of its own: downloads may be slow."""
        for start in range(0, len(ids), BATCH):
            async with self._db.read_as(member, long=True) as tx:
                found = await sheets.results(tx, ids[start : start + BATCH])
            yield made_of(found)

    async def _workbook(
        self,
        member: Member,
        book: SheetWorkbook,
        batches: AsyncIterator[list[list[Row]]],
        people: ForPeople,
    ) -> AsyncIterator[bytes]:
        with tempfile.TemporaryDirectory(prefix="sheet-") as folder:
            async for first, *tables in batches:
                pictures: dict[str, bytes] = {}
                for row in first if people.pictures else ():
                    page = await self._first_page(member, row.result.document_id)
                    pictures |= {row.result.document_id: page} if page else {}
                items = [[row for row in rows if row.item is not None] for rows in tables]
                await asyncio.to_thread(book.add, [first, *items], pictures)
            made = Path(folder, "made")
            await asyncio.to_thread(book.save, made)
            async for chunk in _chunks(made):
                yield chunk


def _tables(
    schema: dict[str, Any] | None, template: SheetTemplate, columns: Sequence[Column]
) -> Iterator[Part]:
    """The tables in the columns, each with the columns of its rows."""
    for column in columns:
        if column.unfolds and schema is not None:
            inside = template.applied(columns_of(schema, str(column.path)))
            yield Part([one for one in inside if one.within == column.path and not one.hidden], column)


async def _look(tx: OrgTx, task: Task, columns: Sequence[Column]) -> _Look:
    wanted = (await review.policy(tx, task.prompt_id)).told
    unfold = next((column.within for column in columns if column.within is not None), None)
    return _Look(task.prompt_id, wanted, SheetChecks.of(columns), unfold)


async def _columns(tx: OrgTx, task: Task, unfold: str | None) -> list[Column]:
    if task.schema is not None:
        return columns_of(task.schema, unfold)
    examples = await sheets.newest(tx, task.prompt_id, EXAMPLES)
    return columns_of_data([dict(result.data) for result in examples])


async def _lines(
    lines: SheetLines, format: SheetFormat, batches: AsyncIterator[list[Row]]
) -> AsyncIterator[bytes]:
    yield lines.head(format)
    async for rows in batches:
        yield await asyncio.to_thread(lines.written, format, rows)


async def _parquet(lines: SheetLines, batches: AsyncIterator[list[Row]]) -> AsyncIterator[bytes]:
    """A file that can only be read whole: its rows are kept in a file first, then it is made beside it."""
    with tempfile.TemporaryDirectory(prefix="sheet-") as folder:
        kept, made = Path(folder, "rows"), Path(folder, "made")
        with await asyncio.to_thread(kept.open, "wb") as target:
            async for rows in batches:
                target.write(lines.written(SheetFormat.JSON_LINES, rows))
        await asyncio.to_thread(parquet_file, lines.columns, kept, made)
        async for chunk in _chunks(made):
            yield chunk


async def _chunks(file: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(file.open, "rb") as source:
        while chunk := await asyncio.to_thread(source.read, CHUNK):
            yield chunk
