"""The system text: the rules, then blocks of data, each with its source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from docagent.domain.clock import day_in_words

PROMPTS = Path(__file__).with_name("prompts")
MOST_EXTRACTION_CHARACTERS = 20_000
MOST_MENTION_CHARACTERS = 30_000
_FENCE = re.compile(r"<(/?)data\b", re.IGNORECASE)
_OPENED_FENCE = re.compile(r"<(/?) data\b")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text for the model. `source` says where it came from, `note` what to know about it."""

    title: str
    source: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a document's text."""

    text: str
    page_count: int
    last_page: int
    complete: bool
    missing: str | None = None
    """Why there is no text, in words for the model."""


def system_text(rules: str, blocks: Sequence[Block], today: datetime, time_zone: str = "UTC") -> str:
    """The day is that on which the turn began, so that the text stays the same for all its calls."""
    day = day_in_words(today, time_zone)
    return "\n\n".join([rules.strip(), day, *(_fenced(block) for block in blocks if block.text)])


def document_block(
    *, document_id: str, name: str, metadata: Mapping[str, str], tags: Sequence[Mapping[str, str]], state: str
) -> Block:
    lines = [f"id: {document_id}", f"file name: {name}", f"state: {state}"]
    if metadata:
        lines.append("metadata: " + orjson.dumps(dict(metadata)).decode())
    lines.append("tags: " + (", ".join(f"{tag['name']} ({tag['id']})" for tag in tags) or "none"))
    return Block("Current document", f"document {document_id}", "\n".join(lines))


def deleted_block(document_id: str) -> Block:
    return Block("Current document", f"document {document_id}", "This document has been deleted.")


def excerpt_block(document_id: str, excerpt: Excerpt) -> Block:
    source = f"text of document {document_id}"
    if excerpt.missing is not None:
        return Block("Text of the document", source, excerpt.missing)
    if excerpt.complete:
        note = f"This is the whole text, {excerpt.page_count} pages."
    else:
        note = (
            f"This is the beginning only, up to page {excerpt.last_page} of {excerpt.page_count}. "
            "Call get_ocr_text to read on."
        )
    return Block("Text of the document", source, excerpt.text, note)


def mention_block(kind: str, name: str, identifier: str, content: Any) -> Block:
    text = content if isinstance(content, str) else _json(content)
    spoken = kind.replace("_", " ")
    tool = "read_project_document" if kind == "living_document" else f"get_{kind}"
    return Block(
        f"The {spoken} that the user named: {name}",
        f"{spoken} {identifier}",
        _cut(text, MOST_MENTION_CHARACTERS, tool),
    )


def state_block(state: Mapping[str, Any]) -> Block:
    known = {key: state[key] for key in ("schema_revid", "prompt_revid") if state.get(key)}
    text = "\n".join(f"{key}: {value}" for key, value in known.items())
    return Block("Working state", "this conversation", text, "What “it” and “the one we just made” mean.")


def extraction_block(state: Mapping[str, Any]) -> Block:
    extraction = state.get("extraction")
    text = "" if extraction is None else _json(extraction)
    return Block(
        "Current extraction",
        f"extraction with prompt {state.get('prompt_revid') or 'default'}",
        _cut(text, MOST_EXTRACTION_CHARACTERS, "get_extraction_result"),
    )


def fenced(source: str, text: str) -> str:
    """Put text that others wrote into a fence that the text cannot close."""
    inside = _FENCE.sub(r"<\1 data", text)
    name = _line(source.replace('"', "'"))
    return f'<data source="{name}">\n{inside}\n</data>'


def unfenced(text: str, original: str) -> str:
    """Undo in a text that a model rewrote what `fenced` did to the original that it was shown."""
    if not _FENCE.search(original) or _OPENED_FENCE.search(original):
        return text
    return _OPENED_FENCE.sub(r"<\1data", text)


def _fenced(block: Block) -> str:
    note = f"\n{block.note}" if block.note else ""
    return f"## {_line(block.title)}{note}\n{fenced(block.source, block.text)}"


def _line(text: str) -> str:
    return _FENCE.sub(r"<\1 data", " ".join(text.split()))


def _json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2, default=str).decode()


def _cut(text: str, most: int, tool: str) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most]}\n… {len(text) - most} characters left out; call {tool} for the whole."
