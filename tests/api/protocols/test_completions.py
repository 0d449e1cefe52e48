"""The agent as a model of OpenAI's API: answers whole and in chunks, what waits in words, errors in its shape."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.ids import new_id
from docagent.domain.models.llm import Usage
from tests.api.turns.test_leaving import impatient
from tests.support.accounts import new_person, set_members
from tests.support.agent import OPENAI, Desk, Json, ProjectDesk, Studio, call, calls, say
from tests.support.models.provider import Answer, Refusal
from tests.support.polling import SECONDS


@pytest.fixture
async def desk(own_desk: Desk) -> Desk:
    """A desk whose organisation has the scripted provider's model as its default."""
    await own_desk.api.put("/llm/default_model", {"model": OPENAI})
    return own_desk


def about(desk: Desk) -> str:
    if isinstance(desk, ProjectDesk):
        return f"docagent/project/{desk.project_id}"
    return f"docagent/document/{desk.document_id}"


async def post(desk: Desk, body: Json) -> httpx2.Response:
    return await desk.api.client.post("/v1/chat/completions", json=body, headers=desk.api.headers)


def asked(desk: Desk, text: str = "Hello", **more: Any) -> Json:
    return {"model": about(desk), "messages": [{"role": "user", "content": text}], **more}


async def whole(desk: Desk, text: str, *answers: Answer, **more: Any) -> Json:
    desk.script(*answers)
    response = await post(desk, asked(desk, text, **more))
    assert response.status_code == 200, response.text
    assert not desk.provider._answers
    body: Json = response.json()
    return body


async def chunks(desk: Desk, text: str, *answers: Answer, **more: Any) -> list[Json]:
    desk.script(*answers)
    response = await post(desk, asked(desk, text, stream=True, **more))
    assert response.status_code == 200, response.text
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines]


def content(parts: list[Json]) -> str:
    return "".join(part["choices"][0]["delta"].get("content", "") for part in parts if part["choices"])


def error(response: httpx2.Response, status: int) -> Json:
    """What OpenAI's clients read of a refusal, beside what ours read."""
    assert response.status_code == status, response.text
    body: Json = response.json()
    assert body["request_id"] == response.headers["x-request-id"]
    found: Json = body["error"]
    assert set(found) == {"message", "type", "param", "code"}
    assert isinstance(found["message"], str)
    return found


async def test_an_answer_is_a_completion(desk: Desk) -> None:
    reply = make_reply("Fine, thanks.", usage=Usage(input_tokens=21, output_tokens=4))
    answer = await whole(desk, "How are you?", reply)
    assert answer["object"] == "chat.completion"
    assert answer["model"] == about(desk)
    (choice,) = answer["choices"]
    assert choice["message"] == {"role": "assistant", "content": "Fine, thanks.", "refusal": None}
    assert choice["finish_reason"] == "stop"
    assert answer["usage"] == {"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25}


async def test_chunks_say_what_the_whole_answer_says(desk: Desk) -> None:
    def replies() -> tuple[Answer, ...]:
        return say("Let me look.", call("r", "list_tags"), thinking="Hm."), say("None.")

    answer = await whole(desk, "Which tags?", *replies())
    parts = await chunks(desk, "Which tags?", *replies(), stream_options={"include_usage": True})
    message = answer["choices"][0]["message"]
    assert message["content"] == content(parts) == "Let me look.\n\nNone."
    assert message["reasoning_content"] == "Hm."
    assert parts[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    *_, last, counted = parts
    assert last["choices"][0]["finish_reason"] == "stop"
    assert (counted["choices"], counted["usage"]) == ([], answer["usage"])
    assert all("usage" not in part for part in parts[:-1])
    assert len({part["id"] for part in parts}) == 1


async def test_earlier_messages_are_the_history_and_instructions_are_left_out(desk: Desk) -> None:
    desk.script("Ada.")
    messages = [
        {"role": "system", "content": "Speak like a pirate."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "I am Ada."}, {"type": "image_url", "image_url": {}}],
        },
        {"role": "assistant", "content": "Hello Ada."},
        {"role": "user", "content": [{"type": "text", "text": "Who am I?"}]},
    ]
    response = await post(desk, {"model": about(desk), "messages": messages})
    assert response.status_code == 200, response.text
    told = [item["content"] for item in desk.asked()["messages"] if item["role"] != "system"]
    assert told == ["I am Ada.", "Hello Ada.", "Who am I?"]
    assert "pirate" not in desk.system()


@pytest.mark.parametrize("stream", [False, True])
async def test_what_waits_is_told_in_words_with_the_place_to_decide(desk: Desk, stream: bool) -> None:
    tag = f"tag {new_id()}"
    reply = say("I would make it.", call("w", "create_tag", name=tag))
    if stream:
        text = content(await chunks(desk, "Make it", reply))
    else:
        text = (await whole(desk, "Make it", reply))["choices"][0]["message"]["content"]
    inbox = f"{desk.api.client.base_url}/orgs/{desk.tenant.organization_id}/inbox".replace("//orgs", "/orgs")
    assert text.startswith("I would make it.\n\nThis waits for your approval:\n- ")
    assert tag in text
    assert text.endswith(f"Decide here: {inbox}")
    assert tag not in await desk.tags()
    (waiting,) = (await desk.api.get("/approvals"))["approvals"]
    done = await desk.approve(waiting, {"call_id": "w", "approved": True}, answers=["Made."])
    assert done["text"] == "Made."
    assert tag in await desk.tags()


