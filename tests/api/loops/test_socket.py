"""The conversation over the WebSocket: every frame in both directions, and what comes back after a lost line."""

from __future__ import annotations

import asyncio
import json
import typing
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from docagent.agent.display import MOST_SHOWN
from docagent.agent.updates import AgentUpdate, Update
from docagent.api.websocket.client_frames import ClientFrame, ConnectionFrame
from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from docagent.services.turns.watching import TurnWatching
from docagent.store.tables import turns
from tests.api.loops.playing import follow, retagged
from tests.api.loops.scenes import (
    ANSWER,
    PLAN_YES,
    YES,
    ask,
    fail,
    frames_of,
    look,
    make,
    observe,
    plan,
    reason,
)
from tests.support.agent import (
    ANTHROPIC,
    OPENAI,
    Desk,
    Json,
    ProjectDesk,
    add_member,
    call,
    calls,
    say,
    served,
)
from tests.support.chat_socket import ChatClient, address, connected, numbered, spoken
from tests.support.models.provider import Refusal, Silent

# --- malformed frames -----------------------------------------------------------------------------------------

BROKEN: list[str | bytes] = [
    "",
    "{",
    "[]",
    "null",
    '"chat"',
    "{}",
    '{"type": "nonsense"}',
    '{"type": 7}',
    '{"type": "chat"}',
    '{"type": "chat", "content": ""}',
    '{"type": "chat", "content": "x", "agent_max_steps": 0}',
    '{"type": "chat", "content": "x", "selected_tools": "all"}',
    '{"type": "chat", "content": "x", "temperature": 9}',
    '{"type": "chat", "content": "\\ud800"}',
    '{"type": "agent_control", "action": "dance"}',
    '{"type": "tool_approval_response", "approved": true}',
    '{"type": "plan_response"}',
    '{"type": "resume", "turn_id": "x", "after": -1}',
    '{"type": "chat", "content": ' + "[" * 5000 + "]" * 5000 + "}",
    b"\xff\xfe\x00",
    b"{",
]


async def test_a_malformed_frame_gets_an_error_and_nothing_is_lost(desk: Desk) -> None:
    gate = desk.studio.hold_reply()
    desk.script("An answer in words.")
    async with connected(desk) as client:
        await client.chat("Go")
        await gate.reached.wait()
        for frame in BROKEN:
            await client.send_raw(frame)
            error = await client.error()
            assert error["error_type"] == "validation", frame
            assert error["message"]
        gate.opened.set()
        await client.to_the_end()
        assert spoken(client.frames) == ["An answer in words."]
        assert numbered(client.frames) == frames_of(await desk.events(client.turn_id))


async def test_json_in_a_binary_frame_is_as_good(desk: Desk) -> None:
    desk.script("Hello.")
    async with connected(desk) as client:
        await client.send_raw(json.dumps({"type": "chat", "content": "Hi", "model": OPENAI}).encode())
        await client.to_the_end()


async def test_a_repeated_message_is_shown_and_not_begun_again(desk: Desk) -> None:
    frame = {"content": "Hi", "model": OPENAI, "message_id": new_id()}
    desk.script("Hello.", "Another.")
    async with connected(desk) as client:
        await client.send("chat", **frame)
        await client.to_the_end()
        first = client.turn_id
    async with connected(desk) as client:
        await client.send("chat", **frame)
        await client.to_the_end()
        assert (client.turn_id, spoken(client.frames)) == (first, ["Hello."])
        await client.send("chat", **frame | {"content": "Something else"})
        assert "Idempotency-Key" in (await client.error())["message"]
    assert len(desk.provider.requests) == 1


async def test_a_message_that_steers_is_taken_once(desk: Desk) -> None:
    gate = desk.studio.hold_reply()
    desk.script("First.", "Second.")
    async with connected(desk) as client:
        await client.chat("Go")
        await gate.reached.wait()
        frame = {"content": "In German please", "model": OPENAI, "message_id": new_id()}
        await client.send("chat", **frame)
        await client.send("chat", **frame)
        await client.send_raw("{")
        await client.error()  # so those before it were taken
        gate.opened.set()
        await client.to_the_end()
    kinds = await desk.kinds(client.turn_id)
    assert kinds.count("steered") == 1


