"""The calls of one reply: which may run, which wait for a person, and running them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Literal

import orjson

from docagent.agent.limits import FAILURES_BEFORE_REFUSAL, RUNS_PER_PROPOSAL
from docagent.agent.ports import Add, Journal, Progress, Toolset
from docagent.agent.state import TurnView
from docagent.domain.errors import DatabaseAway, DocAgentError
from docagent.domain.models.llm import ToolCall, ToolSpec
from docagent.domain.turns import events, tools
from docagent.domain.turns.permission import Effect, Mode, Rule, evaluate
from docagent.domain.turns.turns import REJECTED_TEXT

logger = logging.getLogger(__name__)

Attempt = Callable[[], AbstractAsyncContextManager[None]]

MOST_CALLS = 64
"""How many calls of one reply may run. Further calls are refused with a message."""

STANDING_GRANTS = frozenset({events.GrantKind.REMEMBERED, events.GrantKind.REQUEST, events.GrantKind.ACT})
"""Given before the call was known, so that they cover no loss."""

REQUEST_INPUT = ToolSpec(
    "request_input",
    "Ask the user a question and wait for the answer. Use it only when the answer changes what you do next and "
    "neither the document nor a tool can tell.",
    {
        "type": "object",
        "properties": {
            "question": {"type": "string", "minLength": 1, "maxLength": 2000},
            "choices": {
                "type": "array",
                "items": {"type": "string", "maxLength": 200},
                "maxItems": 8,
                "description": "Answers to choose from, when there are few.",
            },
        },
        "required": ["question"],
        "additionalProperties": False,
    },
)
REQUEST_INPUT_TOOL = tools.Tool(REQUEST_INPUT, tools.Access.READ_ONLY)


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that is decided: it runs, asks the user its question, or gets `refusal` as its result."""

    call: ToolCall
    kind: Literal["read", "write", "question", "refused"]
    arguments: Mapping[str, Any]
    grant: events.Grant | None = None
    refusal: tools.Outcome | None = None
    edited: bool = False

    @property
    def started(self) -> events.ToolStarted:
        assert self.grant is not None
        arguments = orjson.dumps(self.arguments).decode() if self.edited else self.call.arguments
        return events.ToolStarted(self.call.id, self.call.name, arguments, self.grant)


@dataclass(frozen=True, slots=True)
class Asking:
    """A call that needs a person's verdict."""

    requested: events.RequestedCall