async def test_a_question_is_told_in_words(desk: Desk) -> None:
    asks = calls(call("q", "request_input", question="Which tag?", choices=["A", "B"]))
    text = (await whole(desk, "Ask", asks))["choices"][0]["message"]["content"]
    assert text.startswith("Which tag?\n- A\n- B\n\nAnswer here: http")


async def test_a_project_is_a_model_too(desk: Desk) -> None:
    project = await ProjectDesk.at(desk)
    answer = await whole(project, "Hello", "Hi.")
    assert answer["model"] == f"docagent/project/{project.project_id}"


async def test_the_models_are_the_organisations_documents_and_projects(desk: Desk, studio: Studio) -> None:
    project = await ProjectDesk.at(desk)
    client, headers = desk.api.client, desk.api.headers
    listed = (await client.get("/v1/models", headers=headers)).json()
    assert listed["object"] == "list"
    assert {model["id"] for model in listed["data"]} == {about(desk), about(project), "docagent"}
    assert {model["owned_by"] for model in listed["data"]} == {desk.tenant.organization_id}
    made = [model["created"] for model in listed["data"]]
    assert made == sorted(made, reverse=True)
    one = (await client.get(f"/v1/models/{about(project)}", headers=headers)).json()
    assert one in listed["data"]
    other = await studio.new_desk()
    foreign = await client.get(f"/v1/models/{about(desk)}", headers=other.api.headers)
    error(foreign, 404)


async def test_refusals_have_openais_shape(desk: Desk, studio: Studio) -> None:
    client = desk.api.client
    stranger = await client.post("/v1/chat/completions", json=asked(desk))
    assert error(stranger, 401)["type"] == "authentication_error"
    nobody = {"Authorization": "Bearer wrong"}
    error(await client.get("/v1/models", headers=nobody), 401)
    other = await studio.new_desk()
    error(await post(other, asked(desk)), 404)
    for name in ("gpt-4o", "docagent/document/", f"docagent/tag/{new_id()}", f"docagent/document/{new_id()}"):
        assert error(await post(desk, asked(desk) | {"model": name}), 404)["type"] == "invalid_request_error"
    missing = error(await post(desk, {"model": about(desk)}), 422)
    assert missing["message"].startswith("messages: ")
    function = {"type": "function", "function": {"name": "f", "parameters": {}}}
    assert "Leave out `tools`" in error(await post(desk, asked(desk, tools=[function])), 400)["message"]
    json_wanted = asked(desk, response_format={"type": "json_object"})
    assert "response_format" in error(await post(desk, json_wanted), 400)["message"]
    last = asked(desk) | {"messages": [{"role": "assistant", "content": "Hi"}]}
    error(await post(desk, last), 400)
    picture = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
    seen = asked(desk) | {"messages": [{"role": "user", "content": picture}]}
    assert "Only text" in error(await post(desk, seen), 400)["message"]
    error(await client.get("/v1/nothing", headers=desk.api.headers), 404)


async def test_a_body_is_read_only_for_those_who_may_call(desk: Desk) -> None:
    headers = {"Content-Type": "application/json"}
    response = await desk.api.client.post("/v1/chat/completions", content=b"{", headers=headers)
    error(response, 401)
    error(
        await desk.api.client.post("/v1/chat/completions", content=b"{", headers=desk.api.headers | headers),
        422,
    )


async def test_a_turn_that_fails_is_an_error(desk: Desk) -> None:
    refused = Refusal(400, {"error": {"message": "No."}})
    desk.script(refused)
    error(await post(desk, asked(desk)), 400)
    desk.script(refused)
    response = await post(desk, asked(desk, stream=True))
    last = [line for line in response.text.splitlines() if line][-1]
    told = json.loads(last.removeprefix("data: "))["error"]
    assert (told["type"], told["code"]) == ("invalid_request_error", "model_bad_request")


async def test_somebody_who_left_is_told_so_and_reaches_nothing_more(desk: Desk, studio: Studio) -> None:
    person = await new_person(studio.product)
    await set_members(studio.product, desk.tenant, Membership(person.id, Role.USER))
    token = await desk.as_member(person.headers).api.post("/access_tokens", {"name": "mine", "lifetime": 1})
    colleague = desk.as_member({"Authorization": f"Bearer {token['token']}"})
    gate = studio.hold_reply()
    desk.script("Said to the end.")
    async with asyncio.timeout(SECONDS):
        answering = asyncio.create_task(post(colleague, asked(desk)))
        await gate.reached.wait()
        await set_members(studio.product, desk.tenant)
        gate.opened.set()
        assert error(await answering, 403)["type"] == "permission_error"
    assert (await post(colleague, asked(desk))).status_code in (401, 403)


async def test_closing_a_stream_stops_the_turn(desk: Desk, studio: Studio) -> None:
    studio.hold_reply()
    desk.script("Said to the end.")
    async with asyncio.timeout(SECONDS), impatient(desk) as there:
        body = asked(desk, stream=True)
        async with there.api.client.stream(
            "POST", "/v1/chat/completions", json=body, headers=there.api.headers
        ) as response:
            await anext(response.aiter_lines())
            turn_id = response.headers["x-turn-id"]
        await desk.until(turn_id, "stopped")
