"""Texts for the user: short, plain, lists in markdown. Names and values are quoted exactly as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.fields import schema_of, spoken, type_words
from docagent.builtin_model.agent.known import name_of
from docagent.builtin_model.agent.understanding import Wish
from docagent.builtin_model.agent.values import as_text
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.domain.models.llm import ProjectDocument
from docagent.evidence.grounding import DocumentIndex, Grounding, MatchKind, ground_tree
from docagent.markdown import with_own_text

MOST_LISTED = 50
_MOST_ROWS = 5
_LONGEST_VALUE = 160
OFFER = (
    "\n\nShall I do the same with all documents like this one? Say “yes, tag them {tag}”: from then on every"
    " document with that tag is read with the prompt “{prompt}”."
)
CONNECT = (
    "To talk freely, connect a language model in Settings, Models: with a key, or one click for Ollama, llama.cpp,"
    " LM Studio or vLLM running on this machine."
)
WHAT_I_AM = (
    "I am the built-in model: rule-based, without a language model, and I run offline. I answer with passages and"
    " values of your documents, and carry out plain requests. I ask before I change anything, and write no texts of"
    f" my own. {CONNECT}"
)
_TEXTS = tomllib.loads(Path(__file__).with_name("replies.toml").read_text(encoding="utf-8"))
_EXAMPLES: dict[str, list[str]] = _TEXTS["examples"]
_SAID: dict[str, str] = _TEXTS["said"]
"""Each request as a sentence that the model understands whole."""
_DONE: dict[str, str] = _TEXTS["done"]
_DOES: dict[str, tuple[str, str]] = _TEXTS["does"]
"""By the name of a tool what a call does, and what was done; nothing where it only looks."""


def with_models(text: str, models: Sequence[tuple[str, str]]) -> str:
    """Name a model of this machine where the text says how to connect one."""
    if not models:
        return text
    server, name = models[0]
    others = f" and {len(models) - 1} more" if models[1:] else ""
    found = f"{server} on this machine has `{name.replace('`', '')}`{others}"
    return text.replace(CONNECT, f"{found}: to talk freely, make it the default in Settings, Models.")


def help_text(place: str, names: Sequence[str] = ()) -> str:
    name = names[0] if names else "Plan"
    lines = "\n".join(f"- “{example.format(name)}”" for example in _EXAMPLES[place])
    return f"You can say, for example:\n\n{lines}\n\nText in quotes or after a colon is taken exactly as you write it."


def polite(place: str, names: Sequence[str] = ()) -> str:
    """Say that a request is beyond the built-in model, and what would help."""
    return (
        f"I cannot do that: I am the built-in model, and changed nothing. {CONNECT} {help_text(place, names)}"
    )


def unclear(place: str, names: Sequence[str] = ()) -> str:
    return f"I did not understand what to change, and changed nothing. {help_text(place, names)}\n\n{CONNECT}"


def half_understood(wish: Wish, unused: Sequence[str]) -> str:
    left = ", ".join(f"“{cut(word, 40)}”" for word in unused[:6])
    return f"I understood “{in_words(wish)}”, but not what {left} means there, and changed nothing. What should I do?"


def in_words(wish: Wish) -> str:
    """Return a request in words, or nothing if it cannot be said in a short sentence."""
    slots = {key: cut(value, 60) for key, value in wish.slots.items()}
    slots["document"] = slots.get("document") or "this document"
    try:
        return _SAID.get(wish.intent, "").format(**slots)
    except KeyError:
        return ""


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= longest else one_line[: longest - 1] + "…"


def quote(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def bold(word: str) -> str:
    return f"**{word}**"


# --- documents and their values ------------------------------------------------------------------------------------


def field_lines(response_format: Mapping[str, Any]) -> str:
    properties = schema_of(response_format).get("properties") or {}
    return "\n".join(
        f"- `{name}`: {type_words(part)}" for name, part in properties.items() if isinstance(part, dict)
    )


def extraction_text(data: Any, pages: Sequence[Page]) -> str:
    """List the values, then say which are unproven and which are empty."""
    if not isinstance(data, dict) or not data:
        return "The extraction is empty."
    empty = [name for name, value in data.items() if _is_empty(value)]
    lines = [line for name, value in data.items() if name not in empty for line in _value_lines(name, value)]
    found = _groundings(ground_tree(DocumentIndex.of(pages), data)) if pages else ()
    unproven = [f"`{FieldPath(path)}`" for path, one in found if one.match is MatchKind.UNPROVEN]
    notes = [f"Not found on the pages, please check: {', '.join(unproven)}."] if unproven else []
    notes += [f"Empty: {', '.join(f'`{name}`' for name in empty)}."] if empty else []
    return "\n\n".join(["\n".join(lines), *notes] if lines else notes)


def _value_lines(name: str, value: Any) -> list[str]:
    if isinstance(value, list) and any(isinstance(row, dict) for row in value):
        rows = [f"  {number}. {cut(as_text(row))}" for number, row in enumerate(value[:_MOST_ROWS], 1)]
        more = [f"  and {len(value) - _MOST_ROWS} more"] if len(value) > _MOST_ROWS else []
        return [f"- {spoken(name)}: {counted(len(value), 'row')}", *rows, *more]
    return [f"- {spoken(name)}: {cut(as_text(value, name))}"]


def _is_empty(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_empty(part) for part in value.values())
    return value is None or value == "" or value == []


def page_of(data: Any, path: tuple[str, ...], pages: Sequence[Page]) -> int | None:
    """Return the number of the page on which the value at the path stands."""
    found = dict(_groundings(ground_tree(DocumentIndex.of(pages), data))) if pages else {}
    return found[path].page if path in found else None


def _groundings(tree: Any, path: tuple[str, ...] = ()) -> Iterable[tuple[tuple[str, ...], Grounding]]:
    if isinstance(tree, Grounding):
        yield path, tree
    elif isinstance(tree, dict | list):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from _groundings(part, (*path, str(key)))


def rows_text(name: str, rows: Sequence[Any]) -> str:
    lines = [f"{number}. {as_text(row)}" for number, row in enumerate(rows, 1)]
    is_table = any(isinstance(row, dict) for row in rows)
    what = f"{counted(len(rows), 'row')} in" if is_table else f"{counted(len(rows), 'value')} for"
    return _there_are(f"{what} {spoken(name)}", lines, 20)


def versioned(thing: Mapping[str, Any]) -> str:
    version = thing.get("schema_version") or thing.get("prompt_version")
    name = " ".join(name_of(thing).split())
    return f"{name} (version {version})" if version else name


def listing(names: Sequence[str], thing: str) -> str:
    if not names:
        return f"There are no {thing}s yet."
    return _there_are(counted(len(names), thing), [f"- {name}" for name in names], MOST_LISTED)


def _there_are(what: str, lines: Sequence[str], most: int) -> str:
    more = f"\n\nand {len(lines) - most} more" if len(lines) > most else ""
    told = "\n".join(lines[:most])
    return f"There {'is' if len(lines) == 1 else 'are'} {what}:\n\n{told}{more}"


# --- living documents ----------------------------------------------------------------------------------------------


def document_text(document: ProjectDocument) -> str:
    head, text = f"**{cut(document.name, 200)}**, version {document.version}", document.content
    if not text.strip():
        return f"{head}, is empty."
    note = "\n\n(The text goes on; open the document to see all of it.)" if len(text) > 4000 else ""
    return f"{head}:\n\n{text[:4000]}{note}"


def outline_text(document: ProjectDocument) -> str:
    """Show a document's headings, each with what stands first below it."""
    name, text = document.name, document.content
    known = with_own_text(text)
    if not known:
        beginning = cut(text, 300)
        return f"“{name}” has no headings." + (f" It begins: {beginning}" if beginning else "")
    top, lines = min(one.level for one, _ in known), []
    for one, own in known[:MOST_LISTED]:
        said = f": {_beginning(own)}" if own.strip() else ""
        lines.append(f"{'  ' * (one.level - top)}- {cut(one.title, 100)}{said}")
    more = [f"- and {len(known) - MOST_LISTED} more"] if len(known) > MOST_LISTED else []
    return f"“{name}” has {counted(len(known), 'heading')}:\n\n" + "\n".join([*lines, *more])


