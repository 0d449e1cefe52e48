"""What others are told of living documents: by hand, by the agent, by undo; once each, and never a text."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from docagent.domain.deliveries.notices import Notice, NoticeKind, notice_json
from docagent.domain.projects.projects import Changes
from tests.support.agent import Desk, Json, ProjectDesk, call, calls, say, yes
from tests.support.polling import true_soon

TEXT = "The secret sum is 4711."
OTHER = "The secret sum is 4712."
LIVING = [kind for kind in NoticeKind if kind.startswith("living_document_")]


@dataclass
class Heard:
    """What a webhook is sent and a subscriber of the bus hears, in the order of the changes."""

    desk: ProjectDesk
    webhook_id: str
    notices: list[Notice] = field(default_factory=list)

    async def hear(self, notice: Notice) -> None:
        if notice.organization_id == self.desk.tenant.organization_id:
            self.notices.append(notice)

    async def told(self) -> list[Json]:
        """The same on both ways, without the prefix of the events."""
        listed = await self.desk.api.get(f"/webhooks/{self.webhook_id}/deliveries", limit=100)
        bodies = [item["body"] for item in reversed(listed["deliveries"])]
        await true_soon(lambda: len(self.notices) >= len(bodies))
        sent = [json.loads(body) for body in bodies]
        assert [item["event"] for item in sent] == [notice.kind for notice in self.notices]
        for item, notice in zip(sent, self.notices, strict=True):
            assert set(item["data"]) == set(notice_json(notice))
        assert "secret sum" not in json.dumps(sent)
        return [{"event": item["event"].removeprefix("living_document_"), **item["data"]} for item in sent]

    async def names(self) -> list[str]:
        return [item["event"] for item in await self.told()]


@pytest.fixture
async def project(own_desk: Desk) -> ProjectDesk:
    return await ProjectDesk.at(own_desk)


@pytest.fixture
async def heard(project: ProjectDesk) -> Heard:
    made = await project.api.post("/webhooks", {"url": "https://hooks.example/", "events": LIVING})
    heard = Heard(project, made["id"])
    project.services.bus.subscribe(heard.hear, *LIVING)
    return heard


def path(project: ProjectDesk, document: Json, rest: str = "") -> str:
    return f"/projects/{project.project_id}/documents/{document['id']}{rest}"


async def test_what_people_do_is_told_once(project: ProjectDesk, heard: Heard) -> None:
    made = await project.add("Plan", TEXT)
    where = path(project, made)
    await project.api.put(where, {"content": OTHER, "base_version": 1})
    await project.api.put(where, {"content": OTHER, "base_version": 2})  # nothing differs
    await project.api.put(where, {"name": "Road map", "base_version": 2})
    await project.api.put(where, {"standing_instruction": "Be brief.", "base_version": 3})
    await project.api.put(where, {"name": "Both", "content": TEXT, "base_version": 4})
    await project.api.post(f"{where}/restore", {"version": 2, "base_version": 5})
    await project.api.delete(where)
    await project.api.post(f"{where}/undelete", {})
    await project.api.post(f"{where}/undelete", {})  # it is back already
    await project.api.refused(409, "PUT", where, {"content": "x", "base_version": 1})
    await project.api.refused(400, "POST", f"/projects/{project.project_id}/documents", {"name": "both"})

    told = await heard.told()
    assert [(item["event"], item["version"], item["name"]) for item in told] == [
        ("created", 1, "Plan"),
        ("changed", 2, "Plan"),
        ("renamed", 3, "Road map"),
        ("changed", 4, "Road map"),
        ("renamed", 5, "Both"),
        ("changed", 5, "Both"),
        ("restored", 6, "Both"),
        ("deleted", 6, "Both"),
        ("restored", 6, "Both"),
    ]
    assert [item["former_name"] for item in told if item["event"] == "renamed"] == ["Plan", "Road map"]
    assert [item["restored_version"] for item in told if item["event"] == "restored"] == [2, None]
    for item in told:
        assert item["organization_id"] == project.tenant.organization_id
        assert (item["project_id"], item["living_document_id"]) == (project.project_id, made["id"])
        assert (item["author"], item["user_id"], item["turn_id"]) == ("user", project.tenant.user_id, None)


async def test_a_move_and_a_copy_are_told_to_both_projects(project: ProjectDesk, heard: Heard) -> None:
    made = await project.add("Plan", TEXT)
    other = (await project.api.post("/projects", {"name": "Elsewhere"}))["id"]
    copied = await project.api.post(path(project, made, "/copy"), {"project_id": other, "name": "Copy"})
    await project.api.post(path(project, made, "/move"), {"project_id": other})
    await project.api.refused(404, "POST", path(project, copied, "/move"), {"project_id": "0" * 24})
    here = project.project_id
    assert [(item["event"], item["project_id"], item["name"]) for item in await heard.told()] == [
        ("created", here, "Plan"),
        ("created", other, "Copy"),
        ("deleted", here, "Plan"),
        ("created", other, "Plan"),
    ]


def by_agent(name: str, /, **arguments: Any) -> Any:
    return calls(call("c", name, **arguments))


async def test_what_the_agent_does_is_told_and_so_is_its_undoing(project: ProjectDesk, heard: Heard) -> None:
    _, listed, _ = [await project.add(name, TEXT) for name in ("Plan", "List", "Diary")]
    await project.api.put(path(project, listed), {"content": OTHER, "base_version": 1})
    acts = [
        by_agent("create_project_document", name="Notes", content=TEXT),
        by_agent("edit_project_document", document="Plan", edits=[{"find": "4711", "replace": "4712"}]),
        by_agent("update_project_document", document="List", name="Road map"),
        by_agent("restore_project_version", document="Road map", version=1),
        by_agent("delete_project_document", document="Diary"),
    ]
    turns = []
    for act in acts:
        turn = await project.chat("Do it", act)
        await project.approve(turn, yes("c"), answers=[say("Done.")])
        turns.append(turn["turn_id"])
    undone = [turns[4], turns[3], turns[1], turns[0]]
    for turn_id in undone:
        await project.api.post(f"/turns/{turn_id}/undo", {"call_id": "c"})

    told = (await heard.told())[4:]
    assert [(item["event"], item["author"], item["version"], item["name"]) for item in told] == [
        ("created", "agent", 1, "Notes"),
        ("changed", "agent", 2, "Plan"),
        ("renamed", "agent", 3, "Road map"),
        ("restored", "agent", 4, "Road map"),
        ("deleted", "agent", 1, "Diary"),
        ("restored", "user", 1, "Diary"),
        ("changed", "user", 5, "Road map"),
        ("changed", "user", 3, "Plan"),
        ("deleted", "user", 1, "Notes"),
    ]
    assert [item["turn_id"] for item in told] == [*turns, *undone]
    assert {item["user_id"] for item in told} == {project.tenant.user_id}


async def test_a_project_takes_its_documents_along(project: ProjectDesk, heard: Heard) -> None:
    gone, plan = await project.add("Gone", TEXT), await project.add("Plan", TEXT)
    notes = await project.add("Notes", TEXT)
    await project.api.delete(path(project, gone))
    await project.api.delete(f"/projects/{project.project_id}")
    await project.api.post(f"/projects/{project.project_id}/undelete", {})
    await project.api.post(f"/projects/{project.project_id}/undelete", {})
    told = (await heard.told())[4:]
    assert [(item["event"], item["living_document_id"]) for item in told] == [
        ("deleted", notes["id"]),
        ("deleted", plan["id"]),
        ("restored", notes["id"]),
        ("restored", plan["id"]),
    ]


async def test_what_is_undone_with_its_transaction_is_not_told(project: ProjectDesk, heard: Heard) -> None:
    made = await project.add("Plan", TEXT)
    services, member = project.services, project.tenant.member

    async def broken_call() -> None:
        await services.living_documents.create(member, project.project_id, "Never", TEXT)
        await services.living_documents.change(
            member, project.project_id, made["id"], Changes("Other", OTHER), base_version=1
        )
        await services.living_documents.delete(member, project.project_id, made["id"])
        raise RuntimeError

    async with services.db.write_org(member.organization_id) as tx:
        with tx.joined():
            with pytest.raises(RuntimeError):
                async with tx.savepoint():
                    await broken_call()
            await services.living_documents.create(member, project.project_id, "Kept", TEXT)
    assert [(item["event"], item["name"]) for item in await heard.told()] == [
        ("created", "Plan"),
        ("created", "Kept"),
    ]


async def test_a_call_that_is_turned_down_tells_nothing(project: ProjectDesk, heard: Heard) -> None:
    await project.add("Plan", TEXT)
    turn = await project.chat("Empty it", by_agent("delete_project_document", document="Plan"))
    refusal = {"call_id": "c", "approved": False}
    await project.approve(turn, refusal, answers=[say("As you like.")])
    assert await heard.names() == ["created"]
