"""The store on PostgreSQL and on both ways to SQLite: built statements straight, and all through SQLAlchemy."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from docagent.store.engine.database import Database
from tests.conftest import database_on, product_on
from tests.support.product import Product
from tests.support.services.databases import THROUGH_SQLALCHEMY, Databases

WAYS = ("sqlite", THROUGH_SQLALCHEMY, "postgresql")


@pytest.fixture(scope="session", params=WAYS)
async def product(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Product]:
    async with product_on(request.param, databases, tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(params=WAYS)
async def database(request: pytest.FixtureRequest, databases: Databases) -> AsyncIterator[Database]:
    async with database_on(request.param, databases) as opened:
        yield opened
