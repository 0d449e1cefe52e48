"""What browser tests share: servers for all of them, a browser and an organisation for each module."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser.agent_page import Stage, as_newcomer, running_stage, set_stage
from tests.support.browser.chrome import ONE_RENDERER, browser_page, running_browser
from tests.support.services.mcp_side import known_as_side
from tests.support.services.server import RunningServer, running_server


@pytest.fixture(scope="session")
def deployment(side: Path) -> Iterator[RunningServer]:
    with running_server({"DOCAGENT_MCP": json.dumps(known_as_side(side))}) as running:
        yield running


@pytest.fixture(scope="session")
def side(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the MCP server that organisations may add notes what it was called with."""
    return tmp_path_factory.mktemp("side") / "notes"


@pytest.fixture(scope="session")
def theatre() -> Iterator[Stage]:
    """A server of its own, because a newcomer elsewhere is to find the built-in model and nothing else."""
    with running_stage() as running:
        yield running


@pytest.fixture(scope="module")
def server(deployment: RunningServer) -> RunningServer:
    """In an organisation that only this module knows."""
    return as_newcomer(deployment)


@pytest.fixture(scope="module")
def stage(theatre: Stage) -> Stage:
    """In an organisation that only this module knows, with the scripted model as its default."""
    server = as_newcomer(theatre.server)
    set_stage(server)
    return replace(theatre, server=server)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module, because tests with an event loop may follow."""
    with running_browser(ONE_RENDERER) as running:
        yield running


@pytest.fixture
def visit(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    with browser_page(browser) as opened:
        yield opened
