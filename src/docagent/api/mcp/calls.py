"""Calls of tools: what reads is answered at once, what writes is a turn of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
import orjson

from docagent.agent.state import TurnView
from docagent.api.mcp.answers import answer, failure
from docagent.api.mcp.arguments import for_the_api, places
from docagent.api.mcp.call import Call
from docagent.api.mcp.callers import Caller
from docagent.api.mcp.contract import ContractTool
from docagent.api.mcp.following import Answer, Following, waiting_calls
from docagent.domain.errors import Conflict, DocAgentError, NotFound
from docagent.domain.turns.events import Failed, Stopped
from docagent.domain.turns.permission import Effect
from docagent.domain.turns.tools import Access, BadCall
from docagent.domain.turns.turns import Subject, Turn, TurnState
from docagent.services.turns.calling import THE_CALL, Called

WAITS = (
    "It waits for a person: {summary}. Approve it in the inbox of the web client, or with agent_approve and turn_id "
    "{turn_id}; then call agent_events to see the outcome."
)
Done = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Makes the answer of what a tool returned."""
RUNS = "It is still running. agent_events with this turn_id and wait_seconds tells the outcome."


async def read(call: Call, tool: ContractTool) -> types.CallToolResult:
    """A reading tool of the contract: the operation of the API, with the organisation's policy before it."""
    arguments = for_the_api(tool, call.arguments)
    path = tool.path.format(**{name: segment(arguments.pop(name)) for name in places(tool.path)})
    for name in tool.left_out:
        arguments.pop(name, None)
    if tool.method == "get":
        if tool.name == "get_document":
            arguments.setdefault("include_content", False)
        found = await call.caller.api.get(path, arguments)
    else:
        found = await call.caller.api.call(tool.method, path, body=arguments)
    if tool.wraps is None:
        return answer(found)
    return answer({tool.wraps: found}, found if isinstance(found, str) else None)


async def write(call: Call, tool: ContractTool) -> Answer:
    """A writing tool of the contract: a call of the agent's tool that does it."""
    arguments, api = for_the_api(tool, call.arguments), call.caller.api
    subject = None
    if "/documents/{document_id}" in tool.path:
        subject = Subject.document(str(arguments["document_id"]))
    if tool.name == "run_llm":
        document_id, revid = str(arguments["document_id"]), str(arguments.get("prompt_revid") or "default")
        if not arguments.get("force"):
            try:
                found = await api.get(f"/llm/result/{segment(document_id)}", {"prompt_revid": revid})
                return answer({"status": "success", "result": found["updated_llm_result"]})
            except DocAgentError:  # there is none yet, or none can be: the run says which
                pass
        subject, arguments = Subject.document(document_id), {"prompt_revid": revid}

    async def done(content: dict[str, Any]) -> dict[str, Any]:
        if tool.answer is None:
            kept = ("status", "message")
            return {key: content[key] for key in kept if key in content} or content
        found: dict[str, Any] = await api.get(tool.answer.format(**{**call.arguments, **content}))
        if tool.name == "run_llm":
            return {"status": "success", "result": found["updated_llm_result"]}
        return found

    return await run(call, call.called(tool.does or tool.name, arguments, subject), done)


async def call_own(call: Call, arguments: dict[str, Any], subject: Subject | None) -> Answer:
    """A tool of the agent by its own name. Reads that are allowed are not logged, as those over HTTP are not."""
    name, member = call.parameters.name, call.caller.member
    called = call.called(name, arguments, subject)
    calling = call.caller.services.turns.calling
    tool = next((tool for tool in await calling.tools(member, subject) if tool.name == name), None)
    if tool is None:
        raise BadCall(f"There is no tool {name} here.")
    if tool.access is Access.READ_ONLY:
        verdict = await calling.judge(member, tool, called)
        if verdict.effect is Effect.DENY:
            return failure(f"Not allowed: {verdict.reason}")
        if verdict.effect is Effect.ALLOW:

            async def progress(done: int, total: int, message: str) -> None:
                await call.tell(f"{message} ({done} of {total})")

            outcome = await calling.look(member, called, progress)
            return failure(outcome.summary) if outcome.is_error else answer(dict(outcome.content))

    async def done(content: dict[str, Any]) -> dict[str, Any]:
        return content

    return await run(call, called, done)


async def run(call: Call, called: Called, done: Done) -> Answer:
    """Run a call as a turn, or continue the turn about which the person was asked."""

    async def finish(turn: Turn, view: TurnView) -> types.CallToolResult:
        return await _finished(turn, view, done)

    following, state = Following(call, finish), call.parameters.request_state
    if state is not None:
        return await following.again(await _asked_about(call.caller, state, called))
    turn = await call.caller.services.turns.calling.start(call.caller.member, called)
    return await following.to_its_end(turn)


async def _finished(turn: Turn, view: TurnView, done: Done) -> types.CallToolResult:
    if not turn.state.is_over:
        summary = "; ".join(one.summary for one in view.undecided).rstrip(".")
        waits = turn.state is TurnState.AWAITING_APPROVAL
        message = WAITS.format(summary=summary, turn_id=turn.id) if waits else RUNS
        state = {"state": turn.state.value, "status": turn.state.value, "turn_id": turn.id}
        return answer({**state, "message": message, "calls": waiting_calls(view)}, message)
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
            return RUNS


async def _asked_about(caller: Caller, state: str, called: Called) -> Turn:
    """The turn that the client brings back, which must be of the same call: its answer is about that one."""
    log = await caller.services.turns.watching.events(caller.member, state)
    view = TurnView.of(item.event for item in log)
    call = view.calls.get(THE_CALL)
    if call is None or (call.name, orjson.loads(call.arguments)) != (called.tool, dict(called.arguments)):
        raise Conflict("The answer is about another call. Make the call again without request_state.")
    return await caller.services.turns.watching.get(caller.member, state)


def segment(value: Any) -> str:
    """An id as a part of a path. What is no id is no part of one either."""
    text = str(value)
    if not text or any(character in text for character in "/?#%\\") or text in (".", ".."):
        raise NotFound(f"There is nothing with the id {text[:40]!r}.")
    return text
