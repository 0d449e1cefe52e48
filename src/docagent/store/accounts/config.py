"""Deployment-wide values that are sealed at rest."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from docagent.store.engine.database import Tx
from docagent.store.tables import deployment_config


async def get(tx: Tx, key: str) -> str | None:
    statement = sa.select(deployment_config.c.sealed_value).where(deployment_config.c.key == key)
    sealed: str | None = await tx.scalar(statement)
    return sealed


async def put(tx: Tx, key: str, sealed_value: str, now: datetime) -> None:
    await delete(tx, key)
    await tx.execute(sa.insert(deployment_config).values(key=key, sealed_value=sealed_value, updated_at=now))


async def delete(tx: Tx, key: str) -> None:
    await tx.execute(sa.delete(deployment_config).where(deployment_config.c.key == key))
