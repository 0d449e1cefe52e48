"""`act` with the built-in model, which needs no key."""

from __future__ import annotations

import pytest

from tests.support.act import ActDesk, chat_of
from tests.support.agent import Desk

RECIPES = "# Recipes\n\n## Breakfast\n\nEggs\n\n## Lunch\n\nSoup\n"


@pytest.fixture
async def act(own_desk: Desk) -> ActDesk:
    return await ActDesk.at(own_desk)


async def test_it_creates_adds_answers_and_asks_before_it_takes_something_away(act: ActDesk) -> None:
    created = await act.act('Create a document called "Notes": Buy milk')
    assert (created["document"]["name"], created["document"]["content"].strip()) == ("Notes", "Buy milk")
    document = await act.project.add("Recipes", RECIPES)
    added = await act.act('Add "Bread" to the section Lunch of Recipes')
    assert added["document"]["id"] == document["id"]
    assert added["document"]["content"] == RECIPES + "\nBread\n"
    answered = await act.act("What does Recipes say about soup?")
    assert "Soup" in answered["chat_message"]["content"]
    assert answered["document"] is None
    greeted = await act.act("hello")
    assert greeted["document"] is None
    removed = await act.act("Remove the section Breakfast from Recipes")
    assert removed["agent_decision"]["pending_confirmation"] is True
    assert "“Breakfast”" in removed["chat_message"]["content"]
    done = await act.act("yes", chat_id=chat_of(removed))
    assert "## Breakfast" not in done["document"]["content"]
    gone = await act.act("Delete the document Notes")
    assert gone["agent_decision"]["should_delete"] is True
    await act.act("no", chat_id=chat_of(gone))
    assert {one["name"] for one in await act.project.documents()} == {"Notes", "Recipes"}


async def test_what_it_does_not_understand_changes_nothing(act: ActDesk) -> None:
    document = await act.project.add("Recipes", RECIPES)
    for message in ("Should we add bread?", "asdf qwer", "?!", "How warm is it?"):
        acted = await act.act(message)
        assert acted["document"] is None
        assert acted["chat_message"]["content"]
    assert (await act.project.read(document))["version"] == 1
