"""One server process for all client tests, reached at both of its addresses."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Iterator

import pytest

from tests.clients.workspace import Workspace, new_workspace
from tests.support.services.mcp_side import known_as_side
from tests.support.services.server import RunningServer, running_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Calls over MCP show signs of life and get answers in a fraction of the usual time."""
    side = known_as_side(tmp_path_factory.mktemp("side") / "notes")
    side |= {"sign_seconds": 0.3, "answer_seconds": 2}
    with running_server({"DOCAGENT_MCP": json.dumps(side)}) as running:
        yield running


@pytest.fixture(scope="module", params=["", "/fastapi"], ids=["root", "fastapi"])
def workspace(request: pytest.FixtureRequest, server: RunningServer) -> Workspace:
    """A new organisation, with the base URL under which the clients are to find the server."""
    return new_workspace(server.url + request.param)


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """Commands in this process write the log to where a test catches it, which is closed when the test is over."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers = handlers
    root.setLevel(level)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure comes with what the server wrote."""
    report = yield
    running = item.funcargs.get("server")
    if report.failed and isinstance(running, RunningServer):
        report.sections.append(("server log", running.last_words()))
    return report