def _beginning(text: str) -> str:
    points = [line.strip().lstrip("-*+ ") for line in text.strip().splitlines() if line.strip()]
    is_list = len(points) > 1 and text.strip()[:2] in ("- ", "* ", "+ ")
    return cut(", ".join(points) if is_list else re.split(r"(?<=[.!?])\s", " ".join(points))[0], 120)


def stale_text(stale: Sequence[Mapping[str, Any]]) -> str:
    if not stale:
        return "Every passage says what its source says."
    lines = [
        f"- “{cut(str(one.get('text')), 80)}” in “{one.get('document')}”, line {one.get('line')}: {_since(one)}"
        for one in stale[:MOST_LISTED]
    ]
    verb = "rests" if len(stale) == 1 else "rest"
    return f"{counted(len(stale), 'passage')} {verb} on something that has changed:\n\n" + "\n".join(lines)


def _since(citation: Mapping[str, Any]) -> str:
    if citation.get("state") == "gone":
        return "its source is gone"
    now = citation.get("now")
    return "its page says something else now" if now is None else f"its source says {cut(str(now), 80)} now"


# --- what was done -------------------------------------------------------------------------------------------------

_FOR_MODELS = re.compile(r"\w_\w|\bappend\b|copy (?:it|the text) exactly", re.IGNORECASE)