class Acting:
    """Judges and runs calls for one turn."""

    def __init__(self, toolset: Toolset, journal: Journal, scope: tools.Scope, *, asks_user: bool) -> None:
        self._toolset = toolset
        self._journal = journal
        self._scope = scope
        self.asks_user = asks_user
        self._tools = {tool.name: tool for tool in toolset.tools()}
        if asks_user:
            self._tools[REQUEST_INPUT.name] = REQUEST_INPUT_TOOL
        self._offered: tuple[ToolSpec, ...] | None = None

    def offered(self, selected: Sequence[str] | None) -> tuple[ToolSpec, ...]:
        """The tools that the model is offered. They stay the same in every round, so they are put together once."""
        if self._offered is None:
            self._offered = tuple(
                tool.spec
                for tool in self._tools.values()
                if selected is None or tool.name in selected or tool is REQUEST_INPUT_TOOL
            )
        return self._offered

    # --- judging ----------------------------------------------------------------------------------------------

    async def judge(
        self, view: TurnView, calls: Sequence[ToolCall], rules: Sequence[Rule], *, tainted: bool
    ) -> list[Ready] | events.ApprovalRequested:
        """Decide what becomes of each call. If one needs a verdict, return the request for it instead.

        A batch with such a call waits as a whole: none of its calls runs before the verdicts are there.
        """
        judged: list[Ready | Asking] = []
        for call in calls[:MOST_CALLS]:
            judged.append(await self._judge(view, call, rules, tainted, is_first=not _writes(judged)))
        for call in calls[MOST_CALLS:]:
            judged.append(_refused(call, f"At most {MOST_CALLS} calls in one reply; ask for this one again."))
        if any(isinstance(item, Asking) for item in judged):
            return events.ApprovalRequested(
                tuple(
                    [
                        await self._requested(view, call, item)
                        for call, item in zip(calls, judged, strict=True)
                    ]
                )
            )
        return [item for item in judged if isinstance(item, Ready)]

    async def _judge(
        self, view: TurnView, call: ToolCall, rules: Sequence[Rule], tainted: bool, *, is_first: bool
    ) -> Ready | Asking:
        """`is_first`: no call before it in the batch changes anything, so what cannot work now will not work then."""
        if (turned_down := _turned_down(view, call)) is not None:
            return turned_down
        decision = view.decided.get(call.id)
        edited = decision is not None and decision.arguments is not None
        written = decision.arguments if decision is not None and decision.arguments else call.arguments
        tool = self._tool(view, call.name)
        try:
            arguments = self._arguments(tool, call.name, written)
        except tools.BadCall as error:
            return _refused(call, error.detail)
        if tool is REQUEST_INPUT_TOOL:
            return Ready(call, "question", arguments, events.Grant(events.GrantKind.LOOP))
        described = None
        if tool is not None and tool.may_lose and decision is None:
            described = await self._described(view, call, arguments)
        terms = view.started.terms
        verdict = evaluate(
            tool,
            arguments,
            rules=rules,
            mode=Mode(
                terms.auto_approve,
                terms.auto_approved_tools,
                terms.proposes,
                acts=terms.acts and not view.wants_confirmation,
            ),
            user_id=self._scope.member.user_id,
            subject=self._scope.subject,
            tainted=tainted,
            loses=described is not None and bool(described.losses),
        )
        if verdict.effect is Effect.DENY or tool is None:
            return _refused(call, f"Not allowed: {verdict.reason}")
        kind: Literal["read", "write"] = "read" if tool.access is tools.Access.READ_ONLY else "write"
        if decision is not None:
            return Ready(
                call,
                kind,
                arguments,
                events.Grant(events.GrantKind.USER, user_id=decision.user_id),
                edited=edited,
            )
        if verdict.effect is Effect.ASK:
            described = described or await self._described(view, call, arguments)
            if described.refusal is not None and is_first:
                return _refused(call, described.refusal)
            return Asking(replace(_requested(call, described), by_policy=verdict.by_policy))
        return Ready(call, kind, arguments, verdict.grant)

    async def _described(
        self, view: TurnView, call: ToolCall, arguments: Mapping[str, Any]
    ) -> tools.Described:
        try:
            return await self._toolset.describe(self.context(view, call), call.name, arguments)
        except DatabaseAway:
            raise
        except DocAgentError as error:
            return tools.Described(f"{call.name}: {error.detail}", refusal=error.detail)

    def _tool(self, view: TurnView, name: str) -> tools.Tool | None:
        tool = self._tools.get(name)
        selected = view.started.terms.selected_tools
        if tool is None or tool is REQUEST_INPUT_TOOL or selected is None or name in selected:
            return tool
        return None

    def _arguments(self, tool: tools.Tool | None, name: str, written: str) -> Mapping[str, Any]:
        if tool is REQUEST_INPUT_TOOL:
            return _question(written)
        if tool is None and name in self._tools:
            raise tools.BadCall(f"{name} is not selected for this turn. Use the tools that you were given.")
        return self._toolset.check(name, written)

    async def _requested(
        self, view: TurnView, call: ToolCall, judged: Ready | Asking
    ) -> events.RequestedCall:
        if isinstance(judged, Asking):
            return judged.requested
        summary = f"Use {call.name}"
        if judged.refusal is None and judged.kind != "question":
            summary = (await self._described(view, call, judged.arguments)).summary
        return events.RequestedCall(call.id, call.name, call.arguments, summary, asks=False)

    def context(self, view: TurnView, call: ToolCall) -> tools.CallContext:
        return tools.CallContext(self._scope, call.id, view.state, _accepted(view, call))

    # --- running ----------------------------------------------------------------------------------------------

    async def run(self, view: TurnView, ready: Sequence[Ready], after: AfterBatch) -> AsyncGenerator[None]:
        """Run the calls in order; neighbouring calls that only read run together. Yields after each commit.

        `after` may add to the entry that holds the last result. Questions to the user come last, one at a time.
        """
        questions = [item for item in ready if item.kind == "question"]
        groups = list(_groups([item for item in ready if item.kind != "question"]))
        for position, group in enumerate(groups):
            upcoming = groups[position + 1] if position + 1 < len(groups) else []
            last = position + 1 == len(groups) and not questions
            if group[0].kind == "write":
                async for _ in self._write(view, group[0], upcoming, after if last else None):
                    yield
            else:
                await self._read(view, group, upcoming, after if last else None)
            yield
        if questions:
            await self._ask(view, questions)
            yield

    async def _read(
        self, view: TurnView, group: Sequence[Ready], upcoming: Sequence[Ready], after: AfterBatch | None
    ) -> None:
        outcomes = await asyncio.gather(*(self._look(view, item) for item in group))
        async with self._journal.entry() as entry:
            for item, (outcome, milliseconds) in zip(group, outcomes, strict=True):
                _add(entry.add, view, _finished(item, outcome, milliseconds))
            _begin(entry.add, view, upcoming)
            if after is not None:
                after(entry.add)

    async def _look(self, view: TurnView, item: Ready) -> tuple[tools.Outcome, int]:
        if item.refusal is not None:
            return item.refusal, 0
        begun = time.perf_counter()
        outcome = await self._guarded(view, item, None)
        return outcome, _milliseconds(begun)

    async def _write(
        self, view: TurnView, item: Ready, upcoming: Sequence[Ready], after: AfterBatch | None
    ) -> AsyncGenerator[None]:
        begun = time.perf_counter()
        told: asyncio.Queue[events.ToolProgress | None] = asyncio.Queue()

        async def progress(done: int, total: int, message: str) -> None:
            told.put_nowait(events.ToolProgress(item.call.id, done, total, message))

        preparing = asyncio.ensure_future(self._prepared(view, item, progress))
        preparing.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (word := await told.get()) is not None:
                async with self._journal.entry() as entry:
                    _add(entry.add, view, word)
                yield
        finally:
            if not preparing.done():
                preparing.cancel()
                await asyncio.gather(preparing, return_exceptions=True)
        prepared = preparing.result()
        async with self._journal.entry() as entry:
            if isinstance(prepared, tools.Outcome):
                outcome = prepared
            else:
                outcome = await self._guarded(view, item, prepared[0], entry.attempt)
            _add(entry.add, view, _finished(item, outcome, _milliseconds(begun)))
            _begin(entry.add, view, upcoming)
            if after is not None:
                after(entry.add)

    async def _prepared(self, view: TurnView, item: Ready, progress: Progress) -> tuple[Any] | tools.Outcome:
        """Return what `prepare` gave, wrapped in a tuple, or the outcome if it failed."""
        try:
            context = self.context(view, item.call)
            return (await self._toolset.prepare(context, item.call.name, item.arguments, progress),)
        except DatabaseAway:  # the whole step waits for it
            raise
        except Exception as error:  # noqa: BLE001
            return _failure(item, error)

    async def _guarded(
        self, view: TurnView, item: Ready, prepared: Any, attempt: Attempt | None = None
    ) -> tools.Outcome:
        """Run a call. One of four places that may catch everything: a broken tool is a result, not a broken turn."""
        context = self.context(view, item.call)
        try:
            if attempt is None:
                return await self._toolset.run(context, item.call.name, item.arguments, prepared)
            async with attempt():
                if lost := await self._unforeseen_losses(view, item):
                    return lost
                return await self._toolset.run(context, item.call.name, item.arguments, prepared)
        except DatabaseAway:  # the whole step waits for it
            raise
        except Exception as error:  # noqa: BLE001
            return _failure(item, error)

    async def _unforeseen_losses(self, view: TurnView, item: Ready) -> tools.Outcome | None:
        """Refuse a call that takes something away only because another call or somebody else changed it meanwhile.

        A person who approved the call, or the organisation that allows it, has the last word.
        """
        standing = item.grant is not None and item.grant.kind in STANDING_GRANTS
        if not standing or not self._tools[item.call.name].may_lose:
            return None
        described = await self._described(view, item.call, item.arguments)
        if not described.losses:
            return None
        said = "; ".join(described.losses)
        detail = f"As things are now this {said}, and nobody has agreed to that. Call it again: the user is asked then."
        return tools.Outcome({"error": detail}, detail, is_error=True)

    async def _ask(self, view: TurnView, questions: Sequence[Ready]) -> None:
        async with self._journal.entry() as entry:
            first = questions[0]
            _add(entry.add, view, first.started)
            _add(
                entry.add,
                view,
                events.InputRequested(
                    str(first.arguments["question"]), first.call.id, tuple(first.arguments.get("choices", ()))
                ),
            )
            for other in questions[1:]:
                refusal = _refused(other.call, "Ask one question at a time.").refusal
                assert refusal is not None
                _add(entry.add, view, _finished(other, refusal, 0))


