"""Sheets: the results of one prompt as a table, to look at and to export."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.extraction.doubts import ReviewMode, ReviewPolicy
from docagent.domain.extraction.sheets import Column, Row, SheetResult, rows_of
from docagent.domain.field_path import FieldPath
from docagent.domain.listing import ListQuery
from docagent.export import SheetFormat, SheetLines, sheet_file
from docagent.services.extraction.extraction_tasks import Task, newest_task
from docagent.services.review.sheet_columns import SheetChecks, columns_of, columns_of_data
from docagent.store.engine.database import Database, OrgTx
from docagent.store.review import review, sheets

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
    rows: Sequence[Row]
    total: int
    skip: int
    settled: int
    """Of all documents, whatever was asked for: those that are verified, or sure and without a problem or remark."""
    to_review: int


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
    def __init__(self, db: Database) -> None:
        self._db = db

    async def part(self, member: Member, prompt_id: str, query: ListQuery, *, unfold: str | None) -> Sheet:
        async with self._db.read_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            columns = await _columns(tx, task, unfold)
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
            rows,
            total,
            query.skip,
            settled=settled,
            to_review=counts.waiting,
        )

    async def export(
        self,
        member: Member,
        prompt_id: str,
        query: ListQuery,
        *,
        unfold: str | None,
        format: SheetFormat,
        only: Sequence[str] = (),
    ) -> tuple[str, AsyncIterator[bytes]]:
        """The prompt's name and the file in chunks: all rows that the query finds, in its order.

        `only` are the paths of the columns to write, all when it is empty. A few rows at a time are in memory.
        """
        async with self._db.read_as(member, long=True) as tx:
            task = await newest_task(tx, prompt_id)
            columns = await _columns(tx, task, unfold)
            ids = await sheets.all_ids(tx, task.prompt_id, columns, query)
            look = await _look(tx, task, columns)
            twice = await look.checks.twice(tx, task.prompt_id)
        chosen = [column for column in columns if any(map(column.path.is_written, only))] if only else columns
        rows = self._rows(member, ids, lambda found: look.rows(found, chosen, twice))
        lines = SheetLines(chosen)
        return task.name, _lines(lines, format, rows) if format.is_lines else _whole(lines, format, rows)

    async def _rows(
        self,
        member: Member,
        ids: Sequence[str],
        rows_of_batch: Callable[[Sequence[SheetResult]], list[Row]],
    ) -> AsyncIterator[list[Row]]:
        """The rows in batches, each read in a transaction of its own: a slow download holds no connection."""
        for start in range(0, len(ids), BATCH):
            async with self._db.read_as(member, long=True) as tx:
                found = await sheets.results(tx, ids[start : start + BATCH])
            yield rows_of_batch(found)


async def _look(tx: OrgTx, task: Task, columns: Sequence[Column]) -> _Look:
    """Where nothing is reviewed, what is doubtful is told all the same."""
    wanted = await review.policy(tx, task.prompt_id)
    if wanted.mode is ReviewMode.NOTHING:
        wanted = replace(wanted, mode=ReviewMode.DOUBTFUL)
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


async def _whole(
    lines: SheetLines, format: SheetFormat, batches: AsyncIterator[list[Row]]
) -> AsyncIterator[bytes]:
    """A file that can only be read whole: its rows are kept in a file first, then it is made beside it."""
    with tempfile.TemporaryDirectory(prefix="sheet-") as folder:
        kept, made = Path(folder, "rows"), Path(folder, "made")
        with await asyncio.to_thread(kept.open, "wb") as target:
            async for rows in batches:
                target.write(lines.written(SheetFormat.JSON_LINES, rows))
        await asyncio.to_thread(sheet_file, format, lines.columns, kept, made)
        with await asyncio.to_thread(made.open, "rb") as source:
            while chunk := await asyncio.to_thread(source.read, CHUNK):
                yield chunk
