"""Finds the tool that a call names, and runs it. Failures are answered in words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import mcp_types as types

from docagent.api.mcp import agent_calls, calls, files
from docagent.api.mcp.answers import answer, failure
from docagent.api.mcp.arguments import check_names, json_argument
from docagent.api.mcp.asking import Context
from docagent.api.mcp.call import Call
from docagent.api.mcp.callers import Caller
from docagent.api.mcp.catalogue import CONTRACT, LOCAL, all_tools, manual_of, own_tools
from docagent.api.mcp.contract import REVIEW, UPLOAD
from docagent.api.mcp.following import Answer
from docagent.api.mcp.form_check import check_form
from docagent.domain.accounts.accounts import TokenScope
from docagent.domain.errors import DocAgentError
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.tools import BadCall
from docagent.domain.turns.turns import Subject
from docagent.services.turns.calling import Called
from docagent.tools.calls import unknown_tool
from docagent.tools.registry import EXTRACT

OWN_WAYS: Mapping[str, Callable[[Call], Awaitable[Answer]]] = {
    "agent_chat": agent_calls.chat,
    "agent_approve": agent_calls.approve,
    "agent_events": agent_calls.events,
    REVIEW.name: agent_calls.review_next,
    UPLOAD.name: files.upload,
    EXTRACT.name: files.extract,
}


async def call_tool(caller: Caller, context: Context, parameters: types.CallToolRequestParams) -> Answer:
    try:
        call = Call(caller, context, parameters)
        async with call.showing_life():
            return await _called(call)
    except DocAgentError as error:
        return failure(error.detail)


def listed(caller: Caller) -> list[types.Tool]:
    wanted = caller.wants.tools
    return [tool for tool in _offered(caller) if wanted is None or tool.name in wanted]


def _offered(caller: Caller) -> list[types.Tool]:
    """What may be called. Sets only make the list shorter: a program that knows a name may use it."""
    offered = all_tools(web_search=_searches(caller), read_only=caller.wants.read_only)
    begins_turns = caller.member.principal.scope is not TokenScope.READ
    return [tool for tool in offered if begins_turns or tool.name != "agent_chat"]


async def _called(call: Call) -> Answer:
    name = call.parameters.name
    check_names(_tool(call.caller, name), CONTRACT.get(name), call.arguments)
    if name in OWN_WAYS:
        return await OWN_WAYS[name](call)
    if name in LOCAL:
        return await _local(call.caller, name, call.arguments)
    if name not in CONTRACT:
        return await _own(call)
    if CONTRACT[name].writes:
        return await calls.write(call, CONTRACT[name])
    if refusal := await _against_policy(call.caller, name):
        return failure(refusal)
    return await calls.read(call, CONTRACT[name])


def _tool(caller: Caller, name: str) -> types.Tool:
    offered = {tool.name: tool for tool in _offered(caller)}
    if name in offered:
        return offered[name]
    everything = all_tools(web_search=_searches(caller), read_only=False)
    if caller.wants.read_only and any(tool.name == name for tool in everything):
        raise BadCall(f"This connection may only read, and {name} writes.")
    raise unknown_tool(name, list(offered))


async def _against_policy(caller: Caller, name: str) -> str | None:
    """Why the organisation does not let programs read this by themselves; None where it does."""
    calling = caller.services.turns.calling
    tool = next((tool for tool in await calling.tools(caller.member, None) if tool.name == name), None)
    if tool is None:
        return None
    verdict = await calling.judge(caller.member, tool, Called(name, {}, None, caller.wants.terms, ""))
    return None if verdict.effect is Effect.ALLOW else f"Not allowed: {verdict.reason}"


async def _own(call: Call) -> Answer:
    name, arguments = call.parameters.name, dict(call.arguments)
    tool, named = own_tools(web_search=_searches(call.caller))[name]
    subject = None
    if named is not None:
        about = arguments.get(named) if named in tool.parameters["properties"] else arguments.pop(named, None)
        if not isinstance(about, str) or not about:
            raise BadCall(f"{name} needs {named}.")
        subject = Subject.document(about) if named == "document_id" else Subject.project(about)
    return await calls.call_own(call, arguments, subject)


async def _local(caller: Caller, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
    if (text := manual_of(name)) is not None:
        return answer({"content": text}, text)
    if name == "validate_form":
        return answer(check_form(json_argument(arguments.get("form"), "form")))
    found = await caller.services.organizations.list(
        caller.member.principal, organization_id=caller.member.organization_id
    )
    organization = found.items[0]
    return answer(
        {
            "organization_id": organization.id,
            "organization_name": organization.name,
            "organization_type": organization.type.value,
        }
    )


def _searches(caller: Caller) -> bool:
    return any(tool.name == "search_web" for tool in caller.services.tools)