async def describe_call(
    toolset: Toolset, context: tools.CallContext, name: str, arguments: str
) -> events.RequestedCall:
    """Describe a call for the person who decides. If its target is gone, the summary says so."""
    call = ToolCall(context.call_id, name, arguments)
    try:
        return _requested(call, await toolset.describe(context, name, toolset.check(name, arguments)))
    except DocAgentError as error:
        return events.RequestedCall(context.call_id, name, arguments, f"{name}: {error.detail}")


def _turned_down(view: TurnView, call: ToolCall) -> Ready | None:
    """The refusal of a call that must not run whatever it is; None if it may be judged."""
    if call.id in view.expired:
        return _refused(call, "The approval expired before anyone decided. Nothing was changed.")
    decision = view.decided.get(call.id)
    if decision is not None and not decision.approved:
        return _rejected(call, decision)
    if view.failures[call.name, call.arguments] >= FAILURES_BEFORE_REFUSAL:
        return _refused(
            call,
            f"This call failed {FAILURES_BEFORE_REFUSAL} times with the same arguments and was not run again. "
            "Change the arguments, use another tool, or tell the user what is in the way.",
        )
    proposes = view.started.terms.proposes
    if proposes and view.runs_of(call.name) >= RUNS_PER_PROPOSAL.get(call.name, MOST_CALLS):
        return _refused(call, "Twice refined is enough. Say what you prepared, and stop.")
    return None


