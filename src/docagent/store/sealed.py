"""Every column that holds sealed values, for sealing them anew under another secret."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from docagent.store.engine import Tx
from docagent.store.tables import (
    deployment_config,
    documents,
    llm_providers,
    organization_llm_providers,
    webhooks,
)

SEALED_COLUMNS = (
    deployment_config.c.sealed_value,
    documents.c.sealed_password,
    llm_providers.c.sealed_key,
    organization_llm_providers.c.sealed_key,
    webhooks.c.sealed_secret,
    webhooks.c.sealed_auth_header,
)


async def seal_anew(tx: Tx, reseal: Callable[[str], str]) -> int:
    """Replace every sealed value by what `reseal` makes of it. Returns how many there were."""
    count = 0
    for column in SEALED_COLUMNS:
        table = column.table
        keys = list(table.primary_key.columns)
        found = (await tx.across(sa.select(*keys, column).where(column.is_not(None)))).all()
        for row in found:
            this_row = sa.and_(*(key == row._mapping[key] for key in keys))
            changed = {column: reseal(row._mapping[column])}
            await tx.across(sa.update(table).where(this_row).values(changed))
        count += len(found)
    return count
