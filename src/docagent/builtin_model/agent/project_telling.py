"""Texts for the user about the documents of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent import project_phrases
from docagent.builtin_model.agent.telling import counted, examples
from docagent.domain.llm import ProjectSituation

MOST_SHOWN = 4000
MOST_LISTED = 50
MOST_PASSAGES = 3
WHAT_I_AM = (
    "I am the built-in model: rule-based, without a language model, and I run offline. I understand plain requests "
    "about the documents of this project, and ask before I change anything. I cannot write texts of my own; for that "
    "connect a language model in Settings."
)


def help_text(names: Sequence[str]) -> str:
    joined = "Text in quotes or after a colon goes into the document exactly as you write it."
    return f"You can say, for example:\n\n{examples(project_phrases.examples(names))}\n\n{joined}"


def who_text(names: Sequence[str]) -> str:
    return f"{WHAT_I_AM}\n\n{help_text(names)}"


def puzzled(part: str, names: Sequence[str]) -> str:
    said = f" “{_line(part, 80)}”" if part else ""
    shown = examples(project_phrases.examples(names)[:7])
    return (
        f"I did not understand{said}, and changed nothing. I am rule-based and know only plain requests such as:\n\n"
        f"{shown}\n\nTo talk freely, connect a language model in Settings."
    )


def unsure(text: str, names: Sequence[str]) -> str:
    shown = examples(project_phrases.examples(names)[2:6])
    return (
        f"“{_line(text, 120)}” is not said as a request, so I changed nothing. Tell me plainly what to do, for "
        f"example:\n\n{shown}"
    )


def made_version(result: Mapping[str, Any]) -> str:
    """What became of a change: its version, and whether the user took only parts of it."""
    in_part = " without the parts that you left out" if result.get("not_accepted") else ""
    return f"now version {result.get('version')}{in_part}."


def list_text(documents: Sequence[Mapping[str, Any]]) -> str:
    if not documents:
        return "There are no documents in this project yet. Say “create a document called …” to make one."
    lines = [
        f"- {_line(str(one['name']), 200)} (version {one['version']}, {counted(one['characters'], 'character')})"
        for one in documents[:MOST_LISTED]
    ]
    more = [f"- and {len(documents) - MOST_LISTED} more"] if len(documents) > MOST_LISTED else []
    verb = "is" if len(documents) == 1 else "are"
    return f"There {verb} {counted(len(documents), 'document')}:\n\n" + "\n".join([*lines, *more])


def document_text(document: Mapping[str, Any]) -> str:
    text = str(document.get("content") or "")
    head = f"**{_line(str(document['name']), 200)}**, version {document['version']}"
    if not text.strip():
        return f"{head}, is empty."
    shown = text[:MOST_SHOWN]
    is_cut = len(text) > MOST_SHOWN or document.get("next_line") is not None
    note = "\n\n(The text goes on; open the document to see all of it.)" if is_cut else ""
    return f"{head}:\n\n{shown}{note}"


def instruction_text(document: Mapping[str, Any]) -> str:
    text = str(document.get("standing_instruction") or "").strip()
    name = f"“{document['name']}”"
    return (
        f"The standing instruction of {name}:\n\n{text}" if text else f"{name} has no standing instruction."
    )


def versions_text(result: Mapping[str, Any]) -> str:
    versions = [one for one in result.get("versions") or [] if isinstance(one, dict)]
    lines = [
        f"- version {one.get('version')}, by {'the agent' if one.get('author') == 'agent' else 'a person'}"
        + (f": {_line(str(one['reason']), 100)}" if one.get("reason") else "")
        for one in versions[:MOST_LISTED]
    ]
    return f"“{result.get('name')}” has {counted(len(versions), 'version')}:\n\n" + "\n".join(lines)


def passages_text(result: Mapping[str, Any], words: str) -> str:
    passages = [one for one in result.get("passages") or [] if isinstance(one, dict)]
    if not passages:
        return f"I found nothing about “{_line(words, 80)}” in the documents."
    told = [
        f"**{_line(str(one.get('name')), 200)}**, line {one.get('line')}:\n\n{_quote(str(one.get('text')))}"
        for one in passages[:MOST_PASSAGES]
    ]
    more = len(passages) - MOST_PASSAGES
    return "\n\n".join([*told, *([f"and {counted(more, 'more passage')}"] if more > 0 else [])])


def stale_text(stale: Sequence[Mapping[str, Any]]) -> str:
    if not stale:
        return "Every passage says what its source says."
    verb = "rests" if len(stale) == 1 else "rest"
    lines = [
        f"- “{_line(str(one.get('text')), 80)}” in “{one.get('document')}”, line {one.get('line')}: {_since(one)}"
        for one in stale[:MOST_LISTED]
    ]
    more = len(stale) - MOST_LISTED
    lines += [f"- and {counted(more, 'more passage')}"] if more > 0 else []
    return f"{counted(len(stale), 'passage')} {verb} on something that has changed:\n\n" + "\n".join(lines)


def updated_text(stale: Sequence[Mapping[str, Any]]) -> str:
    left = [one for one in stale if not one.get("suggested")]
    done = f"Put the present value into {counted(len(stale) - len(left), 'passage')}."
    return f"{done} This I cannot do by myself:\n\n{stale_text(left)}" if left else done


def _since(citation: Mapping[str, Any]) -> str:
    if citation.get("state") == "gone":
        return "its source is gone"
    now = citation.get("now")
    return "its page says something else now" if now is None else f"its source says {_line(str(now), 80)} now"


def from_situation(project: ProjectSituation | None) -> list[Mapping[str, Any]]:
    """Return the documents without a call, for replies that may not call tools."""
    return [
        {
            "document_id": one.id,
            "name": one.name,
            "version": one.version,
            "characters": len(one.content),
            "content": one.content,
            "standing_instruction": one.standing_instruction,
        }
        for one in (project.documents if project else ())
    ]


def _quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