def _accepted(view: TurnView, call: ToolCall) -> tools.Accepted | None:
    decision, requested = view.decided.get(call.id), view.requested.get(call.id)
    if decision is None or decision.hunks is None or requested is None or requested.preview is None:
        return None
    return tools.Accepted(decision.hunks, requested.preview)


def _requested(call: ToolCall, described: tools.Described) -> events.RequestedCall:
    return events.RequestedCall(
        call.id, call.name, call.arguments, described.summary, described.preview, described.basis
    )


def _writes(judged: Sequence[Ready | Asking]) -> bool:
    return any(isinstance(item, Asking) or item.kind == "write" for item in judged)


@dataclass(frozen=True, slots=True)
class AfterBatch:
    """Adds events, which the loop makes, to the journal entry that ends a batch."""

    view: TurnView
    make: Callable[[], Sequence[events.Event]]

    def __call__(self, add: Add) -> None:
        for event in self.make():
            _add(add, self.view, event)


def begin(add: Add, view: TurnView, ready: Sequence[Ready]) -> None:
    """Record the start of the first group of calls to run."""
    first = next(iter(_groups([item for item in ready if item.kind != "question"])), [])
    _begin(add, view, first)


def rejected(call: events.RequestedCall, decision: events.ApprovalDecided) -> events.ToolFinished:
    """The result of a call that a person rejected."""
    refused = _rejected(ToolCall(call.id, call.name, call.arguments), decision)
    assert refused.refusal is not None
    return _finished(refused, refused.refusal, 0)