async def test_frames_that_come_at_the_wrong_time_are_refused(desk: Desk) -> None:
    wrong: list[tuple[str, Json]] = [
        ("agent_control", {"action": "stop"}),
        ("agent_user_input", {"content": "B"}),
        ("tool_approval_response", {"tool_call_id": "w1", "approved": True}),
        ("plan_response", {"approved": True}),
    ]
    async with connected(desk) as client:
        for kind, fields in wrong:
            await client.send(kind, **fields)
            assert (await client.error())["error_type"] == "conflict"
        desk.script("Hello.")
        await client.chat("Hi")
        await client.to_the_end()
        for kind, fields in wrong:
            await client.send(kind, **fields)
            assert (await client.error())["error_type"] == "conflict"
        await client.chat("Hi", model="no-such-model")
        assert (await client.error())["error_type"] == "invalid_input"
        await client.chat("Hi", conversation_id=new_id())
        assert (await client.error())["error_type"] == "not_found"


# --- conversations --------------------------------------------------------------------------------------------


async def test_one_connection_is_one_conversation(desk: Desk) -> None:
    desk.script("First answer.", "Second answer.")
    async with connected(desk) as client:
        await client.chat("First question")
        await client.until("response_complete")
        await client.chat("Second question")
        await client.until("response_complete")
        (saved,) = [frame for frame in client.frames if frame["type"] == "conversation_saved"]
    assert [item["content"] for item in desk.asked()["messages"][1:]] == [
        "First question",
        "First answer.",
        "Second question",
    ]
    desk.script("Third answer.")
    async with connected(desk) as client:
        await client.chat("Third question", conversation_id=saved["conversation_id"])
        await client.to_the_end()
        assert "conversation_saved" not in client.kinds
    assert len(desk.asked()["messages"]) == 6


async def test_the_last_frames_come_before_the_next_turn(desk: Desk) -> None:
    """A client that speaks again at once loses nothing of the turn before."""
    words = " ".join(f"word{number}" for number in range(200))
    desk.script(words, words, words)
    async with connected(desk) as client:
        for _ in range(3):
            await client.chat("Go", agent_mode=False)
            await client.until(lambda frame: frame["type"] == "token_stream" and frame["is_last"])
        await client.until("response_complete")
        assert client.kinds.count("response_complete") == 3
        assert spoken(client.frames) == [words] * 3


async def test_plain_chat(desk: Desk) -> None:
    """No agent, no tools, no questions: words, and the end."""
    desk.script("In words only.", Refusal(400, {"error": {"message": "No"}}))
    async with connected(desk) as client:
        await client.chat("Hi", agent_mode=False, agent_loop_strategy="react")
        await client.to_the_end()
        assert set(client.kinds) == {"conversation_saved", "token_stream", "response_complete"}
        assert "tools" not in desk.asked()
        client.frames.clear()
        await client.chat("Hi", agent_mode=False)
        await client.to_the_end()
        assert client.kinds == ["agent_error", "response_complete"]


async def test_selected_tools(desk: Desk) -> None:
    desk.script(look(), calls(call("g", "get_tag", tag_id="x")), "Done.")
    async with connected(desk) as client:
        await client.chat("Hi", selected_tools=["list_tags"])
        await client.to_the_end()
    offered = [tool["function"]["name"] for tool in desk.asked(0)["tools"]]
    assert offered == ["list_tags", "request_input"]
    (error,) = [frame for frame in client.frames if frame["type"] == "tool_error"]
    assert "not selected" in error["error"]


# --- approvals ------------------------------------------------------------------------------------------------


async def test_some_hunks_of_a_change_are_accepted(desk: Desk) -> None:
    project = await ProjectDesk.at(desk)
    made = await project.add("Plan", "one\n\ntwo\n")
    edits = [{"find": "one", "replace": "1"}, {"find": "two", "replace": "2"}]
    desk.script(calls(call("e1", "edit_project_document", document="Plan", edits=edits)), "Done in part.")
    async with connected(project) as client:
        await client.chat("In digits")
        asked = await client.until("tool_approval_request")
        assert [hunk["line"] for hunk in asked["preview"]["hunks"]] == [1, 3]
        await client.send("tool_approval_response", tool_call_id="e1", approved=True, hunks=[2])
        assert "2 hunks" in (await client.error())["message"]
        await client.send("tool_approval_response", tool_call_id="e1", approved=True, hunks=[1])
        await client.to_the_end()
    assert (await project.read(made))["content"] == "one\n\n2\n"


