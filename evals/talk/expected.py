"""What a message should lead to, and the project that all messages are about."""

from __future__ import annotations

from dataclasses import dataclass

DOCUMENTS = {
    "Budget": "# Budget\n\n## Income\n\nSalary 4000\n\n## Costs\n\n- rent 1200\n- food 400\n\n"
    "## Notes\n\nReview in March.\n",
    "Meeting Notes": "# Meeting Notes\n\n## Decisions\n\nWe ship on Friday.\n\n## Next steps\n\n- call Ada\n"
    "- book the room\n",
    "Recipes": "# Recipes\n\n## Breakfast\n\n- porridge\n- eggs on toast\n\n## Dinner\n\nTomato soup with bread.\n",
    "Travel Guide": "# Travel Guide\n\n## Iceland\n\nBring warm clothes. Best in June.\n\n## Norway\n\n"
    "Take the train to Bergen. Best in June.\n",
}


@dataclass(frozen=True, slots=True)
class Create:
    """A new document. Without a name, any name is right."""

    name: str | None = None
    has: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """A new text of a document: `has` stands there in this order, and `lacks` no longer."""

    document: str
    has: tuple[str, ...] = ()
    lacks: str | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    document: str
    name: str


@dataclass(frozen=True, slots=True)
class Delete:
    document: str


@dataclass(frozen=True, slots=True)
class Instruct:
    document: str
    text: str


Change = Create | Edit | Rename | Delete | Instruct


@dataclass(frozen=True, slots=True)
class Said:
    """One message, with the document that is open beside the conversation."""

    text: str
    changes: tuple[Change, ...] = ()
    asks_back: bool = False
    """Whether the agent should ask, and change nothing."""
    opened: str | None = None


def answer(text: str, opened: str | None = None) -> Said:
    """A question, a remark or small talk: nothing changes."""
    return Said(text, opened=opened)


def asked(text: str, opened: str | None = None) -> Said:
    """A change that is not said well enough: the agent asks back."""
    return Said(text, asks_back=True, opened=opened)


def change(text: str, *changes: Change, opened: str | None = None) -> Said:
    """A plain change."""
    return Said(text, changes, opened=opened)
