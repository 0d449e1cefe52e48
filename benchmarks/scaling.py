"""What ten times as much costs on PostgreSQL: proposals, rows of a sheet, waiting jobs, prompts.

Each `_x` is what one page, row, claim or queue costs at the size, against the same at the size's tenth. 1 means that it
does not matter how much there is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import httpx2
import sqlalchemy as sa
from tests.conftest import make_settings
from tests.support.made.filled import Filling
from tests.support.product import Product, Tenant
from tests.support.services.postgres import PostgresServer, running_postgres

from docagent.bootstrap import running_services
from docagent.domain.listing import ListQuery
from docagent.export import SheetFormat
from docagent.store.tables import metadata

NAME = "scaling"
PAGE = 5
CLAIMS = 20
CLAIMED = 4
TIMES = 5

Work = Callable[[], Awaitable[object]]


def run(quick: bool) -> dict[str, float]:
    part = 10 if quick else 1
    sizes = {
        "proposals": 10_000 // part,
        "sheet_rows": 10_000 // part,
        "waiting_jobs": 15_000 // part,
        "prompts": 1_000 // part,
    }
    measures: dict[str, Callable[[Product, Tenant, int], Awaitable[float]]] = {
        "proposals": partial(_proposals, in_group=sizes["proposals"] // 10 // PAGE),
        "sheet_rows": _sheet_rows,
        "waiting_jobs": _waiting_jobs,
        "prompts": _prompts,
    }
    figures: dict[str, float] = {}
    with running_postgres() as postgres, asyncio.Runner() as runner:
        for name, measure in measures.items():
            small = runner.run(_measured(postgres, measure, sizes[name] // 10))
            large = runner.run(_measured(postgres, measure, sizes[name]))
            figures |= {name: sizes[name], f"{name}_ms": large * 1000, f"{name}_x": large / small}
    return figures


async def _measured(
    postgres: PostgresServer, measure: Callable[[Product, Tenant, int], Awaitable[float]], size: int
) -> float:
    async with _product(postgres) as product:
        return await measure(product, await product.new_tenant(), size)


@asynccontextmanager
async def _product(postgres: PostgresServer) -> AsyncIterator[Product]:
    with tempfile.TemporaryDirectory() as folder:
        settings = make_settings(Path(folder), postgres.create_database().url)
        async with running_services(settings, {}) as services, httpx2.AsyncClient() as client:
            admin = await services.first_start.ensure_admin("root@example.com", "root password")
            yield Product(settings, services, client, admin.id)


async def _proposals(product: Product, tenant: Tenant, size: int, *, in_group: int) -> float:
    """The same page: of as many groups, with as many documents, in both sizes."""
    await _filled(product, tenant, size // in_group, in_group)
    waiting = product.services.proposals.waiting
    return await _seconds(lambda: waiting(tenant.member, skip=0, limit=PAGE))


async def _sheet_rows(product: Product, tenant: Tenant, size: int) -> float:
    filling = await _filled(product, tenant, 1, size)

    async def export() -> None:
        sheet = product.services.sheets.export(
            tenant.member, filling.ids["prompt"], ListQuery(), unfold=None, format=SheetFormat.CSV
        )
        async for _ in (await sheet)[1]:
            pass

    return await _seconds(export) / size


async def _waiting_jobs(product: Product, tenant: Tenant, size: int) -> float:
    """What a worker does whenever it has free places."""
    await Filling(product.services.db, tenant, size).waiting_jobs()
    await _analyze(product)
    jobs = product.services.jobs

    async def take() -> None:
        await jobs.release_the_gone()
        assert await jobs.has_due()
        assert len(await jobs.claim("worker", CLAIMED)) == CLAIMED

    return await _seconds(take, CLAIMS)


async def _prompts(product: Product, tenant: Tenant, size: int) -> float:
    await _filled(product, tenant, size, 1)
    return await _seconds(lambda: product.services.review.queues(tenant.member)) / size


async def _filled(product: Product, tenant: Tenant, size: int, in_group: int) -> Filling:
    filling = Filling(product.services.db, tenant, size, in_group)
    await filling.artefacts()
    await filling.documents_and_results()
    await _analyze(product)
    return filling


async def _analyze(product: Product) -> None:
    async with product.services.db.write() as tx:
        await tx.across(sa.text(f"ANALYZE {', '.join(metadata.tables)}"))


async def _seconds(work: Work, times: int = TIMES) -> float:
    """The least that it took: what else the machine does only adds to it."""
    await work()
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        spent.append(time.perf_counter() - began)
    return min(spent)
