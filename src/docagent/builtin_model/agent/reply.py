"""Decides what the built-in agent says or calls next."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from docagent.builtin_model.agent import answers, plans_documents, plans_projects, replies
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.examples import is_asking, is_request
from docagent.builtin_model.agent.finding import extraction_at_hand
from docagent.builtin_model.agent.said import readings
from docagent.builtin_model.agent.understanding import TALK, Understood, Wish, understand
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Lost, Plan, Steps, Wanted, Work, choose
from docagent.domain.models.llm import TextPart, ToolCall
from docagent.reading.printed import squeezed

T = TypeVar("T")
_LOST = "I lost track of what I was doing. Please say again what you want."
_ASK, _UNCLEAR = "ask", "unclear"
"""What a message asks for that is no request: an answer from the page, or a change that was not understood."""
_LONGEST_CHOICE = 1_000
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


def next_answer(work: Work, *, may_call: bool) -> Answer:
    """Return what to say or call next. The same request always gets the same answer."""
    steps = work.conversation.steps
    work = _with_choice(work)
    try:
        answer = _answer(work)
        if not answer.calls:
            return Answer(replies.with_models(answer.text, work.situation.local_models))
        raise Wanted(answer.calls, answer.text)
    except Wanted as wanted:
        if not may_call:
            left = " and ".join(replies.does(call.name) for call in wanted.calls)
            return Answer(
                f"{replies.done_text(steps, 'So far nothing was changed.')} There was more to do: {left}."
            )
        refused = [step for step in steps if step.rejected]
        again = [(call.name, dict(call.arguments)) for call in wanted.calls]
        if any((step.name, dict(step.arguments)) in again for step in refused):
            return Answer(replies.refused_text(refused[:1], replies.done_text(steps)))
        notes = " ".join(call.note for call in wanted.calls if call.note)
        return Answer(wanted.text or notes, wanted.calls)
    except Lost:
        return Answer(f"{replies.done_text(steps, '')} {_LOST}".strip())


def understood_by(work: Work, text: str) -> Understood:
    found = understand(text, work.place, work.known)
    offered = [end for _, end in work.conversation.earlier[-1:] if "“yes, tag them " in end]
    if offered and [wish.intent for wish in found.wishes] == ["yes"]:
        return understand(offered[0].split("“yes, ")[1].split("”")[0], work.place)
    return found


def _with_choice(work: Work) -> Work:
    """If the user now says one of the options that the last answer ended with, take up what was asked for before."""
    talk = work.conversation
    for asked, answer in talk.earlier[-1:]:
        lines, said = answer[-20_000:].splitlines(), squeezed(talk.text[:_LONGEST_CHOICE])
        chosen = [line[2:] for line in lines if line.startswith("- ") and squeezed(line) == said]
        if len(chosen) == 1 and "?" in answer:
            work = replace(work, conversation=replace(talk, text=asked), chosen=chosen[0])
    return work


def _answer(work: Work) -> Answer:
    if work.in_project:
        made = next((step.batch for step in work.ahead if step.name in plans_projects.WRITES), None)
        if made is not None:
            return Answer(_told([step for step in work.ahead if step.batch == made]))
    try:
        wishes = _run(work, _wishes(work))
    except GiveUp as stopped:
        return Answer(stopped.text)
    return _carry_out(work, wishes)


def _carry_out(work: Work, wishes: Sequence[Wish]) -> Answer:
    """Carry out one wish after another. Raises Wanted at the first call without a result.

    In a project, the changes of all wishes are asked for as one batch.
    """
    said: list[str] = []
    calls: list[Call] = []
    spoken = plans_projects.Spoken()
    for place, wish in enumerate(wishes):
        try:
            planned = _run(work, _plan(work, wish, spoken))
        except GiveUp as stopped:
            has_rest = bool(calls or wishes[place + 1 :]) and not stopped.was_refused
            rest = ["I have not gone on with the rest."] if has_rest else []
            return Answer("\n\n".join([*said, stopped.text, *rest]))
        if isinstance(planned, str):
            said += [planned] if planned else []
        else:
            calls += planned
    return Answer("\n\n".join(said), tuple(calls))


def _plan(work: Work, wish: Wish, spoken: plans_projects.Spoken) -> plans_projects.Plan:
    if work.in_project and wish.intent in plans_projects.PLANS:
        return (yield from plans_projects.PLANS[wish.intent](work, wish, spoken))
    if not work.in_project and wish.intent in plans_documents.PLANS:
        return (yield from plans_documents.PLANS[wish.intent](work, wish))
    return (yield from _talk(work, wish))


def _talk(work: Work, wish: Wish) -> Plan:
    """Answer what asks for no change: a question from the page, and small talk."""
    place, names, text = work.place, work.known.document_names, work.conversation.text
    if wish.intent == _ASK and work.in_project:
        return plans_projects.ask(work, text)
    if wish.intent == _ASK:
        data = work.extraction or (None if work.pages else (yield from extraction_at_hand(work)))
        return answers.answer(text, data, work.pages)
    helps = replies.help_text(place, names)
    said = {
        "hello": f"Hello. {replies.WHAT_I_AM}\n\n{helps}",
        "who": f"{replies.WHAT_I_AM}\n\n{helps}",
        "yes": f"Tell me what to do.\n\n{helps}",
        "thanks": "You are welcome.",
        "no": "All right, I leave it as it is.",
        "help": helps,
        _UNCLEAR: replies.unclear(place, names),
    }
    return said.get(wish.intent) or replies.polite(place, names)


def _wishes(work: Work) -> Generator[Calls, Steps, tuple[Wish, ...]]:
    """Return what the user wants. For half a request, say what was understood and offer it."""
    text = work.conversation.text
    understood = understood_by(work, text)
    guess = understood.guess
    if understood.wishes:
        return understood.wishes
    words = [one.word for one in readings(text)[-1].tokens if one.word and not one.is_sign]
    if is_asking(words) or text.rstrip().endswith("?"):
        return (Wish(_ASK),)
    offer = replies.in_words(guess) if guess and guess.intent not in TALK else ""
    # Only what would be understood is offered.
    if guess and offer and [one.intent for one in understood_by(work, offer).wishes] == [guess.intent]:
        question = replies.half_understood(guess, understood.unused)
        chosen = yield from choose(work, question, [f"{offer[:1].upper()}{offer[1:]}", _NOTHING])
        if chosen == _NOTHING:
            raise GiveUp("All right, I changed nothing.")
        return understood_by(work, chosen).wishes
    return (Wish(_UNCLEAR if is_request(words) else _ASK),)


def _run(work: Work, plan: Generator[Calls, Steps, T]) -> T:
    try:
        calls = next(plan)
        while True:
            steps = work.results(calls)
            refused = next((step for step in steps if step.rejected), None)
            if refused is not None and not work.in_project:
                raise GiveUp(replies.refused_text([refused], replies.done_text(work.done)), was_refused=True)
            calls = plan.send(steps)
    except StopIteration as finished:
        said: T = finished.value
        return said


def _told(steps: Sequence[Step]) -> str:
    done = [replies.done(step) for step in steps if step.ok]
    failed = [replies.failed(step) for step in steps if not step.ok and not step.rejected]
    refused = [step for step in steps if step.rejected]
    left = [replies.refused_text(refused, "" if done else "Nothing was changed.")] if refused else []
    return "\n\n".join([*done, *failed, *left])
