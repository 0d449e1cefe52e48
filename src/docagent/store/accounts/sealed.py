"""Every column that holds sealed values, for sealing them again under another secret."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import sqlalchemy as sa

from docagent.store.engine.database import Tx
from docagent.store.tables import (
    deployment_config,
    documents,
    llm_providers,
    mcp_servers,
    organization_llm_providers,
    webhooks,
)

SEALED_COLUMNS = (
    deployment_config.c.sealed_value,
    documents.c.sealed_password,
    llm_providers.c.sealed_key,
    organization_llm_providers.c.sealed_key,
    mcp_servers.c.sealed_headers,
    webhooks.c.sealed_secret,
    webhooks.c.sealed_auth_header,
)


async def some_sealed(tx: Tx) -> list[str]:
    """One sealed value of each kind that there is; of documents, which are many, only if there is no other."""
    found: list[str] = []
    for column in sorted(SEALED_COLUMNS, key=lambda column: column.table is documents):
        if column.table is documents and found:
            break
        statement = sa.select(column).where(column.is_not(None)).limit(1)
        found += [row[0] for row in (await tx.across(statement)).all()]
    return found


async def reseal_all(tx: Tx, reseal: Callable[[str], str]) -> int:
    """Replace every sealed value by what `reseal` makes of it. Returns how many there were."""
    count = 0
    async for column, this_row, sealed in _sealed(tx):
        await tx.across(sa.update(column.table).where(this_row).values({column: reseal(sealed)}))
        count += 1
    return count


async def forget(tx: Tx, is_lost: Callable[[str], bool]) -> int:
    """Remove the sealed values that are lost, and rows that are nothing without theirs. Returns how many there were."""
    count = 0
    async for column, this_row, sealed in _sealed(tx):
        if not is_lost(sealed):
            continue
        if column.nullable:
            await tx.across(sa.update(column.table).where(this_row).values({column: None}))
        else:
            await tx.across(sa.delete(column.table).where(this_row))
        count += 1
    return count


async def _sealed(tx: Tx) -> AsyncIterator[tuple[sa.Column[Any], sa.ColumnElement[bool], str]]:
    """Yield each sealed value, with its column and the condition for its row."""
    for column in SEALED_COLUMNS:
        keys = list(column.table.primary_key)
        for row in (await tx.across(sa.select(*keys, column).where(column.is_not(None)))).all():
            yield column, sa.and_(*(key == row._mapping[key] for key in keys)), row._mapping[column]
