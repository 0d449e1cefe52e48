"""An `act` that looks something up on the web: asked for like any call that sends out, and cited where it is used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from tests.conftest import make_settings
from tests.support.act import ActDesk, chat_of, decided
from tests.support.agent import OPENAI, Studio, running_studio
from tests.support.services.databases import Databases
from tests.support.services.loopback import HERE, Server, serving
from tests.support.services.search_engines import answer

PAGE = {"title": "Rents 2026", "url": "https://rent.example/2026", "content": "A flat costs 1,100."}
WANTS = {"needs_web_search": True, "search_query": "rent 2026"}
LINK = "[Rents 2026](https://rent.example/2026)"


@dataclass
class Engine:
    """A SearXNG that notes what it was asked."""

    server: Server = field(init=False)
    status: int = 200
    pages: list[dict[str, str]] = field(default_factory=lambda: [PAGE])

    @property
    def asked(self) -> int:
        return len(self.server.bodies)

    async def respond(self, request: web.Request) -> web.Response:
        del request
        return web.json_response(answer("searxng", self.pages), status=self.status)


@pytest.fixture(scope="module")
async def engine() -> AsyncIterator[Engine]:
    engine = Engine()
    async with serving(engine.respond) as engine.server:
        yield engine


@pytest.fixture(scope="module")
async def searching(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory, engine: Engine
) -> AsyncIterator[Studio]:
    settings = make_settings(
        tmp_path_factory.mktemp("data"),
        await databases.new("sqlite"),
        egress={"allow_private": [HERE]},
        search={"provider": "searxng", "url": engine.server.url()},
    )
    async with running_studio(settings) as studio:
        yield studio


@pytest.fixture
async def studio(searching: Studio, engine: Engine) -> AsyncIterator[Studio]:
    engine.server.bodies.clear()
    engine.status = 200
    engine.pages = [PAGE]
    yield searching
    await searching.at_rest()


@pytest.fixture
async def act(studio: Studio) -> ActDesk:
    desk = await studio.new_desk()
    await desk.api.put("/llm/default_model", {"model": OPENAI})
    return await ActDesk.at(desk)


async def test_the_search_waits_while_text_is_in_view_and_then_goes_into_the_text_with_its_source(
    act: ActDesk, engine: Engine
) -> None:
    document = await act.project.add("Budget", "# Budget\n\nRent: 1,000\n")
    acted = await act.act("Update the rent", decided(should_edit=True, document_id=document["id"], **WANTS))
    assert acted["agent_decision"]["pending_confirmation"] is True
    assert "“rent 2026”" in acted["chat_message"]["content"]
    assert engine.asked == 0
    done = await act.act("yes", "# Budget\n\nRent: 1,000, now 1,100\n", chat_id=chat_of(acted))
    assert engine.asked == 1
    assert done["web_search_performed"] is True
    assert done["chat_message"]["metadata"]["web_search_performed"] is True
    assert done["document"]["content"] == (f"# Budget\n\nRent: 1,000, now 1,100\n\n## Sources\n\n- {LINK}\n")
    assert "_I performed a web search to ensure accuracy._" in done["chat_message"]["content"]
    asked = act.asked[-1]["messages"][-1]["content"]
    assert "A flat costs 1,100." in asked
    assert len(act.asked) == 2


async def test_a_no_to_the_search_drops_all_of_it(act: ActDesk, engine: Engine) -> None:
    document = await act.project.add("Budget", "# Budget\n")
    acted = await act.act("Update it", decided(should_edit=True, document_id=document["id"], **WANTS))
    left = await act.act("no", chat_id=chat_of(acted))
    assert "not searched the web" in left["chat_message"]["content"]
    assert engine.asked == 0
    assert (await act.project.read(document))["version"] == 1


@pytest.fixture
async def allowed(act: ActDesk) -> ActDesk:
    """An organisation whose policy lets the agent search without a question."""
    rule = {"effect": "allow", "tool": "search_web", "scope": "everyone"}
    await act.project.api.post("/agent/rules", rule)
    return act


async def test_a_new_document_rests_on_what_was_found(allowed: ActDesk) -> None:
    wants = decided(should_create=True, document_name="Rents", **WANTS)
    acted = await allowed.act("Make a page about rents", wants, "# Rents\n\nA flat costs 1,100.\n")
    assert acted["document"]["content"].endswith(f"## Sources\n\n- {LINK}\n")
    assert "_I performed a web search to gather initial content._" in acted["chat_message"]["content"]
    assert len(allowed.asked) == 2


async def test_an_answer_lists_its_sources(allowed: ActDesk) -> None:
    acted = await allowed.act("What is the rent?", decided(**WANTS), "About 1,100.")
    assert acted["chat_message"]["content"] == f"About 1,100.\n\nSources:\n- {LINK}"
    assert acted["web_search_performed"] is True
    named = await allowed.act("And now?", decided(**WANTS), f"See {LINK}.")
    assert named["chat_message"]["content"] == f"See {LINK}."


async def test_a_title_is_text_and_old_sources_do_not_hide_new_ones(allowed: ActDesk, engine: Engine) -> None:
    engine.pages = [PAGE | {"title": "Rents](javascript:alert(1))"}]
    document = await allowed.project.add("Budget", "# Budget\n\n## Sources\n\n- A book\n\n## Notes\n\nNone\n")
    wants = decided(should_edit=True, document_id=document["id"], **WANTS)
    acted = await allowed.act("Update it", wants, document["content"])
    while acted["agent_decision"]["pending_confirmation"]:
        acted = await allowed.act("yes", document["content"], chat_id=chat_of(acted))
    title = r"Rents\]\(javascript:alert\(1\)\)"
    assert acted["document"]["content"] == (
        f"# Budget\n\n## Sources\n\n- A book\n- [{title}](https://rent.example/2026)\n\n## Notes\n\nNone\n"
    )


async def test_a_search_that_finds_nothing_is_not_told_as_performed(allowed: ActDesk, engine: Engine) -> None:
    engine.pages = []
    wants = decided(should_create=True, document_name="Rents", document_content="# Rents", **WANTS)
    acted = await allowed.act("Make a page about rents", wants)
    assert "I searched the web and found nothing" in acted["chat_message"]["content"]
    assert acted["web_search_performed"] is False


async def test_a_search_that_fails_is_told_and_the_rest_is_done(allowed: ActDesk, engine: Engine) -> None:
    engine.status = 500
    wants = decided(should_create=True, document_name="Rents", document_content="# Rents", **WANTS)
    acted = await allowed.act("Make a page about rents", wants)
    assert acted["document"]["content"] == "# Rents"
    assert "could not search the web" in acted["chat_message"]["content"]
    assert acted["web_search_performed"] is False


async def test_a_name_that_is_taken_meanwhile_is_told_with_two_choices(allowed: ActDesk) -> None:
    """Somebody takes the name while the model writes: the project was looked at before."""
    gate = allowed.project.studio.hold_reply(after=60)
    wants = decided(should_create=True, document_name="Rents", **WANTS)
    acting = asyncio.create_task(allowed.act("Make a page about rents", wants, "many words " * 60))
    await gate.reached.wait()
    taken = await allowed.project.add("rents", "mine")
    gate.opened.set()
    acted = await acting
    assert acted["document"] is None
    said = acted["chat_message"]["content"]
    assert "already exists in this project" in said
    assert (
        "1. Add this content to the existing document\n2. Create a new document with a different name" in said
    )
    assert (await allowed.project.read(taken))["content"] == "mine"
    assert acted["chat_message"]["metadata"]["should_create"] is True
