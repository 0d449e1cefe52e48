"""Queries on the rules of permission."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from docagent.domain.turns.permission import Rule
from docagent.domain.turns.turns import Subject
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.mapping import Mapped, Part
from docagent.store.tables import permission_rules

_FOR_USER = held(
    sa.select(permission_rules)
    .where(
        sa.or_(
            permission_rules.c.user_id.is_(None), permission_rules.c.user_id == sa.bindparam("given_user_id")
        )
    )
    .order_by(permission_rules.c.id)
)


_RULE = Mapped(Rule, permission_rules, parts={"subject": Part(Subject.of, permission_rules)})

get, delete = _RULE.get, _RULE.delete


async def insert(tx: OrgTx, rule: Rule, now: datetime) -> None:
    await _RULE.insert(tx, rule, created_at=now)


async def for_user(tx: OrgTx, user_id: str) -> list[Rule]:
    """The organisation's policy, and the answers that this user had us remember."""
    return _RULE.each(await tx.rows(_FOR_USER, {"given_user_id": user_id}))


async def delete_of_server(tx: OrgTx, server: str) -> None:
    """Forget what was decided about the tools of an MCP server: another one may take its name."""
    of_it = permission_rules.c.tool.startswith(f"{server}/", autoescape=True)
    await tx.execute(sa.delete(permission_rules).where(of_it))


async def delete_of_user(tx: OrgTx, user_id: str) -> None:
    """Forget the answers that this user had us remember."""
    await tx.execute(sa.delete(permission_rules).where(permission_rules.c.user_id == user_id))
