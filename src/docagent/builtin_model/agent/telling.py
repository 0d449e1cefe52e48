"""Texts for the user: short, plain, lists in markdown. Names and values are quoted exactly as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docagent.builtin_model.agent.conversation import Step
from docagent.builtin_model.agent.names import Path
from docagent.builtin_model.agent.schema_edits import schema_of
from docagent.builtin_model.agent.typewords import spoken, type_words
from docagent.builtin_model.agent.values import as_text
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.evidence.grounding import DocumentIndex, Grounding, MatchKind, ground_tree

_MOST_ROWS = 5
_LONGEST_VALUE = 160

TAG_THEM = "yes, tag them "
"""How the answer begins that says which tag brings documents like this one; `follow` reads the tag after it."""
WHAT_I_AM = (
    "I am the built-in model: rule-based, without a language model, and I run offline. I understand"
    " plain requests about "
    "this document and about schemas, prompts and tags, read the document by its labels and tables, and"
    " ask before I "
    "change anything. For free conversation connect a language model in Settings."
)
EXAMPLES = (
    "set this up",
    "create a schema for this invoice",
    "add a field due date",
    "rename vendor to supplier",
    "run it",
    "set the total to 1250.00",
    "tag this as invoices",
    "what is the invoice number?",
    "which schemas do we have?",
    "delete the schema X",
)


def examples(chosen: Iterable[str]) -> str:
    return "\n".join(f"- “{example}”" for example in chosen)


def help_text() -> str:
    joined = "Several wishes can be joined with “and” or “then”."
    return f"You can say, for example:\n\n{examples(EXAMPLES)}\n\n{joined}"


def who_text() -> str:
    return f"{WHAT_I_AM}\n\n{help_text()}"


def puzzled(part: str, *, has_schema: bool, has_extraction: bool) -> str:
    """Say that the message was not understood, with examples that fit what is at hand."""
    chosen = ["what is this document about?", "what is the invoice number?", "set this up"]
    if has_extraction:
        chosen = ["set the total to 1250.00", "what is the invoice number?", "run it"]
    chosen += ["add a field due date"] if has_schema else ["create a schema for this document"]
    chosen += ["tag this as invoices"]
    said = f" “{_cut(part, 80)}”" if part else ""
    return (
        f"I did not understand{said}. I am rule-based and know only plain requests such"
        f" as:\n\n{examples(chosen)}\n\n"
        "To talk freely, connect a language model in Settings."
    )


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
    unproven = unproven_paths(data, pages)
    notes = []
    if unproven:
        notes.append(f"Not found on the pages, please check: {', '.join(f'`{name}`' for name in unproven)}.")
    if empty:
        notes.append(f"Empty: {', '.join(f'`{name}`' for name in empty)}.")
    return "\n\n".join(["\n".join(lines), *notes] if lines else notes)


def _value_lines(name: str, value: Any) -> list[str]:
    if isinstance(value, list) and any(isinstance(row, dict) for row in value):
        rows = [f"  {number}. {_cut(as_text(row))}" for number, row in enumerate(value[:_MOST_ROWS], 1)]
        more = [f"  and {len(value) - _MOST_ROWS} more"] if len(value) > _MOST_ROWS else []
        return [f"- {spoken(name)}: {counted(len(value), 'row')}", *rows, *more]
    return [f"- {spoken(name)}: {_cut(as_text(value, name))}"]


def _is_empty(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_empty(part) for part in value.values())
    return value is None or value == "" or value == []


def unproven_paths(data: Any, pages: Sequence[Page]) -> list[str]:
    """Return the paths of the values that do not stand on the pages."""
    if not pages:
        return []
    return [
        str(FieldPath(path))
        for path, grounding in _groundings(ground_tree(DocumentIndex.of(pages), data))
        if grounding.match is MatchKind.UNPROVEN
    ]


def page_of(data: Any, path: Path, pages: Sequence[Page]) -> int | None:
    """Return the number of the page on which the value at the path stands."""
    if not pages:
        return None
    found = dict(_groundings(ground_tree(DocumentIndex.of(pages), data)))
    grounding = found.get(path)
    return grounding.page if grounding else None


def _groundings(tree: Any, path: Path = ()) -> Iterable[tuple[Path, Grounding]]:
    if isinstance(tree, Grounding):
        yield path, tree
    elif isinstance(tree, dict):
        for key, part in tree.items():
            yield from _groundings(part, (*path, str(key)))
    elif isinstance(tree, list):
        for position, part in enumerate(tree):
            yield from _groundings(part, (*path, str(position)))


_DONE = {
    "create_schema": "created the schema “{name}”",
    "update_schema": "changed the schema “{name}”",
    "delete_schema": "deleted a schema",
    "create_prompt": "created the prompt “{name}”",
    "update_prompt": "changed the prompt “{name}”",
    "delete_prompt": "deleted a prompt",
    "create_tag": "created the tag “{name}”",
    "update_tag": "changed the tag “{name}”",
    "delete_tag": "deleted a tag",
    "update_document": "changed the document",
    "delete_document": "deleted the document",
    "run_extraction": "ran the extraction",
    "update_extraction_field": "changed a value",
    "create_project_document": "created the document “{name}”",
    "edit_project_document": "changed the document “{name}”",
    "rewrite_project_document": "rewrote the document “{name}”",
    "update_project_document": "changed the document “{name}”",
    "delete_project_document": "deleted the document “{name}”",
    "restore_project_version": "restored the document “{name}”",
}
_IN_WORDS = {
    "list_project_documents": "list the documents",
    "read_project_document": "read the document",
    "search_project": "search the documents",
    "list_project_versions": "list the versions",
    "request_input": "ask you a question",
    "create_schema": "create the schema",
    "update_schema": "change the schema",
    "delete_schema": "delete the schema",
    "create_prompt": "create the prompt",
    "update_prompt": "change the prompt",
    "delete_prompt": "delete the prompt",
    "create_tag": "create the tag",
    "update_tag": "change the tag",
    "delete_tag": "delete the tag",
    "update_document": "change the document",
    "delete_document": "delete the document",
    "run_extraction": "run the extraction",
    "update_extraction_field": "change the value",
    "create_project_document": "create the document",
    "edit_project_document": "change the document",
    "rewrite_project_document": "rewrite the document",
    "update_project_document": "change the document",
    "delete_project_document": "delete the document",
    "restore_project_version": "restore the version",
}


def done_text(steps: Iterable[Step]) -> str:
    """Say in one sentence what the calls changed."""
    said = [
        _DONE[step.name].format(name=step.result.get("name") or step.arguments.get("name") or "")
        for step in steps
        if step.ok and step.name in _DONE
    ]
    if not said:
        return ""
    return f"So far I {', '.join(said[:-1]) + ' and ' if len(said) > 1 else ''}{said[-1]}."


def in_words(tool: str) -> str:
    """Say what a call does, as in `I did not …`."""
    return _IN_WORDS.get(tool) or tool.replace("_", " ")


def refused_text(step: Step, before: Iterable[Step]) -> str:
    done = done_text(before)
    return f"All right, I did not {in_words(step.name)}. {done or 'Nothing was changed.'}"


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def choices(question: str, names: Iterable[str]) -> str:
    """Ask a question and list its possible answers. `follow` reads them back."""
    return f"{question}\n\n" + "\n".join(f"- {name}" for name in names)


def _cut(text: str, longest: int = _LONGEST_VALUE) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= longest else one_line[: longest - 1] + "…"
