"""The built-in model in a conversation about a project, with the real tools."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.domain.errors import DocAgentError
from docagent.domain.models.llm import (
    Message,
    ModelReply,
    ModelRequest,
    ProjectDocument,
    ProjectSituation,
    Situation,
    TextPart,
    ToolCall,
    ToolResult,
)
from docagent.domain.turns.turns import REJECTED_TEXT
from tests.tools.desk import PROJECT_WRITES, Desk, Stage

PLAN = "# Plan\n\n## Goals\n\n- one\n\n## Risks\n\nThe budget is 500 €.\n"
MAX_ROUNDS = 8


@dataclass
class Talk:
    desk: Desk
    rejects: str | None = None
    """What the user says with a rejection of every write; None approves."""
    messages: list[Message] = field(default_factory=list)
    called: list[str] = field(default_factory=list)
    tools_left_out: set[str] = field(default_factory=set)

    async def say(self, text: str) -> str:
        self.messages.append(Message("user", (TextPart(text),)))
        self.called = []
        for _ in range(MAX_ROUNDS):
            reply = await self._reply()
            self.messages.append(Message("assistant", reply.parts))
            if not reply.tool_calls:
                return reply.text
            results = [await self._result(call) for call in reply.tool_calls]
            self.messages.append(Message("user", tuple(results)))
        raise AssertionError(f"no end after {self.called}")

    @property
    def written(self) -> list[str]:
        return [name for name in self.called if name in PROJECT_WRITES]

    async def text(self, name: str) -> str:
        read: str = (await self.desk.call("read_project_document", document=name))["content"]
        return read

    async def names(self) -> list[str]:
        return [one["name"] for one in (await self.desk.call("list_project_documents"))["documents"]]

    async def _reply(self) -> ModelReply:
        project_id, services = self.desk.project_id or "", self.desk.product.services
        documents = await services.living_documents.list(self.desk.tenant.member, project_id)
        shown = tuple(
            ProjectDocument(one.id, one.name, one.version, one.content, one.standing_instruction)
            for one in documents
        )
        request = ModelRequest(
            "docagent-offline",
            tuple(self.messages),
            tools=tuple(
                tool.spec for tool in self.desk.toolset.tools() if tool.spec.name not in self.tools_left_out
            ),
            situation=Situation(project=ProjectSituation(project_id, "Launch", shown)),
        )
        events = [event async for event in BuiltinModel().stream(request)]
        assert isinstance(events[-1], ModelReply)
        return events[-1]

    async def _result(self, call: ToolCall) -> ToolResult:
        self.called.append(call.name)
        if call.name in PROJECT_WRITES and self.rejects is not None:
            refused = {"error": REJECTED_TEXT} | ({"reason": self.rejects} if self.rejects else {})
            return ToolResult(call.id, json.dumps(refused), True)
        try:
            content = await self.desk.call(call.name, **json.loads(call.arguments))
        except DocAgentError as error:
            return ToolResult(call.id, json.dumps({"error": error.detail}), True)
        return ToolResult(call.id, json.dumps(content))


@pytest.fixture
async def talk(stage: Stage) -> Talk:
    tenant = await stage.product.new_tenant()
    project = await stage.product.services.projects.create(tenant.member, "Launch")
    desk = Desk(stage.product, tenant, None, project_id=project.id)
    await desk.call("create_project_document", name="Plan", content=PLAN, standing_instruction="Be brief.")
    await desk.call("create_project_document", name="Plan B", content="")
    return Talk(desk)


async def test_it_reads(talk: Talk) -> None:
    assert await talk.say("which documents are there?") == (
        f"There are 2 documents:\n\n- Plan (version 1, {len(PLAN)} characters)\n- Plan B (version 1, 0 characters)"
    )
    assert await talk.say("show plan") == f"**Plan**, version 1:\n\n{PLAN}"
    assert await talk.say("show Plan B") == "**Plan B**, version 1, is empty."
    assert "> The **budget** is 500 €." in await talk.say("what does Plan say about the budget?")
    assert "**Plan**, line 9" in await talk.say("How large is the budget?")
    assert "“unicorns” was not found in 2 documents." in await talk.say("search for unicorns")
    assert talk.written == []


async def test_it_creates_and_does_not_write_over(talk: Talk) -> None:
    assert await talk.say("create a document called Minutes with:\n# Minutes\n\n- “x”") == (
        "Created the document “Minutes”."
    )
    assert await talk.text("Minutes") == "# Minutes\n\n- “x”"
    assert "There is a document “Plan” already" in await talk.say("create a document called PLAN with: x")
    assert talk.written == []
    assert await talk.text("Plan") == PLAN


async def test_it_edits_what_is_named(talk: Talk) -> None:
    assert await talk.say("add “- two” to the section Goals of Plan") == (
        "Added it to the section “Goals” of “Plan”, now version 2."
    )
    after = PLAN.replace("- one\n", "- one\n- two\n")
    assert await talk.text("Plan") == after
    await talk.say("replace “500 €” with “600 €” in it")
    after = after.replace("500", "600")
    assert await talk.text("Plan") == after
    await talk.say("add a section Next to Plan: soon")
    after += "\n## Next\n\nsoon\n"
    assert await talk.text("Plan") == after
    await talk.say("remove the section Next from Plan and add “end” to Plan")
    assert talk.written == ["edit_project_document"] * 2
    assert await talk.text("Plan") == after.replace("## Next\n\nsoon", "end")
    await talk.say("rewrite Plan: # All new")
    assert await talk.text("Plan") == "# All new"


async def test_what_the_tool_refuses_is_said(talk: Talk) -> None:
    assert "“e” occurs " in await talk.say("replace “e” with “x” in Plan")
    assert "There is no section “Aims”" in await talk.say("add “x” to the section Aims of Plan")
    assert await talk.text("Plan") == PLAN


async def test_it_renames_and_deletes(talk: Talk) -> None:
    assert await talk.say("rename Plan to “Road map” and add “x” to Road map") == (
        "Renamed “Plan” to “Road map”.\n\nAdded it to “Road map”, now version 3."
    )
    assert await talk.say("rename it to Map") == "Renamed “Road map” to “Map”."
    assert "Did you mean “Plan B”?" in await talk.say("delete Plan")
    assert talk.written == []
    assert await talk.say("delete Plan B") == "Deleted the document “Plan B”."
    assert await talk.names() == ["Map"]


async def test_which_one_is_asked_and_the_answer_is_taken(talk: Talk) -> None:
    await talk.desk.call("create_project_document", name="Old Plan", content="")
    await talk.desk.call("update_project_document", document="Plan", name="New Plan")
    answer = await talk.say("add “x” to Plan")
    assert answer.startswith("Which document do you mean?")
    await talk.say("old plan")
    assert await talk.text("Old Plan") == "x\n"
    assert "There is no document called “xyz”" in await talk.say("show xyz")


async def test_a_text_goes_nowhere_unless_a_document_is_named(talk: Talk) -> None:
    await talk.say("add “x” to Plan")
    for text in ("add “y”", "save this: wifi password hunter2", "add a section Next"):
        await talk.say(text)
        assert talk.written == [], text
    await talk.say("add “y”")
    await talk.say("Plan B")
    assert await talk.text("Plan B") == "y\n"


async def test_half_a_request_is_offered_and_what_was_not_used_is_named(talk: Talk) -> None:
    answer = await talk.say("maybe delete Plan B")
    assert answer == (
        "I understood “delete Plan B”, but not what “maybe” means there, and changed nothing. What should I do?\n\n"
        "- Delete Plan B\n- Leave everything as it is"
    )
    assert talk.written == []
    assert await talk.say("leave everything as it is") == "All right, I changed nothing."
    await talk.say("maybe delete Plan B")
    assert await talk.say("Delete Plan B") == "Deleted the document “Plan B”."


@pytest.mark.parametrize(
    "text",
    [
        "maybe delete Plan",
        "should we add “x” to Plan?",
        "what about renaming Plan to X?",
        "Plan should have a summary",
        "don't delete Plan",
        "why was Plan deleted?",
        "how do I rename Plan to X?",
        "the markdown looks off",
        "make it nicer",
    ],
)
async def test_questions_and_hints_change_nothing(talk: Talk, text: str) -> None:
    answer = await talk.say(text)
    assert talk.written == []
    assert answer
    assert await talk.text("Plan") == PLAN


async def test_a_rejection_is_taken(talk: Talk) -> None:
    talk.rejects = "nein danke"
    assert await talk.say("delete Plan") == "All right, I did not delete the document. Nothing was changed."
    assert await talk.names() == ["Plan", "Plan B"]


async def test_it_says_what_it_can_do_here(talk: Talk) -> None:
    for text in ("hello", "help", "make it nicer", "improve the text"):
        answer = await talk.say(text)
        assert "“add “- call Ada” to Plan”" in answer
        assert "schema" not in answer


async def test_it_sums_up_by_headings(talk: Talk) -> None:
    summed_up = "“Plan” has 3 headings:\n\n- Plan\n  - Goals: one\n  - Risks: The budget is 500 €."
    for text in ("outline of Plan", "summarise Plan", "Fasse Plan zusammen", "résume Plan", "resume Plan"):
        assert await talk.say(text) == summed_up
    assert await talk.say("which sections does Plan B have?") == "“Plan B” has no headings."
    assert talk.written == []


async def test_it_replaces_every_occurrence_only_when_asked_to(talk: Talk) -> None:
    await talk.say("add “one, one” to Plan")
    assert "“one” occurs 3 times in “Plan”" in await talk.say("replace “one” with “two” in Plan")
    assert talk.written == []
    assert "Replaced every one of them" in await talk.say("replace every “one” with “two” in Plan")
    assert "one" not in await talk.text("Plan")


async def test_it_takes_the_last_change_back(talk: Talk) -> None:
    assert await talk.say("what did you change?") == "I changed nothing in this conversation so far."
    await talk.say("add “x” to Plan")
    assert await talk.say("undo that") == "Brought version 1 of “Plan” back, as version 3."
    assert await talk.text("Plan") == PLAN
    await talk.say("create a document called Minutes")
    assert await talk.say("undo") == "Deleted the document “Minutes”."
    assert "Take that back with Undo beside it" in await talk.say("undo the last change")
    await talk.say("rename Plan to Map")
    assert await talk.say("revert the last change") == "Renamed “Map” to “Plan”."
    told = await talk.say("what have you changed so far?")
    assert told.count("\n- ") == 6
    await talk.say("add “y” to Plan")
    await talk.desk.call("edit_project_document", document="Plan", edits=[{"append": "by hand"}])
    assert "“Plan” has changed since" in await talk.say("undo")
    assert talk.written == []


async def test_a_document_without_a_name_gets_one(talk: Talk) -> None:
    assert await talk.say("create a document") == "Created the empty document “Document 3”."


@pytest.mark.parametrize(
    "text",
    [
        "create a document called 'Recipes' in this project",
        "create a document called Recipes in this project",
        "Bitte erstelle ein Dokument namens Recipes in diesem Projekt",
        "crée un document Recipes dans ce projet, s'il te plaît",
        "crea un documento llamado Recipes en este proyecto, por favor",
    ],
)
async def test_a_name_is_what_it_is_called(talk: Talk, text: str) -> None:
    assert await talk.say(text) == "Created the empty document “Recipes”."


async def test_a_title_is_a_name_and_a_line_goes_as_a_whole(talk: Talk) -> None:
    said = await talk.say("Make me a document with the title “Team Rules”")
    assert (said, await talk.text("Team Rules")) == ("Created the empty document “Team Rules”.", "")
    await talk.say("To the plan please add: - rent 1200")
    await talk.say("add “- food 400” to Plan")
    assert (await talk.text("Plan")).endswith("- rent 1200\n- food 400\n")
    await talk.say("change the rent to 1300 in Plan")
    await talk.say("delete “- food 400” from Plan")
    assert (await talk.text("Plan")).endswith("- rent 1300\n")


async def test_people_read_no_names_of_tools(talk: Talk) -> None:
    talk.tools_left_out = {"delete_project_document"}
    for text in (
        *(
            "delete Plan",
            "replace “xyz” with “a” in Plan",
            "add “x” to the section Aims of Plan",
        ),
        *(
            "rename Plan to Plan B",
            "create a document called Plan",
            "delete Plam",
            "undo",
            "hello",
            "add ``` to Plan",
        ),
    ):
        assert "_" not in await talk.say(text), text
