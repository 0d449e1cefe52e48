"""Requests that are sent again with their Idempotency-Key: one effect, and the answer of the first."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
import sqlalchemy as sa

from docagent.domain.clock import now
from docagent.domain.ids import new_id
from docagent.domain.repeats import KEPT
from docagent.store.tables import repeats
from tests.support.agent import Desk, Json, ProjectDesk, call, data_of, decision, message, say, yes
from tests.support.made.documents import base64_of
from tests.support.operations import RESPONSE_FORMAT
from tests.support.polling import SECONDS, true_soon
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def post(desk: Desk, key: str, path: str, body: Any = None, **options: Any) -> httpx2.Response:
    sent = {"json": body} if body is not None else {}
    url = f"/v0/orgs/{desk.tenant.organization_id}{path}"
    headers = {**desk.api.headers, "Idempotency-Key": key}
    return await desk.api.client.post(url, headers=headers, **sent, **options)


async def posted(desk: Desk, key: str, path: str, body: Any = None, **options: Any) -> Json:
    response = await post(desk, key, path, body, **options)
    assert response.status_code < 300, response.text
    found: Json = response.json()
    return found


async def thread_of(desk: Desk) -> str:
    thread_id: str = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    return thread_id


async def test_a_repeated_message_is_one_turn_with_one_answer(desk: Desk) -> None:
    key, asked = new_id(), message("Hello", thread_id=await thread_of(desk))
    desk.script("Hello there.")
    first = await posted(desk, key, desk.path, asked)
    assert await posted(desk, key, desk.path, asked) == first
    streamed = await post(desk, key, desk.path, asked | {"stream": True})
    assert streamed.status_code == 422
    assert len(desk.provider.requests) == 1
    thread = await desk.api.get(f"{desk.path}/threads/{asked['thread_id']}")
    assert [turn["id"] for turn in thread["turns"]] == [first["turn"]]


async def test_a_message_repeated_while_it_is_worked_on_waits_for_the_same_turn(desk: Desk) -> None:
    key, asked = new_id(), message("Hello", thread_id=await thread_of(desk), stream=True)
    gate = desk.studio.hold_reply(after=1)
    desk.script("Hello there.")
    first = asyncio.create_task(post(desk, key, desk.path, asked))
    await gate.reached.wait()
    second = asyncio.create_task(post(desk, key, desk.path, asked))
    third = asyncio.create_task(post(desk, key, desk.path, asked))
    gate.opened.set()
    async with asyncio.timeout(SECONDS):
        answers = [data_of((await one).text)[-1] for one in (first, second, third)]
    assert answers[0]["type"] == "done"
    assert answers[1:] == [answers[0], answers[0]]
    assert len(desk.provider.requests) == 1


async def test_two_at_once_begin_one_turn(desk: Desk) -> None:
    key, asked = new_id(), message("Hello", background=True)
    desk.script("Hello there.")
    found = await asyncio.gather(*(posted(desk, key, desk.path, asked) for _ in range(5)))
    assert len({answer["turn"] for answer in found}) == 1
    await desk.until(found[0]["turn"], "completed")
    assert len(desk.provider.requests) == 1


async def test_an_answer_stays_the_first_one_whatever_came_later(desk: Desk) -> None:
    """The message waits for a yes; the yes was given; both are repeated."""
    tag, said, decided = f"tag {new_id()}", new_id(), new_id()
    asked = message("Make a tag")
    desk.script(say("creating", call("c0", "create_tag", name=tag)), "Made.")
    waits = await posted(desk, said, desk.path, asked)
    verdict = decision(waits, yes("c0"))
    done = await posted(desk, decided, f"{desk.path}/approve", verdict)
    assert (waits["state"], done["state"], done["text"]) == ("awaiting_approval", "completed", "Made.")
    assert await posted(desk, said, desk.path, asked) == waits
    assert await posted(desk, decided, f"{desk.path}/approve", verdict) == done
    assert (await desk.tags()).count(tag) == 1
    refused = await post(desk, new_id(), f"{desk.path}/approve", verdict)
    assert refused.status_code == 400


async def test_verdicts_in_our_own_words_and_as_a_stream(desk: Desk) -> None:
    key, asked = new_id(), message("Make a tag", stream=True)
    desk.script(say("creating", call("c0", "create_tag", name=f"tag {new_id()}")), "Made.")
    said = data_of((await post(desk, key, desk.path, asked)).text)
    waits = said[-1]["result"]
    verdict = {"approvals": [yes("c0")]}
    decided = new_id()
    first = await posted(desk, decided, f"/turns/{waits['turn']}/decide", verdict)
    await desk.until(waits["turn"], "completed")
    again = await posted(desk, decided, f"/turns/{waits['turn']}/decide", verdict)
    assert (again["id"], again["last_seq"]) == (first["id"], first["last_seq"])
    assert data_of((await post(desk, key, desk.path, asked)).text)[-1] == said[-1]


async def test_another_request_with_the_same_key_is_refused(desk: Desk) -> None:
    key = new_id()
    desk.script("Hello there.")
    await posted(desk, key, desk.path, message("Hello"))
    response = await post(desk, key, desk.path, message("Something else"))
    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["header", "Idempotency-Key"]
    assert len(desk.provider.requests) == 1


async def test_keys_of_other_organisations_and_routes_never_match(desk: Desk, own_desk: Desk) -> None:
    key, file = new_id(), {"name": "note.txt", "content": base64_of(b"A note")}
    here = await posted(desk, key, "/documents", {"documents": [file]})
    there = await posted(own_desk, key, "/documents", {"documents": [file]})
    assert here["documents"][0]["document_id"] != there["documents"][0]["document_id"]
    desk.script("Hello there.")
    assert (await posted(desk, key, desk.path, message("Hello")))["text"] == "Hello there."


async def test_a_refused_request_leaves_its_key_free(desk: Desk) -> None:
    key = new_id()
    refused = await post(desk, key, desk.path, message("Hello", selected_tools=["no_such_tool"]))
    assert refused.status_code == 400
    desk.script("Hello there.")
    assert (await posted(desk, key, desk.path, message("Hello")))["text"] == "Hello there."


async def test_a_repeated_upload_is_one_document(own_desk: Desk) -> None:
    key, other = new_id(), new_id()
    files = {"documents": [{"name": f"{n}.txt", "content": base64_of(b"note %d" % n)} for n in range(2)]}
    first = await posted(own_desk, key, "/documents", files)
    again = await posted(own_desk, key, "/documents", files)
    assert [one["document_id"] for one in again["documents"]] == [
        one["document_id"] for one in first["documents"]
    ]
    form: Json = {"files": {"file": ("big.txt", b"word " * 500_000)}, "data": {"tag_ids": "[]"}}
    sent = await posted(own_desk, other, "/documents/multipart", **form)
    at_once = await asyncio.gather(
        *(posted(own_desk, other, "/documents/multipart", **form) for _ in range(3))
    )
    assert {one["document"]["document_id"] for one in at_once} == {sent["document"]["document_id"]}
    form["files"] = {"file": ("big.txt", b"other " * 500_000)}
    assert (await post(own_desk, other, "/documents/multipart", **form)).status_code == 422
    assert (await own_desk.api.get("/documents", limit=100))["total_count"] == 4


async def prompt_of(desk: Desk) -> Json:
    schema = await desk.api.post("/schemas", {"name": f"s {new_id()}", "response_format": RESPONSE_FORMAT})
    body = {"name": f"p {new_id()}", "content": "Read it", "model": "gpt-4o-mini"}
    body |= {"schema_id": schema["schema_id"], "schema_version": schema["schema_version"]}
    found: Json = await desk.api.post("/prompts", body)
    return found


async def test_a_repeated_extraction_asks_the_model_once(desk: Desk) -> None:
    prompt, key = await prompt_of(desk), new_id()
    path = f"/llm/run/{desk.document_id}?prompt_revid={prompt['prompt_revid']}&force=true"
    desk.studio.provider.hold = asyncio.Event()
    desk.script('{"total": "99.50"}')
    running = [asyncio.create_task(posted(desk, key, path)) for _ in range(3)]
    await true_soon(lambda: bool(desk.provider.requests))
    desk.studio.provider.hold.set()
    found = await asyncio.gather(*running)
    assert len({one["result_id"] for one in found}) == 1
    assert await posted(desk, key, path) == found[0]
    assert len(desk.provider.requests) == 1
    revisions = await desk.api.get(
        f"/llm/result/{desk.document_id}/revisions", prompt_revid=prompt["prompt_revid"]
    )
    assert len(revisions["revisions"]) == 1


async def test_an_extraction_that_failed_can_be_sent_again(desk: Desk) -> None:
    prompt, key = await prompt_of(desk), new_id()
    path = f"/llm/run/{desk.document_id}?prompt_revid={prompt['prompt_revid']}"
    desk.script("No JSON at all.", "Still none.", "None.", "None.")
    assert (await post(desk, key, path)).status_code == 400
    desk.studio.reset()
    desk.script('{"total": "99.50"}')
    assert (await posted(desk, key, path))["status"] == "success"


async def test_repeated_jobs_and_runs_are_queued_once(desk: Desk) -> None:
    prompt, key = await prompt_of(desk), new_id()
    path = f"/llm/run/{desk.document_id}?prompt_revid={prompt['prompt_revid']}&background=true"
    desk.script('{"total": "99.50"}', '{"total": "99.50"}')
    assert await posted(desk, key, path) == await posted(desk, key, path)
    runs = f"/prompts/{(await prompt_of(desk))['prompt_id']}/runs"
    chosen = {"document_ids": [desk.document_id]}
    first = await posted(desk, key, runs, chosen)
    assert (await posted(desk, key, runs, chosen))["id"] == first["id"]
    assert (await desk.api.get(runs))["total_count"] == 1
    await true_soon(lambda: len(desk.provider.requests) == 2)


async def test_a_repeated_act_is_one_chat_and_a_repeated_yes_one_yes(scripted_desk: Desk) -> None:
    project = await ProjectDesk.at(scripted_desk)
    key, client = new_id(), project.api.client
    body = {"message": "create a document called 'Recipes'", "project_id": project.project_id}

    async def act(key: str, body: Json) -> httpx2.Response:
        headers = {**project.api.headers, "Idempotency-Key": key}
        return await client.post("/api/agent/act", headers=headers, json=body)

    await project.api.put("/llm/default_model", {"model": "docagent-offline"})
    first = await act(key, body)
    assert first.status_code == 200, first.text
    again = await asyncio.gather(*(act(key, body) for _ in range(3)))
    assert [one.json() for one in again] == [first.json()] * 3
    assert (await act(key, body | {"message": "another"})).status_code == 422
    assert len(await project.documents()) == 1
    chats = (await client.get("/api/chats", headers=project.api.headers)).json()
    assert len([one for one in chats if one["project_id"] == project.project_id]) == 1


async def test_a_message_that_is_worked_on_is_in_its_chat(scripted_desk: Desk) -> None:
    project = await ProjectDesk.at(scripted_desk)
    thread_id = await thread_of(project)
    gate = project.studio.hold_reply(after=1)
    turn_id = await project.begin("Hello", "Hello there.", thread_id=thread_id)
    await gate.reached.wait()
    path = f"/api/chats/{thread_id}/messages"

    async def said() -> list[tuple[str, str]]:
        found = (await project.api.client.get(path, headers=project.api.headers)).json()
        return [(one["role"], one["content"]) for one in found]

    assert await said() == [("user", "Hello")]
    gate.opened.set()
    await project.until(turn_id, "completed")
    assert await said() == [("user", "Hello"), ("assistant", "Hello there.")]


async def test_keys_are_forgotten_after_a_day(own_desk: Desk) -> None:
    key, files = new_id(), {"documents": [{"name": "n.txt", "content": base64_of(b"A note")}]}

    async def uploaded() -> str:
        found: str = (await posted(own_desk, key, "/documents", files))["documents"][0]["document_id"]
        return found

    first = await uploaded()
    await own_desk.services.housekeeping.sweep()
    assert await uploaded() == first
    async with own_desk.services.db.write_org(own_desk.tenant.organization_id) as tx:
        await tx.execute(sa.update(repeats).values(created_at=now() - KEPT))
    await own_desk.services.housekeeping.sweep()
    assert await uploaded() != first


@pytest.mark.parametrize("key", ["", "x" * 256])
async def test_a_key_must_be_a_short_text(own_desk: Desk, key: str) -> None:
    assert (await post(own_desk, key, "/documents", {"documents": []})).status_code == 422
