"""What a decision comes to in the project as it is. Nothing runs before this has been found out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from docagent.agent.deciding.decision import Decision
from docagent.domain.projects.naming import document_name, numbered_name
from docagent.domain.projects.projects import name_key
from docagent.domain.shown import quoted

MOST_NAMED = 10
WHICH = "Which document do you mean?"
NONE_YET = "There are no documents in this project yet. Shall I create one? Then tell me its name."
SAY_MORE = "I am not sure what you want me to do. Please say it in other words."
_DELETING = re.compile(
    r"\b(?:delete|remove)\s+(?:(?!(?:from|in|of|to)\b)\S+\s+){0,4}(?:document|doc|page|file)\b", re.IGNORECASE
)
"""A document that goes as a whole, in the words of a model that set no flag for it."""


class AimKind(StrEnum):
    ANSWER = "answer"
    ASK = "ask"
    EDIT = "edit"
    CREATE = "create"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class Listed:
    """A document of the project, as the list of documents shows it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Aim:
    kind: AimKind
    document: Listed | None = None
    """What is edited or deleted."""
    name: str = ""
    """What the new document is called."""
    question: str = ""
    """What the user is asked."""


def changes_something(decision: Decision) -> bool:
    """Whether the documents of the project must be known to say what the decision comes to."""
    wants = decision.should_edit or decision.should_create or decision.should_delete
    return not decision.needs_clarification and (wants or decision.pending_confirmation)


def aim_of(decision: Decision, documents: Sequence[Listed], open_id: str | None, message: str) -> Aim:
    """Of several flags, the one that can lose least counts. What cannot be is mended, or asked for."""
    if decision.needs_clarification:
        return _ask(decision.clarification_question or decision.conversational_response or SAY_MORE)
    if decision.should_edit:
        return _change(AimKind.EDIT, decision, documents, open_id)
    if decision.should_create:
        return _creation(decision, documents, message)
    if decision.should_delete:
        return _change(AimKind.DELETE, decision, documents, None)
    if decision.pending_confirmation:
        said = f"{decision.intent_statement or ''} {decision.confirmation_prompt or ''}"
        kind = AimKind.DELETE if _DELETING.search(said) else AimKind.EDIT
        return _change(kind, decision, documents, open_id if kind is AimKind.EDIT else None)
    return Aim(AimKind.ANSWER)


def _change(kind: AimKind, decision: Decision, documents: Sequence[Listed], open_id: str | None) -> Aim:
    if not documents:
        return _ask(NONE_YET)
    given = decision.document_id or decision.document_name
    if given is not None:
        meant = _meant(decision.document_id, documents) or _meant(decision.document_name, documents)
        unknown = f"There is no document {quoted(given)} in this project. {WHICH}"
        return Aim(kind, meant) if meant else _ask(_with_names(unknown, documents))
    by_default = documents if len(documents) == 1 else [one for one in documents if one.id == open_id]
    if len(by_default) == 1:
        return Aim(kind, by_default[0])
    return _ask(_with_names(WHICH, documents))


def _creation(decision: Decision, documents: Sequence[Listed], message: str) -> Aim:
    count = len(documents)
    name = document_name(decision.document_name, decision.intent_statement, message, count)
    if name == numbered_name(count + 1):
        taken = {name_key(one.name) for one in documents}
        numbers = range(count + 1, 2 * count + 2)
        name = next(one for one in map(numbered_name, numbers) if name_key(one) not in taken)
    same = next((one for one in documents if name_key(one.name) == name_key(name)), None)
    return Aim(AimKind.EDIT, same) if same else Aim(AimKind.CREATE, name=name)


def _meant(given: str | None, documents: Sequence[Listed]) -> Listed | None:
    """The document with this id, or with this name; case and spacing do not count."""
    if given is None:
        return None
    by_id = (one for one in documents if one.id == given)
    by_name = (one for one in documents if name_key(one.name) == name_key(given))
    return next(by_id, None) or next(by_name, None)


def _ask(question: str) -> Aim:
    return Aim(AimKind.ASK, question=question)


def _with_names(question: str, documents: Sequence[Listed]) -> str:
    names = ", ".join(quoted(one.name) for one in documents[:MOST_NAMED])
    more = f" and {len(documents) - MOST_NAMED} more" if len(documents) > MOST_NAMED else ""
    return f"{question} There are {names}{more}." if len(documents) > 1 else f"{question} There is {names}."
