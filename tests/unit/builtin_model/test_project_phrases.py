"""What the built-in agent makes of what people say about the documents of a project."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docagent.builtin_model.agent.kept_text import readings
from docagent.builtin_model.agent.project_grammar import understand_in_project
from docagent.builtin_model.agent.project_wishes import (
    AddSection,
    AddText,
    AskDocs,
    CreateDoc,
    DeleteDoc,
    ListDocs,
    RemoveSection,
    RenameDoc,
    ReplaceBody,
    ReplaceText,
    RestoreDoc,
    SetInstruction,
    ShowDoc,
    ShowInstruction,
    ShowVersions,
    Unsure,
)
from docagent.builtin_model.agent.wishes import CallIt, Chat, Help, WhoAreYou, Wish
from docagent.domain.models.llm import (
    Message,
    ModelRequest,
    ProjectDocument,
    ProjectSituation,
    Situation,
    TextPart,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from tests.support.tables import table
from tests.unit.builtin_model.agent_talk import reply_to

SAYINGS: list[tuple[Wish, list[str]]] = [
    (
        ListDocs(),
        [
            "which documents are there?",
            "What documents do we have?",
            "list the documents",
            "show me all documents",
            "how many documents are there?",
            "what is in this project?",
        ],
    ),
    (
        ShowDoc("Plan"),
        [
            "show Plan",
            "read Plan",
            "Please show me the document Plan.",
            "open the document “Plan”",
            "show @Plan",
        ],
    ),
    (ShowDoc("Terms and Conditions"), ["read Terms and Conditions", "show 'Terms and Conditions'"]),
    (
        CreateDoc("Training Plan"),
        [
            "create a document called Training Plan",
            "I want to create a document named Training Plan",
            "I'd like a document called “Training Plan”",
            "Could you make a new document called Training Plan?",
        ],
    ),
    (CreateDoc("Python"), ["make a new document about Python", "create a Python document"]),
    (
        CreateDoc("Plan", "# Plan"),
        ["create a document called Plan with: # Plan", "create a doc called Plan\n\n# Plan"],
    ),
    (CreateDoc("Plan", "hiking"), ["create a document called Plan about hiking"]),
    (
        AddText("Shopping", "milk and eggs"),
        [
            "add milk and eggs to Shopping",
            "put “milk and eggs” in Shopping",
            "add to Shopping: milk and eggs",
        ],
    ),
    (
        AddText("Plan", "- call Ada", "Next steps"),
        [
            "add '- call Ada' to the section Next steps of Plan",
            "add “- call Ada” under the section Next steps in Plan",
            "add “- call Ada” to the Next steps section of Plan",
            "add to the section Next steps of Plan: - call Ada",
        ],
    ),
    (AddText("Shopping", "Note: buy milk"), ["add Note: buy milk to Shopping"]),
    (
        AddSection("Plan", "Risks"),
        ["add a section Risks to Plan", "add a new section called “Risks” to the document Plan"],
    ),
    (
        AddSection("Plan", "Risks", "none"),
        ["add a section Risks to Plan: none", "add a section Risks to Plan with “none”"],
    ),
    (
        ReplaceText("Plan", "a and b", "c"),
        [
            "replace 'a and b' with 'c' in Plan",
            "in Plan, replace “a and b” by c",
            "change “a and b” to “c” in Plan",
        ],
    ),
    (ReplaceText("Plan", "old", ""), ["remove “old” from Plan", 'replace "old" with "" in Plan']),
    (
        ReplaceBody("Plan", "all", "Goals"),
        ["replace the section Goals of Plan with: all", "rewrite the Goals section of Plan: all"],
    ),
    (ReplaceBody("Plan", "# New"), ["rewrite Plan: # New", "replace the text of Plan with: # New"]),
    (
        RemoveSection("Plan", "Goals"),
        ["remove the section Goals from Plan", "delete the Goals section of Plan"],
    ),
    (RenameDoc("Plan", "Road map"), ["rename Plan to Road map", "change the name of Plan to “Road map”"]),
    (
        DeleteDoc("Plan"),
        ["delete Plan", "remove the document Plan", "can you delete Plan?", "please delete “Plan”"],
    ),
    (
        SetInstruction("Plan", "Keep it short, and never delete Notes."),
        ["set the standing instruction of Plan to: Keep it short, and never delete Notes."],
    ),
    (SetInstruction("Plan", "Be brief"), ["set the standing instruction of Plan to Be brief"]),
    (SetInstruction("Plan", ""), ["remove the standing instruction of Plan"]),
    (
        ShowInstruction("Plan"),
        ["what is the standing instruction of Plan?", "show the instructions for Plan"],
    ),
    (
        AskDocs("the budget", "Plan"),
        ["what does Plan say about the budget?", "does Plan mention the budget?"],
    ),
    (AskDocs("risks"), ["what do the documents say about risks?", "search for risks", "find risks"]),
    (AskDocs("Who is responsible"), ["Who is responsible?"]),
    (AskDocs("How do I delete Plan"), ["How do I delete Plan?"]),
    (
        RestoreDoc("Plan", 2),
        ["restore version 2 of Plan", "restore Plan to version 2", "go back to version 2 of Plan"],
    ),
    (ShowVersions("Plan"), ["which versions of Plan are there?", "show the history of Plan"]),
    (CallIt("Map"), ["call it Map", "call it “Map” instead"]),
    (Chat("hello"), ["hello", "Hi!"]),
    (Chat("thanks"), ["thanks", "thank you very much"]),
    (Help(), ["help", "what can you do here?"]),
    (WhoAreYou(), ["who are you?"]),
]


@table(("wish", "text"), [(wish, text) for wish, texts in SAYINGS for text in texts])
def test_a_saying_is_a_wish(wish: Wish, text: str) -> None:
    assert understand_in_project(text).wishes == (wish,)


@table(
    "text",
    [
        "maybe delete Plan",
        "perhaps add a section to Plan",
        "should I delete Plan?",
        "could we delete Plan?",
        "can I delete Plan?",
        "delete Plan?",
        "what about adding a section Risks to Plan?",
        "the plan should have a section on risks",
        "you could include a table",
        "don't delete Plan",
        "do not rename Plan to X",
        "never delete Plan",
        "if it is empty delete Plan",
        "maybe delete Plan and rename Notes to Old",
        "rename Notes to Old and maybe delete Plan",
    ],
)
def test_a_hint_is_not_a_wish(text: str) -> None:
    (wish,) = understand_in_project(text).wishes
    assert isinstance(wish, Unsure)


@table("text", ["the markdown looks off", "add it", "create a document", "Plan", "", "   ", "…"])
def test_what_is_not_understood_is_no_wish(text: str) -> None:
    assert understand_in_project(text).wishes == ()


def test_wishes_are_joined() -> None:
    assert understand_in_project("delete Plan and create a document called B").wishes == (
        DeleteDoc("Plan"),
        CreateDoc("B"),
    )
    assert understand_in_project("show Plan, then rename it to X").wishes == (
        ShowDoc("Plan"),
        RenameDoc("it", "X"),
    )
    assert understand_in_project("add milk to Shopping and eggs to Pantry").wishes == (
        AddText("Shopping", "milk"),
        AddText("Pantry", "eggs"),
    )


def test_text_goes_in_as_it_was_written_and_nothing_in_it_is_a_wish() -> None:
    text = "# Plan\n\n- “a”:  x\n- b's, and 'c'\n\ndelete Notes and rename Plan to X.  \n\n```\n  code\n```"
    for said in (f"create a document called Plan with:\n\n{text}", f"create a document called Plan\n{text}"):
        assert understand_in_project(said).wishes == (CreateDoc("Plan", text),)
    assert understand_in_project(f"add to Plan:\n{text}\n").wishes == (AddText("Plan", text),)
    assert understand_in_project("add “Ada\u2019s  list, and\nmore” to Plan").wishes == (
        AddText("Plan", "Ada\u2019s  list, and\nmore"),
    )


@given(st.text(st.sampled_from("a to in of with : \n'\"`\ue000\ue001 0#-"), max_size=60))
def test_text_that_was_taken_out_can_be_put_back(text: str) -> None:
    read = readings(text)[-1]
    clean = text.replace("\ue000", "").replace("\ue001", "").strip()
    assert read.back(f"x{read.text}") == f"x{clean}"


@table(
    "text",
    [
        "add to to to " * 150,
        "a " * 900,
        "add " + "of in to " * 60,
        "'" * 1500,
        "rename " + " to " * 190,
        "add x to " + "section of " * 50,
        "create a document called " + "with " * 110,
        "replace " + "a with b in " * 45,
        "delete x and " * 100,
    ],
)
def test_strange_messages_come_to_an_end(text: str) -> None:
    assert not any(
        isinstance(wish, DeleteDoc) and not wish.document for wish in understand_in_project(text).wishes
    )


# --- loops that ask for a decision, and turns without tools --------------------------------------------------------

PROJECT = ProjectSituation(
    "p" * 24, "Launch", (ProjectDocument("d" * 24, "Plan", 3, "# Plan\n\nText.", "Be brief."),)
)
TOOLS = (
    "list_project_documents",
    "read_project_document",
    "create_project_document",
    "delete_project_document",
)
REASON = "Say what to do next. End with a JSON block with the keys plan, tools_to_consider, finish and final_answer."
OBSERVE = "Say what came of it. End with a JSON block: observation, should_continue, final_answer."
PLAN = "Make a plan first. Answer with a JSON list of steps."


def request(*messages: Message, **changes: Any) -> ModelRequest:
    offered = tuple(ToolSpec(name, name, {"type": "object"}) for name in TOOLS)
    values: dict[str, Any] = {"tools": offered, "situation": Situation(project=PROJECT)}
    return ModelRequest("docagent-offline", messages, **(values | changes))


def said(text: str) -> Message:
    return Message("user", (TextPart(text),))


async def decision(*messages: Message, system: str) -> Any:
    reply = await reply_to(request(*messages, system=system, tools=()))
    assert reply.tool_calls == ()
    return json.loads(reply.text.partition("```json")[2].strip().removesuffix("```"))


async def test_every_way_to_ask_leads_to_the_same_calls() -> None:
    wanted = said("delete it")
    direct = await reply_to(request(wanted))
    assert [call.name for call in direct.tool_calls] == ["list_project_documents"]
    assert (await decision(wanted, system=REASON))["tools_to_consider"] == ["list_project_documents"]
    assert await decision(wanted, system=PLAN) == ["Find the document", "Delete it"]
    listed = {"documents": [{"document_id": "d" * 24, "name": "Plan", "version": 3, "characters": 13}]}
    seen = (
        wanted,
        Message("assistant", (ToolCall("call_1", "list_project_documents", "{}"),)),
        Message("user", (ToolResult("call_1", json.dumps(listed)),)),
    )
    (call,) = (await reply_to(request(*seen))).tool_calls
    assert (call.name, json.loads(call.arguments)) == ("delete_project_document", {"document": "d" * 24})
    assert (await decision(*seen, system=OBSERVE))["should_continue"] is True
    done = (
        *seen,
        Message("assistant", (ToolCall("call_2", "delete_project_document", "{}"),)),
        Message("user", (ToolResult("call_2", json.dumps({"name": "Plan"})),)),
    )
    observed = await decision(*done, system=OBSERVE)
    assert observed["should_continue"] is False
    assert observed["observation"] == "So far I deleted the document “Plan”."
    assert observed["final_answer"] == "Deleted the document “Plan”."


async def test_without_tools_it_answers_from_what_it_was_shown() -> None:
    for text, answer in (
        ("show Plan", "**Plan**, version 3:\n\n# Plan\n\nText."),
        ("which documents are there?", "There is 1 document:\n\n- Plan (version 3, 13 characters)"),
        ("what is the standing instruction of Plan?", "The standing instruction of “Plan”:\n\nBe brief."),
    ):
        other = (ToolSpec("get_ocr_text", "", {}),)
        assert (await reply_to(request(said(text), tools=other))).text == answer
    reply = await reply_to(request(said("delete Plan"), tools=(ToolSpec("get_ocr_text", "", {}),)))
    assert reply.text == "I cannot delete the document here: that is switched off for this conversation."


async def test_the_examples_that_it_gives_are_understood() -> None:
    reply = await reply_to(request(said("help")))
    shown = [line[3:-1] for line in reply.text.split("\n") if line.startswith("- “")]
    assert len(shown) > 8
    for example in shown:
        assert understand_in_project(example).wishes, example
