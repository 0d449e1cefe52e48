"""Pages as GitHub-flavoured markdown for people and models to read.

The document's own text is data, so anything in it that could be read as markup is escaped. Bare addresses
such as https://example.org stay as they are, because a renderer that links them shows where the link goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from docagent.domain.documents.text import Page
from docagent.reading.layout.flow import Heading, ListItem, Paragraph, Part, flow_of, printable
from docagent.reading.layout.tables import Table

_ANYWHERE = re.compile(r"[\\`*_\[\]<>|~$]|&(?=#?\w+;)")
_AT_LINE_START = re.compile(r"(#{1,6}(?=\s|$)|[-+=](?=[-+=\s]|$)|:(?=-))")
_NUMBER_AT_LINE_START = re.compile(r"(\d{1,9})([.)])(?=\s|$)")


def to_markdown(pages: Iterable[Page]) -> str:
    """Return all pages, with a comment where each new page begins."""
    written = []
    for index, page in enumerate(pages):
        break_before = [f"<!-- page {page.number} -->"] if index else []
        note = [f"> {escape_markdown(page.note)}"] if page.note else []
        written.append("\n\n".join([*break_before, *note, *_blocks(flow_of(page))]))
    return "\n\n".join(filter(None, written)) + "\n" if any(written) else ""


def escape_markdown(text: str) -> str:
    """Return one line of text that no markdown parser takes for anything but text."""
    escaped = _ANYWHERE.sub(r"\\\g<0>", printable(text))
    escaped = _AT_LINE_START.sub(r"\\\1", escaped, count=1) if _AT_LINE_START.match(escaped) else escaped
    number = _NUMBER_AT_LINE_START.match(escaped)
    return f"{number[1]}\\{escaped[len(number[1]) :]}" if number else escaped


def _blocks(parts: list[Part]) -> list[str]:
    blocks: list[str] = []
    in_list = False
    for part in parts:
        match part:
            case Heading(level, text):
                block = f"{'#' * level} {escape_markdown(text)}"
            case Paragraph(lines):
                block = "\\\n".join(escape_markdown(line) for line in lines if line)
            case ListItem():
                block = _list_item(part)
            case Table():
                block = _pipe_table(part)
        if isinstance(part, ListItem) and in_list:
            blocks[-1] += f"\n{block}"
        else:
            blocks.append(block)
        in_list = isinstance(part, ListItem)
    return blocks


def _list_item(item: ListItem) -> str:
    text = escape_markdown(item.text)
    if item.checked is not None:
        return f"- [{'x' if item.checked else ' '}] {text}"
    return f"- {text}" if item.number is None else f"{item.number}. {text}"


def _pipe_table(table: Table) -> str:
    """Write a table. Its first row is the heading, as markdown demands; a spanning cell stands in its first place."""
    width = table.column_count
    rows = [[""] * width for _ in table.rows]
    for row in table.rows:
        for cell in row:
            rows[cell.row][cell.column] = escape_markdown(cell.text)
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])
