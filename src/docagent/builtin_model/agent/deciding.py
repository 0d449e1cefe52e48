"""Answers the strategy `decide`: what the agent would do next becomes a decision, and its text the draft of it.

A decision is asked for without tools. What the agent would look up is in the situation, so it is looked up there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from docagent.builtin_model.agent.conversation import Conversation, Step
from docagent.builtin_model.agent.plans_projects import at_hand
from docagent.builtin_model.agent.reply import Answer, next_answer
from docagent.builtin_model.agent.work import Call, Work
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import ProjectDocument, Situation
from docagent.markdown import apply_edits, edit_of

MOST_LOOKS = 8
MOST_PASSAGES = 8
_LOOKS = frozenset({"list_project_documents", "read_project_document", "search_project"})
_CHANGES = frozenset(f"{does}_project_document" for does in ("create", "edit", "rewrite", "delete"))
_DRAFT = re.compile(r'<data source="draft">\n(.*?)\n</data>', re.DOTALL)
_WORD = re.compile(r"\w{3,}")
ONE_AT_A_TIME = (
    "I do one change at a time here, and this is more than one. Please ask for them one after the other."
)


def decide(conversation: Conversation, situation: Situation | None) -> dict[str, Any]:
    """Return the decision about what the user said last."""
    answer = _answer(conversation, situation)
    if len(answer.calls) > 1:
        return {"conversational_response": ONE_AT_A_TIME}
    if not answer.calls:
        return {"conversational_response": answer.text}
    try:
        return _decision(answer.calls[0], situation)
    except InvalidInput as refused:
        return {"conversational_response": f"I changed nothing. {refused.detail}"}


def words(conversation: Conversation, situation: Situation | None) -> str:
    """Return an answer in words to what the user said last."""
    return _answer(conversation, situation).text


def draft_in(message: str) -> str | None:
    """Return the draft in a request for a text."""
    found = _DRAFT.search(message)
    return found[1] if found else None


def _answer(conversation: Conversation, situation: Situation | None) -> Answer:
    """Return what the agent says or calls, after all that it wanted to look up."""
    for _ in range(MOST_LOOKS):
        work = Work(conversation, situation, _LOOKS | _CHANGES)
        answer = next_answer(work, may_call=True)
        if not answer.calls or any(call.name not in _LOOKS for call in answer.calls):
            return answer
        seen = tuple(_seen(call, at_hand(work)) for call in answer.calls)
        conversation = replace(conversation, steps=(*conversation.steps, *seen))
    return answer


def _decision(call: Call, situation: Situation | None) -> dict[str, Any]:
    given = call.arguments
    if call.name == "create_project_document":
        text = given.get("content") or ""
        return {"should_create": True, "document_name": given.get("name"), "document_content": text}
    document = _document(str(given.get("document")), situation)
    decision = {"document_id": document.id, "document_name": document.name}
    if call.name == "delete_project_document":
        return {"should_delete": True, **decision}
    text = str(given["content"]) if "content" in given else _edited(document, given.get("edits") or ())
    return {"should_edit": True, "document_content": text, **decision}


def _edited(document: ProjectDocument, written: Sequence[Mapping[str, Any]]) -> str:
    edits = [edit for one in written if (edit := edit_of(one)) is not None]
    return apply_edits(document.content, edits)


def _document(given: str, situation: Situation | None) -> ProjectDocument:
    project = situation.project if situation else None
    found = [one for one in (project.documents if project else ()) if given in (one.id, one.name)]
    if not found:
        raise InvalidInput(f"There is no document “{given}”.")
    return found[0]


def _seen(call: Call, listed: Sequence[Mapping[str, Any]]) -> Step:
    """Return the result of a look, from what the situation has."""
    match call.name:
        case "list_project_documents":
            result: Mapping[str, Any] = {"documents": listed, "total_count": len(listed), "skip": 0}
        case "read_project_document":
            wanted = call.arguments.get("document")
            found = [one for one in listed if wanted in (one["document_id"], one["name"])]
            result = {**found[0], "next_line": None} if found else {}
        case _:
            result = {"passages": _passages(listed, call.arguments)}
    return Step(call.name, call.arguments, result, None if result else "There is no such document.")


def _passages(listed: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the paragraphs that hold most of the words, the best first."""
    asked = {word.casefold() for word in _WORD.findall(str(wanted.get("words") or ""))}
    only = wanted.get("document")
    found = []
    for one in listed:
        if only is not None and only not in (one["document_id"], one["name"]):
            continue
        line = 1
        for paragraph in str(one["content"]).split("\n\n"):
            hits = len(asked & {word.casefold() for word in _WORD.findall(paragraph)})
            if hits:
                passage = {"name": one["name"], "version": one["version"], "line": line}
                found.append((hits, {**passage, "text": paragraph.strip()}))
            line += paragraph.count("\n") + 2
    best = sorted(found, key=lambda item: -item[0])[:MOST_PASSAGES]
    return [passage for _, passage in best]
