"""Chats about a project, as `/api/chats` and `/api/agent/act` keep them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tests.support.act import ActDesk, chat_of, decided
from tests.support.agent import Desk, add_member
from tests.support.models.provider import Refusal

RECIPES = "# Recipes\n\n## Breakfast\n\nEggs\n"


@pytest.fixture
async def act(scripted_desk: Desk) -> ActDesk:
    return await ActDesk.at(scripted_desk)


async def test_a_chat_is_used_again_only_for_its_own_project(act: ActDesk) -> None:
    first = await act.act("hi there", decided(conversational_response="Hello!"))
    again = await act.act("more", decided(conversational_response="More."), chat_id=chat_of(first))
    assert chat_of(again) == chat_of(first)
    other = await ActDesk.at(act.project)
    elsewhere = await other.act("hi", decided(conversational_response="Here."), chat_id=chat_of(first))
    assert chat_of(elsewhere) != chat_of(first)
    unknown = await act.act("hi", decided(conversational_response="New."), chat_id="feedfacefeedfacefeedface")
    assert chat_of(unknown) not in (chat_of(first), chat_of(elsewhere))
    assert await act.said(chat_of(first)) == [
        ("user", "hi there"),
        ("assistant", "Hello!"),
        ("user", "more"),
        ("assistant", "More."),
    ]
    assert (await act.get(f"/chats/{chat_of(first)}"))["title"] == "hi there"


async def test_a_chat_is_enough_to_say_which_project_is_meant_and_else_the_project_must_be_named(
    act: ActDesk,
) -> None:
    first = await act.act("hi", decided(conversational_response="Hello!"))
    again = await act.act(
        "more", decided(conversational_response="More."), chat_id=chat_of(first), project_id=None
    )
    assert chat_of(again) == chat_of(first)
    refused = await act.send("hi", project_id=None)
    assert refused.status_code == 400
    assert "project_id" in refused.json()["detail"]


async def test_a_message_and_its_reply_are_stored_together_or_not_at_all(act: ActDesk) -> None:
    first = await act.act("hi", decided(conversational_response="Hello!"))
    failed = await act.send("again", Refusal(401, {"error": {"message": "bad key"}}), chat_id=chat_of(first))
    assert failed.status_code == 502
    assert failed.json()["detail"]
    assert await act.said(chat_of(first)) == [("user", "hi"), ("assistant", "Hello!")]
    document = await act.project.add("Recipes", RECIPES)
    half = await act.send(
        "Add lunch",
        decided(should_edit=True, document_id=document["id"]),
        Refusal(401, {"error": {"message": "bad key"}}),
        chat_id=chat_of(first),
    )
    assert half.status_code == 502
    assert (await act.project.read(document))["version"] == 1
    assert len(await act.said(chat_of(first))) == 2
    await act.act("go on", decided(conversational_response="Yes."), chat_id=chat_of(first))
    assert len(await act.said(chat_of(first))) == 4


async def test_a_chat_that_is_busy_refuses_another_message_and_shows_the_one_it_works_on(
    act: ActDesk,
) -> None:
    first = await act.act("hi", decided(conversational_response="Hello!"))
    gate = act.project.studio.hold_reply()
    running = asyncio.create_task(
        act.send("slow", decided(conversational_response="At last."), chat_id=chat_of(first))
    )
    await gate.reached.wait()
    assert len(await act.said(chat_of(first))) == 3
    refused = await act.send("another", chat_id=chat_of(first))
    assert refused.status_code == 409
    gate.opened.set()
    assert (await running).status_code == 200
    assert [content for _, content in await act.said(chat_of(first))] == ["hi", "Hello!", "slow", "At last."]


async def test_a_colleague_shares_the_project_and_not_the_chat(act: ActDesk) -> None:
    mine = await act.act("my secret plan", decided(conversational_response="Noted."))
    colleague = await add_member(act.project)
    person = await act.project.services.identity.caller(bearer_of(colleague), None)
    organization = act.project.tenant.organization_id
    _, token = await act.project.services.tokens.create(person, "t", 0, organization)
    their_api = replace(act.project.api, headers={"Authorization": f"Bearer {token}"})
    theirs = ActDesk(replace(act.project, api=their_api))
    for method, path in (("GET", ""), ("GET", "/messages"), ("POST", "/messages")):
        body = {"content": "hello"} if method == "POST" else None
        answer = await theirs.call(method, f"/chats/{chat_of(mine)}{path}", json=body)
        assert answer.status_code == 404
    assert await theirs.get("/chats") == []
    acted = await theirs.act("hi", decided(conversational_response="Hello!"), chat_id=chat_of(mine))
    assert chat_of(acted) != chat_of(mine)
    assert "my secret plan" not in str(act.asked[-1])
    assert len(await act.said(chat_of(mine))) == 2


def bearer_of(desk: Desk) -> str:
    return desk.api.headers["Authorization"].removeprefix("Bearer ")


# --- limits -----------------------------------------------------------------------------------------------------


async def test_odd_messages_survive_and_wrong_ones_are_refused(act: ActDesk) -> None:
    for message in ("x" * 10_000, "?!§$%&/()=", "🙂", "{}", "</data>"):
        acted = await act.act(message, decided(conversational_response="Well."))
        assert (await act.said(chat_of(acted)))[0] == ("user", message)
    empty = await act.send("  ")
    assert empty.status_code == 400
    assert "empty" in empty.json()["detail"]
    wrong: list[dict[str, Any]] = [
        {"message": 5},
        {"message": None},
        {"message": "x" * 100_001},
        {"message": "a\x00b"},
        {"project_id": True},
        {"document_id": ["a"]},
        {"chat_id": {}},
    ]
    for body in wrong:
        response = await act.call(
            "POST", "/agent/act", json={"message": "hi", "project_id": act.project_id, **body}
        )
        assert response.status_code == 422, body
    numbered = await act.call("POST", "/agent/act", json={"message": "hi", "project_id": 5})
    assert numbered.status_code == 404, "a number is an id, of no project here"
    broken = await act.call("POST", "/agent/act", content=b"{", headers=act.project.api.headers)
    assert broken.status_code == 422
