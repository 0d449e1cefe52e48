"""A project that is removed for good takes its conversations and what was remembered for it along."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from docagent.services.housekeeping import HousekeepingService
from docagent.store.tables import permission_rules, threads, turns
from tests.support.agent import Desk, ProjectDesk, call, calls, yes
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def left_of(project: ProjectDesk) -> list[int]:
    """How many conversations, turns and remembered rules of the project there are."""
    counted = []
    async with project.studio.product.services.db.read_org(project.api.organization_id) as tx:
        for table in (threads, turns, permission_rules):
            found = await tx.rows(sa.select(table).where(table.c.project_id == project.project_id))
            counted.append(len(found))
    return counted


async def test_nothing_of_a_removed_project_stays(own_desk: Desk) -> None:
    project = await ProjectDesk.at(own_desk)
    kept = await ProjectDesk.at(own_desk)
    for one in (project, kept):
        thread = (await one.posted(f"{one.path}/threads", {}))["thread_id"]
        wanted = calls(call("c1", "create_project_document", name="Plan", content="x"))
        asked = await one.chat("Make a plan", wanted, thread_id=thread)
        await one.approve(asked, yes("c1", always_allow="project"), answers=["Done."])
    assert await left_of(project) == await left_of(kept) == [1, 1, 1]
    await project.api.delete(f"/projects/{project.project_id}")
    assert await left_of(project) == [1, 1, 1], "it can still be brought back as it was"
    services = project.studio.product.services
    await HousekeepingService(services.db, services.blobs, timedelta(0)).sweep()
    assert await left_of(project) == [0, 0, 0]
    assert await left_of(kept) == [1, 1, 1]
