"""Which strategy runs: of the request, else of the organisation, else of the deployment; and its prompts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.loops.scenes import STRATEGIES, observe, reason
from tests.conftest import make_settings
from tests.support.agent import Desk, add_member
from tests.support.chat_socket import connected
from tests.support.models.held_model import House

SETTINGS = "/agent/settings"


@pytest.fixture
async def own_desk(any_desk: Desk) -> Desk:
    """In an organisation of the test's own."""
    return await any_desk.studio.new_desk()


async def strategy_of(desk: Desk, turn_id: str) -> str:
    found: str = (await desk.events(turn_id))[0]["strategy"]
    return found


async def marked(desk: Desk) -> list[str]:
    listed = (await desk.api.get("/agent/strategies"))["strategies"]
    assert [item["name"] for item in listed] == STRATEGIES
    assert all(item["description"].endswith(".") and item["calls_per_step"] > 0 for item in listed)
    return [item["name"] for item in listed if item["default"]]


async def test_request_before_organisation_before_deployment(own_desk: Desk) -> None:
    desk = own_desk
    assert await desk.api.get(SETTINGS) == {"default_strategy": None}
    assert await marked(desk) == ["tools"]
    assert await strategy_of(desk, (await desk.chat("Hi", "Hello."))["turn"]) == "tools"
    assert await desk.api.put(SETTINGS, {"default_strategy": "llm-only"}) == {"default_strategy": "llm-only"}
    assert await desk.api.get(SETTINGS) == {"default_strategy": "llm-only"}
    assert await marked(desk) == ["llm-only"]
    assert await strategy_of(desk, (await desk.chat("Hi", "Hello."))["turn"]) == "llm-only"
    for name in ("loop_strategy", "agent_loop_strategy"):
        answer = await desk.chat("Hi", "Hello.", **{name: "tool-first"})
        assert await strategy_of(desk, answer["turn"]) == "tool-first"
    desk.script("Hello.", "Hello.")
    async with connected(desk) as client:
        for wanted, expected in ((None, "llm-only"), ("tools", "tools")):
            await client.chat("Hi", agent_loop_strategy=wanted)
            assert (await client.until("agent_start"))["strategy"] == expected
            await client.until("response_complete")
    await desk.api.put(SETTINGS, {"default_strategy": None})
    assert await marked(desk) == ["tools"]
    other = await desk.studio.new_desk()
    assert await other.api.get(SETTINGS) == {"default_strategy": None}


async def test_an_unknown_name_is_refused_with_the_names(own_desk: Desk) -> None:
    desk = own_desk
    body = {"messages": [{"role": "user", "content": "Hi"}]}
    for detail in (
        await desk.api.refused(400, "PUT", SETTINGS, {"default_strategy": "magic"}),
        await desk.api.refused(400, "POST", desk.path, {**body, "loop_strategy": "magic"}),
        await desk.api.refused(400, "POST", desk.path, {**body, "agent_loop_strategy": "magic"}),
    ):
        assert detail == f"Unknown loop strategy: magic. Choose one of: {', '.join(sorted(STRATEGIES))}."
    async with connected(desk) as client:
        await client.chat("Hi", agent_loop_strategy="magic")
        error = await client.error()
        assert (error["message"], error["error_type"]) == (detail, "invalid_input")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Think_Act", "think-act"),
        ("thinkact", "think-act"),
        ("LLM-Only", "llm-only"),
        ("agentic", "tools"),
        ("Agentic", "tools"),
    ],
)
async def test_names_are_found_however_they_are_written(own_desk: Desk, written: str, meant: str) -> None:
    desk = own_desk
    replies = ("I think.", "Hello.") if meant == "think-act" else ("Hello.",)
    assert await strategy_of(desk, (await desk.chat("Hi", *replies, loop_strategy=written))["turn"]) == meant
    assert await desk.api.put(SETTINGS, {"default_strategy": written}) == {"default_strategy": meant}
    assert await marked(desk) == [meant]
    desk.script(*replies)
    async with connected(desk) as client:
        await client.chat("Hi", agent_loop_strategy=written)
        assert (await client.until("agent_start"))["strategy"] == meant
        await client.until("response_complete")


@pytest.mark.parametrize("field", ["selected_tools", "auto_approved_tools"])
async def test_unknown_tools_are_refused_with_the_list(own_desk: Desk, field: str) -> None:
    desk = own_desk
    known = sorted(tool["name"] for tool in (await desk.api.get(f"{desk.path}/tools"))["tools"])
    body = {"messages": [{"role": "user", "content": "Hi"}], field: ["list_tags", "list_tag", "erase_all"]}
    detail = await desk.api.refused(400, "POST", desk.path, body)
    assert detail == (
        f"Unknown tool in {field}: erase_all, list_tag. The tools of this conversation are: {', '.join(known)}."
    )
    async with connected(desk) as client:
        await client.chat("Hi", **{field: ["list_tag"]})
        error = await client.error()
        assert error["message"].startswith(f"Unknown tool in {field}: list_tag. ")
    answer = await desk.chat("Hi", "Hello.", **{field: ["list_tags", "request_input"]})
    assert answer["state"] == "completed"


async def test_only_administrators_choose_for_everyone(own_desk: Desk) -> None:
    colleague = await add_member(own_desk)
    detail = await colleague.api.refused(403, "PUT", SETTINGS, {"default_strategy": "react"})
    assert detail == "Only administrators of the organisation choose its strategy."
    assert await colleague.api.get(SETTINGS) == {"default_strategy": None}


async def test_the_deployment_has_a_default(tmp_path: Path) -> None:
    house = House(make_settings(tmp_path, agent={"loop": {"strategy": "llm-only"}}))
    async with house.process(["Hello."]) as bench:
        turn = await bench.start(None)  # type: ignore[arg-type]  # as a request that names none
        assert turn.strategy == "llm-only"
        await bench.settle(turn)


async def test_a_folder_of_prompts_replaces_ours(tmp_path: Path) -> None:
    """Values are put in once: what they hold is not read again, and a dollar sign is only a dollar sign."""
    folder = tmp_path / "prompts"
    folder.mkdir()
    (folder / "reason.md").write_text("Overlegg $step: $user_question. It costs $5.")
    (folder / "system.md").write_text("You are a careful clerk.")
    house = House(make_settings(tmp_path / "data", agent={"prompts": folder}))
    async with house.process([reason(), "Said.", observe(False)]) as bench:
        turn = await bench.start("react", "What is $step?")
        await bench.settle(turn)
        reasoned, acted, observed = [request.system or "" for request in bench.model.requests]
    assert "Overlegg 1: What is $step?. It costs $5." in reasoned
    assert "REASON" not in reasoned
    for text in (reasoned, acted, observed):
        assert text.startswith("You are a careful clerk.")
    assert "OBSERVE phase of step 1" in observed
