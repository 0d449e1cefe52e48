"""Finds the document of a project that is meant, and asks if that is not clear."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docagent.builtin_model.agent import project_telling as telling
from docagent.builtin_model.agent.names import by_name, is_exact
from docagent.builtin_model.agent.project_known import bare_name, near_names
from docagent.builtin_model.agent.telling import choices
from docagent.builtin_model.agent.work import Call, Calls, GiveUp, Steps, Work
from docagent.reading.printed import squeezed

Doc = Mapping[str, Any]
MOST_CHOICES = 8
_WHICH = "Which document do you mean?"
IT = frozenset(
    {
        *(
            "",
            "it",
            "this",
            "that",
            "here",
            "document",
            "doc",
            "the document",
            "this document",
            "that document",
        ),
        *("the doc", "this doc"),
    }
)


@dataclass(slots=True)
class Spoken:
    """What earlier wishes of the same message spoke of."""

    last: Doc | None = None
    upcoming: dict[str, Doc] = field(default_factory=dict)
    """Documents that will have another name, or will only then exist, by that name."""


def meant(work: Work, name: str, spoken: Spoken, *, exactly: bool = False) -> Generator[Calls, Steps, Doc]:
    """Return the one document with that name. "It" is the one spoken of, open, changed last, or alone."""
    document = yield from _looked_up(work, name, spoken, exactly=exactly)
    spoken.last = document
    return document


def _looked_up(work: Work, name: str, spoken: Spoken, *, exactly: bool) -> Generator[Calls, Steps, Doc]:
    is_it = name.casefold() in IT
    at_hand = (spoken.last or open_document(work)) if is_it else spoken.upcoming.get(squeezed(name))
    known = at_hand or of_that_name(work, name)
    if known is not None:
        return known
    found = yield from documents(work)
    if not found:
        raise GiveUp("There are no documents in this project yet. Say “create a document called …” first.")
    matches = by_name(name, found) if name else []
    if is_it and not matches:
        last = _last_touched(work, found)
        return last if last is not None else (yield from _chosen(work, _WHICH, found))
    if len(matches) > 1:
        return (yield from _chosen(work, _WHICH, matches))
    missing = f"There is no document called “{bare_name(name)}”."
    if not matches:
        return (yield from _near(work, missing, name, found))
    if exactly and not is_exact(bare_name(name), str(matches[0]["name"])):
        meant = f"{missing} Did you mean “{matches[0]['name']}”?"
        if not work.has("request_input"):
            raise GiveUp(f"{meant} Then say its whole name.")
        return (yield from _chosen(work, meant, matches))
    return matches[0]


def _near(work: Work, missing: str, name: str, found: Sequence[Doc]) -> Generator[Calls, Steps, Doc]:
    """Offer the documents whose names are nearly the one that was said, or else all."""
    names = near_names(name, [str(one["name"]) for one in found])
    near = [one for one in found if one["name"] in names]
    if not near:
        return (yield from _chosen(work, f"{missing} {_WHICH}", found))
    question = f"Did you mean “{near[0]['name']}”?" if len(near) == 1 else "Did you mean one of these?"
    return (yield from _chosen(work, f"{missing} {question}", near))


def _chosen(work: Work, question: str, found: Sequence[Doc]) -> Generator[Calls, Steps, Doc]:
    """Ask which document is meant, and take the answer. Where nobody can be asked, the turn ends with the question."""
    names = [str(one["name"]) for one in found]
    if not work.has("request_input"):
        raise GiveUp(choices(question, names[: telling.MOST_LISTED]))
    (step,) = yield (Call("request_input", {"question": question, "choices": names[:MOST_CHOICES]}),)
    answer = str(step.result.get("answer") or "")
    if len(found) == 1 and telling.is_yes(answer):
        return found[0]
    matches = by_name(bare_name(answer), found) if answer.strip() else []
    if len(matches) != 1:
        raise GiveUp("All right, I changed nothing.")
    return matches[0]


def documents(work: Work) -> Generator[Calls, Steps, list[Doc]]:
    if not work.has("list_project_documents"):
        return telling.from_situation(work.situation.project)
    result = yield from read_call(work, "list_project_documents")
    found = result.get("documents")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def read_call(work: Work, name: str, arguments: Doc | None = None) -> Generator[Calls, Steps, Doc]:
    if not work.has(name):
        raise GiveUp(telling.not_available(name))
    (step,) = yield (Call(name, arguments or {}),)
    if not step.ok:
        raise GiveUp(telling.failed(step))
    return step.result


def of_that_name(work: Work, name: str) -> Doc | None:
    found = telling.from_situation(work.situation.project)
    same = [one for one in found if one["name"] == name]
    alike = same or [one for one in found if is_exact(name, str(one["name"]))]
    return alike[0] if len(alike) == 1 else None


def open_document(work: Work) -> Doc | None:
    """The document that the user named with @, if it is one, or the one that is open."""
    mentioned = {mention["id"] for mention in work.mentions("living_document")}
    project = work.situation.project
    wanted = mentioned if len(mentioned) == 1 else {project.open_document_id if project else None}
    return next((one for one in telling.from_situation(project) if one["document_id"] in wanted), None)


def _last_touched(work: Work, found: list[Doc]) -> Doc | None:
    for step in reversed([*work.conversation.before, *work.done]):
        known = [one for one in found if one["document_id"] == step.result.get("document_id")]
        if step.ok and known:
            return known[0]
    return found[0] if len(found) == 1 else None


def content_of(work: Work, document: Doc) -> str | None:
    known = telling.from_situation(work.situation.project)
    return next((one["content"] for one in known if one["document_id"] == document["document_id"]), None)
