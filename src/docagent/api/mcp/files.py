"""Tools that bring files: uploading them, and extracting by a schema that the caller brings.

Permission is judged as for every write, but bytes do not wait in an inbox.
"""

from __future__ import annotations

from typing import Any

import anyio

from docagent.api.mcp import asking
from docagent.api.mcp.answers import answer, failure
from docagent.api.mcp.call import MOST_SECONDS, WAIT, Call
from docagent.api.mcp.following import Answer
from docagent.api.mcp.local_files import names_files, with_contents
from docagent.api.rest.extraction.extract import LONGEST_WAIT
from docagent.domain.turns.events import RequestedCall
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.tools import BadCall, Tool
from docagent.services.turns.calling import THE_CALL
from docagent.tools.registry import EXTRACT, UPLOAD

STILL_RUNS = (
    "It is still running. Call extract again with this document_id and the same json_schema: it continues."
)
TAKES = {
    "type": "object",
    "properties": {
        "json_schema": {
            "type": "object",
            "description": "JSON Schema of the object to find: type, properties.",
        },
        "document_id": {"type": "string", "description": "A document that is there."},
        "content": {"type": "string", "description": "Or a file in base64."},
        "name": {"type": "string", "description": "The name of that file, with its ending."},
        "path": {"type": "string", "description": "Over stdio: a local file, instead of content and name."},
        "instructions": {"type": "string", "description": "What to know beside the schema."},
        "model": {"type": "string", "description": "The model; else the organisation's default."},
        "again": {"type": "boolean", "description": "Run although there is a result."},
        WAIT: {
            "type": "number",
            "minimum": 0,
            "maximum": MOST_SECONDS,
            "description": "How long to wait for the result; then the state is running.",
        },
    },
    "required": ["json_schema"],
}
_LIST = {"type": "array"}
GIVES = {
    "type": "object",
    "properties": {
        "state": {"enum": ["done", "running"]},
        "document_id": {"type": "string"},
        "data": {"type": ["object", "null"]},
        "evidence": _LIST,
        "unproven": _LIST,
        "problems": _LIST,
    },
    "required": ["state", "document_id"],
}


async def upload(call: Call) -> Answer:
    documents = (await _with_files(call)).get("documents")
    if (
        not isinstance(documents, list)
        or not all(isinstance(item, dict) for item in documents)
        or not documents
    ):
        raise BadCall("documents is a list of objects with name and content, at least one.")
    names = ", ".join(str(item.get("name"))[:100] for item in documents[:10])
    if (refused := await _refused(call, UPLOAD, f"Upload {names}")) is not None:
        return refused
    body = {"documents": documents}
    return answer(await call.caller.api.call("post", "/documents", body=body, key=call.key))


async def extract(call: Call) -> Answer:
    """Fill the caller's schema from a file or a document. The same again gives the result that is there."""
    asked = {name: value for name, value in (await _with_files(call)).items() if name != WAIT}
    if not isinstance(asked.get("json_schema"), dict):
        raise BadCall("extract needs json_schema, a JSON Schema with type and properties.")
    what = str(asked.get("name") or asked.get("document_id"))[:100]
    if (refused := await _refused(call, EXTRACT, f"Extract data from {what}")) is not None:
        return refused
    api = call.caller.api
    found = await api.call("post", "/extract", body={**asked, "wait": 0}, key=call.key)
    while found["status"] == "running" and (left := _left(call)):
        found = await api.get(f"/extract/{found['job_id']}", {"wait": left})
    del found["callback_secret"]
    state = found.pop("status")
    more = {"message": STILL_RUNS} if state == "running" else {}
    return answer({"state": state, **more, **found})


def _left(call: Call) -> float:
    """How long one request may wait for a result."""
    return max(0.0, min(call.deadline - anyio.current_time(), LONGEST_WAIT))


async def _with_files(call: Call) -> dict[str, Any]:
    name = call.parameters.name
    if names_files(name, call.arguments) and not call.caller.wants.reads_files:
        raise BadCall("The server reads no files of its machine. Send content in base64.")
    return await with_contents(name, call.arguments)


async def _refused(call: Call, tool: Tool, summary: str) -> Answer | None:
    """Why the call may not run, or the question that comes first; None if it may."""
    verdict = await call.caller.services.turns.calling.judge(
        call.caller.member, tool, call.called(tool.name, {}, None)
    )
    if verdict.effect is Effect.DENY:
        return failure(f"Not allowed: {verdict.reason}")
    if verdict.effect is Effect.ALLOW:
        return None
    question = asking.about_calls([RequestedCall(THE_CALL, tool.name, "{}", summary)])
    said = asking.given(call.parameters)
    if said is None and not asking.can_ask(call.context):
        return failure(
            f"{tool.name} needs a yes, and this client cannot ask for it: {verdict.reason} Allow it for this "
            f"connection (--approve {tool.name}) or by a rule of the agent's settings, or use the terminal."
        )
    if said is None and asking.asks_by_answer(call.context):
        return asking.ask_by_answer(question, tool.name)
    said = said or await asking.ask_now(call.context, question)
    return None if said.action == "accept" else failure("User rejected this action.")
