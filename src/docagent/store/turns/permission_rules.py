"""Queries on the rules of permission."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Row

from docagent.domain.turns.permission import Effect, Rule
from docagent.domain.turns.turns import Subject
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
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


def _rule(row: Row[Any]) -> Rule:
    return Rule(
        id=row.id,
        effect=Effect(row.effect),
        tool=row.tool,
        arguments=row.arguments,
        subject=Subject.of(row.document_id, row.project_id),
        user_id=row.user_id,
        created_by=row.created_by,
        created_at=row.created_at,
    )


async def insert(tx: OrgTx, rule: Rule, now: datetime) -> None:
    await tx.execute(
        sa.insert(permission_rules).values(
            id=rule.id,
            user_id=rule.user_id,
            document_id=rule.document_id,
            project_id=rule.project_id,
            tool=rule.tool,
            effect=rule.effect,
            arguments=dict(rule.arguments),
            created_by=rule.created_by,
            created_at=now,
        )
    )


async def for_user(tx: OrgTx, user_id: str) -> list[Rule]:
    """The organisation's policy, and the answers that this user had us remember."""
    return [_rule(row) for row in await tx.rows(_FOR_USER, {"given_user_id": user_id})]


async def get(tx: OrgTx, rule_id: str) -> Rule | None:
    row = await tx.first(sa.select(permission_rules).where(permission_rules.c.id == rule_id))
    return _rule(row) if row else None


async def delete(tx: OrgTx, rule_id: str) -> None:
    await tx.execute(sa.delete(permission_rules).where(permission_rules.c.id == rule_id))


async def delete_of_server(tx: OrgTx, server: str) -> None:
    """Forget what was decided about the tools of an MCP server: another one may take its name."""
    of_it = permission_rules.c.tool.startswith(f"{server}/", autoescape=True)
    await tx.execute(sa.delete(permission_rules).where(of_it))


async def delete_of_user(tx: OrgTx, user_id: str) -> None:
    """Forget the answers that this user had us remember."""
    await tx.execute(sa.delete(permission_rules).where(permission_rules.c.user_id == user_id))
