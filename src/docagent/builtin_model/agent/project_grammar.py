"""What the built-in agent understands in a conversation about a project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docagent.builtin_model.agent import clauses
from docagent.builtin_model.agent.conversation import Conversation
from docagent.builtin_model.agent.grammar import Splitting, Understood
from docagent.builtin_model.agent.kept_text import Said, readings
from docagent.builtin_model.agent.project_adding import several_documents
from docagent.builtin_model.agent.project_known import Known, joined_names
from docagent.builtin_model.agent.project_phrases import hedged, is_asked_for, is_question, read_clause
from docagent.builtin_model.agent.project_wishes import (
    AddSection,
    AddText,
    AskDocs,
    CreateDoc,
    DeleteDoc,
    Remark,
    RemoveSection,
    RenameDoc,
    ReplaceText,
    Unsure,
)
from docagent.builtin_model.agent.wishes import Chat, Wish
from docagent.reading.printed import squeezed

_LONGEST = 2000
_QUESTION = re.compile(r"(?:Which document do you mean|Did you mean .+)\?")
_OPTION = re.compile(r"^- (?P<name>.+)$", re.MULTILINE)
_VERBS: dict[type, str] = {
    AddText: "add",
    AddSection: "add",
    RenameDoc: "rename",
    CreateDoc: "create",
    DeleteDoc: "delete",
}

_ALL_DOCUMENTS = re.compile(
    r"(?<!\s)\s*\b(?:in|to|across|throughout)\s+(?:all|every|each)(?:\s+(?:of\s+)?(?:the|my|our|these))?"
    r"\s+(?:document|doc|file|page|note)s?\b",
    re.IGNORECASE,
)
_TO = re.compile(r"^(?:also |(?:the same )?)*(?:to|in|into|from|of|for) (?=\S)", re.IGNORECASE)

Pieces = Sequence[tuple[str, str]]


def understand_in_project(text: str, known: Known | None = None) -> Understood:
    """Return the wishes of a message. If one is only hinted at, return that one alone."""
    everywhere = _in_all(text, known)
    if everywhere:
        return Understood(everywhere)
    for said in readings(_with_names_quoted(text, known)):
        wishes = _wishes(said, known)
        if wishes is None:
            continue
        if all(isinstance(wish, Remark) for wish in wishes):
            continue
        unsure = [wish for wish in wishes if isinstance(wish, Unsure)]
        real = [wish for wish in wishes if not isinstance(wish, Chat)]
        return Understood(tuple(unsure[:1] or real or wishes[:1]))
    return Understood(puzzling=" ".join(text.split())[:80])


def _in_all(text: str, known: Known | None) -> tuple[Wish, ...]:
    """Read `replace a with b in all documents`: the wish for each document that it concerns."""
    rest = _ALL_DOCUMENTS.sub(" ", text, count=1)
    if known is None or rest == text or _asks(text):
        return ()
    found: list[Wish] = []
    for document in known.documents:
        wishes = understand_in_project(rest.strip(" ,"), replace(known, open_id=document.id)).wishes
        if len(wishes) != 1 or not isinstance(wishes[0], AddText | AddSection | ReplaceText):
            continue
        wish = replace(wishes[0], document=document.name)
        if not isinstance(wish, ReplaceText):
            found.append(wish)
        elif wish.old in document.content:
            found.append(replace(wish, every=True))
    return tuple(found)


def _with_names_quoted(text: str, known: Known | None) -> str:
    """Quote names such as `Terms and Conditions`, so that they are not taken apart."""
    for name in joined_names(known.documents) if known else ():
        text = re.sub(rf"(?<![\w\"“'@]){re.escape(name)}(?![\w\"”'])", f'"{name}"', text, flags=re.IGNORECASE)
    return text


def _wishes(said: Said, known: Known | None) -> tuple[Wish, ...] | None:
    straight = clauses.straight(said.text)
    if not straight or len(straight) > _LONGEST:
        return None
    several = (
        several_documents(clauses.bare(straight), said) if known is not None and not _asks(straight) else ()
    )
    if several:
        return several
    read: dict[str, Wish | None] = {}

    def reading(clause: str) -> Wish | None:
        if clause not in read:
            read[clause] = read_clause(clause, clauses.bare(clause), said, known)
        return read[clause]

    def continued(clause: str, before: Wish) -> Wish | None:
        """Read the second half of `add a to A and b to B`, which relies on the verb of the first half."""
        verb, rest = _VERBS.get(type(before)), clauses.bare(clause)
        if isinstance(before, DeleteDoc) and not (known and known.document(said.back(rest))):
            return None
        elsewhere = known.document(said.back(_TO.sub("", rest))) if known else None
        if elsewhere and isinstance(before, AddText | AddSection | ReplaceText | RemoveSection):
            return replace(before, document=elsewhere)
        wish = reading(f"{verb} {rest}") if verb else None
        return wish if type(wish) is type(before) else None

    return Splitting(_sentences(clauses.pieces(straight)), reading, continued).wishes_from(0, ())


def _asks(text: str) -> bool:
    return hedged(text) or is_question(clauses.bare(text)) or (text.endswith("?") and not is_asked_for(text))


def _sentences(parts: Pieces) -> Pieces:
    """Put the pieces of a question or a hint together again: `how do I open A and delete B` asks for nothing.

    A request that is put as a question, as in `could you add a to A and b to B?`, is not one.
    """
    found: list[tuple[str, str]] = []
    sentence: list[tuple[str, str]] = []
    for text, join in parts:
        sentence.append((text, join))
        if not join or "\n" in join or text.endswith((".", "!", "?")):
            found += _sentence(sentence)
            sentence = []
    return [*found, *_sentence(sentence)]


def _sentence(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    if not parts:
        return []
    first, (last, join) = parts[0][0], parts[-1]
    if is_asked_for(first):
        return [*parts[:-1], (last.rstrip("? ") if len(parts) > 1 else last, join)]
    if _asks(first) or last.endswith("?"):
        return [(clauses.together(parts), join)]
    return parts


def follow_up_in_project(conversation: Conversation, known: Known | None = None) -> tuple[Wish, ...] | None:
    """If the last answer asked which document, return the earlier wish with the chosen document."""
    if not conversation.earlier:
        return None
    asked, answer = conversation.earlier[-1]
    said = squeezed(clauses.unquoted(clauses.bare(conversation.text)))
    offered = _OPTION.findall(answer) if _QUESTION.search(answer) else []
    options = [name for name in offered if said and squeezed(name) == said]
    if len(offered) == 1 and understand_in_project(conversation.text).wishes == (Chat("yes"),):
        options = offered
    if len(options) != 1:
        return None
    wishes = understand_in_project(asked, known).wishes
    for place, wish in enumerate(wishes):
        if getattr(wish, "document", None) is not None and not isinstance(wish, AskDocs):
            return (replace(wish, document=options[0]), *wishes[place + 1 :])
    return None
