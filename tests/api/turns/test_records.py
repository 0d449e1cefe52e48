"""The inbox, the audit and the rules."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.accounts.accounts import Role
from docagent.domain.ids import new_id
from tests.support.agent import Desk, add_member, call, calls, no, yes
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def test_the_inbox_holds_what_waits_for_me(own_desk: Desk) -> None:
    desk = own_desk
    assert (await desk.api.get("/approvals")) == {"approvals": [], "total_count": 0, "skip": 0}
    batch = calls(
        call("r", "list_tags"), call("a", "create_tag", name="A"), call("b", "create_tag", name="B")
    )
    first = await desk.chat("Make A and B", batch)
    await desk.approve(first, no("a"), partial=True)
    second = await desk.chat("Make C", calls(call("c", "create_tag", name="C")))
    inbox = await desk.api.get("/approvals")
    assert inbox["total_count"] == 2
    waiting = inbox["approvals"][0]
    assert [item["turn_id"] for item in inbox["approvals"]] == [first["turn_id"], second["turn_id"]]
    assert (waiting["document_id"], waiting["document_name"]) == (desk.document_id, "invoice 4711.pdf")
    assert waiting["message"] == "Make A and B"
    assert [(item["id"], item["summary"]) for item in waiting["calls"]] == [("b", "Create tag “B”")]
    assert waiting["expires_at"] is None
    assert (await desk.api.get("/approvals", skip=1, limit=1))["approvals"] == inbox["approvals"][1:]
    colleague = await add_member(desk, Role.ADMIN)
    assert (await colleague.api.get("/approvals"))["approvals"] == []
    await desk.approve(second, yes("c"), answers=["Made."])
    assert (await desk.api.get("/approvals"))["total_count"] == 1


async def test_the_audit_says_who_proposed_who_decided_what_ran_and_what_it_cost(own_desk: Desk) -> None:
    desk = own_desk
    batch = calls(
        call("a", "create_tag", name="A"), call("b", "create_tag", name="B"), call("r", "list_tags")
    )
    paused = await desk.chat("Make A and B", batch)
    answer = await desk.approve(
        paused, yes("a", arguments={"name": "AA"}), no("b", "No need"), answers=["Made."]
    )
    await desk.api.post(f"/turns/{answer['turn']}/undo", {"call_id": "a"})
    audit = await desk.api.get("/audit")
    assert audit["total_count"] == 4
    undone, *entries = audit["entries"]
    by_call = {entry["call_id"]: entry for entry in entries}
    assert (undone["outcome"], undone["decided_by"]) == ("undone", "Ada")
    made, refused, read = by_call["a"], by_call["b"], by_call["r"]
    assert (made["tool"], made["outcome"], made["approved"]) == ("create_tag", "done", True)
    assert (made["proposed_arguments"], made["ran_arguments"]) == ('{"name": "A"}', '{"name":"AA"}')
    assert made["grant"]["kind"] == "user"
    assert (made["user_name"], made["decided_by"], made["model"]) == ("Ada", "Ada", "gpt-4o-mini")
    assert (refused["outcome"], refused["approved"], refused["reason"]) == ("refused", False, "No need")
    assert refused["ran_arguments"] is None
    assert (read["outcome"], read["grant"]["kind"], read["approved"]) == ("done", "read_only", None)
    assert made["turn_credits"] == 2
    assert made["document_name"] == "invoice 4711.pdf"
    assert (await desk.api.get("/audit", user_id=desk.tenant.user_id, limit=1))["total_count"] == 4
    for narrowed in ({"user_id": new_id()}, {"document_id": new_id()}, {"user_id": "zz"}):
        assert (await desk.api.get("/audit", **narrowed))["entries"] == []
    member = await add_member(desk)
    await member.api.refused(403, "GET", "/audit")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"tool": "no_such_tool"}, 400),
        ({"tool": "create_tag", "effect": "deny"}, 400),
        ({"tool": "create_tag", "effect": "ask"}, 400),
        ({"tool": "create_tag", "document_id": new_id()}, 404),
        ({"tool": "create_tag", "effect": "sometimes"}, 422),
    ],
)
async def test_rules_that_are_refused(desk: Desk, body: dict[str, Any], status: int) -> None:
    await desk.api.refused(status, "POST", "/agent/rules", body)


async def test_whose_rules_are_whose(own_desk: Desk, desk: Desk) -> None:
    member = await add_member(own_desk)
    policy = {"tool": "delete_document", "effect": "deny", "scope": "everyone"}
    await member.api.refused(403, "POST", "/agent/rules", policy)
    rule = await own_desk.api.post("/agent/rules", policy)
    mine = await member.api.post("/agent/rules", {"tool": "*"})
    assert {item["id"] for item in (await member.api.get("/agent/rules"))["rules"]} == {
        rule["id"],
        mine["id"],
    }
    assert [item["id"] for item in (await own_desk.api.get("/agent/rules"))["rules"]] == [rule["id"]]
    await member.api.refused(403, "DELETE", f"/agent/rules/{rule['id']}")
    await own_desk.api.refused(404, "DELETE", f"/agent/rules/{mine['id']}")
    await desk.api.refused(404, "DELETE", f"/agent/rules/{rule['id']}")
    await own_desk.api.refused(404, "DELETE", "/agent/rules/zz")
    answer = await member.chat(
        "Go", calls(call("t", "create_tag", name="A"), call("d", "delete_document")), "Partly."
    )
    assert answer["text"] == "Partly."
    assert [item.get("error", "")[:11] for item in member.told()] == ["", "Not allowed"]


async def test_strategies(desk: Desk) -> None:
    found = (await desk.api.get("/agent/strategies"))["strategies"]
    assert [item["name"] for item in found if item["default"]] == ["tools"]
    assert all(item["description"] for item in found)
