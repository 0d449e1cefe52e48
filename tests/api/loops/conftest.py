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
def desk(loops_desk: Desk) -> Desk:
    return fresh(loops_desk)


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
def any_desk(any_shared_desk: Desk) -> Desk:
    """On each database."""
    return fresh(any_shared_desk)


def fresh(desk: Desk) -> Desk:
    """With a provider that has nothing left to say from the test before."""
    provider = desk.provider
    provider.requests.clear()
    provider._answers.clear()
    provider.hold = None
    provider.left_early.clear()
    desk.studio.gate = None
    return desk


async def _read_desk(studio: Studio) -> Desk:
    desk = await studio.new_desk()
    await studio.product.read_document(desk.tenant, desk.document_id)
    return desk
