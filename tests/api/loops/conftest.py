"""One product on SQLite for the loops, and one on each database where the database matters."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.conftest import make_settings
from tests.support.agent import Desk, Studio, running_studio
from tests.support.services.databases import EACH_DATABASE, Databases

STEPS = 6
"""The server's limit."""


@pytest.fixture(scope="session")
async def loops_studio(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Studio]:
    settings = make_settings(tmp_path_factory.mktemp("data"), agent={"loop": {"max_steps": STEPS}})
    async with running_studio(settings) as studio:
        yield studio


@pytest.fixture(scope="session")
async def loops_desk(loops_studio: Studio) -> Desk:
    return await _read_desk(loops_studio)


@pytest.fixture
async def desk(loops_desk: Desk) -> AsyncIterator[Desk]:
    yield loops_desk
    await loops_desk.studio.at_rest()


@pytest.fixture(scope="session", params=EACH_DATABASE)
async def any_studio(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    url = await databases.new(request.param)
    settings = make_settings(tmp_path_factory.mktemp("data"), url, agent={"loop": {"max_steps": STEPS}})
    async with running_studio(settings) as studio:
        yield studio


@pytest.fixture(scope="session")
async def any_shared_desk(any_studio: Studio) -> Desk:
    return await _read_desk(any_studio)


@pytest.fixture
async def any_desk(any_shared_desk: Desk) -> AsyncIterator[Desk]:
    """On each database."""
    yield any_shared_desk
    await any_shared_desk.studio.at_rest()


async def _read_desk(studio: Studio) -> Desk:
    desk = await studio.new_desk()
    await studio.product.read_document(desk.tenant, desk.document_id)
    return desk
