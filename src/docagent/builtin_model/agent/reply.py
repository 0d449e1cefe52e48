"""Decides what the built-in agent says or calls next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from docagent.builtin_model.agent.conversation import Conversation, Step, read_conversation
from docagent.builtin_model.agent.follow import follow_up
from docagent.builtin_model.agent.grammar import Understood, understand
from docagent.builtin_model.agent.plans import plan_for
from docagent.builtin_model.agent.project_grammar import understand_in_project
from docagent.builtin_model.agent.project_plans import known_to
from docagent.builtin_model.agent.project_reply import project_reply
from docagent.builtin_model.agent.telling import done_text, in_words, puzzled, refused_text
from docagent.builtin_model.agent.wishes import (
    CallIt,
    Chat,
    CreatePrompt,
    CreateSchema,
    RenameDocument,
    Run,
    SetUp,
    Wish,
)
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Lost, Plan, Steps, Wanted, Work
from docagent.domain.models.llm import ModelRequest, TextPart, ToolCall

_LOST = "I lost track of what I was doing. Please say again what you want."


@dataclass(frozen=True, slots=True)
class Answer:
    """Text, calls, or both: text may announce a call."""

    text: str
    calls: Calls = ()

    def parts(self, first_id: int) -> tuple[TextPart | ToolCall, ...]:
        """Return the answer as parts of a reply, with call ids that are new in the conversation."""
        said = (TextPart(self.text),) if self.text else ()
        made = tuple(
            ToolCall(f"call_{first_id + place}", call.name, json.dumps(call.arguments, ensure_ascii=False))
            for place, call in enumerate(self.calls)
        )
        return (*said, *made)


class _Rejected(Exception):
    def __init__(self, step: Step) -> None:
        super().__init__(step.name)
        self.step = step


def answer_to(request: ModelRequest, conversation: Conversation | None = None) -> Answer:
    """Return what to say or call next. The same request always gets the same answer."""
    talk = conversation or read_conversation(request.conversation)
    offered = frozenset(tool.name for tool in request.tools)
    work = Work(talk, request.situation, offered)
    return next_answer(work, may_call=request.may_call)


def next_answer(work: Work, *, may_call: bool) -> Answer:
    talk = work.conversation
    try:
        answer = _in_project(work) if work.in_project else _about_document(work)
        if not answer.calls:
            return answer
        raise Wanted(answer.calls, answer.text)
    except Wanted as wanted:
        if not may_call:
            return Answer(_more_to_do(work, wanted.calls))
        if any(_is_same(call, step) for call in wanted.calls for step in talk.steps if step.rejected):
            refused = next(step for step in talk.steps if step.rejected)
            return Answer(refused_text(refused, talk.steps))
        notes = " ".join(call.note for call in wanted.calls if call.note)
        return Answer(wanted.text or notes, wanted.calls)
    except Lost:
        return Answer(f"{done_text(talk.steps)} {_LOST}".strip())


def _in_project(work: Work) -> Answer:
    reply = project_reply(work)
    return Answer(reply.text, reply.calls)


def _about_document(work: Work) -> Answer:
    wishes = follow_up(work.conversation)
    if wishes is None:
        understood = understand(work.conversation.text)
        wishes = understood.wishes
        if not wishes:
            return Answer(
                puzzled(
                    understood.puzzling,
                    has_schema=work.schema_revid is not None,
                    has_extraction=bool(work.extraction),
                )
            )
    return Answer(_carry_out(work, _at_once(wishes)))


def _more_to_do(work: Work, calls: Calls) -> str:
    done = done_text(work.conversation.steps) or "So far nothing was changed."
    if work.in_project:
        left = " and ".join(in_words(call.name) for call in calls)
        return f"{done} There was more to do: {left}."
    names = ", ".join(f"`{call.name}`" for call in calls)
    return f"{done} There was more to do: {names} came next."


def _at_once(wishes: Sequence[Wish]) -> Sequence[Wish]:
    """Take a new schema, a prompt for it and a run, none of them named, as one wish: to set the document up."""
    for parts in ((CreateSchema(), CreatePrompt(), Run()), (CreateSchema(), Run())):
        if tuple(wishes[: len(parts)]) == parts:
            return (SetUp(), *wishes[len(parts) :])
    return wishes


def _carry_out(work: Work, wishes: Sequence[Wish]) -> str:
    """Carry out one wish after another. Raises Wanted at the first call without a result."""
    said: list[str] = []
    for place, wish in enumerate(wishes):
        left = wishes[place + 1 :]
        work.will_run = any(isinstance(one, Run) for one in left)
        try:
            said.append(_run(work, plan_for(wish, work)))
        except GiveUp as stopped:
            rest = ["I have not gone on with the rest."] if left else []
            return "\n\n".join([*said, stopped.text, *rest])
        except _Rejected as rejected:
            return "\n\n".join([*said, _after_rejection(work, rejected.step)])
    return "\n\n".join(said)


def _after_rejection(work: Work, step: Step) -> str:
    """Stop, unless the user's reason for the rejection is itself a wish."""
    wishes = understand(step.reason).wishes if step.reason else ()
    if not wishes or isinstance(wishes[0], Chat):
        return refused_text(step, work.done)
    return _carry_out(work, wishes)


def _run(work: Work, plan: Plan) -> str:
    try:
        calls = next(plan)
        while True:
            calls = plan.send(_results(work, calls))
    except StopIteration as finished:
        return str(finished.value)


def _results(work: Work, calls: Calls) -> Steps:
    steps = work.results(calls)
    refused = next((step for step in steps if step.rejected), None)
    if refused is None:
        return steps
    renamed = _renamed(refused)
    if renamed is None:
        raise _Rejected(refused)
    return _results(work, (renamed,))


def _renamed(step: Step) -> Call | None:
    """If the user rejected a call with `call it Bill instead`, return the same call with that name."""
    wishes = understand(step.reason).wishes if step.reason else ()
    if len(wishes) != 1 or not isinstance(wishes[0], CallIt | RenameDocument):
        return None
    for key in ("name", "document_name"):
        if key in step.arguments:
            return Call(step.name, {**step.arguments, key: wishes[0].name})
    return None


def _is_same(call: Call, step: Step) -> bool:
    return call.name == step.name and dict(call.arguments) == dict(step.arguments)


def understood_by(work: Work, text: str) -> Understood:
    return understand_in_project(text, known_to(work)) if work.in_project else understand(text)
