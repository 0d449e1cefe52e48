"""Asking the person at the client: with the summary and the difference that the inbox shows.

Clients of the newest protocol are asked by an answer that wants input, and call again with it; older ones are asked
while their call waits. A client that cannot ask is told where the call waits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from typing import Any

import anyio
import mcp_types as types
import orjson
from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from docagent.domain.turns.events import InputRequested, RequestedCall

QUESTION = "person"
"""The key of the one thing that is asked at a time."""
MOST_CHARACTERS = 6000
SECONDS_TO_ANSWER = 600.0
Context = ServerRequestContext[Any, Any]


def can_ask(context: Context) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None:
        return False
    return elicitation.form is not None or elicitation.url is None


def asks_by_answer(context: Context) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def about_calls(calls: Sequence[RequestedCall]) -> types.ElicitRequestFormParams:
    shown = "\n\n".join(f"{call.summary}\n{difference(call.preview)}".strip() for call in calls)
    return types.ElicitRequestFormParams(
        message=f"May this be done?\n\n{_cut(shown)}",
        requested_schema={
            "type": "object",
            "properties": {"reason": {"type": "string", "title": "Reason, if you want to give one"}},
        },
    )


def about_question(asked: InputRequested) -> types.ElicitRequestFormParams:
    answer: dict[str, Any] = {"type": "string", "title": "Answer"}
    if asked.choices:
        answer["enum"] = list(asked.choices)
    return types.ElicitRequestFormParams(
        message=asked.question,
        requested_schema={"type": "object", "properties": {"answer": answer}, "required": ["answer"]},
    )


async def ask_now(context: Context, question: types.ElicitRequestFormParams) -> types.ElicitResult:
    """Ask while the call waits. Who says nothing for long has dismissed it: the inbox still has it."""
    with anyio.move_on_after(SECONDS_TO_ANSWER):
        return await context.session.elicit_form(
            question.message, question.requested_schema, related_request_id=context.request_id
        )
    return types.ElicitResult(action="cancel")


def ask_by_answer(question: types.ElicitRequestFormParams, state: str) -> types.InputRequiredResult:
    return types.InputRequiredResult(
        input_requests={QUESTION: types.ElicitRequest(params=question)}, request_state=state
    )


def given(parameters: types.CallToolRequestParams) -> types.ElicitResult | None:
    """What the person said, if the call is made again with it."""
    said = (parameters.input_responses or {}).get(QUESTION)
    return said if isinstance(said, types.ElicitResult) else None


def said(result: types.ElicitResult, field: str) -> str | None:
    value = (result.content or {}).get(field)
    return value.strip() or None if isinstance(value, str) else None


def difference(preview: Mapping[str, Any] | None) -> str:
    """A preview as lines that a terminal can show: what goes with a minus, what comes with a plus."""
    if preview is None:
        return ""
    if preview.get("kind") == "delete":
        return "\n".join(f"- {line}" for line in preview.get("removes", ()))
    fields = preview.get("fields")
    if isinstance(fields, list) and fields and "field" in fields[0]:
        return "\n".join(_lines(item["field"], item["before"], item["after"]) for item in fields)
    if "after" in preview:
        return _lines(
            str(preview.get("path") or preview.get("name") or ""), preview.get("before"), preview["after"]
        )
    return _json({key: value for key, value in preview.items() if key != "kind"})


def _lines(name: str, before: Any, after: Any) -> str:
    old, new = _written(before), _written(after)
    changed = list(unified_diff(old, new, lineterm="", n=1))[2:]
    shown = [line for line in changed if not line.startswith("@@")]
    return "\n".join([*([f"{name}:"] if name else []), *shown])


def _written(value: Any) -> list[str]:
    if value is None:
        return []
    return (value if isinstance(value, str) else _json(value)).splitlines()


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2, default=str).decode()


def _cut(text: str) -> str:
    return (
        text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}\n… (the inbox shows all of it)"
    )
