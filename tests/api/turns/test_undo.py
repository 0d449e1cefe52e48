"""Revoking what a call did: each kind of change, and the refusals."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from docagent.domain.ids import new_id
from docagent.domain.models.llm import ToolCall
from tests.support.agent import Desk, Json, add_member, call, calls, yes
from tests.support.operations import RESPONSE_FORMAT
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

OTHER_FORMAT = json.loads(json.dumps(RESPONSE_FORMAT).replace('"total"', '"amount"'))
Arranged = tuple[ToolCall, Callable[[], Awaitable[Any]]]


async def a_tag(desk: Desk) -> Json:
    made: Json = await desk.api.post("/tags", {"name": f"tag {new_id()}", "description": "before"})
    return made


async def a_schema(desk: Desk) -> Json:
    body = {"name": f"schema {new_id()}", "response_format": RESPONSE_FORMAT}
    made: Json = await desk.api.post("/schemas", body)
    return made


async def a_prompt(desk: Desk) -> Json:
    made: Json = await desk.api.post("/prompts", {"name": f"prompt {new_id()}", "content": "before"})
    return made


async def newest(desk: Desk, kind: str, name: str) -> Any:
    """What a list says of it, without what every new version changes."""
    found = (await desk.api.get(f"/{kind}", name_search=name))[kind]
    shown = ("name", "response_format", "content", "description", "color", "tag_ids")
    return [{key: item[key] for key in shown if key in item} for item in found]


async def create_tag(desk: Desk) -> Arranged:
    name = f"tag {new_id()}"
    return call("c", "create_tag", name=name), lambda: newest(desk, "tags", name)


async def update_tag(desk: Desk) -> Arranged:
    tag = await a_tag(desk)
    change = call("c", "update_tag", tag_id=tag["id"], description="after")
    return change, lambda: newest(desk, "tags", tag["name"])


async def delete_tag(desk: Desk) -> Arranged:
    tag = await a_tag(desk)
    return call("c", "delete_tag", tag_id=tag["id"]), lambda: newest(desk, "tags", tag["name"])


async def create_schema(desk: Desk) -> Arranged:
    name = f"schema {new_id()}"
    change = call("c", "create_schema", name=name, response_format=RESPONSE_FORMAT)
    return change, lambda: newest(desk, "schemas", name)


async def update_schema(desk: Desk) -> Arranged:
    schema = await a_schema(desk)
    change = call("c", "update_schema", schema_id=schema["schema_id"], response_format=OTHER_FORMAT)
    return change, lambda: newest(desk, "schemas", schema["name"])


async def delete_schema(desk: Desk) -> Arranged:
    schema = await a_schema(desk)
    change = call("c", "delete_schema", schema_id=schema["schema_id"])
    return change, lambda: newest(desk, "schemas", schema["name"])


async def create_prompt(desk: Desk) -> Arranged:
    name = f"prompt {new_id()}"
    return call("c", "create_prompt", name=name, content="x"), lambda: newest(desk, "prompts", name)


async def update_prompt(desk: Desk) -> Arranged:
    prompt = await a_prompt(desk)
    change = call("c", "update_prompt", prompt_id=prompt["prompt_id"], content="after")
    return change, lambda: newest(desk, "prompts", prompt["name"])


async def delete_prompt(desk: Desk) -> Arranged:
    prompt = await a_prompt(desk)
    change = call("c", "delete_prompt", prompt_id=prompt["prompt_id"])
    return change, lambda: newest(desk, "prompts", prompt["name"])


async def particulars(desk: Desk, document_id: str) -> Any:
    answer = await desk.api.call("GET", f"/documents/{document_id}", params={"include_content": "false"})
    shown = ("document_name", "tag_ids", "metadata")
    return [answer.json()[key] for key in shown] if answer.status_code == 200 else None


async def update_document(desk: Desk) -> Arranged:
    tag = await a_tag(desk)
    change = call(
        "c", "update_document", document_name=f"{new_id()}.pdf", tag_ids=[tag["id"]], metadata={"a": "b"}
    )
    return change, lambda: particulars(desk, desk.document_id)


async def delete_document(desk: Desk) -> Arranged:
    document_id = await desk.api.add_document()
    return call("c", "delete_document", document_id=document_id), lambda: particulars(desk, document_id)


async def extraction(desk: Desk, prompt: str) -> Any:
    answer = await desk.api.call("GET", f"/llm/result/{desk.document_id}", params={"prompt_revid": prompt})
    return answer.json()["updated_llm_result"] if answer.status_code == 200 else None


async def run_extraction(desk: Desk) -> Arranged:
    prompt = (await a_prompt(desk))["prompt_revid"]
    return call("c", "run_extraction", prompt_revid=prompt), lambda: extraction(desk, prompt)


async def update_extraction_field(desk: Desk) -> Arranged:
    schema = await a_schema(desk)
    linked = {"schema_id": schema["schema_id"], "schema_version": 1, "model": "docagent-offline"}
    prompt = await desk.api.post("/prompts", {"name": f"prompt {new_id()}", "content": "x", **linked})
    revid = prompt["prompt_revid"]
    ran = await desk.api.call("POST", f"/llm/run/{desk.document_id}", params={"prompt_revid": revid})
    assert ran.status_code == 200, ran.text
    change = call("c", "update_extraction_field", path="total", value="1250.00", prompt_revid=revid)
    return change, lambda: extraction(desk, revid)


KINDS = [
    create_tag,
    update_tag,
    delete_tag,
    create_schema,
    update_schema,
    delete_schema,
    create_prompt,
    update_prompt,
    delete_prompt,
    update_document,
    delete_document,
    run_extraction,
    update_extraction_field,
]


async def done(desk: Desk, change: ToolCall, **options: Any) -> str:
    """Let the change run; the turn."""
    paused = await desk.chat("Go", calls(change), **options)
    assert paused["state"] == "awaiting_approval", paused
    answer = await desk.approve(paused, yes("c"), answers=["Done."])
    results = [event for event in await desk.events(answer["turn"]) if event["type"] == "tool_result"]
    assert not results[-1]["is_error"], results
    turn_id: str = answer["turn"]
    return turn_id


async def undo(desk: Desk, turn_id: str, call_id: str = "c") -> Json:
    undone: Json = await desk.api.post(f"/turns/{turn_id}/undo", {"call_id": call_id})
    return undone


@pytest.mark.parametrize("arrange", KINDS, ids=lambda kind: kind.__name__)
async def test_every_kind_of_change_can_be_taken_back_once(
    desk: Desk, arrange: Callable[[Desk], Awaitable[Arranged]]
) -> None:
    change, look = await arrange(desk)
    assert change.name == arrange.__name__
    before = await look()
    turn_id = await done(desk, change)
    assert await look() != before
    undone = await undo(desk, turn_id)
    assert await look() == before
    last = (await desk.events(turn_id))[-1]
    assert (last["type"], last["summary"], last["user_id"]) == (
        "undone",
        undone["summary"],
        desk.tenant.user_id,
    )
    assert (await desk.api.get(f"/turns/{turn_id}"))["state"] == "completed"
    refusal = await desk.api.refused(409, "POST", f"/turns/{turn_id}/undo", {"call_id": "c"})
    assert refusal == "This was undone already."


async def test_all_that_write_are_here(desk: Desk) -> None:
    tools = await desk.api.get(f"{desk.path}/tools")
    assert sorted(kind.__name__ for kind in KINDS) == tools["read_write"]


async def test_what_was_built_on_cannot_be_taken_back(desk: Desk) -> None:
    name = f"schema {new_id()}"
    turn_id = await done(desk, call("c", "create_schema", name=name, response_format=RESPONSE_FORMAT))
    schema = (await desk.api.get("/schemas", name_search=name))["schemas"][0]
    linked = {"schema_id": schema["schema_id"], "schema_version": 1}
    await desk.api.post("/prompts", {"name": f"prompt {new_id()}", "content": "x", **linked})
    detail = await desk.api.refused(409, "POST", f"/turns/{turn_id}/undo", {"call_id": "c"})
    assert "prompt" in detail
    assert "undone" not in await desk.kinds(turn_id)


async def test_a_later_change_by_hand_is_not_overwritten(desk: Desk) -> None:
    tag = await a_tag(desk)
    turn_id = await done(desk, call("c", "update_tag", tag_id=tag["id"], description="after"))
    await desk.api.put(f"/tags/{tag['id']}", {"name": tag["name"], "description": "by hand"})
    await desk.api.refused(409, "POST", f"/turns/{turn_id}/undo", {"call_id": "c"})
    assert (await newest(desk, "tags", tag["name"]))[0]["description"] == "by hand"


async def test_what_cannot_be_undone(desk: Desk, own_desk: Desk) -> None:
    answer = await desk.chat("Look", calls(call("r", "list_tags")), "Looked.")
    path = f"/turns/{answer['turn']}/undo"
    assert "nothing to undo" in await desk.api.refused(409, "POST", path, {"call_id": "r"})
    await desk.api.refused(404, "POST", path, {"call_id": "zz"})
    colleague = await add_member(desk)
    await colleague.api.refused(404, "POST", path, {"call_id": "r"})
    await own_desk.api.refused(404, "POST", path, {"call_id": "r"})


async def test_the_conversation_forgets_what_was_taken_back_and_is_told(desk: Desk) -> None:
    thread = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    name = f"schema {new_id()}"
    create = call("c", "create_schema", name=name, response_format=RESPONSE_FORMAT)
    turn_id = await done(desk, create, thread_id=thread)
    await undo(desk, turn_id)
    answer = await desk.chat("And now?", "Now nothing.", thread_id=thread)
    assert answer["working_state"]["schema_revid"] is None
    assert "schema_revid:" not in desk.system()
    told = json.dumps(desk.asked()["messages"], ensure_ascii=False)
    assert f"Schema “{name}” is deleted again" in told