async def test_calls_are_decided_one_by_one(desk: Desk) -> None:
    names = [f"tag {new_id()}" for _ in range(3)]
    batch = calls(*(call(f"w{number}", "create_tag", name=name) for number, name in enumerate(names)))
    desk.script(batch, "Two made.")
    async with connected(desk) as client:
        await client.chat("Make three")
        for _ in names:
            await client.until("tool_approval_request")
        await client.send("tool_approval_response", tool_call_id="w2", approved=True)
        await client.until("tool_approval_decided")
        await client.send("tool_approval_response", tool_call_id="w2", approved=False)
        assert "w2" in (await client.error())["message"]
        await client.send("tool_approval_response", tool_call_id="w0", approved=False, reason="Not this one")
        await client.until("tool_approval_decided")
        assert names[2] not in await desk.tags()
        changed = f"tag {new_id()}"
        await client.send(
            "tool_approval_response",
            tool_call_id="w1",
            approved=True,
            arguments={"name": changed},
            always_allow="document",
        )
        await client.to_the_end()
    done = [
        (frame["type"], frame["tool_call_id"])
        for frame in client.frames
        if frame["type"].startswith("tool_c")
    ]
    assert done == [("tool_complete", "w1"), ("tool_complete", "w2")]
    assert {changed, names[2]} <= set(await desk.tags())
    assert not {names[0], names[1]} & set(await desk.tags())
    rules = (await desk.api.get("/agent/rules"))["rules"]
    assert [(rule["tool"], rule["scope"]) for rule in rules] == [("create_tag", "me")]
    await desk.api.call("DELETE", f"/agent/rules/{rules[0]['id']}")


async def test_a_call_says_when_the_organisation_wants_it_asked(desk: Desk) -> None:
    own = await desk.studio.new_desk()
    rule = await own.api.post("/agent/rules", {"tool": "list_tags", "effect": "ask", "scope": "everyone"})
    own.script(calls(call("r", "list_tags"), call("w", "create_tag", name="t")))
    async with connected(own) as client:
        await client.chat("Go", auto_approve=True)
        request = await client.until("tool_approval_request")
        assert (request["tool_call_id"], request["admin_required"]) == ("r", True)
        (waiting,) = (await own.api.get("/approvals"))["approvals"]
        assert [(item["id"], item["admin_required"]) for item in waiting["calls"]] == [("r", True)]
        await client.send("agent_control", action="stop")
        await client.until("response_complete")
        await own.api.call("DELETE", f"/agent/rules/{rule['id']}")
        own.script(make())
        await client.chat("Go")
        assert (await client.until("tool_approval_request"))["admin_required"] is False
        (waiting,) = (await own.api.get("/approvals"))["approvals"]
        assert [item["admin_required"] for item in waiting["calls"]] == [False]
        await client.send("agent_control", action="stop")
        await client.to_the_end()


async def test_names_and_arguments_are_shown_without_tricks(desk: Desk) -> None:
    tricky = "gnp.\u202efdp\u2066\x00\x1b[31m\u200b"
    deep: Any = "end"
    for _ in range(400):
        deep = {"a": deep}
    arguments = {"name": tricky, "color": "x" * 9000, "description": deep, "more": ["y"] * 1000}
    written = json.dumps(arguments)
    desk.script(calls(ToolCall("b", "get_\u202etag", written), call("w", "create_tag", name=tricky)), "Done.")
    async with connected(desk) as client:
        await client.chat("Go", auto_approved_tools=["create_tag"])
        await client.to_the_end()
    for frame in client.frames:
        text = json.dumps(frame, ensure_ascii=False)
        assert not set(text) & set("\u202e\u2066\x00\x1b\u200b"), frame["type"]
    name = f"gnp.\u202efdp\u2066\u200b {new_id()}"
    desk.script(
        calls(call("w", "update_document", document_name=name, metadata={"note": "x" * 9000})), "Done."
    )
    async with connected(desk) as client:
        await client.chat("Go")
        request = await client.until("tool_approval_request")
        assert request["arguments"]["document_name"].startswith("gnp.fdp ")
        assert len(request["arguments"]["metadata"]["note"]) == MOST_SHOWN + 1
        assert not set(json.dumps(request["preview"], ensure_ascii=False)) & set("\u202e\u2066\x1b")
        await client.send("agent_control", action="stop")
        await client.to_the_end()


# --- lost lines -----------------------------------------------------------------------------------------------


