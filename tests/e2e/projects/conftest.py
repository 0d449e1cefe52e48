"""A project with one document, and the page that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser.agent_page import Caller
from tests.support.browser.chrome import browser_page
from tests.support.browser.project_page import PLAN, Place
from tests.support.browser.web import open_session
from tests.support.services.server import RunningServer


@pytest.fixture
def place(browser: Browser, server: RunningServer, request: pytest.FixtureRequest) -> Iterator[Place]:
    """The page of a project that no other test knows; nothing but what is meant may be left on the console."""
    with browser_page(browser) as (page, problems):
        caller = Caller(server, open_session(page, server))
        org = caller.organization()
        projects = f"/v0/orgs/{org}/projects"
        project = caller.call("POST", projects, {"name": request.node.name})["id"]
        api = f"{projects}/{project}"
        plan = caller.call("POST", f"{api}/documents", {"name": "Plan", "content": PLAN})["id"]
        found = Place(page, caller, api, f"{server.url}/orgs/{org}/projects/{project}", plan)
        found.open()
        yield found
        expected = re.compile(r"request: .*/(events|threads|approvals)|status of 40[09]")
        assert [text for text in problems if not expected.search(text)] == []
