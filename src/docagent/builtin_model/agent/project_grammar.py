"""What the built-in agent understands in a conversation about a project."""

from __future__ import annotations

import re
from dataclasses import replace

from docagent.builtin_model.agent import clauses
from docagent.builtin_model.agent.conversation import Conversation
from docagent.builtin_model.agent.grammar import Splitting, Understood
from docagent.builtin_model.agent.kept_text import Said, readings
from docagent.builtin_model.agent.project_phrases import read_clause
from docagent.builtin_model.agent.project_wishes import AddText, AskDocs, RenameDoc, Unsure
from docagent.builtin_model.agent.wishes import Chat, Wish
from docagent.printed import squeezed

_LONGEST = 2000
_QUESTION = re.compile(r"Which document do you mean\?")
_OPTION = re.compile(r"^- (?P<name>.+)$", re.MULTILINE)
_VERBS: dict[type, str] = {AddText: "add", RenameDoc: "rename"}


def understand_in_project(text: str) -> Understood:
    """Return the wishes of a message. If one is only hinted at, return that one alone."""
    for said in readings(text):
        wishes = _wishes(said)
        if wishes is None:
            continue
        unsure = [wish for wish in wishes if isinstance(wish, Unsure)]
        real = [wish for wish in wishes if not isinstance(wish, Chat)]
        return Understood(tuple(unsure[:1] or real or wishes[:1]))
    return Understood(puzzling=" ".join(text.split())[:80])


def _wishes(said: Said) -> tuple[Wish, ...] | None:
    straight = clauses.straight(said.text)
    if not straight or len(straight) > _LONGEST:
        return None
    read: dict[str, Wish | None] = {}

    def reading(clause: str) -> Wish | None:
        if clause not in read:
            read[clause] = read_clause(clause, clauses.bare(clause), said)
        return read[clause]

    def continued(clause: str, before: Wish) -> Wish | None:
        """Read the second half of `add a to A and b to B`, which relies on the verb of the first half."""
        verb = _VERBS.get(type(before))
        wish = reading(f"{verb} {clauses.bare(clause)}") if verb else None
        return wish if type(wish) is type(before) else None

    return Splitting(clauses.pieces(straight), reading, continued).wishes_from(0, ())


def follow_up_in_project(conversation: Conversation) -> tuple[Wish, ...] | None:
    """If the last answer asked which document, return the earlier wish with the chosen document."""
    if not conversation.earlier:
        return None
    asked, answer = conversation.earlier[-1]
    said = squeezed(clauses.unquoted(clauses.bare(conversation.text)))
    options = [name for name in _OPTION.findall(answer) if said and squeezed(name) == said]
    if not _QUESTION.search(answer) or len(options) != 1:
        return None
    wishes = understand_in_project(asked).wishes
    for place, wish in enumerate(wishes):
        if getattr(wish, "document", None) is not None and not isinstance(wish, AskDocs):
            return (replace(wish, document=options[0]), *wishes[place + 1 :])
    return None
