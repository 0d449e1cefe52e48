"""Plays a scene: over REST with server-sent events, or over the WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docagent.domain.ids import new_id
from docagent.domain.models.llm import ModelReply, ToolCall
from tests.support.agent import Desk, Json, call, no, yes
from tests.support.chat_socket import ChatClient, connected
from tests.support.models.provider import Answer
from tests.support.polling import SECONDS

Does = Sequence[Mapping[str, Any]]
PAUSES = ("approval_requested", "input_requested")


def retagged(replies: Iterable[Answer]) -> list[Answer]:
    """The same replies; tags that they make get names of their own."""
    return [_renamed(reply) if isinstance(reply, ModelReply) else reply for reply in replies]


def _renamed(reply: ModelReply) -> ModelReply:
    parts = [
        call(part.id, "create_tag", name=f"tag {new_id()}")
        if isinstance(part, ToolCall) and part.name == "create_tag"
        else part
        for part in reply.parts
    ]
    return ModelReply(tuple(parts), reply.finish_reason, reply.usage, reply.model)


# --- REST -----------------------------------------------------------------------------------------------------


async def over_rest(
    desk: Desk, replies: Iterable[Answer], does: Does, options: Mapping[str, Any]
) -> list[Json]:
    """Every durable event as the stream told it."""
    turn_id = await desk.begin("Go", *retagged(replies), **options)
    todo, seen = list(does), []
    async with asyncio.timeout(SECONDS), desk.watching(turn_id) as events:
        async for event in events:
            if event["id"] is None:
                continue
            seen.append(event)
            if pauses(event) and todo:
                await do_by_rest(desk, turn_id, todo.pop(0))
    assert not todo
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    return seen


def pauses(event: Json) -> bool:
    return event["type"] in PAUSES or (event["type"] == "plan" and event["waits"])


async def do_by_rest(desk: Desk, turn_id: str, act: Mapping[str, Any]) -> None:
    if "approve" in act or "reject" in act:
        verdict = yes(act["approve"]) if "approve" in act else no(act["reject"])
        body: Json = {"turn_id": turn_id, "approvals": [verdict], "background": True}
        response = await desk.api.call("POST", f"{desk.path}/approve", json=body)
    elif "answer" in act:
        response = await desk.api.call("POST", f"/turns/{turn_id}/answer", json={"text": act["answer"]})
    else:
        body = {"approved": act["plan"], "steps": act.get("steps"), "reason": act.get("reason")}
        response = await desk.api.call("POST", f"/turns/{turn_id}/plan", json=body)
    assert response.status_code == 202, response.text


# --- WebSocket ------------------------------------------------------------------------------------------------


async def over_socket(
    desk: Desk, replies: Iterable[Answer], does: Does, strategy: str, options: Mapping[str, Any]
) -> ChatClient:
    desk.script(*retagged(replies))
    async with connected(desk) as client:
        await client.chat("Go", agent_loop_strategy=strategy, **socket_options(options))
        await follow(client, does)
    return client


def socket_options(options: Mapping[str, Any]) -> Json:
    return {{"max_steps": "agent_max_steps"}.get(name, name): value for name, value in options.items()}


async def follow(client: ChatClient, does: Does) -> None:
    """To the end of the turn, doing what is to be done at each pause."""
    todo = list(does)
    while (frame := await client.read())["type"] != "response_complete":
        assert frame["type"] != "error", frame
        if todo and waits(frame):
            await do_by_socket(client, todo.pop(0))
    assert not todo


def waits(frame: Json) -> bool:
    kind = frame.get("update_type") or frame["type"]
    return kind in ("tool_approval_request", "agent_request_input") or (
        kind == "agent_plan" and frame["waits"]
    )


async def do_by_socket(client: ChatClient, act: Mapping[str, Any]) -> None:
    if "approve" in act or "reject" in act:
        approved = "approve" in act
        call_id = act["approve"] if approved else act["reject"]
        await client.send("tool_approval_response", tool_call_id=call_id, approved=approved)
    elif "answer" in act:
        await client.send("agent_user_input", content=act["answer"])
    else:
        await client.send(
            "plan_response", approved=act["plan"], steps=act.get("steps"), reason=act.get("reason")
        )


async def asked(desk: Desk, times: int) -> None:
    """Until the provider was asked that often."""
    async with asyncio.timeout(SECONDS):
        while True:
            if len(desk.provider.requests) >= times:
                return
            await asyncio.sleep(0.005)
