"""Pages of lists that grow are found in indexes: what is before them is not read."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from docagent.domain.listing import ListQuery
from docagent.store.documents import documents
from docagent.store.engine.database import open_database
from docagent.store.engine.schema import migrate
from docagent.store.engine.sqlite_driver import Connection
from docagent.store.turns import turns
from tests.store.test_built_statements import new_organization


async def test_the_audit_and_the_search_for_a_name_use_their_indexes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    await migrate(url)
    database = open_database(url)
    organization_id = await new_organization(database)
    asked: list[str] = []
    async with database.read_org(organization_id) as tx:
        raw = await tx.execute(sa.select(sa.literal(1)))
        driver = raw.context.root_connection.connection.driver_connection
        assert isinstance(driver, Connection)
        driver.set_trace_callback(asked.append)
        await turns.audited(tx, subject=None, user_id=None, skip=0, limit=50)
        await documents.search(tx, ListQuery(0, 50, "invoice"))
        driver.set_trace_callback(None)
    plans = []
    async with database.read() as tx:
        for sql in asked:
            plans += [
                row._mapping["detail"]
                for row in (await tx.across(sa.text(f"EXPLAIN QUERY PLAN {sql}"))).all()
            ]
    await database.close()
    assert len(asked) == 2, "nothing is there, so only the counts are asked for"
    assert "ix_turn_events_audit" in plans[0]
    assert "ix_documents_name" in plans[1]
