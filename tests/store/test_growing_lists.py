"""Pages of lists that grow are found in indexes: what is before them is not read."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from docagent.domain.ids import new_id
from docagent.domain.listing import ListQuery, Sort
from docagent.store import tables
from docagent.store.documents import documents
from docagent.store.engine.database import open_database
from docagent.store.engine.schema import migrate
from docagent.store.engine.sqlite_driver import Connection
from docagent.store.turns import turns
from tests.store.test_built_statements import new_organization
from tests.support.made.filled import blank
from tests.support.statements import asked


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    ("field", "index"), [("state", "ix_documents_state"), ("uploaded_by", "ix_documents_uploader")]
)
async def test_documents_sorted_by_what_many_share_come_from_an_index(
    tmp_path: Path, field: str, index: str, *, descending: bool
) -> None:
    url = f"sqlite:///{tmp_path / 'test.db'}"
    await migrate(url)
    database = open_database(url)
    organization_id = await new_organization(database)
    async with database.write_org(organization_id) as tx:
        known = {"id": new_id(), "organization_id": organization_id, "state": "uploaded"}
        rows = [{**blank(tables.documents), **known}]
        await tx.execute(sa.insert(tables.documents), rows)
    query = ListQuery(0, 50, sort=(Sort(field, descending),))
    with asked() as statements:
        async with database.read_org(organization_id) as tx:
            await documents.search(tx, query)
    (ordered,) = [sql for sql, _ in statements.statements if "ORDER BY" in sql]
    async with database.read() as tx:
        plan = [row.detail for row in await tx.across(sa.text(f"EXPLAIN QUERY PLAN {ordered}"))]
    await database.close()
    assert index in " ".join(plan)
    assert "TEMP B-TREE" not in " ".join(plan)


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
