"""Headings and fences are those of CommonMark, and stand where it is said."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from markdown_it import MarkdownIt

from docagent.markdown.blocks import MOST_LINES, headings, unclosed_fence
from tests.support.tables import table
from tests.unit.markdown.texts import PLAN, texts

COMMONMARK = MarkdownIt("commonmark")


def titles(text: str) -> list[tuple[int, str, int]]:
    return [(one.level, one.title, one.line) for one in headings(text)]


def test_headings_are_found_but_not_in_code() -> None:
    assert titles(PLAN) == [
        (1, "Plan", 1),
        (2, "Goals", 5),
        (3, "Later", 10),
        (2, "Risks", 14),
        (1, "Notes", 22),
    ]
    assert headings(PLAN)[2].path == ("Plan", "Goals", "Later")


@table(
    ("text", "found"),
    [
        ("# A #\n## B##\n#c\n####### d\n    # e\n#", ["A", "B##", ""]),
        ("~~~\n# a\n```\n# b\n~~~\n# c", ["c"]),
        ("````\n```\n# a\n````\n# c", ["c"]),
        ("- x\n    ```\n# a\n    ```\n# c", ["a", "c"]),
        ("``` a`b\n# c", ["c"]),
        ("---\ntitle: x\n---\n# c", ["c"]),
        ("- a\n---\n\n1. b\n---\n\n| a |\n---\n\n> q\n---\n", []),
        ("one\n  two\n---\n", ["one two"]),
        ("**Two**\r\n---\r\n\r\n# c\r\n", ["**Two**", "c"]),
        ("# a\x0b# b\u2028# c", ["a\x0b# b\u2028# c"]),
        ("   ```\n# a\n   ```\n# c", ["c"]),
        ("    ```\n# a\n    ```\n# c", ["a", "c"]),
        ("- x\n  ```\n\n# c", ["c"]),
        ("> ```\n# c", ["c"]),
        ("```\n# a", []),
        ("- # a\n> # b\n\n# c", ["c"]),
        ("<!--\n# a\n-->\n<div>\n# b\n\n# c", ["c"]),
        ("[a]: /b\n===\n# c", ["c"]),
        ("\\# a\n\n#b\n\n\t# d\n\n#\tc", ["c"]),
        ("# `a` \\#\n## *b* [x](y) ##", ["`a` \\#", "*b* [x](y)"]),
        ("a\r===\r# c\r", ["a", "c"]),
        ("text\n    # c", []),
        ("---\ntitle: x\ntags:\n  - y\n# comment\nlast: z\n---\n# c", ["c"]),
        ("---\n\ntext\n\n---\n# c", ["c"]),
        ("| a |\n|---|\n| b |\n---\n# c", ["c"]),
        ("", []),
    ],
)
def test_what_is_a_heading(text: str, found: list[str]) -> None:
    assert [one.title for one in headings(text)] == found


def test_a_fence_that_is_never_closed() -> None:
    assert unclosed_fence(PLAN) is None
    assert unclosed_fence("a\n```py\nx\n```py\n") == 2
    assert unclosed_fence("~~~\n```\n") == 1
    assert unclosed_fence("`````\n```\n`````\n```") == 4
    assert unclosed_fence("- x\n  ```\n  y\n  ```\n\n> ```\n> y\n> ```\n") is None
    assert unclosed_fence("- x\n  ```\n  y\n\ntext\n") == 2
    assert unclosed_fence("```\n> ```") == 1
    assert unclosed_fence("    ```\n\n<!--\n```\n-->\n") is None
    assert unclosed_fence("---\na: b\n---\n```\r\n\r\n") == 4
    assert unclosed_fence("```") == 1
    assert unclosed_fence("```\n```") is None


def test_a_text_of_very_many_lines_is_not_parsed() -> None:
    assert len(headings("# A\n" + "x\n" * (MOST_LINES - 2))) == 1
    assert headings("# A\n" + "x\n" * MOST_LINES) == []


@given(texts)
def test_headings_are_those_of_commonmark(text: str) -> None:
    tokens = COMMONMARK.parse(text)
    expected = [
        (token.tag, " ".join(inline.content.split()), token.map)
        for token, inline in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0
    ]
    found = [
        (
            f"h{one.level}",
            " ".join(one.title.split()),
            [lines_before(text, one.start), lines_before(text, one.body)],
        )
        for one in headings(text)
    ]
    assert found == expected


def lines_before(text: str, end: int) -> int:
    return len(re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text[:end]))


@given(texts)
def test_headings_are_where_they_say(text: str) -> None:
    for heading in headings(text):
        assert " ".join(text[heading.start : heading.body].split()).find(" ".join(heading.title.split())) >= 0
        assert text.count("\n", 0, heading.start) == heading.line - 1
        assert heading.path[-1] == heading.title
