"""A database that gets into trouble while the server runs: 503 with the cause, and /ready says so until it is over."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from docagent.api.errors import unexpected
from docagent.store.engine.database import Database
from docagent.store.engine.trouble import DAMAGED, FULL, READ_ONLY
from tests.conftest import make_settings, running_product
from tests.support.agent import running_studio
from tests.support.org_api import OrgApi
from tests.support.polling import true_soon
from tests.support.product import Product

ALL_CONNECTIONS = 4


@pytest.fixture
async def product(tmp_path: Path) -> AsyncIterator[Product]:
    """On a file of its own, which the test may spoil. Few connections, so that something can be set on all of them."""
    settings = make_settings(tmp_path, database={"pool_size": ALL_CONNECTIONS // 2})
    async with running_product(settings) as running:
        yield running


@pytest.fixture
async def api(product: Product) -> OrgApi:
    tenant = await product.new_tenant()
    return OrgApi(product.client, tenant.organization_id, tenant.headers)


async def pragma(db: Database, text: str, connections: int = 1) -> None:
    """Set it on so many connections, which all exist afterwards."""
    async with AsyncExitStack() as stack:
        for _ in range(connections):
            transaction = await stack.enter_async_context(db.transaction(write=False, long=False))
            assert transaction.dialect == "sqlite"
            await transaction.execute_text(f"PRAGMA {text}")  # type: ignore[union-attr]


async def told(api: OrgApi) -> tuple[int, str]:
    answer = await api.client.get("/ready")
    return answer.status_code, answer.json().get("detail", "")


@pytest.mark.parametrize(
    ("begins", "ends", "cause"),
    [
        ("query_only=1", "query_only=0", READ_ONLY),
        ("max_page_count=1", "max_page_count=1000000", FULL),
    ],
)
async def test_nothing_can_be_stored(
    product: Product, api: OrgApi, begins: str, ends: str, cause: str
) -> None:
    assert await told(api) == (200, "")
    await pragma(product.services.db, begins, ALL_CONNECTIONS)
    tag = {"name": "long " + "x" * 200, "color": "#112233", "description": "y" * 50_000}
    assert await api.refused(503, "POST", "/tags", tag) == cause
    if cause == READ_ONLY:
        assert await told(api) == (503, cause)
    await pragma(product.services.db, ends, ALL_CONNECTIONS)
    assert await told(api) == (200, "")
    assert (await api.call("POST", "/tags", json=tag)).status_code == 200


async def test_a_damaged_file(product: Product, api: OrgApi) -> None:
    assert await told(api) == (200, "")
    db = product.services.db
    async with db.transaction(write=False, long=True) as transaction:
        await transaction.execute_text("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
    await db.close()
    (file,) = product.settings.data.glob("docagent.db")
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    assert await api.refused(503, "GET", "/tags") == DAMAGED
    assert await told(api) == (503, DAMAGED)
    health = await api.client.get("/health")
    assert health.status_code == 200


async def test_a_turn_waits_until_there_is_room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = make_settings(tmp_path, database={"pool_size": ALL_CONNECTIONS // 2})
    async with running_studio(settings) as studio:
        desk = await studio.new_desk()
        gate = studio.hold_reply()
        turn_id = await desk.begin("Talk", "Words that need room. " * 5000)
        await gate.reached.wait()
        db = studio.product.services.db
        await pragma(db, "max_page_count=1", ALL_CONNECTIONS)
        gate.opened.set()
        await true_soon(lambda: f"turn {turn_id} waits for the database: {FULL}" in caplog.text)
        await pragma(db, "max_page_count=1000000", ALL_CONNECTIONS)
        await desk.until(turn_id, "completed")
        assert (await desk.kinds(turn_id)).count("assistant_message") == 1
        assert len(desk.provider.requests) == 1


def test_a_full_disk_is_told_like_a_database_that_is_away() -> None:
    answer = unexpected(OSError(errno.ENOSPC, "No space left on device"))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "3")