def does(tool: str) -> str:
    """Say what a call does, as in `I did not …`."""
    return _DOES.get(tool, (tool.replace("_", " "), ""))[0]


def done_text(steps: Iterable[Step], nothing: str = "Nothing was changed.") -> str:
    """Say in one sentence what the calls changed."""
    said = [
        _DOES[step.name][1].format(name=step.result.get("name") or step.arguments.get("name") or "")
        for step in steps
        if step.ok and _DOES.get(step.name, ("", ""))[1]
    ]
    return (
        f"So far I {', '.join(said[:-1]) + ' and ' if len(said) > 1 else ''}{said[-1]}." if said else nothing
    )


def refused_text(steps: Sequence[Step], changed: str) -> str:
    refused = ", and did not ".join(does(step.name) for step in steps)
    return f"All right, I did not {refused}. {changed}".rstrip()


def done(step: Step) -> str:
    """Say what a call changed in a project, from its arguments and its result."""
    name, version = step.result.get("name"), step.result.get("version")
    in_part = " without the parts that you left out" if step.result.get("not_accepted") else ""
    if step.result.get("message") == "No changes":
        return f"“{name}” stays as it is."
    asked = step.arguments
    if step.name == "create_project_document":
        is_empty = not str(asked.get("content") or "").strip()
        return f"Created the {'empty ' if is_empty else ''}document “{name}”."
    if step.name in _DONE:
        said = {"name": name, "version": version, "in_part": in_part}
        return _DONE[step.name].format(**said, was=asked.get("document"), former=asked.get("version"))
    edits = asked.get("edits")
    made = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    changes = " and ".join(dict.fromkeys(map(_edit_done, made))) or "Changed"
    return f"{changes} “{name}”, now version {version}{in_part}."


def _edit_done(edit: Mapping[str, Any]) -> str:
    kind = next((one for one in _TEXTS["edits"] if one in edit), "")
    if kind == "append" and (title := re.match(r"## (.+)", str(edit[kind]))):
        return f"Added the section “{title[1]}” to"
    if kind == "replace" and (edit[kind] == "" or edit.get("every") is True):
        return "Removed it from" if edit[kind] == "" else "Replaced every one of them in"
    return str(_TEXTS["edits"].get(kind, "Changed")).format(edit.get(kind))


def failed(step: Step) -> str:
    """Say why a call did not work. What is meant for models, such as names of tools, is left out."""
    sentences = re.split(r"(?<=[.?!”])\s+(?=[A-Z“])", step.error or "")
    told = [one for one in sentences if not _FOR_MODELS.search(one)]
    return f"That did not work, and nothing was changed by it: {' '.join(told) or 'it is not possible.'}"


def not_available(tool: str) -> str:
    return f"I cannot {does(tool)} here: that is switched off for this conversation."
