"""What somebody and the agent said about projects, to be searched.

There is no index of it: only the newest messages of the newest conversations are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from docagent.domain.turns.events import EventType
from docagent.store.engine.database import OrgTx
from docagent.store.tables import projects, threads, turn_events, turns

_SAID = (
    EventType.USER_MESSAGE,
    EventType.STEERED,
    EventType.INPUT_GIVEN,
    EventType.COMPLETED,
    EventType.LIMIT_REACHED,
    EventType.STOPPED,
)


@dataclass(frozen=True, slots=True)
class Chat:
    thread_id: str
    title: str
    project_id: str
    project_name: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    thread_id: str
    turn_id: str
    text: str


async def own_chats(tx: OrgTx, user_id: str, project_id: str | None, most: int) -> list[Chat]:
    """The user's conversations about projects that are not deleted, the newest first."""
    statement = (
        sa.select(threads, projects.c.name.label("project_name"))
        .join_from(threads, projects, projects.c.id == threads.c.project_id)
        .where(threads.c.user_id == user_id, projects.c.deleted_at.is_(None))
    )
    if project_id is not None:
        statement = statement.where(threads.c.project_id == project_id)
    rows = await tx.rows(statement.order_by(threads.c.updated_at.desc(), threads.c.id.desc()).limit(most))
    return [Chat(row.id, row.title, row.project_id, row.project_name, row.updated_at) for row in rows]


async def said_in(tx: OrgTx, chats: Sequence[Chat], most: int) -> list[Said]:
    """Messages and answers of these conversations, the newest first; not those that an edited message replaced."""
    if not chats:
        return []
    text = turn_events.c.payload["text"].as_string()
    statement = (
        sa.select(turns.c.thread_id, turns.c.id, text.label("text"))
        .join_from(turn_events, turns, turns.c.id == turn_events.c.turn_id)
        .where(
            turns.c.thread_id.in_([chat.thread_id for chat in chats]),
            turns.c.superseded.is_(False),
            turn_events.c.type.in_(_SAID),
        )
        .order_by(turns.c.created_at.desc(), turns.c.id.desc(), turn_events.c.seq.desc())
        .limit(most)
    )
    return [Said(row.thread_id, row.id, row.text) for row in await tx.rows(statement)]
