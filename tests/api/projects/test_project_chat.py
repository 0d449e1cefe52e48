"""Conversations about a project: the same turns, approvals and threads as about a document, with tools of its own."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from docagent.services.turns.own import NO_TURN
from docagent.store.tables import turn_events
from tests.support.agent import Desk, Json, ProjectDesk, call, calls, kinds_of, message, no, say, text_of, yes
from tests.support.chat_socket import address, connected

PLAN = "# Plan\n\nWe begin in May.\n\n## Costs\n\nNot known yet.\n"
READS = {"list_project_documents", "read_project_document", "search_project", "list_project_versions"}
EDIT = {"document": "Plan", "edits": [{"find": "in May", "replace": "in June"}], "reason": "It moved"}


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    return await ProjectDesk.at(desk, description="A house", standing_instruction="Write in short sentences.")


async def test_the_model_knows_the_project_its_documents_and_their_instructions(project: ProjectDesk) -> None:
    await project.add("Plan", PLAN, standing_instruction="Keep a section on costs.")
    await project.add("Long", "a word " * 1000)
    answer = await project.chat("When do we begin?", "In May.")
    assert answer["text"] == "In May."
    system = project.system()
    assert "A house" in system
    assert "Write in short sentences." in system
    assert "We begin in May." in system
    assert "Keep a section on costs." in system
    assert "characters left out" in system
    assert "Current document" not in system
    offered = {tool["function"]["name"] for tool in project.asked()["tools"]}
    assert offered >= READS
    assert "edit_project_document" in offered
    assert "create_schema" not in offered


async def test_a_change_is_seen_as_a_diff_before_it_runs_and_can_be_taken_back(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("We begin in June", calls(call("c1", "edit_project_document", **EDIT)))
    assert asked["state"] == "awaiting_approval"
    [requested] = (await project.until_event(asked["turn_id"], "approval_requested"))["calls"]
    assert "Plan" in requested["summary"]
    assert "in June" in str(requested["preview"])
    assert (await project.read(plan))["version"] == 1

    done = await project.approve(asked, yes("c1"), answers=["Done."])
    assert done["text"] == "Done."
    now = await project.read(plan)
    assert now["content"] == PLAN.replace("in May", "in June")
    assert (now["version"], now["author"], now["turn_id"]) == (2, "agent", asked["turn_id"])

    await project.posted(f"/turns/{asked['turn_id']}/undo", {"call_id": "c1"})
    assert (await project.read(plan))["content"] == PLAN


async def test_a_rejected_change_does_not_happen_and_the_reason_is_told(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("June", calls(call("c1", "edit_project_document", **EDIT)))
    await project.approve(asked, no("c1", "Not yet"), answers=["As you like."])
    assert (await project.read(plan))["version"] == 1
    assert "Not yet" in str(project.told())


async def test_what_a_person_changed_meanwhile_is_not_overwritten(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("June", calls(call("c1", "edit_project_document", **EDIT)))
    await project.api.call(
        "PUT", f"/projects/{project.project_id}/documents/{plan['id']}", json={"content": f"{PLAN}\nMore.\n"}
    )
    refused = await project.api.call(
        "POST", f"{project.path}/approve", json={"turn_id": asked["turn_id"], "approvals": [yes("c1")]}
    )
    assert refused.status_code == 409
    assert "changed after you opened it" in refused.text
    assert (await project.read(plan))["version"] == 2
    await project.approve(asked, yes("c1"), answers=["Done."])
    assert (await project.read(plan))["content"] == f"{PLAN.replace('in May', 'in June')}\nMore.\n"


LONG = "\n".join(f"line {number}" for number in range(1, 31))
OLD_FIELD = {
    "field": "content",
    "before": "[… 16 lines as they are …]\nline 17\nline 18\nline 19\nline 20\n[… 10 lines as they are …]",
    "after": "[… 16 lines as they are …]\nline 17\nline 18\nline 19\nLINE 20\n[… 10 lines as they are …]",
}


@pytest.fixture
async def asked_by_0_2_0(project: ProjectDesk) -> tuple[Json, Json]:
    """A document, and a turn that waits with a preview whose text says what is left out of it."""
    plan = await project.add("Plan", LONG)
    edit = {"document": "Plan", "edits": [{"find": "line 20", "replace": "LINE 20"}]}
    asked = await project.chat("Shout", calls(call("c1", "edit_project_document", **edit)))
    async with project.services.db.write_org(project.tenant.organization_id) as tx:
        is_it = (turn_events.c.turn_id == asked["turn_id"]) & (turn_events.c.type == "approval_requested")
        [stored] = await tx.rows(sa.select(turn_events.c.payload).where(is_it))
        [requested] = stored.payload["calls"]
        old = {"calls": [{**requested, "preview": {**requested["preview"], "fields": [OLD_FIELD]}}]}
        await tx.execute(sa.update(turn_events).where(is_it).values(payload=old))
    return plan, asked


async def test_a_preview_of_0_2_0_is_shown_as_it_is_and_still_counts(
    project: ProjectDesk, asked_by_0_2_0: tuple[Json, Json]
) -> None:
    plan, asked = asked_by_0_2_0
    assert await fields_that_wait(project, asked) == [OLD_FIELD]
    await project.approve(asked, yes("c1"), answers=["Done."])
    assert (await project.read(plan))["content"] == LONG.replace("line 20", "LINE 20")


async def test_a_preview_of_0_2_0_is_made_again_when_the_text_has_changed(
    project: ProjectDesk, asked_by_0_2_0: tuple[Json, Json]
) -> None:
    plan, asked = asked_by_0_2_0
    path = f"/projects/{project.project_id}/documents/{plan['id']}"
    await project.api.put(path, {"content": f"line 0\n{LONG}"})
    body = {"turn_id": asked["turn_id"], "approvals": [yes("c1")]}
    assert "changed after you opened it" in await project.api.refused(
        409, "POST", f"{project.path}/approve", body
    )
    [field] = await fields_that_wait(project, asked)
    assert (field["lines_above"], field["lines_below"]) == (17, 7)
    assert field["after"].split("\n")[3] == "LINE 20"


async def fields_that_wait(project: ProjectDesk, asked: Json) -> list[Json]:
    waiting = (await project.api.get("/approvals", limit=100))["approvals"]
    [item] = [item for item in waiting if item["turn_id"] == asked["turn_id"]]
    fields: list[Json] = item["calls"][0]["preview"]["fields"]
    return fields


async def test_it_streams(project: ProjectDesk) -> None:
    events = await project.stream("Hello", say("Good day."))
    assert text_of(events) == "Good day."
    assert kinds_of(events)[-1] == "done"


async def test_always_allow_holds_in_this_project_only(project: ProjectDesk, desk: Desk) -> None:
    await project.add("Plan", PLAN)
    asked = await project.chat("June", calls(call("c1", "edit_project_document", **EDIT)))
    await project.approve(asked, yes("c1", always_allow="project"), answers=["Done."])
    rules = (await project.api.get("/agent/rules"))["rules"]
    assert [rule["tool"] for rule in rules if rule["project_id"] == project.project_id] == [
        "edit_project_document"
    ]
    back = {"document": "Plan", "edits": [{"find": "in June", "replace": "in July"}]}
    again = await project.chat("July", calls(call("c2", "edit_project_document", **back)), say("Done."))
    assert again["state"] == "completed"
    other = await ProjectDesk.at(desk)
    await other.add("Plan", PLAN)
    asked = await other.chat("June", calls(call("c3", "edit_project_document", **EDIT)))
    assert asked["state"] == "awaiting_approval"


async def test_what_waits_is_in_the_inbox_with_the_project_s_name(project: ProjectDesk) -> None:
    await project.add("Plan", PLAN)
    asked = await project.chat("June", calls(call("c1", "edit_project_document", **EDIT)))
    [waiting] = [
        item
        for item in (await project.api.get("/approvals", limit=100))["approvals"]
        if item["turn_id"] == asked["turn_id"]
    ]
    assert (waiting["project_id"], waiting["document_id"]) == (project.project_id, None)
    assert waiting["project_name"].startswith("Project ")
    await project.approve(asked, yes("c1"), answers=["Done."])
    audit = (await project.api.get("/audit", project_id=project.project_id))["entries"]
    assert [entry["tool"] for entry in audit] == ["edit_project_document"]
    assert audit[0]["project_name"] == waiting["project_name"]


async def test_threads_belong_to_their_project(project: ProjectDesk, desk: Desk) -> None:
    thread = (await project.posted(f"{project.path}/threads", {}))["thread_id"]
    await project.chat("My name is Ada", "Good day, Ada.", thread_id=thread)
    await project.chat("What is my name?", "Ada.", thread_id=thread)
    assert "My name is Ada" in str(project.asked()["messages"])
    [listed] = await project.api.get(f"{project.path}/threads")
    assert (listed["id"], listed["title"]) == (thread, "My name is Ada")
    exported = await project.api.get(f"{project.path}/threads/{thread}/export")
    assert exported["project_id"] == project.project_id
    other = await ProjectDesk.at(desk)
    for elsewhere in (other, desk):
        assert (await desk.api.call("GET", f"{elsewhere.path}/threads/{thread}")).status_code == 404
        refused = await desk.api.call("POST", elsewhere.path, json=message("Hi", thread_id=thread))
        assert refused.status_code == 404


async def test_a_turn_is_bound_to_its_project(project: ProjectDesk, desk: Desk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("June", calls(call("c1", "edit_project_document", **EDIT)))
    other = await ProjectDesk.at(desk)
    for elsewhere in (other, desk):
        body = {"turn_id": asked["turn_id"], "approvals": [yes("c1")]}
        refused = await desk.api.call("POST", f"{elsewhere.path}/approve", json=body)
        assert refused.status_code == 400
        assert NO_TURN in refused.text
    assert (await project.read(plan))["version"] == 1


async def test_a_project_that_is_not_there_is_told_of(desk: Desk) -> None:
    for project_id in ("0" * 24, "odd", desk.document_id):
        for method, path in (("POST", ""), ("GET", "/tools"), ("GET", "/threads")):
            answer = await desk.api.call(
                method,
                f"/projects/{project_id}/chat{path}",
                json=message("Hi") if method == "POST" else None,
            )
            assert (answer.status_code, answer.json()["detail"]) == (404, "Project not found")


async def test_the_list_of_tools(project: ProjectDesk) -> None:
    listed = await project.api.get(f"{project.path}/tools")
    assert set(listed["read_only"]) >= READS
    assert {"create_project_document", "edit_project_document", "rewrite_project_document"} <= set(
        listed["read_write"]
    )
    assert all(tool["description"] and tool["parameters"] for tool in listed["tools"])


@pytest.mark.parametrize(
    "strategy", ["tools", "react", "think-act", "plan-and-execute", "tool-first", "llm-only"]
)
async def test_the_built_in_model_answers_in_every_strategy(project: ProjectDesk, strategy: str) -> None:
    await project.add("Plan", PLAN)
    answer = await project.posted(
        project.path,
        {**message("which documents are there?", loop_strategy=strategy), "model": "docagent-offline"},
    )
    if answer["state"] == "awaiting_approval":  # a plan
        await project.api.call("POST", f"/turns/{answer['turn_id']}/plan", json={"approved": True})
        await project.until(answer["turn_id"], "completed")
        answer["text"] = str(await project.events(answer["turn_id"]))
    assert "Plan" in answer["text"]


# --- over a WebSocket ---------------------------------------------------------------------------------------------


async def test_the_socket_of_a_project(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    project.script(calls(call("c1", "edit_project_document", **EDIT)), "Done.")
    async with connected(project) as client:
        await client.chat("June")
        asked = await client.until("tool_approval_request")
        await client.send("tool_approval_response", tool_call_id=asked["tool_call_id"], approved=True)
        await client.to_the_end()
        seen = client.frames[-1]["seq"]
    assert (await project.read(plan))["version"] == 2
    async with connected(project) as client:
        await client.send("resume", turn_id=asked["turn_id"], after=seen - 1)
        frame = await client.until("response_complete")
        assert frame["seq"] == seen


async def test_a_socket_takes_turns_of_its_own_project_only(project: ProjectDesk, desk: Desk) -> None:
    turn_id = await project.begin("Hello", "Good day.")
    other = await ProjectDesk.at(desk)
    for elsewhere in (other, desk):
        async with connected(elsewhere) as client:
            await client.send("resume", turn_id=turn_id)
            assert NO_TURN in (await client.error())["message"]


async def test_no_socket_for_a_project_that_is_not_there(desk: Desk) -> None:
    url = address(desk.api.client, desk.tenant.organization_id, f"/projects/{'0' * 24}/chat")
    async with connected(desk, url=url, ready=False) as client:
        assert (await client.error())["message"] == "Project not found"
        assert await client.closed() == 1008