async def test_resume_from_every_number(desk: Desk) -> None:
    """Nothing is lost and nothing is doubled, wherever the line broke."""
    replies = (reason(), make(), observe(True), reason(), look(), observe(False, "All done."))
    desk.script(*retagged(replies))
    async with connected(desk) as client:
        await client.chat("Go", agent_loop_strategy="react")
        await follow(client, (YES,))
    whole, turn_id = numbered(client.frames), client.turn_id
    last = (await desk.events(turn_id))[-1]["seq"]
    async with connected(desk) as again:
        for after in range(last):
            again.frames.clear()
            await again.send("resume", turn_id=turn_id, after=after)
            await again.to_the_end()
            assert numbered(again.frames) == [(seq, kind) for seq, kind in whole if seq > after]
            assert spoken(again.frames)[-1] == "All done."
            closed = [frame for frame in again.frames if frame["type"] == "token_stream" and frame["is_last"]]
            assert all(frame["seq"] > after for frame in closed)


async def test_a_line_that_breaks_while_the_agent_works(desk: Desk) -> None:
    gate = desk.studio.hold_reply(after=2)
    desk.script("Half of it and the other half.", "And more.")
    async with connected(desk) as client:
        await client.chat("Go")
        await client.until("token_stream")
        await gate.reached.wait()
        turn_id = client.turn_id
        first = client.frames
    seen = max(frame.get("seq", 0) for frame in first)
    async with connected(desk) as client:
        await client.send("resume", turn_id=turn_id, after=seen)
        piece = await client.until("token_stream")
        assert piece["is_first"]
        gate.opened.set()
        await client.to_the_end()
        assert spoken(client.frames) == ["Half of it and the other half."]
        assert numbered([*first, *client.frames]) == frames_of(await desk.events(turn_id))
        await client.chat("And now?")
        await client.until("response_complete")
        assert "Half of it" in str(desk.asked()["messages"])


async def test_two_connections_see_the_same(desk: Desk) -> None:
    desk.script(*retagged((make(), "Made.")))
    async with connected(desk) as one, connected(desk) as two:
        await one.chat("Go")
        await one.until("tool_approval_request")
        await two.send("resume", turn_id=one.turn_id)
        await two.until("tool_approval_request")
        await two.send("tool_approval_response", tool_call_id="w1", approved=True)
        await asyncio.gather(one.to_the_end(), two.to_the_end())
        assert numbered(one.frames) == numbered(two.frames)


async def test_turns_of_others_and_of_other_documents_cannot_be_resumed(desk: Desk) -> None:
    turn = (await desk.chat("Hi", "Hello."))["turn"]
    colleague = await add_member(desk)
    uploaded = await desk.api.post("/documents", {"documents": [{"name": "b.txt", "content": "SGVsbG8="}]})
    elsewhere = replace(desk, document_id=uploaded["documents"][0]["document_id"])
    for stranger in (colleague, elsewhere):
        async with connected(stranger) as client:
            for turn_id in (turn, new_id(), "x"):
                await client.send("resume", turn_id=turn_id)
                assert (await client.error())["error_type"] == "not_found"


async def test_a_document_that_is_deleted_meanwhile(desk: Desk) -> None:
    """The turn ends in order; there is no next one."""
    own = await desk.studio.new_desk()
    own.script(*retagged((make(), "Made.")))
    async with connected(own) as client:
        await client.chat("Go")
        await client.until("tool_approval_request")
        await own.api.delete(f"/documents/{own.document_id}")
        await client.send("tool_approval_response", tool_call_id="w1", approved=True)
        await client.to_the_end()
        assert numbered(client.frames) == frames_of(await own.events(client.turn_id))
        assert "deleted" in own.system()
        await client.chat("And now?")
        assert (await client.error())["error_type"] == "not_found"


# --- no dead type ---------------------------------------------------------------------------------------------


def names(union: Any) -> set[str]:
    """The kinds of frames in a union of typed dictionaries."""
    found = set()
    for cls in typing.get_args(union):
        hints = typing.get_type_hints(cls)
        (kind,) = typing.get_args(hints["type"])
        found.add(kind)
    return found


