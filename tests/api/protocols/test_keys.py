"""Requests of AG-UI and of OpenAI's clients that are sent again with their Idempotency-Key: one effect, one answer."""

from __future__ import annotations

import asyncio

import httpx2

from docagent.domain.ids import new_id
from tests.api.loops.scenes import plan
from tests.api.protocols.test_ag_ui import answer, interrupts, run_input, thread_name
from tests.api.protocols.test_completions import asked
from tests.support.agent import OPENAI, Desk, Json, call, calls, data_of
from tests.support.polling import SECONDS
from tests.support.services.databases import on_each_database

pytestmark = on_each_database


async def sent(desk: Desk, path: str, key: str, body: Json) -> httpx2.Response:
    headers = {**desk.api.headers, "Idempotency-Key": key}
    return await desk.api.client.post(path, json=body, headers=headers)


async def ran(desk: Desk, key: str, body: Json) -> list[Json]:
    path = f"/v0/orgs/{desk.tenant.organization_id}{desk.path.replace('/chat', '/ag-ui')}"
    response = await sent(desk, path, key, body)
    assert response.status_code == 200, response.text
    return data_of(response.text)


async def test_a_repeated_run_is_one_turn(desk: Desk) -> None:
    key, body = new_id(), run_input("Hello", thread=thread_name())
    gate = desk.studio.hold_reply(after=1)
    desk.script("Hello there.")
    first = asyncio.create_task(ran(desk, key, body))
    await gate.reached.wait()
    second = asyncio.create_task(ran(desk, key, body))
    gate.opened.set()
    async with asyncio.timeout(SECONDS):
        ends = [(await first)[-1], (await second)[-1], (await ran(desk, key, body))[-1]]
    assert ends[0]["result"] == {"text": "Hello there."}
    assert ends[1:] == [ends[0], ends[0]]
    assert len(desk.provider.requests) == 1


async def test_repeated_verdicts_are_one_verdict(desk: Desk) -> None:
    """The run that waited and the verdict are repeated after all is done: each has its own answer."""
    thread, tag, asks, decides = thread_name(), f"tag {new_id()}", new_id(), new_id()
    question = run_input("Make it", thread=thread)
    desk.script(calls(call("w", "create_tag", name=tag)), "Made.")
    paused = await ran(desk, asks, question)
    verdict = run_input(thread=thread, resume=[answer(interrupts(paused)[0], {"approved": True})])
    done = await ran(desk, decides, verdict)
    assert done[-1]["result"] == {"text": "Made."}
    assert (await ran(desk, decides, verdict))[-1] == done[-1]
    assert (await ran(desk, asks, question))[-1] == paused[-1]
    assert (await desk.tags()).count(tag) == 1
    assert len(desk.provider.requests) == 2


async def test_repeated_answers_and_plans(desk: Desk) -> None:
    thread, key = thread_name(), new_id()
    desk.script(calls(call("q", "request_input", question="Which tag?")), "B it is.")
    (question,) = interrupts(await ran(desk, new_id(), run_input("Ask", thread=thread)))
    body = run_input(thread=thread, resume=[answer(question, "B")])
    first = await ran(desk, key, body)
    assert first[-1]["result"] == {"text": "B it is."}
    assert (await ran(desk, key, body))[-1] == first[-1]

    thread, key = thread_name(), new_id()
    terms = {"docagent": {"model": OPENAI, "loop_strategy": "plan-and-execute"}}
    desk.script(plan("tell"))
    (planned,) = interrupts(await ran(desk, new_id(), run_input("Go", thread=thread, forwardedProps=terms)))
    body = run_input(thread=thread, resume=[answer(planned, {"approved": False})], forwardedProps=terms)
    first = await ran(desk, key, body)
    assert (await ran(desk, key, body))[-1] == first[-1]
    other = run_input(thread=thread, resume=[answer(planned, {"approved": True})])
    path = f"/v0/orgs/{desk.tenant.organization_id}{desk.path.replace('/chat', '/ag-ui')}"
    assert (await sent(desk, path, key, other)).status_code == 422


async def test_a_repeated_completion_is_one_turn(own_desk: Desk) -> None:
    desk, path = own_desk, "/v1/chat/completions"
    await desk.api.put("/llm/default_model", {"model": OPENAI})
    options: list[Json] = [{}, {"stream": True, "stream_options": {"include_usage": True}}]
    for more in options:
        key, body = new_id(), asked(desk, **more)
        desk.studio.reset()
        desk.script("Hello there.")
        answers = [await sent(desk, path, key, body) for _ in range(2)]
        assert [one.status_code for one in answers] == [200, 200]
        assert answers[0].headers["X-Turn-Id"] == answers[1].headers["X-Turn-Id"]
        assert answers[0].text.count("Hello") == answers[1].text.count("Hello")
        assert len(desk.provider.requests) == 1
        refused = await sent(desk, path, key, asked(desk, "Something else", **more))
        assert (refused.status_code, "Idempotency-Key" in refused.text) == (422, True)


async def test_a_repeated_file_is_one_document(own_desk: Desk) -> None:
    headers = {**own_desk.api.headers, "Idempotency-Key": new_id()}
    form: Json = {"files": {"file": ("a.txt", b"A note")}, "data": {"purpose": "user_data"}}
    made = [(await own_desk.api.client.post("/v1/files", headers=headers, **form)).json() for _ in range(2)]
    assert made[0]["id"] == made[1]["id"]