def answered(view: TurnView) -> events.ToolFinished | None:
    """The result of a question that the user has answered, unless it is already recorded."""
    asked = view.question_to_user
    if asked is None or asked.call_id is None or asked.call_id in view.results or view.answer is None:
        return None
    content = orjson.dumps({"answer": view.answer.text}).decode()
    return events.ToolFinished(asked.call_id, REQUEST_INPUT.name, content, summary="The user answered")


def _groups(ready: Sequence[Ready]) -> Iterator[list[Ready]]:
    """Split calls into groups: each write alone, and neighbours that only read or are refused together."""
    group: list[Ready] = []
    for item in ready:
        if item.kind == "write":
            if group:
                yield group
            yield [item]
            group = []
        else:
            group.append(item)
    if group:
        yield group


def _begin(add: Add, view: TurnView, group: Sequence[Ready]) -> None:
    """Record the start of each call that runs, unless an interrupted run has recorded the same start."""
    for item in group:
        if item.refusal is None and view.running.get(item.call.id) != item.started:
            _add(add, view, item.started)


def _add(add: Add, view: TurnView, event: events.Event) -> None:
    add(event)
    view.apply(event)


def _finished(item: Ready, outcome: tools.Outcome, milliseconds: int) -> events.ToolFinished:
    content = dict(outcome.content)
    if item.edited:
        content["note"] = (
            "The user changed the arguments before approving. What ran: "
            + orjson.dumps(item.arguments).decode()
        )
    return events.ToolFinished(
        call_id=item.call.id,
        name=item.call.name,
        content=orjson.dumps(content, default=str, option=orjson.OPT_NON_STR_KEYS).decode(),
        is_error=outcome.is_error,
        ran=item.refusal is None,
        summary=outcome.summary,
        state=dict(outcome.state),
        undo=outcome.undo,
        milliseconds=milliseconds,
        credits=outcome.credits,
    )


def _failure(item: Ready, error: Exception) -> tools.Outcome:
    if isinstance(error, DocAgentError):
        return tools.Outcome({"error": error.detail}, error.detail, is_error=True)
    logger.error("tool %s failed", item.call.name, exc_info=error)
    detail = f"{item.call.name} failed unexpectedly. Nothing was changed. Tell the user, and try another way."
    return tools.Outcome({"error": detail}, detail, is_error=True)


def _refused(call: ToolCall, detail: str) -> Ready:
    return Ready(call, "refused", {}, refusal=tools.Outcome({"error": detail}, detail, is_error=True))


def _rejected(call: ToolCall, decision: events.ApprovalDecided) -> Ready:
    reason = {"reason": decision.reason} if decision.reason else {}
    return Ready(
        call, "refused", {}, refusal=tools.Outcome({"error": REJECTED_TEXT, **reason}, is_error=True)
    )


def _question(written: str) -> dict[str, Any]:
    try:
        arguments = orjson.loads(written or "{}")
    except orjson.JSONDecodeError as error:
        raise tools.BadCall(f"Invalid JSON arguments: {error}") from error
    question = arguments.get("question") if isinstance(arguments, dict) else None
    if not isinstance(question, str) or not question.strip():
        raise tools.BadCall("request_input needs a `question`, a text that is not empty.")
    choices = arguments.get("choices") or ()
    return {"question": question, "choices": [str(choice) for choice in choices][:8]}


def _milliseconds(begun: float) -> int:
    return round((time.perf_counter() - begun) * 1000)


def unique_calls(calls: Sequence[ToolCall], view: TurnView) -> dict[int, ToolCall]:
    """Calls by position, renamed where the provider gave no id or one that the turn has already seen."""
    seen = set(view.calls)
    renamed = {}
    for position, call in enumerate(calls):
        name, number = call.id or "call", 1
        while not call.id or name in seen:
            number += 1
            name = f"{call.id or 'call'}_{view.step}_{number}"
            if name not in seen:
                break
        seen.add(name)
        renamed[position] = call if name == call.id else replace(call, id=name)
    return renamed
