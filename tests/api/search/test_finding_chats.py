"""Finding one's own conversations about projects by what was said in them."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.services.search.finding import MOST_CHATS
from tests.support.agent import Desk, Json, ProjectDesk, add_member, call, calls, no
from tests.support.services.databases import on_each_database

EDIT = {"document": "Plan", "edits": [{"find": "May", "replace": "June"}], "reason": "It moved"}


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    return await ProjectDesk.at(desk)


async def thread(project: ProjectDesk, title: str = "Talk") -> str:
    return str((await project.posted(f"{project.path}/threads", {"title": title}))["thread_id"])


async def find(desk: Desk, words: str, **options: Any) -> list[Json]:
    found: list[Json] = (await desk.api.get("/projects/search", q=words, **options))["results"]
    return found


@on_each_database
async def test_what_was_asked_and_answered_is_found_once_for_each_conversation(project: ProjectDesk) -> None:
    talk = await thread(project)
    await project.chat("Where is the Zwetschge?", "In the garden of Müller.", thread_id=talk)
    await project.chat("And the zwetschge tree?", "Felled.", thread_id=talk)
    await project.add("Fruit", "Zwetschge")
    document, chat = await find(project, "zwetschge", project_id=project.project_id)
    assert (document["kind"], document["name"], document["thread_id"]) == ("document", "Fruit", None)
    assert (chat["kind"], chat["project_id"], chat["thread_id"]) == ("chat", project.project_id, talk)
    assert (chat["passage"], chat["document_id"]) == ("And the zwetschge tree?", None)
    assert [chat["passage"][hit["start"] : hit["end"]] for hit in chat["hits"]] == ["zwetschge"]
    [answered] = await find(project, "garden muller", kind="chat")
    assert answered["passage"] == "In the garden of Müller."
    assert [item["kind"] for item in await find(project, "zwetschge", kind="document")] == ["document"]
    [second] = await find(project, "zwetschge", project_id=project.project_id, skip=1, limit=1)
    assert second == chat


@on_each_database
async def test_neither_tools_nor_what_others_said_is_found(project: ProjectDesk) -> None:
    await project.add("Plan", "We begin in May, under the Lindwurm.")
    edit = call("c", "edit_project_document", **EDIT)
    waiting = await project.chat("Quittung moves", calls(edit), thread_id=await thread(project))
    await project.approve(waiting, no("c", "Not yet"), answers=["Kept."])
    assert await find(project, "edit_project_document", kind="chat") == []
    assert len(await find(project, "quittung", kind="chat")) == 1
    colleague = await add_member(project)
    assert await find(colleague, "quittung") == []
    assert [item["kind"] for item in await find(colleague, "begin lindwurm")] == ["document"]


@on_each_database
async def test_removed_conversations_and_replaced_messages_are_not_found(project: ProjectDesk) -> None:
    talk, other = await thread(project), await thread(project, "About the Mirabelle")
    await project.chat("The Kirsche first", "Well.", thread_id=talk)
    assert len(await find(project, "kirsche")) == 1
    await project.chat("The Pflaume instead", "Well.", thread_id=talk, truncate_thread_to_message_count=0)
    assert await find(project, "kirsche") == []
    assert len(await find(project, "pflaume")) == 1
    assert [item["thread_id"] for item in await find(project, "mirabelle")] == [other]
    await project.api.delete(f"{project.path}/threads/{talk}")
    assert await find(project, "pflaume") == []
    await project.api.delete(f"/projects/{project.project_id}")
    assert await find(project, "mirabelle") == []


@on_each_database
async def test_conversations_about_documents_are_not_among_them(desk: Desk) -> None:
    await desk.chat(
        "The Aprikose", "Well.", thread_id=(await desk.posted(f"{desk.path}/threads", {}))["thread_id"]
    )
    assert await find(desk, "aprikose") == []


async def test_only_the_newest_conversations_are_searched(project: ProjectDesk) -> None:
    await thread(project, "Quitte")
    for number in range(MOST_CHATS):
        await thread(project, f"Newer {number}")
    assert await find(project, "quitte") == []
