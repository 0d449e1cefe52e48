"""Deciding on what the agent wants to do: each verdict, and everything that is no verdict."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.accounts.accounts import Role
from docagent.domain.ids import new_id
from docagent.services.turns.own import NO_TURN
from tests.support.agent import ANTHROPIC, Desk, Json, add_member, call, calls, decision, no, say, yes
from tests.support.operations import RESPONSE_FORMAT
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


def name() -> str:
    return f"tag {new_id()}"


async def paused(desk: Desk, *tags: str, **options: Any) -> Json:
    """A turn that wants to create these tags, by calls c0, c1, ..."""
    batch = [call(f"c{n}", "create_tag", name=tag) for n, tag in enumerate(tags)]
    return await desk.chat("Make tags", say("creating", *batch), **options)


async def test_approved(desk: Desk) -> None:
    tag = name()
    answer = await desk.approve(await paused(desk, tag), yes("c0"), answers=["Made."])
    assert (answer["text"], answer["state"], answer["model"]) == ("Made.", "completed", "gpt-4o-mini")
    assert [item["id"] for item in answer["executed_rounds"][0]["tool_calls"]] == ["c0"]
    assert tag in await desk.tags()
    (started,) = [item for item in await desk.events(answer["turn"]) if item["type"] == "tool_started"]
    assert started["grant"] == {"kind": "user", "rule_id": None, "user_id": desk.tenant.user_id}


async def test_rejected_with_a_reason_that_the_model_is_given(desk: Desk) -> None:
    tag = name()
    answer = await desk.approve(await paused(desk, tag), no("c0", "Too vague"), answers=["Then not."])
    assert answer["text"] == "Then not."
    assert desk.told() == [{"call_id": "c0", "error": "User rejected this action.", "reason": "Too vague"}]
    assert tag not in await desk.tags()


async def test_a_call_that_is_not_named_is_rejected(desk: Desk) -> None:
    first, second = name(), name()
    await desk.approve(await paused(desk, first, second), yes("c1"), answers=["Half."])
    assert [item.get("error") for item in desk.told()] == ["User rejected this action.", None]
    tags = await desk.tags()
    assert first not in tags
    assert second in tags


async def test_verdicts_one_by_one(desk: Desk) -> None:
    first, second, third = name(), name(), name()
    turn = await paused(desk, first, second, third)
    for verdict, left in ((no("c1"), ["c0", "c2"]), (yes("c2"), ["c0"])):
        turn = await desk.approve(turn, verdict, partial=True)
        assert [item["id"] for item in turn["tool_calls"]] == left
        assert (turn["state"], turn["text"]) == ("awaiting_approval", "creating")
        assert third not in await desk.tags()
    assert await desk.approve(turn, partial=True) == turn
    await desk.api.refused(409, "POST", f"{desk.path}/approve", decision(turn, yes("c2"), partial=True))
    answer = await desk.approve(turn, yes("c0"), answers=["Done."])
    assert answer["text"] == "Done."
    assert [item.get("error") for item in desk.told()] == [None, "User rejected this action.", None]
    assert {first, third} <= set(await desk.tags())


@pytest.mark.parametrize("read", [yes("r"), no("r", "Do not look"), None])
async def test_a_read_that_waits_with_its_batch_runs_unless_it_is_rejected(
    desk: Desk, read: Json | None
) -> None:
    """Clients of the contract name every call of the batch."""
    tag = name()
    turn = await desk.chat("Go", calls(call("r", "list_tags"), call("w", "create_tag", name=tag)))
    await desk.approve(turn, yes("w"), *([read] if read else []), answers=["Done."])
    looked, made = desk.told()
    assert made["name"] == tag
    if read == no("r", "Do not look"):
        assert looked["reason"] == "Do not look"
    else:
        assert tag not in [item["name"] for item in looked["tags"]], (
            "reads before a change see the state before"
        )


async def test_changed_arguments_run_and_the_model_is_told(desk: Desk) -> None:
    proposed, wanted = name(), name()
    turn = await paused(desk, proposed)
    for wrong, words in (
        ({"name": ""}, "name"),
        ({"name": wanted, "shape": "round"}, "there is no parameter shape"),
        ({}, "name is missing"),
    ):
        body = decision(turn, yes("c0", arguments=wrong))
        detail = await desk.api.refused(400, "POST", f"{desk.path}/approve", body)
        assert detail.startswith("The changed arguments of create_tag do not fit: ")
        assert words in detail
    answer = await desk.approve(turn, yes("c0", arguments={"name": wanted}), answers=["Made."])
    (result,) = desk.told()
    assert json.dumps({"name": wanted}, separators=(",", ":")) in result["note"]
    assert proposed not in await desk.tags()
    assert wanted in await desk.tags()
    (started,) = [item for item in await desk.events(answer["turn"]) if item["type"] == "tool_started"]
    assert json.loads(started["arguments"]) == {"name": wanted}


async def test_arguments_sent_back_unchanged_are_no_edit(desk: Desk) -> None:
    tag = name()
    answer = await desk.approve(
        await paused(desk, tag), yes("c0", arguments={"name": tag}), answers=["Made."]
    )
    assert "note" not in desk.told()[0]
    (decided,) = [item for item in await desk.events(answer["turn"]) if item["type"] == "approval_decided"]
    assert decided["arguments"] is None


async def test_after_an_approve_the_loop_runs_on_to_the_next_change(desk: Desk) -> None:
    first, second = name(), name()
    reads = [calls(call(f"r{n}", "list_tags", skip=n)) for n in range(3)]
    turn = await desk.approve(
        await paused(desk, first),
        yes("c0"),
        answers=[*reads, say("one more", call("d", "create_tag", name=second))],
    )
    assert turn["state"] == "awaiting_approval"
    assert (turn["text"], [item["id"] for item in turn["tool_calls"]]) == ("one more", ["d"])
    assert len(turn["executed_rounds"]) == 4
    answer = await desk.approve(turn, yes("d"), answers=["All done."])
    assert answer["text"] == "All done."
    assert answer["turn"] == turn["turn_id"]
    assert {first, second} <= set(await desk.tags())


@pytest.mark.parametrize("scope", ["document", "organization"])
async def test_an_approval_that_is_remembered(desk: Desk, scope: str) -> None:
    turn = await paused(desk, name())
    await desk.approve(turn, yes("c0", always_allow=scope), answers=["Made."])
    rules = (await desk.api.get("/agent/rules"))["rules"]
    (rule,) = [item for item in rules if item["tool"] == "create_tag"]
    assert (rule["effect"], rule["scope"]) == ("allow", "me")
    assert rule["document_id"] == (desk.document_id if scope == "document" else None)
    again = await desk.chat("Again", calls(call("w", "create_tag", name=name())), "Made too.")
    assert again["text"] == "Made too."
    (started,) = [item for item in await desk.events(again["turn"]) if item["type"] == "tool_started"]
    assert started["grant"]["kind"] == "remembered_rule"
    assert started["grant"]["rule_id"] == rule["id"]
    elsewhere = await desk.api.add_document()
    body = {"messages": [{"role": "user", "content": "There"}], "model": "gpt-4o-mini"}
    desk.script(calls(call("e", "create_tag", name=name())), *(["There too."] if scope != "document" else []))
    there = await desk.api.post(f"/documents/{elsewhere}/chat", body)
    assert there["state"] == ("awaiting_approval" if scope == "document" else "completed")
    assert (await desk.api.call("DELETE", f"/agent/rules/{rule['id']}")).status_code == 204
    await desk.api.refused(404, "DELETE", f"/agent/rules/{rule['id']}")
    assert (await paused(desk, name()))["state"] == "awaiting_approval"


async def test_a_rule_revoked_while_a_batch_waits_asks_again(desk: Desk) -> None:
    rule = await desk.api.post("/agent/rules", {"tool": "create_tag"})
    tag = name()
    batch = calls(call("w", "create_tag", name=tag), call("d", "delete_tag", tag_id=new_id()))
    turn = await desk.chat("Go", batch)
    assert [item["needs_approval"] for item in turn["requests"]] == [False, True]
    await desk.api.call("DELETE", f"/agent/rules/{rule['id']}")
    turn = await desk.approve(turn, no("d"))
    assert (turn["state"], [item["id"] for item in turn["tool_calls"]]) == ("awaiting_approval", ["w"])
    assert tag not in await desk.tags()
    await desk.approve(turn, yes("w"), answers=["Made."])
    assert tag in await desk.tags()


async def test_thinking_goes_back_as_it_came_over_a_pause(desk: Desk) -> None:
    tag = name()
    first = make_reply(
        "Creating.",
        thinking="A tag it is.",
        signature="c2lnbmVk",
        tool_calls=[call("toolu_1", "create_tag", name=tag)],
    )
    turn = await desk.chat("Make it", first, model=ANTHROPIC)
    assert (turn["text"], turn["thinking"]) == ("Creating.", "A tag it is.")
    sent = desk.asked()
    assert sent["thinking"]["type"] == "enabled"
    answer = await desk.approve(turn, yes("toolu_1"), answers=["Made."])
    assert answer["text"] == "Made."
    said = desk.asked()["messages"][1]["content"]
    assert said[0] == {"type": "thinking", "thinking": "A tag it is.", "signature": "c2lnbmVk"}
    assert [part["type"] for part in said] == ["thinking", "text", "tool_use"]
    assert desk.asked()["messages"][2]["content"][0]["type"] == "tool_result"


async def test_thinking_without_a_signature_is_left_out_and_not_asked_for_again(desk: Desk) -> None:
    first = make_reply(thinking="Hm.", tool_calls=[call("toolu_1", "list_tags")])
    answer = await desk.chat("Look", first, "Looked.", model=ANTHROPIC)
    assert answer["executed_rounds"][0]["thinking"] == "Hm."
    last = desk.asked()
    assert "thinking" not in last
    assert [part["type"] for part in last["messages"][1]["content"]] == ["tool_use"]


# --- forgery ------------------------------------------------------------------------------------------------------


async def test_nobody_else_decides(desk: Desk, own_desk: Desk) -> None:
    """Another user, organisation, document, thread; ids that were changed. Nothing runs."""
    tag = name()
    thread = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    turn = await paused(desk, tag, thread_id=thread)
    colleague = await add_member(desk, Role.ADMIN)
    other_document = await desk.api.add_document()
    body = decision(turn, yes("c0"))
    other = f"/documents/{other_document}/chat"
    for who, path, sent in (
        (colleague, desk.path, body),
        (own_desk, own_desk.path, body),
        (desk, other, body),
        (desk, desk.path, body | {"thread_id": new_id()}),
        (desk, desk.path, body | {"turn_id": new_id()}),
        (desk, desk.path, body | {"turn_id": "zz"}),
    ):
        assert await who.api.refused(400, "POST", f"{path}/approve", sent) == NO_TURN
    for sent in (decision(turn, yes("c1")), decision(turn, yes("c0"), yes("c9"))):
        detail = await desk.api.refused(409, "POST", f"{desk.path}/approve", sent)
        assert detail.startswith(NO_TURN)
    twice = decision(turn, no("c0"), yes("c0"))
    await desk.api.refused(400, "POST", f"{desk.path}/approve", twice)
    stranger = desk.as_member(own_desk.tenant.headers)
    assert (await stranger.api.call("POST", f"{desk.path}/approve", json=body)).status_code in (401, 403)
    for method, path in (("GET", ""), ("GET", "/events"), ("POST", "/stop")):
        await colleague.api.refused(404, method, f"/turns/{turn['turn_id']}{path}")
    assert (await desk.kinds(turn["turn_id"]))[-1] == "approval_requested"
    assert tag not in await desk.tags()
    await desk.approve(turn, yes("c0"), answers=["Made."], thread_id=thread)
    assert tag in await desk.tags()


async def test_a_second_click_runs_nothing(desk: Desk) -> None:
    tag = name()
    turn = await paused(desk, tag)
    desk.script("Made.")
    body = decision(turn, yes("c0"))
    answers = await asyncio.gather(
        *(desk.api.call("POST", f"{desk.path}/approve", json=body) for _ in range(4))
    )
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]
    late = await desk.api.refused(400, "POST", f"{desk.path}/approve", decision(turn, no("c0")))
    assert late.startswith(NO_TURN)
    kinds = await desk.kinds(turn["turn_id"])
    assert (kinds.count("tool_result"), kinds.count("approval_decided")) == (1, 1)
    assert (await desk.tags()).count(tag) == 1


async def test_what_changed_since_it_was_shown_is_shown_again(desk: Desk) -> None:
    schema = await desk.api.post(
        "/schemas", {"name": f"schema {new_id()}", "response_format": RESPONSE_FORMAT}
    )
    path = f"/schemas/{schema['schema_id']}"
    wanted = json.loads(json.dumps(RESPONSE_FORMAT).replace('"total"', '"amount"'))
    propose = call("u", "update_schema", schema_id=schema["schema_id"], response_format=wanted)
    turn = await desk.chat("Rename the field", calls(propose))
    changed = json.loads(json.dumps(RESPONSE_FORMAT).replace('"total"', '"sum"'))
    await desk.api.put(path, {"name": schema["name"], "response_format": changed})
    detail = await desk.api.refused(409, "POST", f"{desk.path}/approve", decision(turn, yes("u")))
    assert "changed after you opened it" in detail
    newest = (await desk.api.get(f"/schemas/{(await latest(desk, schema))['schema_revid']}"))[
        "response_format"
    ]
    assert newest == changed
    waiting = (await desk.api.get("/approvals"))["approvals"]
    (renewed,) = [item for item in waiting if item["turn_id"] == turn["turn_id"]]
    assert "sum" in json.dumps(renewed["calls"][0]["preview"])
    answer = await desk.approve(turn, yes("u"), answers=["Changed."])
    assert answer["text"] == "Changed."
    assert (await latest(desk, schema))["schema_version"] == 3


async def test_what_changed_between_two_verdicts_of_a_batch_is_asked_for_again(desk: Desk) -> None:
    schema = await desk.api.post(
        "/schemas", {"name": f"schema {new_id()}", "response_format": RESPONSE_FORMAT}
    )
    wanted = json.loads(json.dumps(RESPONSE_FORMAT).replace('"total"', '"amount"'))
    propose = call("u", "update_schema", schema_id=schema["schema_id"], response_format=wanted)
    turn = await desk.chat("Go", calls(propose, call("t", "create_tag", name=name())))
    await desk.approve(turn, yes("u"), partial=True)
    changed = json.loads(json.dumps(RESPONSE_FORMAT).replace('"total"', '"sum"'))
    await desk.api.put(
        f"/schemas/{schema['schema_id']}", {"name": schema["name"], "response_format": changed}
    )
    detail = await desk.api.refused(409, "POST", f"{desk.path}/approve", decision(turn, yes("t")))
    assert "changed after you opened it" in detail
    waiting = (await desk.api.get("/approvals", limit=100))["approvals"]
    (renewed,) = [item for item in waiting if item["turn_id"] == turn["turn_id"]]
    assert [item["id"] for item in renewed["calls"]] == ["u", "t"]
    assert (await latest(desk, schema))["schema_version"] == 2
    await desk.approve(turn, no("u"), yes("t"), answers=["Half."])
    assert (await latest(desk, schema))["schema_version"] == 2


async def latest(desk: Desk, schema: Json) -> Json:
    listed = await desk.api.get("/schemas", name_search=schema["name"])
    found: Json = listed["schemas"][0]
    return found


async def test_a_policy_set_while_a_call_waits_counts(desk: Desk) -> None:
    tag = name()
    turn = await paused(desk, tag)
    rule = await desk.api.post("/agent/rules", {"tool": "create_tag", "effect": "deny", "scope": "everyone"})
    await desk.approve(turn, yes("c0"), answers=["Not allowed, then."])
    await desk.api.call("DELETE", f"/agent/rules/{rule['id']}")
    assert desk.told()[0]["error"].startswith("Not allowed: ")
    assert tag not in await desk.tags()
