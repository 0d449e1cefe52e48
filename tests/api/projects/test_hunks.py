"""Hunks: a person accepts some parts of a change. They become one version, and the model is told of the others."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from docagent.store.tables import turn_events
from tests.support.agent import Desk, Json, ProjectDesk, call, calls, no, yes

PLAN = "# Plan\n\nWe begin in May.\n\n## Costs\n\nThe van is dear.\n\n## People\n\nAda and Bob.\n"
NEW = PLAN.replace("May", "June").replace("dear", "cheap").replace("Ada and Bob", "Ada, Bob and Cy")
EDITS = [
    {"find": "May", "replace": "June"},
    {"section": "Costs", "content": "The van is cheap."},
    {"find": "Ada and Bob", "replace": "Ada, Bob and Cy"},
]
PARTS = [("May", "June"), ("dear", "cheap"), ("Ada and Bob", "Ada, Bob and Cy")]


def edit(id: str = "c1", edits: list[Json] = EDITS, **more: Any) -> Any:
    return call(id, "edit_project_document", document="Plan", edits=edits, **more)


def rewrite(id: str = "c1", content: str = NEW) -> Any:
    return call(id, "rewrite_project_document", document="Plan", content=content, base_version=1)


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    return await ProjectDesk.at(desk)


async def preview(project: ProjectDesk, turn: Json, call_id: str = "c1") -> Json:
    waiting = (await project.api.get("/approvals", limit=100))["approvals"]
    [item] = [item for item in waiting if item["turn_id"] == turn["turn_id"]]
    [found] = [one["preview"] for one in item["calls"] if one["id"] == call_id]
    shown: Json = found
    return shown


async def refused(project: ProjectDesk, status: int, turn: Json, *verdicts: Json) -> str:
    body = {"turn_id": turn["turn_id"], "approvals": list(verdicts)}
    said: str = await project.api.refused(status, "POST", f"{project.path}/approve", body)
    return said


async def save(project: ProjectDesk, document: Json, content: str) -> None:
    await project.api.put(f"/projects/{project.project_id}/documents/{document['id']}", {"content": content})


@pytest.mark.parametrize("change", [edit(), rewrite()], ids=["edit", "rewrite"])
@pytest.mark.parametrize("accepted", [[1], [2, 0], [0, 0]])
async def test_what_is_accepted_becomes_one_version_and_the_model_is_told_what_is_not(
    project: ProjectDesk, change: Any, accepted: list[int]
) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("Improve it", calls(change))
    shown = await preview(project, asked)
    assert shown["hunks"] == [{"line": line, "removes": 1, "adds": 1} for line in (3, 7, 11)]
    await project.approve(asked, yes("c1", hunks=accepted), answers=["Done."])
    expected = PLAN
    for number in accepted:
        expected = expected.replace(*PARTS[number])
    made = await project.read(plan)
    assert (made["content"], made["version"], made["author"]) == (expected, 2, "agent")
    count = len(set(accepted))
    assert made["reason"].endswith(f"({count} of 3 changes accepted)")
    [told] = project.told()
    assert told["message"].startswith(f"The user accepted {count} of 3 changes.")
    left = [(part["line"], part["stays"], part["instead_of"]) for part in told["not_accepted"]]
    lines, after = PLAN.splitlines(keepends=True), NEW.splitlines(keepends=True)
    assert left == [
        (line, lines[line - 1], after[line - 1])
        for number, line in enumerate((3, 7, 11))
        if number not in accepted
    ]
    await project.api.post(f"/turns/{asked['turn_id']}/undo", {"call_id": "c1"})
    assert (await project.read(plan))["content"] == PLAN


async def test_all_of_them_are_the_whole_change_and_none_is_a_rejection(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("Improve it", calls(edit()))
    await project.approve(asked, yes("c1", hunks=[], reason="Not now"), answers=["As you like."])
    assert (await project.read(plan))["content"] == PLAN
    [told] = project.told()
    assert (told["error"], told["reason"]) == ("User rejected this action.", "Not now")
    asked = await project.chat("Once more", calls(edit("c2")))
    await project.approve(asked, yes("c2", hunks=[0, 1, 2]), answers=["Done."])
    assert (await project.read(plan))["content"] == NEW
    assert "not_accepted" not in project.told()[-1]


async def test_hunks_that_are_not_there_are_refused_and_the_card_goes_on_waiting(
    project: ProjectDesk,
) -> None:
    plan = await project.add("Plan", PLAN)
    rename = call("c2", "update_project_document", document="Plan", name="Road map")
    asked = await project.chat("Improve it", calls(edit(), rename))
    assert "3 hunks, numbered from 0" in await refused(project, 400, asked, yes("c1", hunks=[0, 3]))
    assert "as a whole" in await refused(project, 400, asked, yes("c2", hunks=[0]))
    both = yes("c1", hunks=[0], arguments={"document": "Plan", "edits": EDITS})
    assert "not both" in await refused(project, 400, asked, both)
    for odd in ([-1], ["a"], [None], 0, list(range(2000))):
        response = await project.api.call(
            "POST",
            f"{project.path}/approve",
            json={"turn_id": asked["turn_id"], "approvals": [yes("c1", hunks=odd)]},
        )
        assert response.status_code in (400, 422), odd
    assert (await project.read(plan))["version"] == 1
    await project.approve(asked, yes("c1", hunks=[2]), no("c2"), answers=["Done."])
    assert (await project.read(plan))["content"] == PLAN.replace(*PARTS[2])


async def test_numbers_of_a_preview_that_is_out_of_date_are_refused_and_the_new_hunks_are_shown(
    project: ProjectDesk,
) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("Improve it", calls(edit()))
    changed = PLAN.replace("# Plan\n", "# Plan\n\nBy hand.\n")
    await save(project, plan, changed)
    assert "changed after you opened it" in await refused(project, 409, asked, yes("c1", hunks=[0]))
    shown = await preview(project, asked)
    assert [hunk["line"] for hunk in shown["hunks"]] == [5, 9, 13]
    await project.approve(asked, yes("c1", hunks=[0]), answers=["Done."])
    assert (await project.read(plan))["content"] == changed.replace("May", "June")


async def test_two_changes_of_one_reply_are_accepted_in_part_side_by_side(project: ProjectDesk) -> None:
    """The second was shown on the text before the first: its hunks are merged onto what the first made."""
    plan = await project.add("Plan", PLAN)
    first = edit("c1", [{"find": "# Plan\n", "replace": "# The plan\n"}, *EDITS[:1]])
    second = edit("c2", EDITS[1:])
    asked = await project.chat("Improve it", calls(first, second))
    await project.approve(asked, yes("c1", hunks=[0]), yes("c2", hunks=[1]), answers=["Done."])
    expected = PLAN.replace("# Plan\n", "# The plan\n").replace(*PARTS[2])
    assert (await project.read(plan))["content"] == expected


async def test_parts_of_two_changes_in_the_same_lines_go_back_to_the_model(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    first = edit("c1", EDITS[:2])
    second = edit("c2", [{"find": "in May", "replace": "in July"}, EDITS[2]])
    asked = await project.chat("Improve it", calls(first, second))
    await project.approve(asked, yes("c1", hunks=[0]), yes("c2", hunks=[0]), answers=["I see."])
    assert (await project.read(plan))["content"] == PLAN.replace(*PARTS[0])
    assert "changed in the same lines" in project.told()[-1]["error"]


async def test_an_approval_that_0_2_0_asked_for_is_decided_as_a_whole(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat("Improve it", calls(edit()))
    async with project.services.db.write_org(project.tenant.organization_id) as tx:
        is_it = (turn_events.c.turn_id == asked["turn_id"]) & (turn_events.c.type == "approval_requested")
        [stored] = await tx.rows(sa.select(turn_events.c.payload).where(is_it))
        [requested] = stored.payload["calls"]
        del requested["preview"]["hunks"]
        await tx.execute(sa.update(turn_events).where(is_it).values(payload={"calls": [requested]}))
    assert "as a whole" in await refused(project, 400, asked, yes("c1", hunks=[0]))
    await project.approve(asked, yes("c1"), answers=["Done."])
    assert (await project.read(plan))["content"] == NEW


async def test_the_built_in_model_says_that_parts_were_left_out(project: ProjectDesk) -> None:
    plan = await project.add("Plan", PLAN)
    asked = await project.chat(f"rewrite Plan: {NEW}", model="docagent-offline")
    answer = await project.approve(asked, yes(asked["requests"][0]["id"], hunks=[1]))
    assert answer["text"] == "Rewrote “Plan”, now version 2 without the parts that you left out."
    assert (await project.read(plan))["content"] == PLAN.replace(*PARTS[1])


async def test_lines_are_counted_by_every_kind_of_line_end(project: ProjectDesk) -> None:
    mixed = PLAN.replace("\n", "\r\n", 3).replace("\n\n## People", "\r\r## People")
    plan = await project.add("Plan", mixed)
    asked = await project.chat("Improve it", calls(edit("c1", [EDITS[0], EDITS[2]])))
    assert [hunk["line"] for hunk in (await preview(project, asked))["hunks"]] == [3, 11]
    await project.approve(asked, yes("c1", hunks=[1]), answers=["Done."])
    assert (await project.read(plan))["content"] == mixed.replace(*PARTS[2])
