"""What a client sees while a turn runs: DocRouter's events line by line, and our own, resumed from anywhere."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator

import pytest

from docagent.domain.ids import new_id
from docagent.domain.models.llm import CallDelta, ToolCall
from docagent.services.turns.watching import TurnWatching
from tests.support.agent import (
    Desk,
    Json,
    Studio,
    blocks,
    call,
    calls,
    decision,
    kinds_of,
    message,
    say,
    served,
    text_of,
    yes,
)
from tests.support.models.provider import Raw, Then
from tests.support.polling import true_soon

NO_STATE = {"schema_revid": None, "prompt_revid": None, "extraction": None}
TAGS = {"id": "c1", "name": "list_tags", "arguments": "{}"}


def merged(events: list[Json]) -> list[Json]:
    """With neighbouring chunks of one kind as one: how a text is cut depends on how fast it is read."""
    found: list[Json] = []
    for event in events:
        if found and "chunk" in event and found[-1]["type"] == event["type"]:
            found[-1] = found[-1] | {"chunk": found[-1]["chunk"] + event["chunk"]}
        else:
            found.append(event)
    return found


async def test_the_transcript_of_the_contract(own_desk: Desk) -> None:
    first = say("let me look", ToolCall("c1", "list_tags", "{}"), thinking="hmm")
    events = merged(await own_desk.stream("Any tags?", first, "No tags."))
    result = '{"tags":[],"total_count":0,"skip":0}'
    round_ = {"thinking": "hmm", "tool_calls": [TAGS]}
    turn = events[-1]["result"]["turn"]
    assert events == [
        {"type": "thinking_chunk", "chunk": "hmm", "round_index": 0},
        {"type": "assistant_text_chunk", "chunk": "let me look", "round_index": 0},
        {"type": "tool_calls", "round_index": 0, "tool_calls": [TAGS]},
        {
            "type": "tool_result",
            "round_index": 0,
            "call_id": "c1",
            "name": "list_tags",
            "success": True,
            "result": result,
            "preview": result,
        },
        {"type": "round_executed", "round_index": 0, **round_},
        {"type": "assistant_text_chunk", "chunk": "No tags.", "round_index": 1},
        {"type": "assistant_text_done", "full_text": "No tags.", "round_index": 1},
        {
            "type": "done",
            "result": {
                "text": "No tags.",
                "thinking": None,
                "working_state": NO_STATE,
                "executed_rounds": [round_],
                "state": "completed",
                "turn": turn,
                "thread_id": None,
            },
        },
    ]


async def test_the_head_of_a_stream(desk: Desk) -> None:
    desk.script("Hi.")
    answer = await desk.api.call("POST", desk.path, json=message("Hi", stream=True))
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-cache", "no")
    assert (await desk.api.get(f"/turns/{answer.headers['x-turn-id']}"))["state"] == "completed"


async def test_a_pause_and_an_approve_as_streams(desk: Desk) -> None:
    tag = f"tag {new_id()}"
    events = await desk.stream(
        "Make it", say("creating", call("w", "create_tag", name=tag), call("r", "list_tags"))
    )
    assert set(kinds_of(events)) == {"assistant_text_chunk", "done"}
    paused = events[-1]["result"]
    assert [item["id"] for item in paused["tool_calls"]] == ["w", "r"]
    desk.script("Made.")
    events = merged(await desk.streamed(f"{desk.path}/approve", decision(paused, yes("w"), stream=True)))
    assert kinds_of(events) == [
        "tool_calls",
        "tool_result",
        "tool_result",
        "round_executed",
        "assistant_text_chunk",
        "assistant_text_done",
        "done",
    ]
    assert [event["call_id"] for event in events[1:3]] == ["w", "r"]
    assert events[-1]["result"]["text"] == "Made."
    assert [event["round_index"] for event in events[:-1]] == [0, 0, 0, 0, 1, 1]


async def test_a_failing_call_is_told_honestly_and_a_long_result_is_cut(desk: Desk) -> None:
    failing = call("f", "get_tag", tag_id=new_id())
    events = await desk.stream("Go", calls(failing, call("l", "help_schemas")), "So.")
    failed, long = [event for event in events if event["type"] == "tool_result"]
    assert failed["success"] is False
    assert failed["error"].startswith("Tag not found")
    assert long["success"] is True
    assert long["preview"] == long["result"][:200] + "…"


async def test_no_chunk_comes_twice_however_late_the_stream_is_read(desk: Desk) -> None:
    for text in ("One", "Two words", "A somewhat longer answer, which comes in many pieces."):
        events = await desk.stream("Hi", text)
        assert text_of(events) == text


async def test_an_error_in_the_middle(desk: Desk) -> None:
    begun = b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'
    events = await desk.stream("Go", Raw([begun], Then.DROP))
    assert kinds_of(events) == ["assistant_text_chunk", "error"]
    assert events[-1]["code"] == "model_ended_early"


# --- our own events -----------------------------------------------------------------------------------------------


async def test_the_log_from_every_number(desk: Desk) -> None:
    """Nothing is lost and nothing comes twice: over JSON, and over a stream that ends with the turn."""
    answer = await desk.chat(
        "Go", calls(call("a", "list_tags"), call("b", "list_schemas")), calls(call("c", "list_tags")), "Done."
    )
    log = await desk.events(answer["turn"])
    numbers = [event["seq"] for event in log]
    assert numbers == list(range(1, len(log) + 1))
    assert len(log) > 12
    for seen in range(len(log) + 2):
        rest = log[seen:]
        assert await desk.events(answer["turn"], after=seen) == rest
        async with desk.watching(answer["turn"], {"Last-Event-ID": str(seen)}) as events:
            got = [event async for event in events]
        assert [event.pop("id") for event in got] == numbers[seen:]
        assert got == rest


@pytest.mark.parametrize("header", ["x", "-1", "1e3", "9" * 30, "9" * 500, ""])
async def test_strange_numbers_do_no_harm(desk: Desk, header: str) -> None:
    answer = await desk.chat("Hi", "Hello.")
    async with desk.watching(answer["turn"], {"Last-Event-ID": header}) as events:
        got = [event async for event in events]
    assert len(got) in (0, len(await desk.events(answer["turn"])))


async def test_a_live_turn_watched_from_every_number(desk: Desk, studio: Studio) -> None:
    """Viewers come while a reply is half said: each gets the log after its number, the text so far, the rest."""
    gate = studio.hold_reply(after=2)
    turn_id = await desk.begin("Go", calls(call("a", "list_tags")), "Half of it and the other half.")
    await gate.reached.wait()
    log = await desk.events(turn_id)

    async def watch(seen: int) -> list[Json]:
        async with desk.watching(turn_id, {"Last-Event-ID": str(seen)}) as events:
            return [event async for event in events]

    viewers = [asyncio.create_task(watch(seen)) for seen in range(len(log) + 1)]
    await watchers(desk, turn_id, len(viewers))
    gate.opened.set()
    whole = [event["seq"] for event in await desk.events(turn_id)]
    for seen, events in enumerate(await asyncio.gather(*viewers)):
        durable = [event["id"] for event in events if event["id"] is not None]
        assert durable[: len(whole) - seen] == whole[seen:]
        assert durable == list(range(seen + 1, durable[-1] + 1))
        deltas = [event for event in events if event["type"] == "text_delta"]
        assert "".join(event["text"] for event in deltas) == "Half of it and the other half."
        assert events[-1]["type"] == "completed"
        ends = kinds_of(events).index("assistant_message", kinds_of(events).index("text_delta"))
        assert kinds_of(events)[ends:].count("text_delta") == 0


async def test_a_call_is_told_while_it_is_written_to_those_who_ask(desk: Desk, studio: Studio) -> None:
    gate = studio.hold_reply(after=4, of=CallDelta)
    looking = calls(call("a", "list_tags", name_search="a word of some length"), call("b", "list_prompts"))
    turn_id = await desk.begin("Go", looking, "Done.")
    await gate.reached.wait()

    async def watch(*, with_calls: bool) -> list[Json]:
        async with desk.watching(turn_id, with_calls=with_calls) as events:
            return [event async for event in events]

    viewers = [asyncio.create_task(watch(with_calls=wants)) for wants in (True, False)]
    await watchers(desk, turn_id, len(viewers))
    gate.opened.set()
    asking, plain = await asyncio.gather(*viewers)
    pieces = [event for event in asking if event["type"] == "call_delta"]
    written = {number: "".join(p["text"] for p in pieces if p["call"] == number) for number in (0, 1)}
    assert json.loads(written[0]) == {"name_search": "a word of some length"}
    assert json.loads(written[1]) == {}
    assert [piece["begins"] for piece in pieces if "begins" in piece] == ["list_tags", "list_prompts"]
    assert all(piece["id"] is None and piece["step"] == 1 for piece in pieces), "pieces are not stored"
    assert kinds_of(asking).index("assistant_message") > kinds_of(asking).index("call_delta")
    assert "call_delta" not in kinds_of(plain), "an older client would take them for events"
    assert [event["seq"] for event in plain if "seq" in event] == [
        event["seq"] for event in await desk.events(turn_id)
    ]


async def watchers(desk: Desk, turn_id: str, count: int) -> None:
    """Until that many viewers are there."""
    await true_soon(lambda: desk.services.turn_runner.live.watched(turn_id) >= count)


async def test_a_second_tab_sees_the_decision_of_the_first(desk: Desk) -> None:
    paused = await desk.chat("Make it", calls(call("w", "create_tag", name=f"tag {new_id()}")))
    turn_id = paused["turn_id"]
    async with desk.watching(turn_id) as events:
        seen = [await anext(events)]
        while seen[-1]["type"] != "approval_requested":
            seen.append(await anext(events))
        await desk.approve(paused, yes("w"), answers=["Made."])
        seen += [event async for event in events]
    assert [event["id"] for event in seen if event["id"]] == [
        item["seq"] for item in await desk.events(turn_id)
    ]
    assert seen[-1]["type"] == "completed"


async def test_nothing_is_kept_in_memory_for_a_turn_that_waits(desk: Desk) -> None:
    await desk.chat("Make it", calls(call("w", "create_tag", name="x")))
    assert desk.services.turn_runner.running == 0
    assert desk.services.turn_runner.live.is_quiet()


async def test_a_silent_stream_says_that_it_lives(desk: Desk, studio: Studio) -> None:
    services = desk.services
    often = TurnWatching(services.db, services.turn_runner, heartbeat_seconds=0.05)
    turns = dataclasses.replace(services.turns, watching=often)
    gate = studio.hold_reply()
    desk.script("Slowly.")
    async with served(studio.product, dataclasses.replace(services, turns=turns)) as client:
        url = f"/v0/orgs/{desk.tenant.organization_id}{desk.path}"
        body = message("Go", stream=True)
        async with client.stream("POST", url, json=body, headers=desk.api.headers) as response:
            chat = blocks(response)
            async with desk.watching(response.headers["x-turn-id"], client=client) as events:
                for stream in (chat, events):
                    while (await anext(stream))["type"] != ":":
                        pass
                gate.opened.set()
                assert (await last_of(events))["type"] == "completed"
            assert (await last_of(chat))["type"] == "done"


async def last_of(events: AsyncIterator[Json]) -> Json:
    return [event async for event in events][-1]


async def test_a_chat_in_the_background_answers_at_once(desk: Desk) -> None:
    turn_id = await desk.begin("Go", calls(call("w", "create_tag", name="x")), auto_approve=False)
    turn = await desk.until(turn_id, "awaiting_approval")
    assert turn["last_seq"] == len(await desk.events(turn_id))
    body = {"turn_id": turn_id, "approvals": [], "background": True}
    desk.script("Then not.")
    answer = await desk.api.call("POST", f"{desk.path}/approve", json=body)
    assert (answer.status_code, answer.json()["state"]) == (202, "running")
    await desk.until(turn_id, "completed")
