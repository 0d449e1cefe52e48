"""Queries on threads. Every query is limited to the user who made the thread."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from docagent.domain.ids import is_id, new_id
from docagent.domain.turns.turns import Subject, Thread, WorkingState
from docagent.store.engine.database import OrgTx
from docagent.store.engine.tenancy import held
from docagent.store.engine.upsert import insert_or
from docagent.store.mapping import Mapped, Part
from docagent.store.tables import projects, threads

_GET = sa.select(threads).where(
    threads.c.id == sa.bindparam("given_id"),
    threads.c.user_id == sa.bindparam("given_user_id"),
    sa.func.coalesce(threads.c.document_id, threads.c.project_id) == sa.bindparam("given_subject_id"),
)
_GET_FREE, _GET_LOCKED = held(_GET), held(_GET.with_for_update(key_share=True))
_PLACED = (
    sa.update(threads)
    .where(threads.c.id == sa.bindparam("given_id"))
    .values(next_position=threads.c.next_position + 1)
    .returning(threads.c.next_position)
)
_NEXT_POSITION = held(_PLACED)
_FIRST_POSITION = held(
    _PLACED.values(title=sa.bindparam("given_title"), updated_at=sa.bindparam("given_updated_at"))
)


_THREAD = Mapped(Thread, threads, parts={"subject": Part(Subject.of, threads)}, besides=("next_position",))


async def create(
    tx: OrgTx, *, user_id: str, subject: Subject, title: str, now: datetime, thread_id: str | None = None
) -> str:
    """Make a thread. With an id that is taken nothing happens: two callers at once make one thread."""
    thread_id = thread_id or new_id()
    thread = Thread(thread_id, user_id, subject, title, WorkingState(), now, now)
    statement = insert_or(tx, threads).values(**_THREAD.values(thread, state={}, next_position=1))
    await tx.execute(statement.on_conflict_do_nothing(index_elements=[threads.c.id]))
    return thread_id


async def get(
    tx: OrgTx, thread_id: str, *, user_id: str, subject: Subject, lock: bool = False
) -> Thread | None:
    if not (is_id(thread_id) and is_id(subject.id)):
        return None
    given = {"given_id": thread_id, "given_user_id": user_id, "given_subject_id": subject.id}
    row = await tx.first(_GET_LOCKED if lock else _GET_FREE, given)
    thread = _THREAD.found(row)
    return thread if thread and thread.subject == subject else None


async def recent(
    tx: OrgTx, *, user_id: str, subject: Subject, search: str | None, limit: int
) -> list[Thread]:
    about = threads.c.project_id if subject.project_id else threads.c.document_id
    statement = sa.select(threads).where(threads.c.user_id == user_id, about == subject.id)
    if search:
        statement = statement.where(sa.func.lower(threads.c.title).contains(search.lower(), autoescape=True))
    rows = await tx.rows(statement.order_by(threads.c.updated_at.desc(), threads.c.id.desc()).limit(limit))
    return _THREAD.each(rows)


async def about_project(tx: OrgTx, thread_id: str, *, user_id: str) -> Thread | None:
    """A thread about a project that still exists, whichever that is."""
    found = _about_projects(user_id).where(threads.c.id == thread_id)
    return _THREAD.found(await tx.first(found)) if is_id(thread_id) else None


async def about_projects(tx: OrgTx, *, user_id: str, limit: int) -> list[Thread]:
    """The user's threads about projects that still exist, what changed last first."""
    newest = _about_projects(user_id).order_by(threads.c.updated_at.desc(), threads.c.id.desc())
    return _THREAD.each(await tx.rows(newest.limit(limit)))


def _about_projects(user_id: str) -> sa.Select[Any]:
    return (
        sa.select(threads)
        .join(projects, projects.c.id == threads.c.project_id)
        .where(threads.c.user_id == user_id, projects.c.deleted_at.is_(None))
    )


async def next_position(tx: OrgTx, thread_id: str, now: datetime, *, title: str | None = None) -> int:
    """The place of a new turn in the thread, which may get a title with it. No two turns get the same."""
    given: dict[str, Any] = {"given_id": thread_id}
    statement = _NEXT_POSITION
    if title is not None:
        statement, given = _FIRST_POSITION, given | {"given_title": title, "given_updated_at": now}
    return int((await tx.execute(statement, given)).scalar_one()) - 1


async def rename(tx: OrgTx, thread_id: str, title: str) -> None:
    await _THREAD.change(tx, thread_id, {"title": title})


async def delete(tx: OrgTx, thread_id: str) -> None:
    await tx.execute(sa.delete(threads).where(threads.c.id == thread_id))
