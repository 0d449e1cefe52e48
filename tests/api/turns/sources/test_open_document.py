"""What is meant in a project: the open document, documents named with @, and questions with choices."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.agent import Desk, Json, ProjectDesk, message, no, yes

BUILT_IN = "docagent-offline"
TEXT = "# {0}\n\n## Goals\n\n- one\n\n## Costs\n\nThe {0} costs 500.\n"


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    made = await ProjectDesk.at(desk)
    for name in ("acorn", "birch", "Old Oak", "New Oak"):
        await made.add(name, TEXT.format(name))
    return made


async def ids(project: ProjectDesk) -> dict[str, str]:
    listed = (await project.api.get(f"/projects/{project.project_id}/documents"))["documents"]
    return {item["name"]: item["id"] for item in listed}


async def say(project: ProjectDesk, text: str, opened: str | None = None, **options: Any) -> Json:
    """Say something to the built-in model, with a document open."""
    if opened is not None:
        options["open_document_id"] = (await ids(project))[opened]
    return await project.posted(project.path, {**message(text, **options), "model": BUILT_IN})


async def waits(project: ProjectDesk, turn: Json) -> Json:
    """What waits in a turn, as the inbox shows it."""
    found = (await project.api.get("/approvals", limit=100))["approvals"]
    [item] = [item for item in found if item["turn_id"] == turn["turn_id"]]
    return dict(item)


async def test_the_model_is_told_which_document_is_open_and_the_turn_keeps_it(project: ProjectDesk) -> None:
    known = await ids(project)
    turn_id = await project.begin("Shorten this", "Done.", open_document_id=known["birch"])
    await project.until(turn_id, "completed")
    system = project.system()
    assert "## Open document" in system
    told = system.split("## Open document")[1]
    assert f"birch (id {known['birch']}" in told.split("</data>")[0]
    assert told.index("Text of birch") < told.index("Text of acorn")
    started = (await project.events(turn_id))[0]
    assert started["open_document_id"] == known["birch"]
    assert "## Open document" not in await _system_without(project)


async def _system_without(project: ProjectDesk) -> str:
    await project.chat("Hello", "Hello.")
    return project.system()


async def test_an_open_document_must_be_one_of_the_project(project: ProjectDesk, desk: Desk) -> None:
    other = await ProjectDesk.at(desk)
    elsewhere = await other.add("Elsewhere", "x")
    gone = (await ids(project))["acorn"]
    await project.api.call("DELETE", f"/projects/{project.project_id}/documents/{gone}")
    for wrong in (elsewhere["id"], gone, "nonsense"):
        answer = await project.api.call("POST", project.path, json=message("Hi", open_document_id=wrong))
        assert answer.status_code == 404
        assert "The open document is not in this project" in answer.json()["detail"]
    refused = await desk.api.call("POST", desk.path, json=message("Hi", open_document_id=elsewhere["id"]))
    assert refused.status_code == 400
    assert "open_document_id is for conversations about a project" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("delete this document", "Delete document “birch”"),
        ("add a section Risks", "add “## Risks” at the end"),
        ("remove the Costs section", "remove section “Costs”"),
        ("rename it to Beech", "rename it to “Beech”"),
        ("put “the end” here", "add “the end” at the end"),
        ("change 500 to 600", "replace “500” with “600”"),
    ],
)
async def test_this_document_is_the_open_one(project: ProjectDesk, text: str, summary: str) -> None:
    asked = await say(project, text, "birch")
    assert asked["state"] == "awaiting_approval"
    [card] = (await waits(project, asked))["calls"]
    assert summary in card["summary"]
    assert "birch" in card["summary"]
    await project.approve(asked, no(card["id"]))


async def test_a_living_document_is_named_with_at(project: ProjectDesk, desk: Desk) -> None:
    known = await ids(project)
    named: Json = {"mentions": [{"type": "living_document", "id": known["acorn"]}]}
    await project.chat("What does @acorn cost?", "500.", **named)
    assert "The living document that the user named: acorn" in project.system()
    assert "The acorn costs 500." in project.system().split("that the user named: acorn")[1]
    asked = await say(project, "remove the Costs section of @acorn", **named)
    [card] = (await waits(project, asked))["calls"]
    assert "“acorn”" in card["summary"]
    await project.approve(asked, no(card["id"]))
    missing = await desk.api.call("POST", desk.path, json=message("Hi", **named))
    assert missing.status_code == 404
    assert missing.json()["detail"].startswith("Mentioned living document not found")


@pytest.mark.parametrize(
    ("text", "question", "choices", "answer", "meant"),
    [
        (
            "delete acron",
            "There is no document called “acron”. Did you mean “acorn”?",
            ["acorn"],
            "acorn",
            "Delete document “acorn”",
        ),
        ("delete acron", None, ["acorn"], "yes", "Delete document “acorn”"),
        ("add “x” to Oak", "Which document do you mean?", ["New Oak", "Old Oak"], "Old Oak", "“Old Oak”"),
        ("add “x” to Oak", None, ["New Oak", "Old Oak"], "neither", None),
    ],
)
async def test_what_is_not_clear_is_asked_with_choices(
    project: ProjectDesk, text: str, question: str | None, choices: list[str], answer: str, meant: str | None
) -> None:
    asked = await say(project, text)
    assert asked["state"] == "awaiting_input"
    shown = await waits(project, asked)
    assert shown["choices"] == choices
    assert question in (None, shown["question"])
    given = await project.api.call("POST", f"/turns/{asked['turn_id']}/answer", json={"text": answer})
    assert given.status_code == 202
    turn = await project.until(asked["turn_id"], "awaiting_approval", "completed")
    if meant is None:
        assert turn["state"] == "completed"
        return
    [card] = (await waits(project, asked))["calls"]
    assert meant in card["summary"]
    await project.approve(asked, no(card["id"]))


async def test_changes_of_several_documents_are_one_batch_and_told_from_the_log(project: ProjectDesk) -> None:
    thread = (await project.api.post(f"{project.path}/threads", {}))["thread_id"]
    here = {"thread_id": thread}
    asked = await say(
        project,
        "rename birch to Beech, remove the Costs section from acorn and create a document called Elm",
        **here,
    )
    cards = (await waits(project, asked))["calls"]
    assert len(cards) == 3
    done = await project.approve(asked, *(yes(card["id"]) for card in cards), thread_id=thread)
    assert done["text"] == (
        "Renamed “birch” to “Beech”.\n\nRemoved the section “Costs” from “acorn”, now version 2.\n\n"
        "Created the empty document “Elm”."
    )
    told = await say(project, "what did you change?", **here)
    for line in (
        "- Renamed “birch” to “Beech”.",
        "- Removed the section “Costs” from “acorn”",
        "- Created the empty document “Elm”.",
    ):
        assert line in told["text"]
    undone = await say(project, "undo the last change", **here)
    [card] = (await waits(project, undone))["calls"]
    assert "Delete document “Elm”" in card["summary"]
    await project.approve(undone, yes(card["id"]), thread_id=thread)
    assert "Elm" not in await ids(project)
