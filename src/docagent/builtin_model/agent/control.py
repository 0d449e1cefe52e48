"""Answers strategies that ask for a decision before they let the model act: short prose, then a JSON block.

The decision is what the agent would do next anyway, so every strategy leads to the same calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from docagent.builtin_model.agent.conversation import read_conversation, said
from docagent.builtin_model.agent.replies import does, done_text, failed, in_words
from docagent.builtin_model.agent.reply import Answer, next_answer, understood_by
from docagent.builtin_model.agent.work import Call, Work
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import Message, ModelRequest, Situation, TextPart, ToolCall
from docagent.markdown import apply_edits, edit_of


class Asked(StrEnum):
    """The block that a request asks for."""

    REASON = "reason"
    OBSERVE = "observe"
    PLAN = "plan"
    DECISION = "decision"
    TEXT = "text"
    ANSWER = "answer"


_LIST_OF_STEPS = r"\bjson\b[^.\n]{0,40}\b(?:list|array)\b[^.\n]{0,60}\bsteps?\b"
_KEYS = (
    (Asked.DECISION, re.compile(r"[\"'`]should_edit[\"'`]")),
    (Asked.TEXT, re.compile(r"^Write the whole text of the document\b", re.MULTILINE)),
    (Asked.ANSWER, re.compile(r"^Answer the person's last message now\b", re.MULTILINE)),
    (Asked.OBSERVE, re.compile(r"\bshould_continue\b")),
    (Asked.REASON, re.compile(r"\btools_to_consider\b|[\"'`]finish[\"'`]")),
    (Asked.PLAN, re.compile(rf"{_LIST_OF_STEPS}|[\"'`]steps[\"'`]", re.I)),
)
_DATA = re.compile(r"<data\b.*?</data>", re.DOTALL)
"""Parts of the system text that others wrote."""
_VERBS = ("create_", "update_", "delete_", "list_", "get_", "run_", "validate_", "help_")
_CHANGES = frozenset(f"{does}_project_document" for does in ("create", "edit", "rewrite", "delete"))
_DRAFT = re.compile(r'<data source="draft">\n(.*?)\n</data>', re.DOTALL)
_ONE_AT_A_TIME = (
    "I do one change at a time here, and this is more than one. Please ask for them one after the other."
)


def respond(request: ModelRequest) -> tuple[TextPart | ToolCall, ...]:
    """Return the agent's reply to any request without an output schema, as parts."""
    asked, messages = _asked(request)
    conversation, situation = read_conversation(messages), request.situation or Situation()
    tools = frozenset(tool.name for tool in request.tools)
    if asked is None:
        work = Work(conversation, situation, tools)
        return next_answer(work, may_call=request.may_call).parts(conversation.next_id)
    if asked is Asked.TEXT:
        draft = _DRAFT.search(conversation.text)
        return (TextPart(draft[1] if draft else ""),)
    if asked in (Asked.DECISION, Asked.ANSWER):
        answer = next_answer(Work(conversation, situation, _CHANGES), may_call=True)
        if asked is Asked.ANSWER:
            return (TextPart(answer.text),)
        return (TextPart(json.dumps(_decided(answer, situation), ensure_ascii=False)),)
    work = Work(conversation, situation, tools if _offers_calls(request) else None)
    if asked is Asked.PLAN:
        return (TextPart(_plan(work)),)
    answer = next_answer(work, may_call=True)
    prose, block = _reason(answer, work) if asked is Asked.REASON else _observe(answer, work)
    return (TextPart(f"{prose}\n\n```json\n{json.dumps(block, ensure_ascii=False)}\n```"),)


