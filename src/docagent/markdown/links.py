"""Finds links of a markdown text with the lines where they stand, with a CommonMark parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docagent.markdown.blocks import MOST_LINES, LineStarts, line_starts

_PARSER = MarkdownIt("commonmark").enable("table")
_TITLE = r"""(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'))?"""


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    address: str
    title: str
    line: int
    """The number of its line, from 1."""
    source: str | None
    """The link exactly as it stands in the text; None for forms that are not told apart here."""


def find_links(text: str, scheme: str) -> list[Link]:
    """All links whose address begins with the scheme, in order. Code and HTML hold none."""
    if scheme not in text:
        return []
    lines = line_starts(text)
    if len(lines.starts) > MOST_LINES:
        return []
    found: list[Link] = []
    for token in _PARSER.parse(text[lines.begin :] + "\n"):
        if token.type == "inline" and token.map is not None and scheme in token.content:
            found.extend(_in_block(text, lines, token, token.map[0], token.map[1], scheme))
    return found


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A paragraph that is one link, with the table that follows it."""

    text: str
    address: str
    line: int
    source: str
    """The paragraph and the table exactly as they stand in the text, without the line break at the end."""
    table: str
    """The table alone; empty if there is none."""


def find_linked_tables(text: str, scheme: str) -> list[LinkedTable]:
    """All paragraphs of the text's top level that are one link with an address of the scheme, in order."""
    if scheme not in text:
        return []
    lines = line_starts(text)
    if len(lines.starts) > MOST_LINES:
        return []
    tokens = _PARSER.parse(text[lines.begin :] + "\n")

    def between(first: int, end: int) -> str:
        starts = lines.starts
        return text[starts[first] : starts[min(end, len(starts) - 1)]].strip("\r\n")

    found: list[LinkedTable] = []
    for number, token in enumerate(tokens):
        if token.type != "inline" or token.level != 1 or token.map is None:
            continue
        children = token.children or []
        links = [child for child in children if child.type == "link_open"]
        is_alone = bool(children) and children[0].type == "link_open" and children[-1].type == "link_close"
        if len(links) != 1 or not is_alone or tokens[number - 1].type != "paragraph_open":
            continue
        address = str(links[0].attrs.get("href", ""))
        if not address.startswith(scheme):
            continue
        first, end = token.map
        following = tokens[number + 2] if number + 2 < len(tokens) else None
        table = ""
        if following is not None and following.type == "table_open" and following.map is not None:
            table, end = between(*following.map), following.map[1]
        line = text.count("\n", 0, lines.starts[first]) + 1
        found.append(LinkedTable(_text_of(children[1:]), address, line, between(first, end), table))
    return found


def _in_block(
    text: str, lines: LineStarts, token: Token, first: int, end: int, scheme: str
) -> Iterator[Link]:
    block = text[lines.starts[first] : lines.starts[min(end, len(lines.starts) - 1)]]
    line = text.count("\n", 0, lines.starts[first]) + 1
    searched = 0
    children = token.children or []
    for number, child in enumerate(children):
        if child.type in ("softbreak", "hardbreak"):
            line += 1
        address = str(child.attrs.get("href", ""))
        if child.type != "link_open" or not address.startswith(scheme):
            continue
        match = re.compile(rf"\[(?:\\.|[^\]\\])*\]\({re.escape(address)}{_TITLE}\)").search(block, searched)
        searched = match.end() if match else searched
        yield Link(
            _text_of(children[number + 1 :]),
            address,
            str(child.attrs.get("title", "")),
            line,
            match[0] if match else None,
        )


def _text_of(following: Sequence[Token]) -> str:
    text = ""
    for child in following:
        if child.type == "link_close":
            break
        text += " " if child.type in ("softbreak", "hardbreak") else child.content
    return text
