"""Queries on the replies of an extraction that is under way. They are deleted when it ends."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from docagent.store.batches import some
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.tables import extraction_parts


async def get(tx: OrgTx, run_id: str, number: int) -> str | None:
    reply: str | None = await tx.scalar(
        sa.select(extraction_parts.c.reply).where(
            extraction_parts.c.run_id == run_id, extraction_parts.c.number == number
        )
    )
    return reply


async def insert(tx: OrgTx, run_id: str, number: int, reply: str, now: datetime) -> None:
    await tx.execute(
        sa.insert(extraction_parts).values(run_id=run_id, number=number, reply=reply, created_at=now)
    )


async def forget(tx: OrgTx, run_id: str, first: int, count: int) -> None:
    await tx.execute(
        sa.delete(extraction_parts).where(
            extraction_parts.c.run_id == run_id,
            extraction_parts.c.number >= first,
            extraction_parts.c.number < first + count,
        )
    )


async def forget_older(tx: Tx, than: datetime) -> int:
    return (await tx.across(some(extraction_parts, extraction_parts.c.created_at < than))).rowcount