def _asked(request: ModelRequest) -> tuple[Asked | None, Sequence[Message]]:
    """Return the block asked for, and the conversation without the message that asks for it.

    No block is asked for while calls are allowed: then such words can only come from a document.
    """
    messages = request.conversation
    if _offers_calls(request) and request.may_call:
        return None, messages
    for place in range(len(messages) - 1, -1, -1):
        text = said(messages[place])
        if messages[place].role == "user" and text:
            kind = _kind(text)
            if kind is not None and any(said(one) for one in messages[:place] if one.role == "user"):
                rest = tuple(part for part in messages[place].parts if not isinstance(part, TextPart))
                kept = (replace(messages[place], parts=rest),) if rest else ()
                return kind, (*messages[:place], *kept, *messages[place + 1 :])
            break
    return _kind(_DATA.sub(" ", request.system or "")), messages


def _offers_calls(request: ModelRequest) -> bool:
    """Return whether any tool does something. A strategy may offer tools that only carry its decision."""
    return any(tool.name.startswith(_VERBS) for tool in request.tools)


def _kind(text: str) -> Asked | None:
    return next((kind for kind, keys in _KEYS if keys.search(text)), None)


def _reason(answer: Answer, work: Work) -> tuple[str, dict[str, Any]]:
    names = [call.name for call in answer.calls]
    plan = _in_plain_words(names, work) if names else "Answer the user."
    prose = answer.text if names and answer.text else f"Next: {plan}"
    final = "" if names else answer.text
    return prose, {"plan": plan, "tools_to_consider": names, "finish": not names, "final_answer": final}


def _in_plain_words(names: Sequence[str], work: Work) -> str:
    """Say what is called next. In a project, people read no names of tools."""
    if not work.in_project:
        return f"Call {', '.join(names)}."
    told = ", ".join(does(name) for name in names)
    return f"{told[:1].upper()}{told[1:]}."


def _observe(answer: Answer, work: Work) -> tuple[str, dict[str, Any]]:
    steps = work.conversation.steps
    last = steps[-1] if steps else None
    if last is None:
        seen = "Nothing was called yet."
    elif last.ok:
        seen = done_text(steps, "I have read it." if work.in_project else f"{last.name} gave its result.")
    else:
        seen = failed(last) if work.in_project else f"{last.name} did not work: {last.error}"
    final = "" if answer.calls else answer.text
    return seen, {"observation": seen, "should_continue": bool(answer.calls), "final_answer": final}


def _plan(work: Work) -> str:
    """Return the plan's steps as a JSON list."""
    wishes = understood_by(work, work.conversation.text).wishes
    said = [in_words(wish) or "answer" for wish in wishes] or ["answer"]
    steps = [f"{one[:1].upper()}{one[1:]}" for one in said]
    return f"The plan:\n\n```json\n{json.dumps(steps, ensure_ascii=False)}\n```"


# --- the strategy `decide`: the next call is a decision, and its text the draft of it --------------------------------


def _decided(answer: Answer, situation: Situation) -> dict[str, Any]:
    if len(answer.calls) != 1:
        return {"conversational_response": _ONE_AT_A_TIME if answer.calls else answer.text}
    try:
        return _decision(answer.calls[0], situation)
    except InvalidInput as refused:
        return {"conversational_response": f"I changed nothing. {refused.detail}"}


def _decision(call: Call, situation: Situation) -> dict[str, Any]:
    given = call.arguments
    if call.name == "create_project_document":
        text = given.get("content") or ""
        return {"should_create": True, "document_name": given.get("name"), "document_content": text}
    wanted, documents = str(given.get("document")), situation.project.documents if situation.project else ()
    document = next((one for one in documents if wanted in (one.id, one.name)), None)
    if document is None:
        raise InvalidInput(f"There is no document “{wanted}”.")
    decision = {"document_id": document.id, "document_name": document.name}
    if call.name == "delete_project_document":
        return {"should_delete": True, **decision}
    edits = [edit for one in given.get("edits") or () if (edit := edit_of(one)) is not None]
    text = str(given["content"]) if "content" in given else apply_edits(document.content, edits)
    return {"should_edit": True, "document_content": text, **decision}
