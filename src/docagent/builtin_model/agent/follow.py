"""Understands short answers to what the agent said before: a choice after a question, a yes after an offer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from docagent.builtin_model.agent.clauses import bare, unquoted
from docagent.builtin_model.agent.conversation import Conversation
from docagent.builtin_model.agent.grammar import understand
from docagent.builtin_model.agent.telling import TAG_THEM
from docagent.builtin_model.agent.wishes import (
    AddFields,
    Chat,
    CreatePrompt,
    Delete,
    RemoveFields,
    RenameField,
    RenameThing,
    RetypeField,
    Run,
    SetValue,
    ShowSchema,
    TagAlike,
    TagDocument,
    UntagDocument,
    UseNewVersion,
    Wish,
)
from docagent.reading.printed import squeezed

_QUESTION = re.compile(r"Which (?P<what>schema|prompt|tag|document|field|value) do you mean\?")
_TAG_THEM = re.compile(rf"“{TAG_THEM}(?P<name>[^”]+)”")
_OPTION = re.compile(r"^- (?P<name>.+)$", re.MULTILINE)


def follow_up(conversation: Conversation) -> tuple[Wish, ...] | None:
    """If the last answer asked a question and the user now chooses, return the earlier wish with that choice."""
    if not conversation.earlier:
        return None
    asked, answer = conversation.earlier[-1]
    said = squeezed(unquoted(bare(conversation.text)))
    if understand(conversation.text).wishes == (Chat("yes"),) and "“run it”" in answer:
        return (Run(),)
    offered = _TAG_THEM.search(answer)
    if offered and understand(conversation.text).wishes == (Chat("yes"),):
        return (TagAlike((offered["name"],)),)
    question = _QUESTION.search(answer)
    options = [name for name in _OPTION.findall(answer) if said and squeezed(name) == said]
    if question is None or len(options) != 1:
        return None
    choice = options[0]
    wishes = understand(asked).wishes
    for place, wish in enumerate(wishes):
        chosen = _with_choice(wish, question["what"], choice)
        if chosen is not None:
            return (chosen, *wishes[place + 1 :])
    return None


def _with_choice(wish: Wish, what: str, choice: str) -> Wish | None:
    makers: dict[str, Callable[[Wish, str], Wish | None]] = {
        "schema": _with_schema,
        "prompt": _with_prompt,
        "tag": _with_tag,
        "field": _with_field,
        "value": _with_field,
        "document": lambda one, name: replace(one, name=name) if isinstance(one, Delete) else None,
    }
    return makers[what](wish, choice)


def _with_schema(wish: Wish, name: str) -> Wish | None:
    match wish:
        case AddFields() | RenameField() | RemoveFields() | RetypeField():
            return replace(wish, where=f"schema {name}")
        case ShowSchema() | Delete():
            return replace(wish, name=name)
        case RenameThing():
            return replace(wish, old=name)
        case CreatePrompt():
            return replace(wish, schema=name)
    return None


def _with_prompt(wish: Wish, name: str) -> Wish | None:
    match wish:
        case Run() | UseNewVersion():
            return replace(wish, prompt=name)
        case Delete():
            return replace(wish, name=name)
    return None


def _with_tag(wish: Wish, name: str) -> Wish | None:
    match wish:
        case TagDocument() | UntagDocument() | TagAlike():
            return replace(wish, names=(name,))
        case Delete():
            return replace(wish, name=name)
        case RenameThing():
            return replace(wish, old=name)
    return None


def _with_field(wish: Wish, name: str) -> Wish | None:
    match wish:
        case SetValue() | RetypeField():
            return replace(wish, name=name)
        case RenameField():
            return replace(wish, old=name)
        case RemoveFields():
            return replace(wish, names=(name,))
    return None
