"""A running product for the tools' tests, on both databases, with a model that tests script."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.scripted import ScriptedModel
from docagent.domain.models.llm import Model
from docagent.domain.models.providers import Connection, WireKind
from tests.conftest import make_settings, running_product
from tests.support.services.databases import Databases, choose_databases
from tests.support.services.mcp_side import known_as_side
from tests.tools.desk import Desk, Stage, open_desk, upload


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    choose_databases(metafunc)


@pytest.fixture(scope="package")
async def stage(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    url = await databases.new(request.param)
    built_in = BuiltinModel()
    scripted = ScriptedModel(lambda asked: staged.answer(asked))

    def open_model(connection: Connection) -> Model:
        return built_in if connection.kind is WireKind.BUILT_IN else scripted

    data = tmp_path_factory.mktemp("data")
    settings = make_settings(data, url, extraction={"window_pages": 1}, mcp=known_as_side(data / "called"))
    async with running_product(settings, {"OPENAI_API_KEY": "sk-test"}, open_model) as product:
        staged = Stage(product, scripted, lambda asked: "{}")
        yield staged


@pytest.fixture
async def desk(stage: Stage) -> Desk:
    """A conversation about a document whose text nobody needs."""
    tenant = await stage.product.new_tenant()
    document_id = await upload(stage.product, tenant, b"Invoice 42", "note.txt", read=False)
    return Desk(stage.product, tenant, document_id)


@pytest.fixture
async def invoice(stage: Stage) -> Desk:
    """A conversation about an invoice that was read."""
    stage.model.requests.clear()
    return await open_desk(stage)
