"""Conversations with the built-in agent: tools that keep things in memory and answer as the real ones do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.builtin_model.filling import fill
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import (
    DocumentPart,
    Message,
    ModelReply,
    ModelRequest,
    Situation,
    TextDelta,
    TextPart,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from docagent.domain.turns.turns import REJECTED_TEXT
from docagent.jsonschema.strict import check_strict
from docagent.jsonschema.validate import SchemaValidator
from tests.unit.builtin_model.documents import invoice

READING = [
    "get_ocr_text",
    "get_extraction_result",
    "list_documents",
    "get_schema",
    "list_schemas",
    "validate_schema",
    "validate_against_schema",
    "get_prompt",
    "list_prompts",
    "list_llm_models",
    "get_tag",
    "list_tags",
    "help_schemas",
    "help_prompts",
]
WRITING = [
    "run_extraction",
    "update_extraction_field",
    "update_document",
    "delete_document",
    "create_schema",
    "update_schema",
    "delete_schema",
    "create_prompt",
    "update_prompt",
    "delete_prompt",
    "create_tag",
    "update_tag",
    "delete_tag",
]
MAX_ROUNDS = 10
DOCUMENT_ID = "d" * 24

Json = dict[str, Any]
Verdict = Callable[[ToolCall], str | None]
"""None approves; a text rejects, with that reason when it is not empty."""


def schema(name: str, *fields: str, number: int = 1) -> Json:
    properties = {one: {"type": "string", "description": one} for one in fields}
    inner = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "schema_id": f"schema-{number}",
        "schema_revid": f"schema-{number}-1",
        "schema_version": 1,
        "name": name,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": name.lower().replace(" ", "_"), "schema": inner, "strict": True},
        },
    }


def prompt(name: str, schema_number: int | None = None, number: int = 1) -> Json:
    return {
        "prompt_id": f"prompt-{number}",
        "prompt_revid": f"prompt-{number}-1",
        "prompt_version": 1,
        "name": name,
        "content": "Extract.",
        "schema_id": f"schema-{schema_number}" if schema_number else None,
        "schema_version": 1 if schema_number else None,
        "model": None,
    }


@dataclass
class Toolbox:
    """The things of an organisation, and the tools on them. Every revision of a schema is kept."""

    schemas: list[Json] = field(default_factory=list)
    prompts: list[Json] = field(default_factory=list)
    tags: list[Json] = field(default_factory=list)
    documents: list[Json] = field(default_factory=lambda: [{"id": DOCUMENT_ID, "document_name": "a.pdf"}])
    pages: Sequence[Page] = field(default_factory=invoice)
    tag_ids: list[str] = field(default_factory=list)
    state: Json = field(default_factory=dict)
    failing: dict[str, str] = field(default_factory=dict)
    """Tools that fail, with what they say."""
    revisions: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.revisions = [dict(one) for one in self.schemas]

    def run(self, name: str, arguments: Json) -> Json:
        if name in self.failing:
            return {"error": self.failing[name]}
        result: Json = getattr(self, name)(**arguments)
        return result

    def list_schemas(self, limit: int = 10, name_search: str = "") -> Json:
        shown = [{key: one[key] for key in one if key != "response_format"} for one in self.schemas]
        return _page("schemas", shown, "name", limit, name_search)

    def get_schema(self, schema_revid: str) -> Json:
        newest = [one for one in self.schemas if one["schema_id"] == schema_revid]
        found = newest or [one for one in self.revisions if one["schema_revid"] == schema_revid]
        return dict(found[-1]) if found else {"error": "Schema not found"}

    def validate_schema(self, schema: Json) -> Json:
        report = check_strict(schema)
        errors = [one.as_json() for one in report.errors]
        return {"valid": True, "warnings": []} if not errors else {"valid": False, "errors": errors}

    def validate_against_schema(self, schema_revid: str, data: Any) -> Json:
        inner = self.get_schema(schema_revid)["response_format"]["json_schema"]["schema"]
        found = SchemaValidator(inner).errors(data)
        return (
            {"valid": False, "errors": [one.for_docrouter() for one in found]} if found else {"valid": True}
        )

    def create_schema(self, name: str, response_format: Json) -> Json:
        assert not any(one["name"].lower() == name.lower() for one in self.schemas), "would make a version"
        assert check_strict(response_format).valid
        number = len(self.schemas) + 1
        made = schema(name, number=number) | {"response_format": response_format}
        self.schemas.append(made)
        self.revisions.append(dict(made))
        self.state["schema_revid"] = made["schema_revid"]
        return {key: made[key] for key in ("schema_revid", "schema_id", "name")}

    def update_schema(
        self, schema_id: str, name: str | None = None, response_format: Json | None = None
    ) -> Json:
        head = next(one for one in self.schemas if one["schema_id"] == schema_id)
        head["name"] = name or head["name"]
        if response_format is not None:
            assert check_strict(response_format).valid
            head["response_format"] = response_format
            head["schema_version"] += 1
            head["schema_revid"] = f"{schema_id}-{head['schema_version']}"
            self.revisions.append(dict(head))
        self.state["schema_revid"] = head["schema_revid"]
        return {key: head[key] for key in ("schema_revid", "schema_id", "name")}

    def delete_schema(self, schema_id: str) -> Json:
        if any(one["schema_id"] == schema_id for one in self.prompts):
            return {"error": "Cannot delete schema because it has dependent prompts: [...]"}
        self.schemas = [one for one in self.schemas if one["schema_id"] != schema_id]
        return {"message": "Schema deleted successfully"}

    def list_prompts(self, limit: int = 10, name_search: str = "") -> Json:
        return _page("prompts", self.prompts, "name", limit, name_search)

    def get_prompt(self, prompt_revid: str) -> Json:
        found = [one for one in self.prompts if one["prompt_revid"] == prompt_revid]
        return dict(found[0]) if found else {"error": "Prompt not found"}

    def create_prompt(self, name: str, content: str, schema_id: str | None = None) -> Json:
        assert not any(one["name"] == name for one in self.prompts), "would make a version"
        made = prompt(name, number=len(self.prompts) + 1) | {"schema_id": schema_id, "content": content}
        made["schema_version"] = self._version(schema_id)
        self.prompts.append(made)
        self.state["prompt_revid"] = made["prompt_revid"]
        return {key: made[key] for key in ("prompt_revid", "prompt_id", "name")}

    def update_prompt(self, prompt_id: str, **changes: Any) -> Json:
        head = next(one for one in self.prompts if one["prompt_id"] == prompt_id)
        head.update(changes)
        if "schema_id" in changes:
            head["schema_version"] = self._version(changes["schema_id"])
        head["prompt_version"] += 1
        head["prompt_revid"] = f"{prompt_id}-{head['prompt_version']}"
        self.state["prompt_revid"] = head["prompt_revid"]
        return {key: head[key] for key in ("prompt_revid", "prompt_id", "name")}

    def delete_prompt(self, prompt_id: str) -> Json:
        self.prompts = [one for one in self.prompts if one["prompt_id"] != prompt_id]
        return {"message": "Prompt deleted successfully"}

    def run_extraction(self, prompt_revid: str) -> Json:
        used = self.get_prompt(prompt_revid)
        version = f"{used['schema_id']}-{used['schema_version']}"
        inner = self.get_schema(version)["response_format"]["json_schema"]["schema"]
        self.state |= {"prompt_revid": prompt_revid, "extraction": fill(self.pages, inner)}
        return {"prompt_revid": prompt_revid, "extraction": self.state["extraction"]}

    def get_extraction_result(self, prompt_revid: str = "default") -> Json:
        if self.state.get("extraction") is None:
            return {"error": "There is no result yet; run_extraction makes one."}
        return {"extraction": self.state["extraction"], "prompt_revid": prompt_revid}

    def update_extraction_field(self, path: str, value: Any) -> Json:
        self.state["extraction"] = FieldPath.parse(path, self.state["extraction"]).set(
            self.state["extraction"], value
        )
        return {"extraction": self.state["extraction"], "prompt_revid": self.state.get("prompt_revid")}

    def list_tags(self, limit: int = 10, name_search: str = "") -> Json:
        return _page("tags", self.tags, "name", limit, name_search)

    def create_tag(self, name: str) -> Json:
        assert not any(one["name"] == name for one in self.tags)
        self.tags.append({"id": f"tag-{len(self.tags) + 1}", "name": name})
        return {"tag_id": self.tags[-1]["id"], "name": name}

    def update_tag(self, tag_id: str, name: str) -> Json:
        next(one for one in self.tags if one["id"] == tag_id)["name"] = name
        return {"tag_id": tag_id, "name": name}

    def delete_tag(self, tag_id: str) -> Json:
        self.tags = [one for one in self.tags if one["id"] != tag_id]
        return {"message": "Tag deleted successfully"}

    def list_documents(self, limit: int = 10, name_search: str = "") -> Json:
        return _page("documents", self.documents, "document_name", limit, name_search)

    def update_document(self, document_id: str, **changes: Any) -> Json:
        head = next(one for one in self.documents if one["id"] == document_id)
        head.update(changes)
        self.tag_ids = list(changes.get("tag_ids", self.tag_ids))
        return {
            "message": "Document updated successfully",
            "document_id": document_id,
            "document_name": head["document_name"],
            "tag_ids": self.tag_ids,
        }

    def delete_document(self, document_id: str) -> Json:
        self.documents = [one for one in self.documents if one["id"] != document_id]
        return {"message": "Document deleted successfully", "document_id": document_id}

    def list_llm_models(self) -> Json:
        return {"models": [{"name": "docagent-offline"}], "default_model": "docagent-offline"}

    def _version(self, schema_id: str | None) -> int | None:
        return next((one["schema_version"] for one in self.schemas if one["schema_id"] == schema_id), None)

    def fields(self, number: int = 1) -> Json:
        """The fields of a schema as it is now."""
        head = next(one for one in self.schemas if one["schema_id"] == f"schema-{number}")
        properties: Json = head["response_format"]["json_schema"]["schema"]["properties"]
        return properties


def _page(plural: str, things: Sequence[Json], key: str, limit: int, search: str) -> Json:
    found = [dict(one) for one in things if search.lower() in one[key].lower()]
    return {plural: found[:limit], "total_count": len(found), "skip": 0}


@dataclass
class Talk:
    """A conversation in which every call is approved unless `verdict` says otherwise."""

    box: Toolbox = field(default_factory=Toolbox)
    verdict: Verdict = lambda _: None
    tools: Sequence[str] = (*READING, *WRITING)
    mentions: tuple[Mapping[str, Any], ...] = ()
    file_name: str = "a.pdf"
    messages: list[Message] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    """The calls since the last message of the user."""

    async def say(self, text: str) -> str:
        """One turn: the text of its last reply."""
        self.messages.append(Message("user", (TextPart(text),)))
        self.calls = []
        for _ in range(MAX_ROUNDS):
            reply = await self.ask()
            self.messages.append(Message("assistant", reply.parts))
            if not reply.tool_calls:
                return reply.text
            self.calls += reply.tool_calls
            self.messages.append(Message("user", tuple(self._result(call) for call in reply.tool_calls)))
        raise AssertionError(f"no end after {[call.name for call in self.calls]}")

    async def ask(self, **changes: Any) -> ModelReply:
        return await reply_to(self.request(**changes))

    def request(self, **changes: Any) -> ModelRequest:
        offered = tuple(ToolSpec(name, name, {"type": "object"}) for name in self.tools)
        situation = Situation(
            DocumentPart(self.file_name, self.box.pages) if self.box.pages else None,
            DOCUMENT_ID,
            tuple(self.box.tag_ids),
            dict(self.box.state),
            self.mentions,
        )
        values: Json = {"system": "Help with the document.", "tools": offered, "situation": situation}
        return ModelRequest("docagent-offline", tuple(self.messages), **(values | changes))

    @property
    def called(self) -> list[str]:
        return [call.name for call in self.calls]

    @property
    def written(self) -> list[str]:
        return [name for name in self.called if name in WRITING]

    def arguments(self, name: str) -> Json:
        """Those of the last call of a tool."""
        arguments: Json = json.loads(
            next(call for call in reversed(self.calls) if call.name == name).arguments
        )
        return arguments

    def _result(self, call: ToolCall) -> ToolResult:
        assert call.name in self.tools
        reason = self.verdict(call) if call.name in WRITING else None
        if reason is not None:
            result: Json = {"error": REJECTED_TEXT} | ({"reason": reason} if reason else {})
        else:
            result = self.box.run(call.name, json.loads(call.arguments))
        return ToolResult(call.id, json.dumps(result), "error" in result)


async def reply_to(request: ModelRequest) -> ModelReply:
    events = [event async for event in BuiltinModel().stream(request)]
    reply = events.pop()
    assert isinstance(reply, ModelReply)
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == reply.text
    return reply


def invoice_box(**more: Any) -> Toolbox:
    """An organisation with a schema, a prompt on it, and an extraction of the invoice."""
    made = schema("Invoice", "invoice_number", "vendor", "tax", "due_date", "total")
    properties = made["response_format"]["json_schema"]["schema"]["properties"]
    properties["tax"]["type"] = properties["total"]["type"] = "number"
    rows = {"description": {"type": "string"}, "quantity": {"type": "number"}, "amount": {"type": "number"}}
    properties["line_items"] = {
        "type": "array",
        "items": {
            "type": "object",
            "properties": rows,
            "required": list(rows),
            "additionalProperties": False,
        },
    }
    inner = made["response_format"]["json_schema"]["schema"]
    inner["required"] = list(properties)
    box = Toolbox(schemas=[made], prompts=[prompt("Invoice", 1)], **more)
    box.state = {
        "schema_revid": "schema-1-1",
        "prompt_revid": "prompt-1-1",
        "extraction": fill(invoice(), inner),
    }
    return box
