"""What was decided about providers of models: for the deployment, and for single organisations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.models.providers import ProviderSettings
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.tenancy import HELD, held
from docagent.store.engine.upsert import put
from docagent.store.mapping import Mapped
from docagent.store.tables import llm_providers, organization_llm_providers

_OF_THE_DEPLOYMENT_ONLY = ("custom", "display_name", "base_url", "own_models")


_DEPLOYMENTS = Mapped(ProviderSettings, llm_providers, besides=("updated_at",))
_ORGANIZATIONS = Mapped(
    ProviderSettings, organization_llm_providers, given=_OF_THE_DEPLOYMENT_ONLY, besides=("updated_at",)
)
_OF_DEPLOYMENT = held(sa.select(llm_providers))
_OF_ORGANIZATION = held(sa.select(organization_llm_providers))


def _of_both() -> sa.CompoundSelect[Any]:
    own = organization_llm_providers
    columns = [column for column in llm_providers.c if column.name in own.c]
    missing = [llm_providers.c[name] for name in _OF_THE_DEPLOYMENT_ONLY]
    return sa.union_all(
        sa.select(*columns, *missing, sa.false().label("is_own")),
        sa.select(
            *(own.c[column.name] for column in columns),
            *(sa.cast(sa.null(), column.type) for column in missing),
            sa.true(),
        ).where(own.c.organization_id == HELD),
    )


_OF_BOTH = held(_of_both())


async def of_deployment(tx: Tx) -> Mapping[str, ProviderSettings]:
    return {row.name: _DEPLOYMENTS.of(row) for row in await tx.rows(_OF_DEPLOYMENT)}


async def of_organization(tx: OrgTx) -> Mapping[str, ProviderSettings]:
    return {row.name: _ORGANIZATIONS.of(row) for row in await tx.rows(_OF_ORGANIZATION)}


async def of_both(
    tx: OrgTx,
) -> tuple[Mapping[str, ProviderSettings], Mapping[str, ProviderSettings]]:
    """What was decided for the deployment, and what for the organisation."""
    found: tuple[dict[str, ProviderSettings], dict[str, ProviderSettings]] = ({}, {})
    for row in await tx.rows(_OF_BOTH):
        found[bool(row.is_own)][row.name] = _DEPLOYMENTS.of(row)
    return found


async def save_for_deployment(tx: Tx, settings: ProviderSettings, now: datetime) -> None:
    await put(tx, llm_providers, _DEPLOYMENTS.values(settings, updated_at=now))


async def save_for_organization(tx: OrgTx, settings: ProviderSettings, now: datetime) -> None:
    await put(tx, organization_llm_providers, _ORGANIZATIONS.values(settings, updated_at=now))


async def delete_custom(tx: Tx, name: str) -> bool:
    """Delete the provider with the keys of organisations: a new server under the same name must not get them."""
    condition = (llm_providers.c.name == name) & llm_providers.c.custom
    deleted = await tx.execute(sa.delete(llm_providers).where(condition))
    if not deleted.rowcount:
        return False
    own = organization_llm_providers
    await tx.across(sa.delete(own).where(own.c.name == name))
    return True
