"""Calls of tools: what reads is answered at once, what writes is a turn of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types
import orjson

from docagent.agent.state import TurnView
from docagent.api.mcp import asking
from docagent.api.mcp.answers import answer, failure
from docagent.api.mcp.arguments import for_the_api, places
from docagent.api.mcp.asking import Context
from docagent.api.mcp.callers import Caller
from docagent.api.mcp.contract import ContractTool
from docagent.api.mcp.following import Answer, Following, waiting_calls
from docagent.api.mcp.local_files import names_files, with_contents
from docagent.domain.errors import Conflict, DocAgentError, NotFound
from docagent.domain.turns.events import Failed, RequestedCall, Stopped
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.tools import Access, BadCall
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.services.turns.calling import THE_CALL, Called
from docagent.tools.registry import UPLOAD

WAITS = (
    "It waits for a person: {summary}. Approve it in the inbox of the web client, or with agent_approve and turn_id "
    "{turn_id}; then call agent_events to see what became of it."
)
MOST_CALLER = 80


async def read(caller: Caller, tool: ContractTool, given: Mapping[str, Any] | None) -> types.CallToolResult:
    """A reading tool of the contract: the operation of the API, with the organisation's policy before it."""
    arguments = for_the_api(tool, given)
    path = tool.path.format(**{name: segment(arguments.pop(name)) for name in places(tool.path)})
    for name in tool.left_out:
        arguments.pop(name, None)
    if tool.method == "get":
        if tool.name == "get_document":
            arguments.setdefault("include_content", False)
        found = await caller.api.get(path, arguments)
    else:
        found = await caller.api.call(tool.method, path, body=arguments)
    if tool.wraps is None:
        return answer(found)
    return answer({tool.wraps: found}, found if isinstance(found, str) else None)


async def write(
    caller: Caller, context: Context, tool: ContractTool, parameters: types.CallToolRequestParams
) -> Answer:
    """A writing tool of the contract: a call of the agent's tool that does it."""
    assert tool.does is not None
    arguments = for_the_api(tool, parameters.arguments)
    if tool.does == "run_extraction":
        return await _run_llm(caller, context, parameters, arguments)
    subject = None
    if tool.does in ("update_document", "delete_document"):
        subject = Subject.document(str(arguments["document_id"]))

    async def done(content: dict[str, Any]) -> dict[str, Any]:
        if tool.answer is None:
            kept = ("status", "message")
            return {key: content[key] for key in kept if key in content} or content
        found: dict[str, Any] = await caller.api.get(tool.answer.format(**content))
        return found

    return await call_tool(
        caller, context, parameters, _called(context, caller, tool.does, arguments, subject), done
    )


async def _run_llm(
    caller: Caller,
    context: Context,
    parameters: types.CallToolRequestParams,
    arguments: dict[str, Any],
) -> Answer:
    document_id = str(arguments["document_id"])
    revid = str(arguments.get("prompt_revid") or "default")
    place = f"/llm/result/{segment(document_id)}"
    if not arguments.get("force"):
        try:
            found = await caller.api.get(place, {"prompt_revid": revid})
            return answer({"status": "success", "result": found["updated_llm_result"]})
        except DocAgentError:  # there is none yet, or none can be: the run says which
            pass

    async def done(content: dict[str, Any]) -> dict[str, Any]:
        result = await caller.api.get(place, {"prompt_revid": content["prompt_revid"]})
        return {"status": "success", "result": result["updated_llm_result"]}

    called = _called(
        context, caller, "run_extraction", {"prompt_revid": revid}, Subject.document(document_id)
    )
    return await call_tool(caller, context, parameters, called, done)


async def call_own(
    caller: Caller,
    context: Context,
    name: str,
    arguments: dict[str, Any],
    subject: Subject | None,
    parameters: types.CallToolRequestParams,
) -> Answer:
    """A tool of the agent by its own name. Reads that are allowed are not logged, as those over HTTP are not."""
    called = _called(context, caller, name, arguments, subject)
    calling = caller.services.turns.calling
    tool = next((tool for tool in await calling.tools(caller.member, subject) if tool.name == name), None)
    if tool is None:
        raise BadCall(f"There is no tool {name} here.")
    if tool.access is Access.READ_ONLY:
        verdict = await calling.judge(caller.member, tool, called)
        if verdict.effect is Effect.DENY:
            return failure(f"Not allowed: {verdict.reason}")
        if verdict.effect is Effect.ALLOW:

            async def progress(done: int, total: int, message: str) -> None:
                await context.session.report_progress(done, total, message)

            outcome = await calling.look(caller.member, called, progress)
            return answer(dict(outcome.content))

    async def done(content: dict[str, Any]) -> dict[str, Any]:
        return content

    return await call_tool(caller, context, parameters, called, done)


