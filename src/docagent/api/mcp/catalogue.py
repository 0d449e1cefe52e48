"""The list of tools: those of the contract, the agent's own, and the agent itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import mcp_types as types
import orjson

from docagent.api.mcp import agent_calls, files
from docagent.api.mcp.answers import or_pending
from docagent.api.mcp.contract import READS, REVIEW, UPLOAD, WRITES, ContractTool
from docagent.tools.base import AgentTool, ReadTool
from docagent.tools.help import manual
from docagent.tools.registry import DOCUMENT_TOOLS, EXTRACT, PROJECT_TOOLS, added_tools

_ANYTHING: dict[str, Any] = {"type": "object"}
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
_STRING = {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}


def _all_of(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has all of these."""
    return {"type": "object", "properties": properties, "required": [*properties]}


_MANUAL = _all_of(content=_STRING)
_CHECKED = _all_of(valid={"type": "boolean"}, errors=_STRINGS, warnings=_STRINGS)
_ORGANIZATION = _all_of(organization_id=_STRING, organization_name=_STRING, organization_type=_STRING)
_DELETES = ("delete_", "rewrite_", "restore_")
LOCAL: Mapping[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "help": ("How to work with docagent over MCP.", _NOTHING, _MANUAL),
    "help_schemas": ("How to write a schema.", _NOTHING, _MANUAL),
    "help_prompts": ("How to write a prompt.", _NOTHING, _MANUAL),
    "help_forms": ("How to write a form.", _NOTHING, _MANUAL),
    "validate_form": (
        "Check a form before it is created. Nothing is stored.",
        _all_of(form={"description": "The form, as an object or as JSON text."}),
        _CHECKED,
    ),
    "get_organization": ("The organisation that this connection works in.", _NOTHING, _ORGANIZATION),
}
"""Tools of the contract that need no operation: description, arguments, answer."""
OF_THE_AGENT = {"help_schemas": "schemas", "help_prompts": "prompts"}
OUR_MANUALS = {"help": "mcp", "help_forms": "forms"}
CONTRACT = {tool.name: tool for tool in (*READS, *WRITES, UPLOAD, REVIEW)}


@cache
def shapes() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = orjson.loads(Path(__file__).with_name("shapes.json").read_bytes())
    return loaded


@cache
def manual_of(tool: str) -> str | None:
    """The manual that a tool returns: the agent's, or one of those beside this file. None for other tools."""
    if tool in OF_THE_AGENT:
        return manual(OF_THE_AGENT[tool])
    if tool not in OUR_MANUALS:
        return None
    return (Path(__file__).with_name("manuals") / f"{OUR_MANUALS[tool]}.md").read_text(encoding="utf-8")


@cache
def own_tools(*, web_search: bool) -> Mapping[str, tuple[type[AgentTool[Any]], str | None]]:
    """The agent's tools that the contract does not name, each with what its call must also name, if anything."""
    found: dict[str, tuple[type[AgentTool[Any]], str | None]] = {}
    for tools, subject in (
        (DOCUMENT_TOOLS, "document_id"),
        (PROJECT_TOOLS, "project_id"),
        (added_tools(), None),
    ):
        for tool in tools:
            known = tool.name in CONTRACT or tool.name in LOCAL or tool.name in found
            if known or (tool.needs_web_search and not web_search):
                continue
            found[tool.name] = (tool, None if tool.needs_web_search else subject)
    return found


@cache
def all_tools(*, web_search: bool, read_only: bool) -> Sequence[types.Tool]:
    listed = [
        _tool(EXTRACT.name, _EXTRACT, files.TAKES, files.GIVES, open_world=True),
        *(_of_contract(tool) for tool in (UPLOAD, *READS, *WRITES)),
        *(_tool(name, *facts, reads=True) for name, facts in LOCAL.items()),
        *(_own(tool, subject) for tool, subject in own_tools(web_search=web_search).values()),
        *_of_the_agent(),
    ]
    return [tool for tool in listed if not read_only or is_offered_to_readers(tool)]


def is_offered_to_readers(tool: types.Tool) -> bool:
    """Whether a connection that may only read has the tool. The agent has only reading tools then."""
    reads = tool.annotations is not None and tool.annotations.read_only_hint is True
    return reads or tool.name == "agent_chat"


def _of_contract(tool: ContractTool) -> types.Tool:
    shape = shapes()[tool.name]
    takes = shape["input"] if tool is not UPLOAD else _with_paths(shape["input"])
    gives = or_pending(shape["output"]) if tool.writes else shape["output"]
    spends = tool.name == "run_llm_chat"
    reads = not (tool.writes or spends or tool is UPLOAD)
    return _tool(tool.name, tool.description, takes, gives, reads=reads, open_world=spends)


def _with_paths(schema: dict[str, Any]) -> dict[str, Any]:
    document = schema["$defs"]["NewDocumentIn"]
    path = {"type": "string", "description": "Over stdio: a local file, instead of content (and of name)."}
    changed = {**document, "properties": {**document["properties"], "path": path}, "required": []}
    return {**schema, "$defs": {**schema["$defs"], "NewDocumentIn": changed}}


def _own(tool: type[AgentTool[Any]], subject: str | None) -> types.Tool:
    parameters = dict(tool.parameters)
    if subject is not None and subject not in parameters["properties"]:
        noun = "document" if subject == "document_id" else "project"
        about = {"type": "string", "description": f"The {noun}, by its id."}
        parameters["properties"] = {subject: about, **parameters["properties"]}
        parameters["required"] = [subject, *parameters.get("required", ())]
    reads = issubclass(tool, ReadTool)
    gives = _ANYTHING if reads else or_pending(_ANYTHING)
    loses, leaves = tool.may_lose, tool.sends_out
    return _tool(
        tool.name, tool.description, parameters, gives, reads=reads, destructive=loses, open_world=leaves
    )


_EXTRACT = (
    "Fill your own JSON Schema from a file or a document. Each value comes with its evidence: page, box, words, "
    "confidence, and whether it is proven."
)
_CHAT = (
    "Give the agent a message about a document or a project, and wait for its answer. Changes wait for approval, as "
    "everywhere."
)
_APPROVE = (
    "Decide on calls that wait for a person, on the person's behalf, and only when they said so. Or answer a question "
    "of the agent."
)
_EVENTS = "Read where a turn stands and what happened in it, event by event; or wait until it is over."


def _of_the_agent() -> list[types.Tool]:
    takes = {**shapes()[REVIEW.name]["input"], "required": []}
    return [
        _tool("agent_chat", _CHAT, agent_calls.CHAT, agent_calls.TURN, open_world=True),
        _tool("agent_approve", _APPROVE, agent_calls.APPROVE, agent_calls.TURN, destructive=True),
        _tool("agent_events", _EVENTS, agent_calls.EVENTS, agent_calls.LOG, reads=True),
        _tool(REVIEW.name, REVIEW.description, takes, _ANYTHING),
    ]


def _tool(
    name: str,
    description: str,
    takes: dict[str, Any],
    gives: dict[str, Any],
    *,
    reads: bool = False,
    destructive: bool = False,
    open_world: bool = False,
) -> types.Tool:
    return types.Tool(
        name=name,
        description=description,
        input_schema=takes,
        output_schema=gives,
        annotations=types.ToolAnnotations(
            read_only_hint=reads,
            destructive_hint=not reads and (destructive or name.startswith(_DELETES)),
            open_world_hint=open_world,
        ),
    )