async def test_every_type_is_sent_and_received(desk: Desk) -> None:
    sent: set[str] = set()
    received: set[str] = set()

    async def play(client: ChatClient, *steps: tuple[str, Json] | str) -> None:
        """Send frames; a name alone is a frame to wait for."""
        for step in steps:
            if isinstance(step, str):
                await client.until(step)
            else:
                sent.add(step[0])
                await client.send(step[0], **step[1])
        received.update(client.kinds)
        client.frames.clear()

    def chat(**fields: Any) -> tuple[str, Json]:
        return "chat", {"content": "Go", "model": OPENAI, **fields}

    prompt = await desk.api.post("/prompts", {"name": f"p {new_id()}", "content": "Read.", "model": OPENAI})
    end = "response_complete"
    async with connected(desk, {}, ready=False) as client:
        await play(client, ("authenticate", {"token": desk.tenant.token}), "ready")
        extract = calls(call("x", "run_extraction", prompt_revid=prompt["prompt_revid"]))
        desk.script(reason(), extract, "{}", observe(True), reason(), fail(), observe(False, "Done."))
        allowed = ["run_extraction"]
        await play(
            client, chat(agent_loop_strategy="react", auto_approved_tools=allowed), "tool_progress", end
        )
        desk.script(*retagged((plan("make"), make(), ask(), "Made.")))
        verdict = {"tool_call_id": "w1", "approved": True}
        await play(client, chat(agent_loop_strategy="plan-and-execute"), "agent_plan")
        await play(client, ("plan_response", PLAN_YES_FRAME), "tool_approval_request")
        await play(client, ("tool_approval_response", verdict), "agent_request_input")
        await play(client, ("agent_user_input", {"content": ANSWER["answer"]}), end)
        desk.script(look(), "So far.")
        await play(client, chat(agent_max_steps=1), "agent_max_steps", end)
        desk.script(say("Thought.", thinking="Hm.", signature="s"))
        await play(client, chat(model=ANTHROPIC), "thinking_stream", end)
        desk.script(Refusal(400, {"error": {"message": "No"}}))
        await play(client, chat(), "agent_error", end)
        gate = desk.studio.hold_reply()
        desk.script("First.")
        await play(client, chat())
        await gate.reached.wait()
        await play(
            client, chat(), ("agent_control", {"action": "stop"}), "agent_steered", "agent_stopped", end
        )
        desk.studio.gate = None
        await play(client, ("agent_user_input", {"content": "B"}), "error")
        turn_id = await long_turn(desk)
        await play(client, ("resume", {"turn_id": turn_id}), "warning", end)
    received |= await timed_out(desk) | await heartbeats(desk)
    assert sent == {
        typing.get_args(typing.get_type_hints(cls)["type"])[0]
        for cls in typing.get_args(typing.get_args(ClientFrame)[0])
    }
    updates = {*Update.__subclasses__(), *AgentUpdate.__subclasses__()} - {AgentUpdate}
    assert received == {update.name for update in updates} | names(ConnectionFrame)


PLAN_YES_FRAME: Json = {"approved": PLAN_YES["plan"]}


async def long_turn(desk: Desk) -> str:
    """With more history than the model can take."""
    earlier = [
        {"role": "user", "content": "word " * 60_000},
        {"role": "assistant", "content": "word " * 60_000},
    ]
    body = {
        "messages": [*earlier, *earlier, {"role": "user", "content": "Hi"}],
        "model": OPENAI,
        "background": True,
    }
    desk.script("Hello.")
    response = await desk.api.call("POST", desk.path, json=body)
    assert response.status_code == 202, response.text
    turn_id: str = response.json()["turn"]
    return turn_id


async def timed_out(desk: Desk) -> set[str]:
    turn_id = await desk.begin("Go", ask())
    await desk.until(turn_id, "awaiting_input")
    async with connected(desk) as client:
        await client.send("resume", turn_id=turn_id)
        await client.until("agent_request_input")
        await expire(desk, turn_id)
        await client.to_the_end()
    return set(client.kinds)


async def expire(desk: Desk, turn_id: str) -> None:
    """As if ten minutes had passed."""
    async with desk.services.db.write_org(desk.tenant.organization_id) as tx:
        await tx.execute(sa.update(turns).where(turns.c.id == turn_id).values(waits_until=now()))
    assert await desk.services.turn_runner.recover() == 1


async def heartbeats(desk: Desk) -> set[str]:
    services = desk.services
    often = TurnWatching(services.db, services.turn_runner, heartbeat_seconds=0.05)
    desk.script(Silent())
    async with served(
        desk.studio.product, replace(services, turns=replace(services.turns, watching=often))
    ) as client:
        url = address(client, desk.tenant.organization_id, desk.path)
        async with connected(desk, url=url) as chatting:
            await chatting.chat("Go")
            await chatting.until("heartbeat")
            await chatting.send("agent_control", action="stop")
            await chatting.to_the_end()
    return set(chatting.kinds)
