"""What an `act` would take away waits on the server: a yes runs it once, a no drops it, a changed text voids it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.act import ActDesk, chat_of, decided
from tests.support.agent import Desk, Json, decision, no, yes

BUDGET = "# Budget\n\n## Rent\n\nOne thousand, every month.\n\n## Food\n\nThree hundred, every month.\n"
WITHOUT_FOOD = "# Budget\n\n## Rent\n\nOne thousand, every month.\n"


@pytest.fixture
async def act(scripted_desk: Desk) -> ActDesk:
    return await ActDesk.at(scripted_desk)


@pytest.fixture
async def budget(act: ActDesk) -> Json:
    return await act.project.add("Budget", BUDGET)


async def asked(act: ActDesk, budget: Json, **body: Any) -> Json:
    """Ask for a loss."""
    edit = decided(
        should_edit=True,
        document_id=budget["id"],
        intent_statement="I'll remove Food from the Budget document.",
    )
    return await act.act("Remove the food section", edit, WITHOUT_FOOD, **body)


async def text(act: ActDesk, budget: Json) -> str:
    content: str = (await act.project.read(budget))["content"]
    return content


async def test_a_loss_waits_with_its_diff_and_is_a_card_in_the_inbox(act: ActDesk, budget: Json) -> None:
    acted = await asked(act, budget)
    assert acted["document"] is None
    found = acted["agent_decision"]
    assert found["pending_confirmation"] is True
    assert "“Food”" in acted["chat_message"]["content"]
    assert acted["chat_message"]["content"] == found["confirmation_prompt"]
    (waiting,) = found["confirmations"]
    (change,) = waiting["preview"]["fields"]
    assert "## Food" in change["before"]
    assert "## Food" not in change["after"]
    (card,) = await act.waiting()
    assert (card["turn_id"], card["calls"][0]["id"]) == (waiting["turn_id"], waiting["call_id"])
    assert acted["chat_message"]["metadata"]["pending_confirmation"] is True
    assert await text(act, budget) == BUDGET


@pytest.mark.parametrize("word", ["yes", "Yes, go ahead!", "ok", "sure", "Proceed.", "do it please"])
async def test_a_yes_runs_it_once_without_the_model(act: ActDesk, budget: Json, word: str) -> None:
    acted = await asked(act, budget)
    calls = len(act.asked)
    done = await act.act(word, chat_id=chat_of(acted))
    assert len(act.asked) == calls
    assert done["document"]["content"] == WITHOUT_FOOD
    assert done["agent_decision"]["pending_confirmation"] is False
    assert done["chat_message"]["metadata"]["document_updated"] is True
    assert await act.waiting() == []
    said = await act.said(chat_of(acted))
    assert [role for role, _ in said] == ["user", "assistant", "user", "assistant"]
    assert said[2] == ("user", word)
    audit = (await act.project.api.get("/audit", project_id=act.project_id))["entries"]
    ran = next(entry for entry in audit if entry["tool"] == "rewrite_project_document")
    assert ran["grant"]["kind"] == "user"


async def test_two_yeses_at_once_run_it_once(act: ActDesk, budget: Json) -> None:
    acted = await asked(act, budget)
    answers = await asyncio.gather(*(act.send("yes", chat_id=chat_of(acted)) for _ in range(4)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses[0] == 200
    assert set(statuses) <= {200, 409, 503}
    assert (await act.project.read(budget))["version"] == 2


@pytest.mark.parametrize("word", ["no", "No, cancel that.", "cancel", "never mind", "don't"])
async def test_a_no_drops_it(act: ActDesk, budget: Json, word: str) -> None:
    acted = await asked(act, budget)
    left = await act.act(word, chat_id=chat_of(acted))
    assert left["document"] is None
    assert "left everything as it is" in left["chat_message"]["content"]
    assert await text(act, budget) == BUDGET
    assert await act.waiting() == []


async def test_a_yes_to_a_text_that_has_changed_since_is_void(act: ActDesk, budget: Json) -> None:
    acted = await asked(act, budget)
    changed = BUDGET + "\nAnd a note.\n"
    path = f"/projects/{act.project_id}/documents/{budget['id']}"
    await act.project.api.put(path, {"content": changed})
    void = await act.act("yes", chat_id=chat_of(acted))
    assert "has changed since" in void["chat_message"]["content"]
    assert void["document"] is None
    assert void["agent_decision"]["pending_confirmation"] is False
    assert await text(act, budget) == changed
    assert await act.waiting() == []
    assert (await act.said(chat_of(acted)))[2] == ("user", "yes")


async def test_another_message_drops_what_waits_and_is_answered(act: ActDesk, budget: Json) -> None:
    acted = await asked(act, budget)
    other = decided(conversational_response="Rent and food.")
    answered = await act.act("What is in it?", other, chat_id=chat_of(acted))
    assert answered["chat_message"]["content"] == "Rent and food."
    assert await act.waiting() == []
    assert await text(act, budget) == BUDGET
    later = await act.act("yes", decided(conversational_response="Yes to what?"), chat_id=chat_of(acted))
    assert later["chat_message"]["content"] == "Yes to what?"
    assert await text(act, budget) == BUDGET


async def test_a_yes_in_another_chat_is_no_yes(act: ActDesk, budget: Json) -> None:
    await asked(act, budget)
    await act.act("yes", decided(conversational_response="Yes to what?"))
    assert await text(act, budget) == BUDGET
    assert len(await act.waiting()) == 1


async def test_the_inbox_decides_the_same_object(act: ActDesk, budget: Json) -> None:
    for verdict, expected in ((no, BUDGET), (yes, WITHOUT_FOOD)):
        acted = await asked(act, budget)
        (waiting,) = acted["agent_decision"]["confirmations"]
        body = decision({"turn_id": waiting["turn_id"]}, verdict(waiting["call_id"]))
        await act.project.posted(f"{act.project.path}/approve", body)
        assert await text(act, budget) == expected
        said = await act.said(chat_of(acted))
        assert [role for role, _ in said] == ["user", "assistant", "assistant"]


async def test_what_the_model_wants_confirmed_waits_also_without_a_loss(act: ActDesk, budget: Json) -> None:
    """The model left the flag out, as the contract's own models do: the server holds the change all the same."""
    careful = decided(
        pending_confirmation=True,
        document_id=budget["id"],
        confirmation_prompt="I'll restructure the Budget document. Should I proceed?",
    )
    acted = await act.act("Restructure it", careful, BUDGET + "\n## Sums\n\nNone yet.\n")
    assert "I'll restructure the Budget document." in acted["chat_message"]["content"]
    assert await text(act, budget) == BUDGET
    assert len(await act.waiting()) == 1
    done = await act.act("go ahead", chat_id=chat_of(acted))
    assert "## Sums" in done["document"]["content"]