async def call_tool(
    caller: Caller,
    context: Context,
    parameters: types.CallToolRequestParams,
    called: Called,
    done: Any,
) -> Answer:
    """Run a call as a turn, or go on with the turn about which the person was asked."""

    async def finish(turn: Turn, view: TurnView) -> types.CallToolResult:
        return await _finished(turn, view, done)

    following = Following(caller, context, finish)
    if parameters.request_state is not None:
        turn = await _asked_about(caller, parameters.request_state, called)
        return await following.again(turn, asking.given(parameters))
    return await following.to_its_end(await caller.services.turns.calling.start(caller.member, called))


async def _finished(turn: Turn, view: TurnView, done: Any) -> types.CallToolResult:
    if turn.state is TurnState.AWAITING_APPROVAL:
        summary = "; ".join(call.summary for call in view.undecided)
        message = WAITS.format(summary=summary.rstrip("."), turn_id=turn.id)
        waiting = {
            "status": turn.state.value,
            "turn_id": turn.id,
            "message": message,
            "calls": waiting_calls(view),
        }
        return answer(waiting, message)
    result = view.results.get(THE_CALL)
    if result is None:
        return failure(why_it_ended(view))
    content = orjson.loads(result.content)
    if result.is_error:
        reason = f" Reason: {content['reason']}" if content.get("reason") else ""
        return failure(f"{content.get('error', result.summary)}{reason}")
    return answer(await done(content))


def why_it_ended(view: TurnView) -> str:
    match view.end:
        case Failed():
            return view.end.error
        case Stopped():
            return "It was stopped before it was done. Nothing was changed."
        case _:
            return "It is still running. agent_events tells how it goes on."


async def _asked_about(caller: Caller, state: str, called: Called) -> Turn:
    """The turn that the client brings back, which must be of the same call: its answer is about that one."""
    log = await caller.services.turns.watching.events(caller.member, state)
    view = TurnView.of(item.event for item in log)
    call = view.calls.get(THE_CALL)
    if call is None or (call.name, orjson.loads(call.arguments)) != (called.tool, dict(called.arguments)):
        raise Conflict("The answer is about another call. Make the call again without request_state.")
    return await caller.services.turns.watching.get(caller.member, state)


async def upload(
    caller: Caller, context: Context, documents: Any, parameters: types.CallToolRequestParams
) -> Answer:
    """Upload files. Permission is judged as for every write, but bytes do not wait in an inbox."""
    if (
        not isinstance(documents, list)
        or not all(isinstance(item, dict) for item in documents)
        or not documents
    ):
        raise BadCall("documents is a list of objects with name and content, at least one.")
    if names_files(documents):
        if not caller.wants.reads_files:
            raise BadCall("The server reads no files of its machine. Send content in base64.")
        documents = await with_contents(documents)
    names = ", ".join(str(item.get("name"))[:100] for item in documents[:10])
    called = _called(context, caller, UPLOAD.name, {}, None)
    verdict = await caller.services.turns.calling.judge(caller.member, UPLOAD, called)
    if verdict.effect is Effect.DENY:
        return failure(f"Not allowed: {verdict.reason}")
    if verdict.effect is Effect.ASK:
        question = asking.about_calls([RequestedCall(THE_CALL, UPLOAD.name, "{}", f"Upload {names}")])
        said = asking.given(parameters)
        if said is None and not asking.can_ask(context):
            return failure(
                f"Uploading needs a yes, and this client cannot ask for it: {verdict.reason} Allow upload_documents "
                "for this connection (--approve upload_documents) or by a rule of the agent's settings, or use "
                "`docagent upload`."
            )
        if said is None and asking.asks_by_answer(context):
            return asking.ask_by_answer(question, UPLOAD.name)
        said = said or await asking.ask_now(context, question)
        if said.action != "accept":
            return failure("User rejected this action.")
    stored: dict[str, Any] = await caller.api.call("post", "/documents", body={"documents": documents})
    return answer(stored)


def _called(
    context: Context, caller: Caller, name: str, arguments: Mapping[str, Any], subject: Subject | None
) -> Called:
    return Called(name, arguments, subject, caller.wants.terms, caller_name(context))


def caller_name(context: Context) -> str:
    client = context.session.client_params
    name = client.client_info.name if client else ""
    return f"MCP client {name}".strip()[:MOST_CALLER]


def segment(value: Any) -> str:
    """An id as a part of a path. What is no id is no part of one either."""
    text = str(value)
    if not text or any(character in text for character in "/?#%\\") or text in (".", ".."):
        raise NotFound(f"There is nothing with the id {text[:40]!r}.")
    return text
