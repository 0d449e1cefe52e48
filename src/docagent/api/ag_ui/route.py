"""The agent for clients that speak AG-UI: one run for each request, as server-sent events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Response
from pydantic import BaseModel, Field

from docagent.agent.state import TurnView
from docagent.api.ag_ui.answers import AgUiResumeIn, AgUiShape, Answers, waiting_ids
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import AnyJson, ShortText
from docagent.api.repeats import OrgRepeat
from docagent.api.rest.turns.approvals import MOST_CALLS
from docagent.api.rest.turns.chat import MOST_MESSAGES, TurnTermsIn, turn_request
from docagent.api.rest.turns.subjects import SubjectDep, SubjectRouter
from docagent.api.sent_text import sent_text
from docagent.api.stream import EventStream, told
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.repeats import Repeat
from docagent.domain.turns.turns import Subject, Thread, Turn

subjects = SubjectRouter("/ag-ui")
router = subjects.router


class AgUiMessageIn(AgUiShape):
    role: ShortText
    content: AnyJson = Field(None, description="Text, or a list of text parts")


class AgUiTermsIn(TurnTermsIn):
    background: bool = Field(
        False,
        description="The turn continues when the client leaves; otherwise leaving stops it, as `abortRun()` does",
    )


class AgUiPropsIn(BaseModel):
    docagent: AgUiTermsIn = Field(
        default_factory=AgUiTermsIn, description="How the turn is to run, as for the chat"
    )


class AgUiRunIn(AgUiShape):
    """`RunAgentInput` of AG-UI. What is not named here is taken and not used."""

    thread_id: Annotated[ShortText, Field(min_length=1)] = Field(
        description="One of your threads about this, or any name: its first use makes a thread"
    )
    run_id: Annotated[ShortText, Field(min_length=1)]
    messages: Annotated[list[AgUiMessageIn], Field(max_length=MOST_MESSAGES)] = Field(
        description="If the last one is the user's it is new; the others are in the thread"
    )
    resume: Annotated[list[AgUiResumeIn], Field(max_length=MOST_CALLS)] | None = None
    forwarded_props: AgUiPropsIn | None = None

    @property
    def terms(self) -> AgUiTermsIn:
        return self.forwarded_props.docagent if self.forwarded_props else AgUiTermsIn()


@subjects.route(
    "POST",
    "",
    response_class=Response,
    responses={200: {"description": "The events of the run", "content": {"text/event-stream": {}}}},
)
async def ag_ui_run(
    subject: SubjectDep, body: AgUiRunIn, member: OrgMember, services: ServicesDep, repeat: OrgRepeat
) -> Response:
    """Run the agent: on a new message, or on from what interrupted it. Who leaves stops it, unless `background` is set.

    Without either, the run tells the turn that is open in the thread, from its beginning.
    """
    from docagent.api.ag_ui.stream import Run, ag_ui_lines  # noqa: PLC0415  # its models take long to load

    thread = await services.threads.named(member, subject, body.thread_id)
    turn, after = await _turn(services, member, subject, thread, body, repeat)
    watching = services.turns.watching
    log = await watching.log(turn) if after else []
    known = await watching.answered(turn, turn.last_seq) if repeat else None
    items = watching.watch(member, turn.id, after=after, until_pause=True)
    if known is not None:
        items = told(known[1][after:])
    lines = ag_ui_lines(items, Run(body.thread_id, body.run_id, turn, after), log)
    left = None if body.terms.background else partial(services.turns.leaving.left, member, turn.id)
    return EventStream(lines, {"X-Turn-Id": turn.id}, left)


async def _turn(
    services: Services,
    member: Member,
    subject: Subject,
    thread: Thread,
    body: AgUiRunIn,
    repeat: Repeat | None,
) -> tuple[Turn, int]:
    """The turn of the run, and the number of its last event that was told before."""
    if body.resume:
        before = await services.turns.deciding.repeated(member, repeat)
        turn = before or await _resumed(services, member, subject, thread, body.resume, repeat)
        return turn, turn.last_seq
    if body.messages and body.messages[-1].role == "user":
        message = {"role": "user", "content": sent_text(body.messages[-1].content)}
        request = turn_request(body.terms, [message], thread_id=thread.id)
        return await services.turns.starting.start(member, subject, replace(request, repeat=repeat)), 0
    open_turn = await services.threads.open_turn(member, thread)
    if open_turn is None:
        raise InvalidInput("There is nothing to run: send a message of the user's as the last one.")
    return open_turn, 0


async def _resumed(
    services: Services,
    member: Member,
    subject: Subject,
    thread: Thread,
    entries: Sequence[AgUiResumeIn],
    repeat: Repeat | None,
) -> Turn:
    answers = Answers.of(entries)
    turns = services.turns
    turn = await turns.watching.get(member, answers.turn_id)
    if turn.thread_id != thread.id:
        raise NotFound("No such interrupt in this thread")
    view = TurnView.of(recorded.event for recorded in await turns.watching.log(turn))
    if not {entry.interrupt_id for entry in entries} <= set(waiting_ids(turn.id, view)):
        raise Conflict("This no longer waits for an answer. Run without a message to see what does.")
    if answers.decisions:
        return await turns.deciding.decide(
            member,
            turn.id,
            answers.decisions,
            subject=subject,
            thread_id=thread.id,
            partial=True,
            repeat=repeat,
        )
    if answers.plan is not None:
        return await turns.deciding.decide_plan(member, turn.id, **answers.plan.model_dump(), repeat=repeat)
    if answers.text is not None:
        return await turns.deciding.answer(member, turn.id, answers.text, repeat=repeat)
    return await turns.steering.stop(member, turn.id)
