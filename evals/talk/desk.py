"""A conversation with the built-in model whose tools keep everything in memory, and do what they are told at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docagent import builtin_model
from docagent.domain.errors import InvalidInput
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
from evals.talk.expected import DOCUMENTS
from evals.talk.papers import PAPERS, page_of

Json = dict[str, Any]

PROJECTS: dict[str, dict[str, str]] = {
    "home": DOCUMENTS,
    **tomllib.loads((Path(__file__).parent / "projects.toml").read_text("utf-8")),
}
MOST_ROUNDS = 12
_LOOKS = ("list_schemas", "list_prompts", "list_tags", "list_documents", "get_schema", "get_prompt")
_CHANGES = (
    *("create_schema", "create_prompt", "run_extraction", "create_tag", "update_document", "delete_document"),
    *(
        "update_extraction_field",
        "get_extraction_result",
        "validate_schema",
        "update_schema",
        "update_prompt",
    ),
)
_IN_PROJECT = (
    *("list_project_documents", "read_project_document", "search_project", "create_project_document"),
    *("edit_project_document", "rewrite_project_document", "update_project_document"),
    "delete_project_document",
)
_MADE = {"schema_id": "s", "schema_revid": "s1", "prompt_id": "p", "prompt_revid": "p1", "tag_id": "t"}


@dataclass
class Desk:
    """One conversation, its tools and what they changed."""

    place: str
    about: str
    ready: bool = False
    written: list[tuple[str, Json]] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """The name that each document has now, by the one that it had."""
    fields: Json = field(default_factory=dict)
    """What has been read from the paper, by the names of the schema's fields."""

    def __post_init__(self) -> None:
        if self.place == "project":
            self.documents = dict(PROJECTS[self.about])
            self.names = {name: name for name in self.documents}
        elif self.ready:
            self.fields = dict(PAPERS[self.about]["fields"])

    def say(self, text: str) -> str:
        messages = [Message("user", (TextPart(text),))]
        for _ in range(MOST_ROUNDS):
            parts = builtin_model.respond(self._request(messages))
            messages.append(Message("assistant", parts))
            calls = [part for part in parts if isinstance(part, ToolCall)]
            if not calls:
                return "".join(part.text for part in parts if isinstance(part, TextPart))
            messages.append(Message("user", tuple(map(self._result, calls))))
        return ""

    def _result(self, call: ToolCall) -> ToolResult:
        try:
            return ToolResult(call.id, json.dumps(self._run(call.name, json.loads(call.arguments))))
        except InvalidInput as refused:  # as the tool would: nothing is changed
            self.written.pop()
            return ToolResult(call.id, json.dumps({"error": refused.detail}), is_error=True)

    @property
    def _schema(self) -> Json:
        properties = {name: {"type": "string", "description": name} for name in self.fields}
        inner = {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
        return {
            "type": "json_schema",
            "json_schema": {"name": "read_before", "schema": inner, "strict": True},
        }

    def _request(self, messages: Sequence[Message]) -> ModelRequest:
        names = _IN_PROJECT if self.place == "project" else (*_LOOKS, *_CHANGES)
        if self.place == "project":
            shown = tuple(
                ProjectDocument(one, self.names[one], 1, text) for one, text in self.documents.items()
            )
            situation = Situation(project=ProjectSituation("p", "Home", shown))
        else:
            paper = DocumentPart(f"{self.about}.pdf", [page_of(self.about)])
            read = {"schema_revid": "s1", "prompt_revid": "p1", "extraction": self.fields}
            situation = Situation(paper, "d" * 24, state=read if self.ready else {})
        tools = tuple(ToolSpec(name, name, {"type": "object"}) for name in names)
        return ModelRequest("docagent-offline", tuple(messages), tools=tools, situation=situation)

    def _run(self, name: str, given: Json) -> Json:
        if name.startswith(("list_", "get_", "search_", "validate_", "read_")):
            return self._looked(name, given)
        self.written.append((name, given))
        if self.place == "project":
            return self._changed(name, given)
        return {
            **_MADE,
            "name": given.get("name"),
            "extraction": self.fields,
            "tag_ids": given.get("tag_ids") or [],
        }

    def _looked(self, name: str, given: Json) -> Json:
        if name == "validate_schema":
            return {"valid": True}
        if name in ("get_schema", "get_extraction_result", "get_prompt"):
            made = {**_MADE, "name": "Read before", "response_format": self._schema}
            return {**made, "extraction": self.fields, "schema_version": 1}
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
        there = [{**_MADE, "name": "Read before", "schema_version": 1}] if self.ready else []
        return {
            "schemas": there,
            "prompts": there,
            "tags": [],
            "documents": listed,
            "passages": passages,
            "total_count": len(there),
        }

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
