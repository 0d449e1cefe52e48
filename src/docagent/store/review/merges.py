"""Queries on merged sheets."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.extraction.merges import Merge
from docagent.domain.extraction.results import Result
from docagent.store.engine.database import OrgTx
from docagent.store.mapping import Mapped
from docagent.store.review.sheets import newest_results, with_documents
from docagent.store.tables import extraction_results, sheet_merges

_MERGE = Mapped(Merge, sheet_merges)
_merge, _heads = sheet_merges.c, extraction_results.c
insert, get = _MERGE.insert, _MERGE.get


async def undone(tx: OrgTx, merge_id: str, now: datetime) -> bool:
    """Note that a merge is undone. False if it already is, or is gone."""
    statement = sa.update(sheet_merges).where(_merge.id == merge_id, _merge.undone_at.is_(None))
    return (await tx.execute(statement.values(undone_at=now))).rowcount == 1


async def of_prompt(tx: OrgTx, prompt_id: str) -> list[Merge]:
    """What was merged into a prompt's sheet and not undone, the newest first."""
    statement = sa.select(sheet_merges).where(_merge.prompt_id == prompt_id, _merge.undone_at.is_(None))
    return _MERGE.each(await tx.rows(statement.order_by(_merge.id.desc())))


async def results_of(tx: OrgTx, prompt_id: str) -> dict[str, str]:
    """Of each document of a sheet, the prompt version that its newest result is of."""
    rows = await tx.rows(
        sa.select(_heads.document_id, _heads.prompt_revid)
        .select_from(with_documents())
        .where(*newest_results(tx, prompt_id))
        .order_by(_heads.document_id)
    )
    return {row.document_id: row.prompt_revid for row in rows}


async def move(tx: OrgTx, result: Result, prompt_id: str, prompt_revid: str, prompt_version: int) -> Result:
    """Make a result one of another prompt's version. Returns it as it is then."""
    moved = {"prompt_id": prompt_id, "prompt_revid": prompt_revid, "prompt_version": prompt_version}
    await tx.execute(sa.update(extraction_results).where(_heads.id == result.id).values(**moved))
    return replace(result, prompt_id=prompt_id, prompt_revid=prompt_revid, prompt_version=prompt_version)
