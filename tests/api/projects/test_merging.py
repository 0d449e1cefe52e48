"""Two people and the agent on one document: no edit is lost, and what clashes is shown."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.agent import Desk, Json, ProjectDesk, call, calls, yes
from tests.support.services.databases import on_each_database

PLAN = "# Plan\n\nWe begin in May.\n\n## Costs\n\nThe van is dear.\n\n## People\n\nAda and Bob.\n"


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    return await ProjectDesk.at(desk)


def path_of(document: Json) -> str:
    return f"/projects/{document['project_id']}/documents/{document['id']}"


async def put(project: ProjectDesk, document: Json, content: str, base: int) -> Json:
    """The answer to a save: the new version, or the refusal with its merge."""
    body = {"content": content, "base_version": base}
    response = await project.api.call("PUT", path_of(document), json=body)
    assert response.status_code in (200, 409), response.text
    answer: Json = response.json()
    return answer


@on_each_database
async def test_changes_of_other_lines_come_back_merged_and_are_saved_on_the_newest_version(
    project: ProjectDesk,
) -> None:
    plan = await project.add("Plan", PLAN)
    theirs = PLAN.replace("May", "June")
    await put(project, plan, theirs, 1)
    refused = await put(project, plan, PLAN.replace("dear", "cheap"), 1)
    both = theirs.replace("dear", "cheap")
    assert refused["detail"].startswith("“Plan” is at version 2, and this change is based on version 1.")
    assert refused["merge"] == {
        "base_version": 1,
        "version": 2,
        "clean": True,
        "content": both,
        "parts": None,
    }
    assert (await project.read(plan))["content"] == theirs
    made = await put(project, plan, refused["merge"]["content"], refused["merge"]["version"])
    assert (made["content"], made["version"]) == (both, 3)


@on_each_database
async def test_changes_of_the_same_lines_come_back_with_both_sides(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    await put(project, plan, PLAN.replace("May", "June").replace("Bob", "Cy"), 1)
    merge = (await put(project, plan, PLAN.replace("May", "July").replace("dear", "cheap"), 1))["merge"]
    assert (merge["clean"], merge["content"], merge["version"]) == (False, None, 2)
    before, clash, after = merge["parts"]
    assert before == {"text": "# Plan\n\n"}
    assert clash == {
        "base": "We begin in May.\n",
        "mine": "We begin in July.\n",
        "theirs": "We begin in June.\n",
    }
    assert "cheap" in after["text"]
    assert "Ada and Cy" in after["text"]


@on_each_database
@pytest.mark.parametrize(
    "body",
    [{"name": "Road map"}, {"standing_instruction": "Short."}, {"content": "x", "base_version": 9}],
    ids=["a name", "an instruction", "a version that is not there"],
)
async def test_there_is_no_merge_without_a_text_and_its_base(project: ProjectDesk, body: Json) -> None:
    plan = await project.add("Plan", PLAN)
    await put(project, plan, "Theirs", 1)
    response = await project.api.call("PUT", path_of(plan), json={"base_version": 1, **body})
    assert response.status_code == 409
    assert set(response.json()) == {"detail", "request_id"}


def change(name: str, id: str = "c1", **arguments: Any) -> Any:
    return call(id, f"{name}_project_document", document="Plan", **arguments)


@on_each_database
@pytest.mark.parametrize(
    "made",
    [
        change("edit", edits=[{"find": "dear", "replace": "cheap"}], base_version=1),
        change("edit", edits=[{"section": "Costs", "content": "The van is cheap."}], base_version=1),
        change("rewrite", content=PLAN.replace("dear", "cheap"), base_version=1),
    ],
    ids=["edit", "section", "rewrite"],
)
async def test_the_agent_s_change_of_other_lines_is_merged_and_its_preview_shows_the_result(
    project: ProjectDesk, made: Any
) -> None:
    plan = await project.add("Plan", PLAN)
    theirs = PLAN.replace("May", "June")
    await put(project, plan, theirs, 1)
    asked = await project.chat("Cheaper", calls(made))
    [waiting] = [
        item
        for item in (await project.api.get("/approvals", limit=100))["approvals"]
        if item["turn_id"] == asked["turn_id"]
    ]
    shown = waiting["calls"][0]["preview"]
    assert (shown["version_from"], shown["version_to"]) == (2, 3)
    assert shown["hunks"] == [{"line": 7, "removes": 1, "adds": 1}]
    await project.approve(asked, yes("c1"), answers=["Done."])
    assert (await project.read(plan))["content"] == theirs.replace("dear", "cheap")
    assert "merged with version 2" in project.told()[-1]["merged"]


@on_each_database
async def test_the_agent_s_change_of_the_same_lines_goes_back_to_it_without_a_card(
    project: ProjectDesk,
) -> None:
    plan = await project.add("Plan", PLAN)
    await put(project, plan, PLAN.replace("May", "June"), 1)
    old = change("edit", edits=[{"find": "May", "replace": "July"}], base_version=1)
    answer = await project.chat("July", calls(old), "I see.")
    assert answer["state"] == "completed"
    assert "is at version 2, and you give version 1" in project.told()[-1]["error"]
    assert (await project.read(plan))["version"] == 2


@on_each_database
async def test_a_card_whose_text_changed_meanwhile_shows_the_merge_before_it_runs(
    project: ProjectDesk,
) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat(
        "Cheaper", calls(change("rewrite", content=PLAN.replace("dear", "cheap"), base_version=1))
    )
    theirs = PLAN.replace("May", "June")
    await put(project, plan, theirs, 1)
    body = {"turn_id": asked["turn_id"], "approvals": [yes("c1")]}
    assert "changed after you opened it" in await project.api.refused(
        409, "POST", f"{project.path}/approve", body
    )
    assert (await project.read(plan))["content"] == theirs
    await project.approve(asked, yes("c1"), answers=["Done."])
    assert (await project.read(plan))["content"] == theirs.replace("dear", "cheap")


# --- random interleavings --------------------------------------------------------------------------------------------


@dataclass
class Person:
    """Writes marks into the text that they last read, and saves it later."""

    name: str
    text: str
    base: int
    unsaved: list[str] = field(default_factory=list)


@dataclass
class Story:
    project: ProjectDesk
    document: Json
    chance: random.Random
    number: int = 0
    saved: list[str] = field(default_factory=list)
    """Marks that the server took."""
    merged: int = 0
    clashed: int = 0

    def mark(self, who: str) -> str:
        self.number += 1
        return f"<{who}{self.number}>"

    def written(self, text: str, mark: str) -> str:
        """A mark at the end of a line, or on a line of its own."""
        lines = text.split("\n")
        place = self.chance.randrange(len(lines))
        if self.chance.random() < 0.5:
            lines[place] += mark
        else:
            lines.insert(place, mark)
        return "\n".join(lines)

    async def types(self, person: Person) -> None:
        mark = self.mark(person.name)
        person.text = self.written(person.text, mark)
        person.unsaved.append(mark)

    async def saves(self, person: Person) -> None:
        answer = await put(self.project, self.document, person.text, person.base)
        while "merge" in answer:
            merge = answer["merge"]
            self.merged += merge["clean"]
            self.clashed += not merge["clean"]
            person.text, person.base = merge["content"] or chosen(merge["parts"]), merge["version"]
            answer = await put(self.project, self.document, person.text, person.base)
        self.saved += person.unsaved
        person.unsaved.clear()
        person.text, person.base = answer["content"], answer["version"]

    async def agent_writes(self, reader: Person) -> None:
        """The agent changes a text that was read earlier; people may save while its card waits."""
        mark = self.mark("agent")
        id = f"c{self.number}"
        content = self.written(reader.text, mark)
        # What the person has not saved is not what the agent read.
        for unsaved in reader.unsaved:
            content = content.replace(unsaved, "")
        asked = await self.project.chat(
            "Write", calls(change("rewrite", id, content=content, base_version=reader.base)), "Done."
        )
        if asked["state"] == "completed":
            assert "you give version" in self.project.told()[-1]["error"]
            self.clashed += 1
            self.project.provider._answers.clear()
            return
        while self.chance.random() < 0.3:
            await self.saves(reader)
        body = {"turn_id": asked["turn_id"], "approvals": [yes(id)]}
        for _ in range(2):
            response = await self.project.api.call("POST", f"{self.project.path}/approve", json=body)
            if response.status_code == 200:
                break
            assert response.status_code == 409
        result = next(one for one in self.project.told() if one["call_id"] == id)
        if "error" in result:
            self.clashed += 1
        else:
            self.saved.append(mark)


def chosen(parts: list[Json]) -> str:
    """Both sides of what clashes, each on lines of its own."""
    text = ""
    for part in parts:
        if "text" in part:
            text += part["text"]
            continue
        mine = part["mine"]
        text += mine + ("\n" if mine and not mine.endswith("\n") else "") + part["theirs"]
    return text


@pytest.mark.parametrize("seed", range(6))
async def test_in_every_order_of_typing_saving_and_agent_s_changes_no_mark_is_lost(
    project: ProjectDesk, seed: int
) -> None:
    plan = await project.add("Plan", PLAN)
    story = Story(project, plan, random.Random(seed))
    people = [Person("ada", PLAN, 1), Person("bob", PLAN, 1)]
    for _ in range(25):
        person = story.chance.choice(people)
        match story.chance.choices(["types", "saves", "agent"], [5, 3, 2])[0]:
            case "types":
                await story.types(person)
            case "saves":
                await story.saves(person)
            case _:
                await story.agent_writes(person)
        now = (await project.read(plan))["content"]
        assert [mark for mark in story.saved if now.count(mark) < 1] == []
    for person in people:
        await story.saves(person)
    now = (await project.read(plan))["content"]
    assert [mark for mark in story.saved if mark not in now] == []
    assert (story.merged > 0, story.clashed > 0) == (True, True)
