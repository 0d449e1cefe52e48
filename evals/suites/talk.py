"""Says messages of four languages and three voices to the built-in model, about a document and in a project.

The tools keep everything in memory, and what the model wants to change is done, so that it can be judged. Each message
counts as one of: useful, if the answer has what was asked for, or the change is the one that was asked for and the
only one; harmful, if anything else was changed; wrong, if a value is stated that is not the one asked for; refusal, if
nothing was changed and the answer does not help. A message that asks for nothing is useful if nothing was changed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.domain.models.llm import (
    DocumentPart,
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
from docagent.markdown import apply_edits, edit_of
from evals.matching import share
from evals.suite import Results
from evals.talk.expected import DOCUMENTS
from evals.talk.papers import agreement

NAME = "talk"
FOLDER = None
"""The messages are part of the suite."""
JUDGING = Path(__file__).parent.parent / "talk" / "judging.toml"
KINDS = ("useful", "refusal", "wrong", "harmful")
MOST_ROUNDS = 12
_LOOKS = ("list_schemas", "list_prompts", "list_tags", "list_documents", "get_schema", "get_prompt")
_CHANGES = (
    "create_schema",
    "create_prompt",
    "run_extraction",
    "create_tag",
    "update_document",
    "delete_document",
)
_MORE = (
    "update_extraction_field",
    "get_extraction_result",
    "validate_schema",
    "update_schema",
    "update_prompt",
)
_IN_PROJECT = (
    *("list_project_documents", "read_project_document", "search_project", "create_project_document"),
    *(
        "edit_project_document",
        "rewrite_project_document",
        "update_project_document",
        "delete_project_document",
    ),
)
_VALUE = re.compile(r"\bis \*\*(.+?)\*\*")

Json = dict[str, Any]


@dataclass
class Desk:
    """One conversation, its tools and what they changed."""

    place: str
    documents: dict[str, str] = field(default_factory=lambda: dict(DOCUMENTS))
    names: dict[str, str] = field(default_factory=lambda: {name: name for name in DOCUMENTS})
    """The name that each document has now, by the one that it had."""
    written: list[tuple[str, Json]] = field(default_factory=list)

    def say(self, text: str) -> str:
        messages = [Message("user", (TextPart(text),))]
        for _ in range(MOST_ROUNDS):
            parts = builtin_model.respond(self._request(messages))
            messages.append(Message("assistant", parts))
            calls = [part for part in parts if isinstance(part, ToolCall)]
            if not calls:
                return "".join(part.text for part in parts if isinstance(part, TextPart))
            results = [
                ToolResult(call.id, json.dumps(self._run(call.name, json.loads(call.arguments))))
                for call in calls
            ]
            messages.append(Message("user", tuple(results)))
        return ""

    def _request(self, messages: Sequence[Message]) -> ModelRequest:
        names = _IN_PROJECT if self.place == "project" else (*_LOOKS, *_CHANGES, *_MORE)
        situation = Situation(DocumentPart("agreement.pdf", agreement()), "d" * 24)
        if self.place == "project":
            shown = tuple(
                ProjectDocument(one, self.names[one], 1, text) for one, text in self.documents.items()
            )
            situation = Situation(project=ProjectSituation("p", "Home", shown))
        tools = tuple(ToolSpec(name, name, {"type": "object"}) for name in names)
        return ModelRequest("docagent-offline", tuple(messages), tools=tools, situation=situation)

    def _run(self, name: str, given: Json) -> Json:
        if name.startswith(("list_", "get_", "search_", "validate_", "read_")):
            return self._looked(name, given)
        self.written.append((name, given))
        if self.place == "project":
            return self._changed(name, given)
        made = {"schema_id": "s", "schema_revid": "s1", "prompt_id": "p", "prompt_revid": "p1", "tag_id": "t"}
        return {**made, "name": given.get("name"), "extraction": {}, "tag_ids": given.get("tag_ids") or []}

    def _looked(self, name: str, given: Json) -> Json:
        if name == "validate_schema":
            return {"valid": True}
        listed = [
            {
                "document_id": one,
                "name": self.names[one],
                "version": 1,
                "characters": len(text),
                "content": text,
            }
            for one, text in self.documents.items()
        ]
        if name == "read_project_document":
            return next(one for one in listed if given["document"] in (one["document_id"], one["name"]))
        words = {word for word in str(given.get("words", "")).casefold().split() if len(word) > 2}
        passages = [
            {"name": one["name"], "version": 1, "line": 1, "text": part}
            for one in listed
            for part in str(one["content"]).split("\n\n")
            if any(word in part.casefold() for word in words)
        ]
        plain: Json = {key: [] for key in ("schemas", "prompts", "tags")}
        return {**plain, "documents": listed, "passages": passages}

    def _changed(self, name: str, given: Json) -> Json:
        if name == "create_project_document":
            self.documents[given["name"]] = given.get("content") or ""
            self.names[given["name"]] = given["name"]
            return {"document_id": given["name"], "name": given["name"], "version": 1}
        key = next(one for one in self.documents if given["document"] in (one, self.names[one]))
        if name == "delete_project_document":
            del self.documents[key]
        elif name == "update_project_document":
            self.names[key] = given.get("name") or self.names[key]
        else:
            edits = [edit for one in given.get("edits") or () if (edit := edit_of(one)) is not None]
            self.documents[key] = (
                given["content"] if "content" in given else apply_edits(self.documents[key], edits)
            )
        return {"document_id": key, "name": self.names[key], "version": 2}


def judged(message: Json) -> str:
    """Say what came of a message."""
    desk = Desk(message["place"])
    told = desk.say(message["text"])
    changes = message.get("changes", [])
    if not changes and not desk.written and "has" not in message:
        return "useful"
    if desk.written:
        right = changes and (_right_project if desk.place == "project" else _right_calls)(desk, changes)
        return "useful" if right else "harmful"
    if changes:
        return "refusal"
    if any(one in told.replace("**", "") for one in message["has"]):
        return "useful"
    return "wrong" if _VALUE.search(told) else "refusal"


def _right_calls(desk: Desk, changes: Sequence[Mapping[str, Any]]) -> bool:
    if [name for name, _ in desk.written] != [change["do"] for change in changes]:
        return False
    wanted = [{key: value for key, value in change.items() if key != "do"} for change in changes]
    return all(one.items() <= given.items() for one, (_, given) in zip(wanted, desk.written, strict=True))


def _right_project(desk: Desk, changes: Sequence[Mapping[str, Any]]) -> bool:
    expected = dict(DOCUMENTS)
    for change in changes:
        match change["do"]:
            case "create":
                if change["name"] not in desk.documents or change["name"] in DOCUMENTS:
                    return False
                expected[change["name"]] = desk.documents[change["name"]]
            case "rename":
                if desk.names[change["document"]] != change["name"]:
                    return False
            case "edit":
                text = desk.documents[change["document"]]
                places = [text.find(one) for one in change["has"]]
                if places != sorted(places) or -1 in places or change.get("lacks", "\0") in text:
                    return False
                expected[change["document"]] = text
    renamed = {change["document"] for change in changes if change["do"] == "rename"}
    same = all(desk.names[one] == one for one in DOCUMENTS if one not in renamed and one in desk.names)
    return desk.documents == expected and same


def run(folder: Path) -> Results:
    del folder
    messages = tomllib.loads(JUDGING.read_text("utf-8"))["message"]
    kinds = [judged(message) for message in messages]
    groups = {"all": [*range(len(messages))]}
    for key in ("lang", "voice", "place"):
        for value in dict.fromkeys(message[key] for message in messages):
            groups[value] = [at for at, message in enumerate(messages) if message[key] == value]
    return {name: _shares([kinds[at] for at in places]) for name, places in groups.items()}


def _shares(kinds: Sequence[str]) -> dict[str, float]:
    counts = Counter(kinds)
    return {"messages": len(kinds), **{kind: share(counts[kind], len(kinds)) for kind in KINDS}}
