"""The running product for tests: the real application on a real SQLite and a real PostgreSQL."""

from __future__ import annotations

import asyncio
import gc
import importlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path

import httpx2
import hypothesis
import pytest
from xdist.workermanage import WorkerController

from docagent.api.app import create_app
from docagent.bootstrap import running_services
from docagent.services.models.model_calls import OpenModel
from docagent.settings import Settings
from docagent.store.engine.database import Database, open_database
from docagent.worker.service import run_worker
from tests.support.described import check_described
from tests.support.org_api import OrgApi
from tests.support.product import HASHING_MB, Product, Tenant
from tests.support.scheduling import SharedThings
from tests.support.services.databases import EACH_DATABASE, THROUGH_SQLALCHEMY, Databases
from tests.support.services.mcp_side import known_as_side
from tests.support.services.postgres import PostgresServer, running_postgres
from tests.support.statements import counting

SECRET = "a secret that only the tests know"
GO_ON = (r"/changes$", r"/events$")
"""Answers that go on for as long as somebody listens, and look again and again."""

REPOSITORY = Path(__file__).parents[1]

SHARED_POSTGRES = pytest.StashKey[PostgresServer]()

# httpx2 looks for it at every request. It is not installed, and to find that out takes a tenth of the request's time.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

# A run in the background takes no Ctrl-C, and no process that it starts would.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no failure: how long an example takes is not what is tested. The examples are the same in every
# run, so that a change is judged by what it changed; `--hypothesis-profile=searching` looks for others.
hypothesis.settings.register_profile(
    "searching", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.register_profile(
    "patient", hypothesis.settings.get_profile("searching"), derandomize=True
)
hypothesis.settings.load_profile("patient")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile a share of the test modules: each worker imports all of them, and finds the others' shares compiled."""
    gc.set_threshold(100_000, 50, 50)  # until pytest_collection_finish: what is imported and collected stays
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != session.config.getini("testpaths"):
        return
    number = int(worker["workerid"].removeprefix("gw"))
    modules = sorted(path.relative_to(REPOSITORY) for path in (REPOSITORY / "tests").rglob("test_*.py"))
    for module in modules[number :: worker["workercount"]]:
        with suppress(Exception):  # which collecting reports
            importlib.import_module(".".join(module.with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Ten thousand tests lie in memory from now on. The collector need not look at them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> SharedThings:
    return SharedThings(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    """One PostgreSQL for all parallel workers, started before the first of them."""
    if SHARED_POSTGRES not in node.config.stash:
        stack = ExitStack()
        node.config.add_cleanup(stack.close)
        node.config.stash[SHARED_POSTGRES] = stack.enter_context(running_postgres())
    server = node.config.stash[SHARED_POSTGRES]
    node.workerinput["postgres"] = [str(server.socket_folder), str(server.binaries)]


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Iterator[PostgresServer]:
    shared = getattr(request.config, "workerinput", {}).get("postgres")
    if shared is not None:
        yield PostgresServer(*map(Path, shared))
        return
    with running_postgres() as server:
        yield server


@asynccontextmanager
async def running_product(
    settings: Settings, environment: dict[str, str] | None = None, open_model: OpenModel | None = None
) -> AsyncIterator[Product]:
    """The application with its worker, without a socket."""
    async with running_services(settings, environment or {}, open_model) as services:
        admin = await services.first_start.ensure_admin("root@example.com", "root password")
        transport = httpx2.ASGITransport(counting(create_app(settings, services), but=GO_ON))
        worker = asyncio.create_task(run_worker(services))
        hooks = {"response": [check_described]}
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://docagent.test", event_hooks=hooks
        ) as client:
            yield Product(settings, services, client, admin.id)
        worker.cancel()
        with suppress(asyncio.CancelledError):
            await worker


def make_settings(data: Path, database_url: str | None = None, **groups: dict[str, object]) -> Settings:
    settings: dict[str, object] = {
        "data": data,
        "auth": {"secret": SECRET, "password_memory_mb": HASHING_MB},
        "database": {"url": database_url, "pool_size": 5},
        "log": {"level": "warning"},
        "models": {"find_local": False},
    }
    for name, values in groups.items():
        settings[name] = {**settings.get(name, {}), **values}  # type: ignore[dict-item]
    return Settings(**settings)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def databases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Databases:
    return Databases(
        tmp_path_factory.mktemp("a folder with spaces"), lambda: request.getfixturevalue("postgres")
    )


@asynccontextmanager
async def product_on(way: str, databases: Databases, data: Path) -> AsyncIterator[Product]:
    database: dict[str, object] = {"all_through_sqlalchemy": way == THROUGH_SQLALCHEMY}
    settings = make_settings(
        data, await databases.new(way), database=database, mcp=known_as_side(data / "called")
    )
    async with running_product(settings) as running:
        yield running


@asynccontextmanager
async def database_on(way: str, databases: Databases) -> AsyncIterator[Database]:
    """Open a migrated database that nobody else uses."""
    opened = open_database(
        await databases.new(way), pool_size=5, all_through_sqlalchemy=way == THROUGH_SQLALCHEMY
    )
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
async def product(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Product]:
    """One running product for each database. Tests share it, each in organisations of its own."""
    async with product_on(request.param, databases, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def client(product: Product) -> httpx2.AsyncClient:
    return product.client


@pytest.fixture
async def tenant(product: Product) -> Tenant:
    """A new organisation with one admin and their token."""
    return await product.new_tenant()


@pytest.fixture
def org(tenant: Tenant) -> str:
    return tenant.organization_id


@pytest.fixture
def auth(tenant: Tenant) -> dict[str, str]:
    return tenant.headers


@pytest.fixture
async def other(product: Product) -> Tenant:
    """Somebody else's organisation."""
    return await product.new_tenant()


@pytest.fixture(autouse=True, scope="session")
def no_provider_keys() -> None:
    """Keys of the person who runs the tests are not for the tests."""
    for name in [name for name in os.environ if name.endswith("_API_KEY") or name.startswith("DOCAGENT_")]:
        del os.environ[name]


@pytest.fixture
def api(client: httpx2.AsyncClient, tenant: Tenant) -> OrgApi:
    """The API as the tenant's admin calls it."""
    return OrgApi(client, tenant.organization_id, tenant.headers)


@pytest.fixture
def stranger(client: httpx2.AsyncClient, other: Tenant) -> OrgApi:
    """The API as somebody from another organisation calls it, in their own."""
    return OrgApi(client, other.organization_id, other.headers)


@pytest.fixture(params=EACH_DATABASE)
async def database(request: pytest.FixtureRequest, databases: Databases) -> AsyncIterator[Database]:
    """A migrated database of the test's own, with nobody else at work in it."""
    async with database_on(request.param, databases) as opened:
        yield opened
