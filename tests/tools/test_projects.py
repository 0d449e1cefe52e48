"""Tools for the documents of a project."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.projects.projects import Changes
from docagent.domain.turns.tools import BadCall
from tests.support.made.documents import pdf
from tests.tools.desk import INVOICE, PROJECT_WRITES, Desk, Stage, upload

PLAN = "# Plan\n\nIntro.\n\n## Goals\n\n- one\n- two\n\n## Risks\n\nnone\n"


@pytest.fixture
async def project(stage: Stage) -> Desk:
    """A conversation about a project without documents."""
    tenant = await stage.product.new_tenant()
    made = await stage.product.services.projects.create(tenant.member, "Launch")
    return Desk(stage.product, tenant, None, project_id=made.id)


@pytest.fixture
async def plan(project: Desk) -> Desk:
    """The same with a document."""
    await project.call("create_project_document", name="Plan", content=PLAN)
    return project


async def text_of(desk: Desk, name: str = "Plan", **more: Any) -> str:
    read: str = (await desk.call("read_project_document", document=name, **more))["content"]
    return read


async def by_hand(desk: Desk, name: str, content: str) -> None:
    """What a person changes meanwhile."""
    documents, member = desk.product.services.living_documents, desk.tenant.member
    assert desk.project_id
    found = await documents.named(member, desk.project_id, name)
    assert found
    await documents.change(
        member, desk.project_id, found.id, Changes(content=content), base_version=found.version
    )


# --- create ------------------------------------------------------------------------------------------------------


async def test_create_list_read(project: Desk) -> None:
    assert await project.call("list_project_documents") == {"documents": [], "total_count": 0, "skip": 0}
    wanted = {"name": " Launch  plan ", "content": "# Plan\n\ntext", "standing_instruction": "Be brief."}
    described = await project.describe("create_project_document", **wanted)
    assert (described.summary, described.basis) == (
        "Create document “Launch plan”: 3 lines, 1 heading",
        None,
    )
    assert described.preview == {
        "kind": "text",
        "name": "Launch plan",
        "version_from": None,
        "version_to": 1,
        "fields": [
            {"field": "content", "before": None, "after": "# Plan\n\ntext"},
            {"field": "standing_instruction", "before": None, "after": "Be brief."},
        ],
    }
    made = await project.call("create_project_document", **wanted, reason="asked for it")
    assert made == {
        "document_id": made["document_id"],
        "name": "Launch plan",
        "version": 1,
        "characters": 12,
    }
    (entry,) = (await project.call("list_project_documents"))["documents"]
    assert entry == {
        "document_id": made["document_id"],
        "name": "Launch plan",
        "version": 1,
        "characters": 12,
        "standing_instruction": "Be brief.",
        "last_author": "agent",
        "last_changed_by": project.tenant.member.user_id,
        "last_changed_at": entry["last_changed_at"],
    }
    read = await project.call("read_project_document", document="launch PLAN")
    assert read == {
        "document_id": made["document_id"],
        "name": "Launch plan",
        "version": 1,
        "standing_instruction": "Be brief.",
        "content": "# Plan\n\ntext",
        "from_line": 1,
        "to_line": 3,
        "lines": 3,
        "next_line": None,
    }
    (version,) = (await project.call("list_project_versions", document="Launch"))["versions"]
    assert (version["author"], version["reason"], version["version"]) == ("agent", "asked for it", 1)


async def test_a_version_knows_its_turn_and_its_reason(plan: Desk) -> None:
    await plan.call("edit_project_document", document="Plan", edits=[{"append": "more"}])
    assert plan.project_id
    documents = plan.product.services.living_documents
    found = await documents.named(plan.tenant.member, plan.project_id, "Plan")
    assert found is not None
    assert (found.author, found.turn_id) == ("agent", "turn")
    assert found.reason == "Edit document “Plan”: add “more” at the end"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"name": "pLAN"}, "The project has a document “Plan” already"),
        ({"name": "  "}, "The name is empty"),
        ({"content": "```\ncode"}, "code block that begins in line 1 of the new text is never closed"),
    ],
)
async def test_what_cannot_be_created_is_said_before(plan: Desk, wrong: dict[str, str], words: str) -> None:
    arguments = {"name": "Other", "content": "x", **wrong}
    described = await plan.describe("create_project_document", **arguments)
    assert words in described.summary
    assert described.preview is not None
    assert described.preview["kind"] == "refusal"
    with pytest.raises(InvalidInput):
        await plan.call("create_project_document", **arguments)
    assert (await plan.call("list_project_documents"))["total_count"] == 1


# --- names -------------------------------------------------------------------------------------------------------


async def test_a_document_is_found_by_id_name_or_the_beginning_of_its_name(project: Desk) -> None:
    made = {}
    for name in ("Plan", "Plan B", "Notes 2026", "notes 2027"):
        content = await project.call("create_project_document", name=name, content=name)
        made[name] = content["document_id"]
    for given, meant in (
        (made["Plan B"], "Plan B"),
        ("Plan", "Plan"),
        ("plan  b", "Plan B"),
        ("NOTES 2027", "notes 2027"),
        ("Notes 2026", "Notes 2026"),
    ):
        assert await text_of(project, given) == meant
    for given, error, words in (
        ("note", InvalidInput, "More than one document begins with “note”: “Notes 2026” and “notes 2027”"),
        ("Plan C", NotFound, "There is no document “Plan C” in this project. Did you mean “Plan B”"),
        ("xyz", NotFound, "There are “Notes 2026”, “notes 2027”, “Plan” and “Plan B”."),
        ("0" * 24, NotFound, "There is no document"),
    ):
        with pytest.raises(error, match=words):
            await text_of(project, given)
    found = await project.call("list_project_documents", name_search="NOTES")
    assert [one["name"] for one in found["documents"]] == ["Notes 2026", "notes 2027"]
    assert (await project.call("list_project_documents", skip=3))["documents"][0]["name"] == "Plan B"


async def test_a_project_without_documents_says_so(project: Desk) -> None:
    with pytest.raises(NotFound, match="It has no documents yet; create_project_document makes one"):
        await text_of(project)


# --- read --------------------------------------------------------------------------------------------------------


async def test_long_texts_are_read_in_parts(project: Desk) -> None:
    lines = ["# Long", *(f"line {number} {'x' * 90}" for number in range(2, 500)), "## End", ""]
    await project.call("create_project_document", name="Long", content="\n".join(lines))
    read = await project.call("read_project_document", document="Long")
    seen, rounds = read["content"].split("\n"), 1
    assert read["missing"] == f"Not shown: lines {read['to_line'] + 1} to 501."
    assert read["sections"] == ["# Long (line 1)", "## End (line 500)"]
    while read["next_line"] is not None:
        read = await project.call("read_project_document", document="Long", from_line=read["next_line"])
        assert len(read["content"]) <= 20_000
        seen += read["content"].split("\n")
        rounds += 1
    assert (seen, rounds) == (lines, 3)
    part = await project.call("read_project_document", document="Long", from_line=2, line_count=2)
    assert (part["content"], part["next_line"]) == ("\n".join(lines[1:3]), 4)
    assert part["missing"] == "Not shown: lines 1 to 1, lines 4 to 501."
    with pytest.raises(InvalidInput, match="There is no line 502: the document has 501 lines"):
        await project.call("read_project_document", document="Long", from_line=502)
    await project.call("create_project_document", name="Wide", content="x" * 30_000)
    wide = await project.call("read_project_document", document="Wide")
    assert (len(wide["content"]), wide["missing"]) == (20_000, "Not shown: line 1 from character 20001 on.")


async def test_search_gives_the_sections_that_have_the_words(plan: Desk) -> None:
    await plan.call("create_project_document", name="Budget", content="# Budget\n\nRisks cost 500 €.\n")
    found = await plan.call("search_project", words="Which risks, or none?")
    assert [(one["name"], one["version"], one["line"]) for one in found["passages"]] == [
        ("Plan", 1, 10),
        ("Budget", 1, 1),
    ]
    assert found["passages"][0]["text"] == "## Risks\n\nnone"
    assert found["documents_searched"] == 2
    found = await plan.call("search_project", words="risks", document="budget")
    assert [one["name"] for one in found["passages"]] == ["Budget"]
    nothing = await plan.call("search_project", words="unicorns")
    assert (nothing["passages"], nothing["message"]) == ([], "None of the words (unicorns) is in there.")
    with pytest.raises(InvalidInput, match="Nothing to look for"):
        await plan.call("search_project", words="is it")


async def test_search_finds_the_words_among_a_hundred_documents(plan: Desk) -> None:
    documents, member = plan.product.services.living_documents, plan.tenant.member
    assert plan.project_id
    for number in range(99):
        text = f"# Note {number}\n\nOf plans and risks in general.\n"
        if number == 32:
            text += "\n## Piano\n\nThe piano goes up by the Überlandkran.\n"
        await documents.create(member, plan.project_id, f"Note {number}", text)
    found = await plan.call("search_project", words="piano risks uberlandkran")
    assert found["documents_searched"] == 100
    first = found["passages"][0]
    assert (first["name"], first["line"]) == ("Note 32", 5)
    assert "The piano goes up" in first["text"]
    await by_hand(plan, "Note 32", "# Note 32\n\nThe cello came instead.\n")
    assert (await plan.call("search_project", words="piano"))["passages"] == []
    (cello,) = (await plan.call("search_project", words="cello"))["passages"]
    assert (cello["name"], cello["version"]) == ("Note 32", 2)


# --- change ------------------------------------------------------------------------------------------------------


async def test_an_edit_shows_what_is_around_it_and_leaves_the_rest(plan: Desk) -> None:
    edits = [
        {"find": "Intro.", "replace": "Hello."},
        {"append_to_section": "goals", "content": "- three", "find": None},
        {"section": "Risks", "content": "## Risks\n\nmany"},
        {"append": "## Next\n\nsoon"},
    ]
    described = await plan.describe("edit_project_document", document="plan", edits=edits)
    assert described.summary == (
        "Edit document “Plan”: replace “Intro.” with “Hello.”, add “- three” to section “goals”, replace section "
        "“Risks”, add “## Next soon” at the end"
    )
    after = PLAN.replace("Intro.", "Hello.").replace("two\n", "two\n- three\n").replace("none", "many")
    after += "\n## Next\n\nsoon\n"
    assert described.preview is not None
    assert described.preview["fields"] == [
        {"field": "content", "before": PLAN, "after": after, "lines_above": 0, "lines_below": 0}
    ]
    assert (described.preview["version_from"], described.preview["version_to"]) == (1, 2)
    made = await plan.call("edit_project_document", document="plan", edits=edits, base_version=1)
    assert made["version"] == 2
    edited = plan.outcomes[-1]
    assert await text_of(plan) == after
    assert await plan.undo("edit_project_document", edited) == "Document “Plan” is as it was, as version 3"
    assert await text_of(plan) == PLAN
    versions = (await plan.call("list_project_versions", document="Plan"))["versions"]
    assert [(one["author"], one["reason"]) for one in versions] == [
        ("user", "Undone: back to version 1"),
        ("agent", described.summary),
        ("agent", "Created"),
    ]


async def test_the_preview_of_a_long_text_shows_a_few_lines_around(project: Desk) -> None:
    lines = [str(number) for number in range(1, 101)]
    await project.call("create_project_document", name="Plan", content="\n".join(lines))
    preview = await project.preview(
        "edit_project_document", document="Plan", edits=[{"find": "\n50\n", "replace": "\nfifty\n"}]
    )
    assert preview["fields"] == [
        {
            "field": "content",
            "before": "\n".join(lines[46:53]),
            "after": "47\n48\n49\nfifty\n51\n52\n53",
            "lines_above": 46,
            "lines_below": 47,
        }
    ]


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ([{"find": "o", "replace": "0"}], r"“o” occurs 4 times \(lines 3, 5, 7, 12|occurs \d times"),
        ([{"find": "four", "replace": ""}], "occurs 0 times. Read the document"),
        ([{"append": "x"}, {"section": "Aims", "content": ""}], "Edit 2 of 2: There is no section “Aims”"),
        ([{"find": "x"}], "Edit 1 has find. Give find and replace"),
        ([{}], "Edit 1 has nothing"),
        ([{"append": "x", "remove_section": "Goals"}], "Edit 1 has append, remove_section"),
        ([{"append": "~~~"}], "code block that begins in line 14 of the new text is never closed"),
    ],
)
async def test_edits_that_do_not_fit_change_nothing(
    plan: Desk, edits: list[dict[str, str]], words: str
) -> None:
    described = await plan.describe("edit_project_document", document="Plan", edits=edits)
    assert described.preview is not None
    assert described.preview["kind"] == "refusal"
    with pytest.raises(InvalidInput, match=words):
        await plan.call("edit_project_document", document="Plan", edits=edits)
    assert await text_of(plan) == PLAN


async def test_an_open_fence_of_old_does_not_stand_in_the_way(project: Desk) -> None:
    await project.call("create_project_document", name="Plan", content="a")
    await by_hand(project, "Plan", "a\n```\n")
    edit = {"find": "a", "replace": "b"}
    await project.call("edit_project_document", document="Plan", edits=[edit])
    assert await text_of(project) == "b\n```\n"


def test_unknown_fields_of_an_edit_are_refused(plan: Desk) -> None:
    with pytest.raises(BadCall, match="edits"):
        plan.toolset.check("edit_project_document", '{"document": "a", "edits": [{"insert": "x"}]}')
    with pytest.raises(BadCall, match="edits"):
        plan.toolset.check("edit_project_document", '{"document": "a", "edits": []}')


async def test_a_rewrite_says_what_it_drops_and_names_its_base(plan: Desk) -> None:
    short = {"document": "Plan", "content": "# Plan\n\nShort.", "base_version": 1}
    described = await plan.describe("rewrite_project_document", **short)
    assert (
        described.summary
        == "Rewrite document “Plan”; drops the sections “Goals” and “Risks”; removes 70 % of the text"
    )
    empty = await plan.describe("rewrite_project_document", **{**short, "content": ""})
    assert empty.summary == "Rewrite document “Plan”; leaves the document empty"
    same = await plan.describe("rewrite_project_document", **{**short, "content": PLAN})
    assert same.summary == "Leave document “Plan” as it is"
    unchanged = await plan.call("rewrite_project_document", **{**short, "content": PLAN})
    assert (unchanged["message"], unchanged["version"]) == ("No changes", 1)
    assert plan.outcomes[-1].undo is None
    broken = await plan.describe("rewrite_project_document", **{**short, "content": "```"})
    assert "never closed" in broken.summary
    await by_hand(plan, "Plan", PLAN + "by hand\n")
    assert await plan.basis("rewrite_project_document", **{**short, "base_version": 2}) != described.basis
    assert (
        "is at version 2, and you give version 1"
        in (await plan.describe("rewrite_project_document", **short)).summary
    )
    with pytest.raises(Conflict, match="Call read_project_document"):
        await plan.call("rewrite_project_document", **short)
    assert await text_of(plan) == PLAN + "by hand\n"
    await plan.call("rewrite_project_document", **{**short, "base_version": 2})
    assert await text_of(plan) == "# Plan\n\nShort."


async def test_rename_and_instruct(plan: Desk) -> None:
    wanted = {"document": "Plan", "name": "Road map", "standing_instruction": "Be brief."}
    described = await plan.describe("update_project_document", **wanted)
    assert described.summary == (
        "Change document “Plan”: rename it to “Road map”, set its standing instruction to “Be brief.”"
    )
    assert described.preview is not None
    assert described.preview["fields"] == [
        {"field": "name", "before": "Plan", "after": "Road map"},
        {"field": "standing_instruction", "before": "", "after": "Be brief."},
    ]
    assert (await plan.call("update_project_document", **wanted))["name"] == "Road map"
    read = await plan.call("read_project_document", document="Road map")
    assert (read["content"], read["standing_instruction"]) == (PLAN, "Be brief.")
    assert await plan.undo("update_project_document", plan.outcomes[-2]) == (
        "Document “Plan” is as it was, as version 3"
    )
    read = await plan.call("read_project_document", document="Plan")
    assert read["standing_instruction"] == ""
    await plan.call("create_project_document", name="Other", content="")
    taken = {"document": "Plan", "name": "OTHER"}
    assert "a document “Other” already" in (await plan.describe("update_project_document", **taken)).summary
    with pytest.raises(InvalidInput, match="a document “Other” already"):
        await plan.call("update_project_document", **taken)
    with pytest.raises(InvalidInput, match="Nothing to change"):
        await plan.call("update_project_document", document="Plan")
    same = await plan.call("update_project_document", document="Plan", name="Plan")
    assert same["message"] == "No changes"
    assert (await plan.call("update_project_document", document="Plan", name="PLAN"))["name"] == "PLAN"


async def test_delete_and_bring_back(plan: Desk) -> None:
    created = plan.outcomes[-1]
    described = await plan.describe("delete_project_document", document="Plan")
    assert (described.summary, described.preview) == (
        "Delete document “Plan”",
        {
            "kind": "delete",
            "noun": "document",
            "name": "Plan",
            "removes": ["1 version", f"{len(PLAN)} characters"],
        },
    )
    await plan.call("delete_project_document", document="Plan")
    deleted = plan.outcomes[-1]
    assert (await plan.call("list_project_documents"))["total_count"] == 0
    with pytest.raises(Conflict, match="was deleted since"):
        await plan.undo("create_project_document", created)
    assert await plan.undo("delete_project_document", deleted) == "Document “Plan” is back with 1 version"
    with pytest.raises(Conflict, match="no longer deleted"):
        await plan.undo("delete_project_document", deleted)
    assert await plan.undo("create_project_document", created) == "Document “Plan” is deleted again"
    await plan.call("create_project_document", name="plan", content="")
    with pytest.raises(Conflict, match="is named “Plan” now"):
        await plan.undo("delete_project_document", deleted)


async def test_restore(plan: Desk) -> None:
    await plan.call("edit_project_document", document="Plan", edits=[{"remove_section": "Goals"}])
    await plan.call("update_project_document", document="Plan", name="Map", standing_instruction="x")
    described = await plan.describe("restore_project_version", document="Map", version=1)
    assert described.summary == "Bring version 1 of document “Map” back"
    assert described.preview is not None
    assert [field["field"] for field in described.preview["fields"]] == ["content", "standing_instruction"]
    made = await plan.call("restore_project_version", document="Map", version=1)
    assert (made["version"], made["name"]) == (4, "Map")
    assert await text_of(plan, "Map") == PLAN
    assert await text_of(plan, "Map", version=2) != PLAN
    assert await plan.undo("restore_project_version", plan.outcomes[-3]) == (
        "Document “Map” is as it was, as version 5"
    )
    with pytest.raises(NotFound, match="has the versions 1 to 5"):
        await plan.call("restore_project_version", document="Map", version=9)


async def test_an_undo_is_refused_when_there_is_a_later_version(plan: Desk) -> None:
    created = plan.outcomes[-1]
    await plan.call("edit_project_document", document="Plan", edits=[{"append": "x"}])
    edited = plan.outcomes[-1]
    await by_hand(plan, "Plan", "by hand")
    for name, outcome in (("create_project_document", created), ("edit_project_document", edited)):
        with pytest.raises(Conflict, match="has changed since: version 3 is newer"):
            await plan.undo(name, outcome)
    assert await text_of(plan) == "by hand"


async def test_a_former_name_that_is_taken_is_not_given_back(plan: Desk) -> None:
    await plan.call("update_project_document", document="Plan", name="Map")
    renamed = plan.outcomes[-1]
    await plan.call("create_project_document", name="Plan", content="")
    with pytest.raises(Conflict, match="“Plan”"):
        await plan.undo("update_project_document", renamed)


# --- every write -------------------------------------------------------------------------------------------------

CALLS: dict[str, dict[str, Any]] = {
    "create_project_document": {"name": "New", "content": "x"},
    "edit_project_document": {"document": "Plan", "edits": [{"append": "x"}]},
    "rewrite_project_document": {"document": "Plan", "content": "x", "base_version": 2},
    "update_project_document": {"document": "Plan", "name": "Map"},
    "delete_project_document": {"document": "Plan"},
    "restore_project_version": {"document": "Plan", "version": 1},
}


async def state(desk: Desk) -> list[Any]:
    entries = (await desk.call("list_project_documents"))["documents"]
    shown = ("name", "standing_instruction", "characters")
    return [(*(one[key] for key in shown), await text_of(desk, one["document_id"])) for one in entries]


@pytest.mark.parametrize("name", sorted(PROJECT_WRITES))
async def test_every_write_is_rolled_back_with_its_record_and_can_be_undone(plan: Desk, name: str) -> None:
    await by_hand(plan, "Plan", PLAN + "second\n")
    before, wanted = await state(plan), CALLS[name]
    with suppress(ZeroDivisionError):
        async with plan.product.services.db.write_org(plan.tenant.organization_id) as tx:
            with tx.joined():
                await plan.toolset.run(plan.context(), name, wanted, None)
            raise ZeroDivisionError
    assert await state(plan) == before
    await plan.call(name, **wanted)
    done = plan.outcomes[-1]
    assert await state(plan) != before
    assert await plan.undo(name, done)
    assert await state(plan) == before


@pytest.mark.parametrize("name", sorted(PROJECT_WRITES - {"create_project_document"}))
async def test_a_change_by_hand_makes_the_preview_stale(plan: Desk, name: str) -> None:
    await by_hand(plan, "Plan", "second")
    basis = await plan.basis(name, **CALLS[name])
    assert basis
    assert await plan.basis(name, **CALLS[name]) == basis
    await by_hand(plan, "Plan", "third")
    assert await plan.basis(name, **CALLS[name]) != basis


# --- scope -------------------------------------------------------------------------------------------------------


async def test_uploaded_documents_are_sources_when_they_are_named(project: Desk) -> None:
    document_id = await upload(project.product, project.tenant, pdf(INVOICE))
    found = await project.call("list_documents", name_search="invoice")
    assert [one["id"] for one in found["documents"]] == [document_id]
    assert "INV-2041" in (await project.call("get_ocr_text", document_id=document_id))["text"]
    with pytest.raises(BadCall, match="document_id is missing"):
        await project.call("get_ocr_text")
    with pytest.raises(NotFound, match=r"The document has no results\.$"):
        await project.call("get_extraction_result", document_id=document_id, prompt_revid="0" * 24)


async def test_each_scope_has_its_own_tools(project: Desk, desk: Desk) -> None:
    with pytest.raises(BadCall, match="Unknown tool: create_schema"):
        project.toolset.check("create_schema", "{}")
    with pytest.raises(BadCall, match="Unknown tool: list_project_documents"):
        desk.toolset.check("list_project_documents", "{}")
    assert {tool.name for tool in project.toolset.tools()} > PROJECT_WRITES
    assert not {tool.name for tool in desk.toolset.tools()} & PROJECT_WRITES


@pytest.mark.parametrize("name", [*sorted(CALLS), "read_project_document", "list_project_versions"])
async def test_documents_of_others_are_not_there(plan: Desk, stage: Stage, name: str) -> None:
    """Neither those of another project nor those of another organisation, by id or by scope."""
    (entry,) = (await plan.call("list_project_documents"))["documents"]
    other = await stage.product.new_tenant()
    made = await stage.product.services.projects.create(other.member, "Mine")
    beside = await stage.product.services.projects.create(plan.tenant.member, "Beside")
    arguments = CALLS.get(name, {"document": "Plan"})
    if "document" in arguments:
        for desk in (
            Desk(stage.product, other, None, project_id=made.id),
            Desk(stage.product, plan.tenant, None, project_id=beside.id),
        ):
            with pytest.raises(NotFound, match="There is no document"):
                await desk.call(name, **{**arguments, "document": entry["document_id"]})
    foreign = Desk(stage.product, other, None, project_id=plan.project_id)
    described = await foreign.describe(name, **arguments)
    assert described.summary.endswith(("Project not found", "List the versions of a document"))
    with pytest.raises(NotFound, match="Project not found"):
        await foreign.call(name, **arguments)
    assert (await state(plan))[0][3] == PLAN
