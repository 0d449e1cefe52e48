"""A model on the server's machine in the browser: found, checked with four ticks, and used with one click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ToolCall
from tests.support.browser.agent_page import provider_beside
from tests.support.browser.web import check_accessibility, go_to, sign_in
from tests.support.models.local_servers import as_ollama, beside
from tests.support.models.provider import Refusal, ScriptedProvider
from tests.support.services.server import RunningServer, running_server


@pytest.fixture(scope="module")
def ollama() -> Iterator[ScriptedProvider]:
    with provider_beside() as provider:
        yield provider


@pytest.fixture(scope="module")
def server(ollama: ScriptedProvider) -> Iterator[RunningServer]:
    with running_server(beside(ollama=ollama)) as running:
        yield running


def test_a_local_model_in_one_click(
    server: RunningServer, ollama: ScriptedProvider, visit: tuple[Page, list[str]]
) -> None:
    page, errors = visit
    sign_in(page, server)
    go_to(page, "settings/models")
    here = page.get_by_role("region", name="On this machine")
    expect(here).to_contain_text("No server was found.")
    as_ollama(ollama, **{"llama3.2": (2_019_393_189, ["completion", "tools"])})
    here.get_by_role("button", name="Look again").click()
    model = here.get_by_role("listitem").filter(has_text="ollama/llama3.2")
    expect(model).to_contain_text("Ollama · 2.0 GB · Calls tools")
    check_accessibility(page)

    called = make_reply("", tool_calls=[ToolCall("c", "get_weather", '{"city": "Paris"}')])
    refusal = Refusal(400, {"error": {"message": "no pictures"}})
    ollama.add("ready", called, '{"name": "Ada", "born": 1815}', refusal)
    model.get_by_role("button", name="Check").click()
    ticks = here.get_by_role("list", name="What it can do").get_by_role("listitem")
    expect(ticks).to_have_count(4)
    for tick, said in zip(
        ticks.all(),
        ("Speaks: yes", "Calls tools: yes", "Keeps a schema: yes", "Sees pictures: no"),
        strict=True,
    ):
        expect(tick).to_contain_text(said)

    model.get_by_role("button", name="Use for the agent").click()
    expect(here.get_by_text("default for the agent", exact=True)).to_be_visible()
    expect(page.get_by_label("For the agent")).to_have_value("ollama/llama3.2")
    expect(page.get_by_label("For extraction")).to_have_value("")
    here.get_by_role("button", name="Use for both").click()
    expect(here.get_by_text("default for extraction", exact=True)).to_be_visible()
    check_accessibility(page)
    assert errors == []
