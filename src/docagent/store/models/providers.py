"""What was decided about providers of models: for the deployment, and for single organisations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.models.providers import ProviderSettings
from docagent.store.engine.database import OrgTx, Tx
from docagent.store.engine.tenancy import HELD, held
from docagent.store.engine.upsert import insert_or
from docagent.store.tables import llm_providers, organization_llm_providers

_OF_THE_DEPLOYMENT_ONLY = ("custom", "display_name", "base_url", "own_models")


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
    return {row.name: _settings(row) for row in await tx.rows(_OF_DEPLOYMENT)}


async def of_organization(tx: OrgTx) -> Mapping[str, ProviderSettings]:
    return {row.name: _settings(row) for row in await tx.rows(_OF_ORGANIZATION)}


async def of_both(
    tx: OrgTx,
) -> tuple[Mapping[str, ProviderSettings], Mapping[str, ProviderSettings]]:
    """What was decided for the deployment, and what for the organisation."""
    found: tuple[dict[str, ProviderSettings], dict[str, ProviderSettings]] = ({}, {})
    for row in await tx.rows(_OF_BOTH):
        found[bool(row.is_own)][row.name] = _settings(row)
    return found


async def save_for_deployment(tx: Tx, settings: ProviderSettings, now: datetime) -> None:
    values = asdict(settings) | {"updated_at": now}
    await tx.execute(_put(tx, llm_providers, values, ["name"]))


async def save_for_organization(tx: OrgTx, settings: ProviderSettings, now: datetime) -> None:
    values = {key: value for key, value in asdict(settings).items() if key not in _OF_THE_DEPLOYMENT_ONLY}
    values |= {"organization_id": tx.organization_id, "updated_at": now}
    await tx.execute(_put(tx, organization_llm_providers, values, ["organization_id", "name"]))


async def delete_custom(tx: Tx, name: str) -> bool:
    """Delete the provider with the keys of organisations: a new server under the same name must not get them."""
    condition = (llm_providers.c.name == name) & llm_providers.c.custom
    deleted = await tx.execute(sa.delete(llm_providers).where(condition))
    if not deleted.rowcount:
        return False
    own = organization_llm_providers
    await tx.across(sa.delete(own).where(own.c.name == name))
    return True


def _put(tx: Tx, table: sa.Table, values: dict[str, Any], keys: list[str]) -> sa.Insert:
    changes = {key: value for key, value in values.items() if key not in keys}
    return insert_or(tx, table).values(**values).on_conflict_do_update(index_elements=keys, set_=changes)


def _settings(row: sa.Row[Any]) -> ProviderSettings:
    return ProviderSettings(
        name=row.name,
        enabled=row.enabled,
        sealed_key=row.sealed_key,
        key_created_at=row.key_created_at,
        enabled_models=_names(row.enabled_models),
        chat_models=_names(row.chat_models),
        display_name=getattr(row, "display_name", None),
        base_url=getattr(row, "base_url", None),
        own_models=tuple(getattr(row, "own_models", None) or ()),
        custom=bool(getattr(row, "custom", False)),
    )


def _names(stored: list[str] | None) -> tuple[str, ...] | None:
    return None if stored is None else tuple(stored)
