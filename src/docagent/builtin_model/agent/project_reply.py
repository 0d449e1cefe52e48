"""The next reply in a conversation about a project: an answer, a call that reads, or all changes as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docagent.builtin_model.agent import project_telling as telling
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.project_grammar import follow_up_in_project, understand_in_project
from docagent.builtin_model.agent.project_meant import Spoken
from docagent.builtin_model.agent.project_plans import (
    WRITES,
    Planned,
    known_to,
    names_at_hand,
    project_plan,
)
from docagent.builtin_model.agent.project_wishes import ProjectWish, RenameDoc, Unsure
from docagent.builtin_model.agent.wishes import CallIt, Chat, WhoAreYou, Wish
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Work


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    calls: Calls = ()


def project_reply(work: Work) -> Reply:
    """Return what to say or propose next. Raises Wanted for a call that reads, Lost if other calls were made."""
    made = next((step.batch for step in work.ahead if step.name in WRITES), None)
    if made is None:
        return _planned(work)
    batch = [step for step in work.ahead if step.batch == made]
    later = tuple(step for step in work.conversation.steps if step.batch > made)
    return _after(work, batch, later)


def _planned(work: Work) -> Reply:
    known = known_to(work)
    wishes = follow_up_in_project(work.conversation, known)
    if wishes is None:
        understood = understand_in_project(work.conversation.text, known)
        wishes = understood.wishes
        if not wishes:
            return Reply(telling.puzzled(understood.puzzling, names_at_hand(work)))
    said: list[str] = []
    calls: list[Call] = []
    spoken = Spoken()
    for place, wish in enumerate(wishes):
        try:
            planned = _plan(work, wish, spoken)
        except GiveUp as stopped:
            rest = ["I have not gone on with the rest."] if calls or wishes[place + 1 :] else []
            return Reply("\n\n".join([*said, stopped.text, *rest]))
        if isinstance(planned, Call):
            calls.append(planned)
        elif planned:
            said.append(planned)
    return Reply("\n\n".join(said), tuple(calls))


def _plan(work: Work, wish: Wish, spoken: Spoken) -> Planned:
    if not isinstance(wish, ProjectWish | CallIt):
        return _talk(work, wish)
    plan = project_plan(wish, work, spoken)
    try:
        calls = next(plan)
        while True:
            calls = plan.send(work.results(calls))
    except StopIteration as finished:
        planned: Planned = finished.value
        return planned


def _talk(work: Work, wish: Wish) -> str:
    names = names_at_hand(work)
    match wish:
        case Chat("hello"):
            return f"Hello. {telling.who_text(names)}"
        case Chat("yes"):
            return f"Tell me what to do.\n\n{telling.help_text(names)}"
        case Chat("thanks"):
            return "You are welcome."
        case Chat():
            return "All right, I leave it as it is."
        case WhoAreYou():
            return telling.who_text(names)
    return telling.help_text(names)


def _after(work: Work, batch: Sequence[Step], later: tuple[Step, ...]) -> Reply:
    """Tell what came of the changes. The reason for a rejection may be a wish of its own, or another name."""
    for step in batch:
        if not step.rejected or not step.reason:
            continue
        wishes = understand_in_project(step.reason, known_to(work)).wishes
        renamed = _renamed(step, wishes)
        if renamed is not None:
            return (
                Reply(_told([*(one for one in batch if one is not step), *later]))
                if later
                else Reply("", (renamed,))
            )
        if wishes and not isinstance(wishes[0], Chat | Unsure):
            instead = replace(work.conversation, text=step.reason, steps=later, earlier=())
            return project_reply(work.about(instead))
    return Reply(_told(batch))


def _renamed(step: Step, wishes: Sequence[Wish]) -> Call | None:
    """If the user rejected a call with `call it Bill instead`, return the same call with that name."""
    if len(wishes) != 1 or not isinstance(wishes[0], CallIt | RenameDoc) or "name" not in step.arguments:
        return None
    return Call(step.name, {**step.arguments, "name": wishes[0].name})


def _told(steps: Sequence[Step]) -> str:
    done = [telling.done(step) for step in steps if step.ok]
    failed = [telling.failed(step) for step in steps if not step.ok and not step.rejected]
    refused = [step for step in steps if step.rejected]
    parts = [*done, *failed]
    if refused:
        parts.append(telling.refused(refused) + ("" if done else " Nothing was changed."))
    return "\n\n".join(parts)
