"""Decides what the built-in agent says or calls next."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from docagent.builtin_model.agent import answers, plans_documents, plans_projects, replies
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.examples import is_asking, is_request
from docagent.builtin_model.agent.finding import extraction_at_hand
from docagent.builtin_model.agent.known import Known
from docagent.builtin_model.agent.said import readings
from docagent.builtin_model.agent.understanding import TALK, Understood, Wish, understand
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Lost, Plan, Steps, Wanted, Work, choose
from docagent.domain.models.llm import TextPart, ToolCall
from docagent.reading.printed import squeezed

T = TypeVar("T")
_LOST = "I lost track of what I was doing. Please say again what you want."
_NOTHING = "Leave everything as it is"


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


@dataclass(eq=False)
class _Rejected(Exception):
    step: Step


def next_answer(work: Work, *, may_call: bool) -> Answer:
    """Return what to say or call next. The same request always gets the same answer."""
    steps = work.conversation.steps
    work = _with_choice(work)
    try:
        answer = _in_project(work) if work.in_project else Answer(_about_document(work))
        if not answer.calls:
            return answer
        raise Wanted(answer.calls, answer.text)
    except Wanted as wanted:
        if not may_call:
            left = " and ".join(replies.does(call.name) for call in wanted.calls)
            done = replies.done_text(steps) or "So far nothing was changed."
            return Answer(f"{done} There was more to do: {left}.")
        refused = [step for step in steps if step.rejected]
        again = [(call.name, dict(call.arguments)) for call in wanted.calls]
        if any((step.name, dict(step.arguments)) in again for step in refused):
            return Answer(replies.refused_text(refused[:1], steps))
        notes = " ".join(call.note for call in wanted.calls if call.note)
        return Answer(wanted.text or notes, wanted.calls)
    except Lost:
        return Answer(f"{replies.done_text(steps)} {_LOST}".strip())


def place_of(work: Work) -> str:
    return "project" if work.in_project else "document"


def understood_by(work: Work, text: str) -> Understood:
    found = understand(text, place_of(work), Known.of(work.situation))
    offered = [end for _, end in work.conversation.earlier[-1:] if "“yes, tag them " in end]
    if offered and [wish.intent for wish in found.wishes] == ["yes"]:
        return understand(offered[0].split("“yes, ")[1].split("”")[0], place_of(work))
    return found


def _with_choice(work: Work) -> Work:
    """If the user now says one of the options that the last answer ended with, take up what was asked for before."""
    talk = work.conversation
    for asked, answer in talk.earlier[-1:]:
        lines = answer[-20_000:].splitlines()
        chosen = [
            line[2:] for line in lines if line.startswith("- ") and squeezed(line) == squeezed(talk.text)
        ]
        if len(chosen) == 1 and "?" in answer:
            work = work.about(replace(talk, text=asked))
            work.chosen = chosen[0]
    return work


# --- about one document --------------------------------------------------------------------------------------------


def _about_document(work: Work) -> str:
    understood = understood_by(work, work.conversation.text)
    if understood.wishes:
        return _carry_out(work, understood.wishes)
    try:
        return _run(work, _not_understood(work, understood))
    except GiveUp as stopped:
        return stopped.text


def _carry_out(work: Work, wishes: Sequence[Wish]) -> str:
    """Carry out one wish after another. Raises Wanted at the first call without a result."""
    said: list[str] = []
    for place, wish in enumerate(wishes):
        try:
            said.append(_run(work, _plan(work, wish)))
        except GiveUp as stopped:
            rest = ["I have not gone on with the rest."] if wishes[place + 1 :] else []
            return "\n\n".join([*said, stopped.text, *rest])
        except _Rejected as rejected:
            return "\n\n".join([*said, replies.refused_text([rejected.step], work.done)])
    return "\n\n".join(said)


def _plan(work: Work, wish: Wish) -> Plan:
    plan = plans_documents.PLANS.get(wish.intent)
    return _talk(work, wish) if plan is None else plan(work, wish)


def _talk(work: Work, wish: Wish) -> Plan:
    yield from ()
    return small_talk(work, wish)


def small_talk(work: Work, wish: Wish) -> str:
    names = plans_projects.names_of(work)
    helps = replies.help_text(place_of(work), names)
    said = {
        "hello": f"Hello. {replies.WHAT_I_AM}\n\n{helps}",
        "who": f"{replies.WHAT_I_AM}\n\n{helps}",
        "yes": f"Tell me what to do.\n\n{helps}",
        "thanks": "You are welcome.",
        "no": "All right, I leave it as it is.",
        "help": helps,
    }
    return said.get(wish.intent) or replies.polite(place_of(work), names)


def _not_understood(work: Work, understood: Understood) -> Plan:
    """Answer a question from the page. For half a request, say what was understood and offer it."""
    text = work.conversation.text
    guess = understood.guess
    words = [one.word for one in readings(text)[-1].tokens if one.word and not one.is_sign]
    offer = replies.in_words(guess) if guess and guess.intent not in TALK else ""
    if offer and [one.intent for one in understood_by(work, offer).wishes] != [guess.intent if guess else ""]:
        offer = ""  # only what would be understood is offered
    if offer and not is_asking(words) and not text.rstrip().endswith("?"):
        option = f"{offer[:1].upper()}{offer[1:]}"
        chosen = yield from choose(
            work, replies.half_understood(guess or Wish(""), understood.unused), [option, _NOTHING]
        )
        if chosen == _NOTHING:
            return "All right, I changed nothing."
        return (yield from _offered(work, chosen))
    if not is_asking(words) and is_request(words) and not text.rstrip().endswith("?"):
        return replies.unclear(place_of(work), plans_projects.names_of(work))
    if work.in_project:
        told = yield from plans_projects.ask(work, text)
        return str(told)
    data = work.extraction
    if not data and not work.pages:
        data = yield from extraction_at_hand(work)
    return answers.answer(text, data, work.pages)


def _offered(work: Work, chosen: str) -> Plan:
    wishes = understood_by(work, chosen).wishes
    if work.in_project:
        raise _Instead(wishes)
    told = []
    for wish in wishes:
        told.append((yield from _plan(work, wish)))
    return "\n\n".join(told)


@dataclass(eq=False)
class _Instead(Exception):
    """The user chose other wishes than what the message said."""

    wishes: tuple[Wish, ...]


def _run(work: Work, plan: Plan) -> str:
    return _carried_out(plan, partial(_results, work))


def _carried_out(plan: Generator[Calls, Steps, T], results: Callable[[Calls], Steps]) -> T:
    try:
        calls = next(plan)
        while True:
            calls = plan.send(results(calls))
    except StopIteration as finished:
        said: T = finished.value
        return said


def _results(work: Work, calls: Calls) -> Steps:
    steps = work.results(calls)
    refused = next((step for step in steps if step.rejected), None)
    if refused is not None:
        raise _Rejected(refused)
    return steps


# --- in a project --------------------------------------------------------------------------------------------------


def _in_project(work: Work) -> Answer:
    made = next((step.batch for step in work.ahead if step.name in plans_projects.WRITES), None)
    if made is None:
        return _planned(work)
    return Answer(_told([step for step in work.ahead if step.batch == made]))


def _planned(work: Work) -> Answer:
    """Plan all wishes of the message. Their changes are asked for as one batch."""
    understood = understood_by(work, work.conversation.text)
    wishes = understood.wishes
    if not wishes:
        try:
            return Answer(_run(work, _not_understood(work, understood)))
        except GiveUp as stopped:
            return Answer(stopped.text)
        except _Instead as instead:
            wishes = instead.wishes
    said: list[str] = []
    calls: list[Call] = []
    spoken = plans_projects.Spoken()
    for place, wish in enumerate(wishes):
        try:
            planned = _project_plan(work, wish, spoken)
        except GiveUp as stopped:
            rest = ["I have not gone on with the rest."] if calls or wishes[place + 1 :] else []
            return Answer("\n\n".join([*said, stopped.text, *rest]))
        if isinstance(planned, str):
            said += [planned] if planned else []
        else:
            calls += planned
    return Answer("\n\n".join(said), tuple(calls))


def _project_plan(work: Work, wish: Wish, spoken: plans_projects.Spoken) -> plans_projects.Planned:
    make = plans_projects.PLANS.get(wish.intent)
    if make is None:
        return small_talk(work, wish)
    return _carried_out(make(work, wish, spoken), work.results)


def _told(steps: Sequence[Step]) -> str:
    done = [replies.done(step) for step in steps if step.ok]
    failed = [replies.failed(step) for step in steps if not step.ok and not step.rejected]
    refused = [step for step in steps if step.rejected]
    names = ", and did not ".join(replies.does(step.name) for step in refused)
    left = [f"All right, I did not {names}." + ("" if done else " Nothing was changed.")] if refused else []
    return "\n\n".join([*done, *failed, *left])
