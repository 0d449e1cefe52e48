"""Texts for the user about the documents of a project."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent import project_phrases
from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.telling import counted, examples, in_words
from docagent.domain.models.llm import ProjectSituation
from docagent.markdown import headings

MOST_SHOWN = 4000
MOST_LISTED = 50
MOST_PASSAGES = 3
_FOR_MODELS = re.compile(r"\w_\w|\bappend\b|copy (?:it|the text) exactly", re.IGNORECASE)
_YES = re.compile(r"(?:yes|yep|yeah|sure|ok(?:ay)?|ja|oui|s[ií]|right|correct)[.! ]*", re.IGNORECASE)
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


# --- questions -----------------------------------------------------------------------------------------------------


def vague(names: Sequence[str], *, is_known: bool) -> str:
    shown = examples(project_phrases.examples(names)[3:7])
    what = (
        f"What should I change in “{names[0]}”?"
        if is_known
        else "What should I change, and in which document?"
    )
    return f"{what} Say it with the words that go in, for example:\n\n{shown}"


def occurs_often(old: str, new: str, times: int, name: str) -> str:
    return (
        f"“{_line(old, 60)}” occurs {times} times in “{name}”, and I changed nothing. Quote more of the text around "
        f"it, or say “replace every “{_line(old, 60)}” with “{_line(new, 60)}” in {name}”."
    )


def is_yes(answer: str) -> bool:
    return _YES.fullmatch(answer.strip()) is not None


# --- what was done -------------------------------------------------------------------------------------------------


def done(step: Step) -> str:
    """Say what a call changed, from its arguments and its result."""
    name, version = step.result.get("name"), step.result.get("version")
    if step.result.get("message") == "No changes":
        return f"“{name}” stays as it is."
    match step.name:
        case "create_project_document":
            return f"Created the document “{name}”."
        case "delete_project_document":
            return f"Deleted the document “{name}”."
        case "rewrite_project_document":
            return f"Rewrote “{name}”, {made_version(step.result)}"
        case "restore_project_version":
            return f"Brought version {step.arguments.get('version')} of “{name}” back, as version {version}."
        case "update_project_document":
            return _settings_done(step, str(name))
    edits = step.arguments.get("edits")
    made = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    changes = " and ".join(dict.fromkeys(map(_edit_done, made))) or "Changed"
    return f"{changes} “{name}”, {made_version(step.result)}"


def _settings_done(step: Step, name: str) -> str:
    if step.arguments.get("name"):
        return f"Renamed “{step.arguments.get('document')}” to “{name}”."
    verb = "Set" if step.arguments.get("standing_instruction") else "Removed"
    return f"{verb} the standing instruction of “{name}”."


def _edit_done(edit: Mapping[str, Any]) -> str:
    match edit:
        case {"append_to_section": section}:
            return f"Added it to the section “{section}” of"
        case {"append": str(text)}:
            title = re.match(r"## (.+)", text)
            return f"Added the section “{title[1]}” to" if title else "Added it to"
        case {"section": section}:
            return f"Replaced the section “{section}” of"
        case {"remove_section": section}:
            return f"Removed the section “{section}” from"
        case {"move_section": section}:
            return f"Moved the section “{section}” of"
        case {"replace": ""}:
            return "Removed it from"
        case {"replace": _, "every": True}:
            return "Replaced every one of them in"
        case {"replace": _}:
            return "Replaced it in"
    return "Changed"


def failed(step: Step) -> str:
    """Say why a call did not work. What is meant for models, such as names of tools, is left out."""
    sentences = re.split(r"(?<=[.?!”])\s+(?=[A-Z“])", step.error or "")
    told = [one for one in sentences if not _FOR_MODELS.search(one)]
    return f"That did not work, and nothing was changed by it: {' '.join(told) or 'it is not possible.'}"


def refused(steps: Sequence[Step]) -> str:
    return f"All right, I did not {', and did not '.join(in_words(step.name) for step in steps)}."


def not_available(tool: str) -> str:
    return f"I cannot {in_words(tool)} here: that is switched off for this conversation."


def changes_text(steps: Sequence[Step]) -> str:
    if not steps:
        return "I changed nothing in this conversation so far."
    lines = [f"- {done(step)}" for step in steps[-MOST_LISTED:]]
    return "In this conversation, the last at the end:\n\n" + "\n".join(lines)


def outline_text(name: str, text: str, *, with_text: bool) -> str:
    known = headings(text)
    if not known:
        beginning = _line(text, 300)
        return f"“{name}” has no headings." + (f" It begins: {beginning}" if with_text and beginning else "")
    top = min(one.level for one in known)
    lines = []
    for place, one in enumerate(known[:MOST_LISTED]):
        own = text[one.body : known[place + 1].start if place + 1 < len(known) else None]
        said = f": {_first_sentence(own)}" if with_text and own.strip() else ""
        lines.append(f"{'  ' * (one.level - top)}- {_line(one.title, 100)}{said}")
    more = [f"- and {len(known) - MOST_LISTED} more"] if len(known) > MOST_LISTED else []
    return f"“{name}” has {counted(len(known), 'heading')}:\n\n" + "\n".join([*lines, *more])


def _first_sentence(text: str) -> str:
    points = [
        re.sub(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", "", line)
        for line in text.strip().splitlines()
        if line.strip()
    ]
    if len(points) > 1 and re.match(r"[ \t]*(?:[-*+]|\d+[.)])\s", text.strip()):
        return _line(", ".join(points), 120)
    return _line(re.split(r"(?<=[.!?])\s", " ".join(points))[0], 120)
