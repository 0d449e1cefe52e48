"""No standing permission covers a loss: what takes away somebody's text waits for a person, however it was allowed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.agent import Desk, Json, ProjectDesk, call, calls, no, yes

SECTIONS = ("Goals", "Costs", "People", "Risks", "Dates", "Rooms", "Tools", "End")
PLAN = "# Plan\n\n" + "\n\n".join(
    f"## {title}\n\nAll about {title.lower()}, at length." for title in SECTIONS
)


def without(*titles: str) -> str:
    return "# Plan\n\n" + "\n\n".join(
        f"## {title}\n\nAll about {title.lower()}, at length." for title in SECTIONS if title not in titles
    )


def rewrite(content: str, base_version: int = 1, id: str = "c1") -> Any:
    arguments = {"document": "Plan", "content": content, "base_version": base_version}
    return call(id, "rewrite_project_document", **arguments)


def edit(*edits: Json, id: str = "c1") -> Any:
    return call(id, "edit_project_document", document="Plan", edits=list(edits))


REMOVED_BY_EDIT = edit({"remove_section": "Costs"}, {"remove_section": "People"})
LOSSES = {
    "one section of eight": (rewrite(without("Costs")), "drops the section “Costs”"),
    "four sections of eight": (
        rewrite(without("Costs", "People", "Risks", "Dates")),
        "drops the sections “Costs”, “People”, “Risks” and “Dates”",
    ),
    "other words below the same headings": (
        rewrite(PLAN.replace("All about", "Nonsense on").replace("at length", "in short")),
        "replaces ",
    ),
    "everything": (rewrite(""), "leaves the document empty"),
    "two sections by an edit": (REMOVED_BY_EDIT, "drops the sections “Costs” and “People”"),
    "the document": (call("c1", "delete_project_document", document="Plan"), "Delete document “Plan”"),
}
BY_NAME = {
    "auto_approved_tools": ["rewrite_project_document", "edit_project_document", "delete_project_document"]
}


@pytest.fixture
async def project(desk: Desk) -> ProjectDesk:
    made = await ProjectDesk.at(desk)
    await made.add("Plan", PLAN)
    return made


async def text_of_plan(project: ProjectDesk) -> str | None:
    listed = (await project.api.get(f"/projects/{project.project_id}/documents"))["documents"]
    plan = next((item for item in listed if item["name"] == "Plan"), None)
    return (await project.read(plan))["content"] if plan else None


async def waiting(project: ProjectDesk) -> Json:
    """The one turn of the project that waits, as the inbox shows it."""
    found = (await project.api.get("/approvals", limit=100))["approvals"]
    [item] = [item for item in found if item["project_id"] == project.project_id]
    return dict(item)


@pytest.mark.parametrize("streamed", [True, False], ids=["all changes allowed", "tools allowed by name"])
@pytest.mark.parametrize("loss", LOSSES)
async def test_a_loss_waits_for_a_person(project: ProjectDesk, streamed: bool, loss: str) -> None:
    wanted, headline = LOSSES[loss]
    if streamed:
        await project.stream("Tidy up", calls(wanted), auto_approve=True)
    else:
        await project.chat("Tidy up", calls(wanted), **BY_NAME)
    asked = await waiting(project)
    [requested] = asked["calls"]
    assert headline in requested["summary"]
    assert await text_of_plan(project) == PLAN
    await project.approve(asked, no("c1"), answers=["As you like."])
    assert await text_of_plan(project) == PLAN


async def test_always_allow_does_not_cover_a_loss(project: ProjectDesk) -> None:
    first = await project.chat("Add", calls(rewrite(f"{PLAN}\n\nMore.")))
    await project.approve(first, yes("c1", always_allow="project"), answers=["Done."])
    more = await project.chat("More", calls(rewrite(f"{PLAN}\n\nEven more.", 2)), "Done.")
    assert more["state"] == "completed"
    asked = await project.chat("Shorten", calls(rewrite(without("Costs"), 3)))
    assert asked["state"] == "awaiting_approval"


async def test_what_is_only_renamed_moved_or_reworded_runs(project: ProjectDesk) -> None:
    moved = without("Costs").replace("## People", "## Team") + "\n\n## Costs\n\nAll about costs, at length."
    done = await project.chat("Sort", calls(rewrite(moved)), "Done.", **BY_NAME)
    assert done["state"] == "completed"
    assert await text_of_plan(project) == moved


async def test_one_section_that_the_edit_names_is_what_was_asked_for(project: ProjectDesk) -> None:
    removed = edit({"remove_section": "Costs"})
    done = await project.chat("Drop the costs", calls(removed), "Done.", **BY_NAME)
    assert done["state"] == "completed"
    assert await text_of_plan(project) == without("Costs")


async def test_edits_that_only_together_are_a_loss_do_not_slip_through(project: ProjectDesk) -> None:
    """Each of two calls is judged before the first has run. The second takes away more than a third of what is left."""
    first = rewrite(PLAN + "\n\n" + "Padding that goes again. " * 20, 1, "c1")
    second = edit({"find": "Padding that goes again. " * 20, "replace": ""}, id="c2")
    done = await project.chat("Two at once", calls(first, second), "Done.", **BY_NAME)
    assert done["state"] == "completed"
    assert "nobody has agreed to that" in str(project.told())
    assert (await text_of_plan(project) or "").startswith(PLAN)


async def test_the_organisation_may_allow_exactly_that(project: ProjectDesk) -> None:
    for tool, state in (("*", "awaiting_approval"), ("rewrite_project_document", "completed")):
        rule = await project.api.post("/agent/rules", {"tool": tool, "scope": "everyone", "effect": "allow"})
        try:
            done = await project.chat("Shorten", calls(rewrite(without("Costs"))), "Done.")
        finally:
            await project.api.call("DELETE", f"/agent/rules/{rule['id']}")
        assert done["state"] == state
        if state == "awaiting_approval":
            await project.approve(done, no("c1"), answers=["As you like."])


@pytest.mark.parametrize(
    "hopeless",
    [
        edit({"find": "at length", "replace": "briefly"}),
        rewrite(PLAN, 9),
        call("c1", "delete_project_document", document="Nothing of that name"),
    ],
    ids=["occurs eight times", "an old version", "an unknown document"],
)
async def test_what_cannot_work_goes_back_to_the_model_and_nobody_is_asked(
    project: ProjectDesk, hopeless: Any
) -> None:
    done = await project.chat("Try", calls(hopeless), "It did not work.")
    assert (done["state"], done["text"]) == ("completed", "It did not work.")
    assert await text_of_plan(project) == PLAN


async def test_a_call_that_an_earlier_one_makes_possible_is_asked_with_it(project: ProjectDesk) -> None:
    made = call("c1", "create_project_document", name="Notes", content="# Notes")
    added = call("c2", "edit_project_document", document="Notes", edits=[{"append": "More."}])
    asked = await project.chat("Begin", calls(made, added))
    await project.approve(asked, yes("c1"), yes("c2"), answers=["Done."])
    listed = (await project.api.get(f"/projects/{project.project_id}/documents"))["documents"]
    assert {item["name"]: item["version"] for item in listed}["Notes"] == 2
