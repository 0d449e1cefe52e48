"""The agent's product for each database, and a desk to work at."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.conftest import make_settings
from tests.support.agent import OPENAI, Desk, Studio, running_studio
from tests.support.models.provider import Received
from tests.support.models.provider_rules import check_anthropic, check_openai_chat
from tests.support.services.databases import Databases, choose_databases

SIGNED = {"type": "thinking", "thinking": "A tag it is.", "signature": "c2lnbmVk"}
"""The one thinking block with a signature that tests let Anthropic's models issue."""


def check(request: Received) -> None:
    """Raises when the provider would have refused it."""
    if request.path.endswith("/messages"):
        check_anthropic(request.body, [[SIGNED]])
    else:
        check_openai_chat(request.body)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    choose_databases(metafunc)


@pytest.fixture(scope="session")
async def running(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    url = await databases.new(request.param)
    async with running_studio(make_settings(tmp_path_factory.mktemp("data"), url)) as studio:
        yield studio


@pytest.fixture
async def studio(running: Studio) -> AsyncIterator[Studio]:
    """At the end nothing of the test runs on, and no provider may have refused what it was sent."""
    yield running
    asked = list(running.provider.requests)
    await running.at_rest()
    for request in asked:
        check(request)


@pytest.fixture(scope="session")
async def shared_desk(running: Studio) -> Desk:
    desk = await running.new_desk()
    await running.product.read_document(desk.tenant, desk.document_id)
    return desk


@pytest.fixture
def desk(studio: Studio, shared_desk: Desk) -> Desk:
    """A desk that tests share, with a document that is read. Names in it are to be new."""
    assert shared_desk.studio is studio
    return shared_desk


@pytest.fixture
async def own_desk(studio: Studio) -> Desk:
    """A desk in an organisation of the test's own."""
    return await studio.new_desk()


@pytest.fixture
async def scripted_desk(own_desk: Desk) -> Desk:
    """A desk whose organisation uses the scripted model for everything."""
    await own_desk.api.put("/llm/default_model", {"model": OPENAI})
    return own_desk