@pytest.mark.parametrize(
    "fields",
    [
        {"should_delete": True},
        {"pending_confirmation": True, "intent_statement": "I'll delete the Budget document."},
    ],
)
async def test_a_document_is_deleted_only_after_a_yes(
    act: ActDesk, budget: Json, fields: dict[str, Any]
) -> None:
    acted = await act.act("Delete it", decided(document_id=budget["id"], **fields))
    assert acted["agent_decision"]["should_delete"] is True
    assert acted["agent_decision"]["pending_confirmation"] is True
    assert "Delete document “Budget”" in acted["chat_message"]["content"]
    assert len(await act.project.documents()) == 1
    done = await act.act("yes", chat_id=chat_of(acted))
    assert done["document"] is None
    assert "deleted" in done["chat_message"]["content"]
    assert await act.project.documents() == []


async def test_a_rule_of_the_organisation_that_asks_or_denies_holds_for_an_act(
    act: ActDesk, budget: Json
) -> None:
    rule = {"effect": "ask", "tool": "rewrite_project_document", "scope": "everyone"}
    made = await act.project.api.post("/agent/rules", rule)
    edit = decided(should_edit=True, document_id=budget["id"])
    acted = await act.act("Add sums", edit, BUDGET + "\n## Sums\n\nNone yet.\n")
    assert acted["agent_decision"]["pending_confirmation"] is True
    await act.act("no", chat_id=chat_of(acted))
    await act.project.api.call("DELETE", f"/agent/rules/{made['id']}")
    await act.project.api.post("/agent/rules", {**rule, "effect": "deny"})
    denied = await act.act("Add sums", edit, BUDGET + "\n## Sums\n\nNone yet.\n")
    assert "does not allow" in denied["chat_message"]["content"]
    assert await text(act, budget) == BUDGET
