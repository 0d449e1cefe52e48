"""Edits of markdown: what they do, and that they do nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.domain.errors import InvalidInput
from docagent.markdown.blocks import headings, unclosed_fence
from docagent.markdown.edits import (
    Append,
    Edit,
    RemoveSection,
    Replace,
    ReplaceSection,
    apply_edit,
    apply_edits,
)
from docagent.markdown.lost import losses
from docagent.markdown.sections import find_section
from tests.support.tables import table
from tests.unit.markdown.texts import PLAN, texts

EDITS: list[tuple[Edit, str, str]] = [
    (Replace("- two", "- 2"), "- one\n- two\n", "- one\n- 2\n"),
    (Replace("Intro.\n\n", ""), "# Plan\n\nIntro.\n\n## Goals", "# Plan\n\n## Goals"),
    (ReplaceSection("risks", "some\n"), "## Risks\nnone\n", "## Risks\nsome\n\n"),
    (ReplaceSection("## Goals", "## Goals\n\nall"), "- one\n- two\n\n### Later\n\nthree\n\n", "all\n\n"),
    (ReplaceSection("Goals > Later", "four"), "three\n", "four\n"),
    (ReplaceSection("Notes", ""), "=====\n\nend\n", "=====\n"),
    (RemoveSection("Later"), "### Later\n\nthree\n\n", ""),
    (Append("more"), "end\n", "end\n\nmore\n"),
    (Append("- three", "Goals"), "- two\n", "- two\n- three\n"),
    (Append("text", "Goals"), "- two\n", "- two\n\ntext\n"),
    (Append("### More\n\nx", "Goals"), "three\n\n", "three\n\n### More\n\nx\n\n"),
]


@table(("edit", "before", "after"), EDITS)
def test_an_edit_changes_what_it_names(edit: Edit, before: str, after: str) -> None:
    made = apply_edit(PLAN, edit)
    if isinstance(edit, ReplaceSection) and edit.section == "risks":
        # The section goes on to the next heading of its level: the code is part of it.
        assert made == PLAN[: PLAN.index("none")] + "some\n\nNotes\n=====\n\nend\n"
        return
    assert PLAN.count(before) == 1
    assert made == PLAN.replace(before, after)


@table(
    ("text", "edit", "made"),
    [
        ("", Append("a"), "a\n"),
        ("a", Append("b"), "a\n\nb\n"),
        ("a\nb", Append("c"), "a\nb\n\nc"),
        ("| a |\n", Append("| b |"), "| a |\n| b |\n"),
        ("1. a\n", Append("2. b"), "1. a\n2. b\n"),
        ("- a\n", Append("2. b"), "- a\n\n2. b\n"),
        ("# A", ReplaceSection("A", "b"), "# A\n\nb\n"),
        ("# A\n# B\n", ReplaceSection("A", "b"), "# A\n\nb\n\n# B\n"),
        ("# A\nx\n# B\n", ReplaceSection("A", "b"), "# A\nb\n# B\n"),
        ("# A\n\nx\n\n\n# B\n", ReplaceSection("A", ""), "# A\n\n# B\n"),
        ("# A\n# B\n", Append("b", "A"), "# A\n\nb\n\n# B\n"),
        ("# C#\n\na\n\n# C\n\nb", ReplaceSection("C", "x"), "# C#\n\na\n\n# C\n\nx"),
        ("# A\r\n\r\none\r\ntwo\r\n", Replace("one\ntwo", "1\n2"), "# A\r\n\r\n1\r\n2\r\n"),
        ("# A\r\rone\r", Append("x\ny", "A"), "# A\r\rone\r\rx\ry\r"),
        ("# A\r# B\r", ReplaceSection("A", "x\ny"), "# A\r\rx\ry\r\r# B\r"),
        ("- a\n  more\n", Append("- b"), "- a\n  more\n- b\n"),
        ("- a\n  * b\n", Append("  * c"), "- a\n  * b\n  * c\n"),
        ("```\n- a\n```\n", Append("- b"), "```\n- a\n```\n\n- b\n"),
        ("    - code\n", Append("- b"), "    - code\n\n- b\n"),
        ("# A\r\n\r\none\r\n", Append("x\ny", "A"), "# A\r\n\r\none\r\n\r\nx\r\ny\r\n"),
    ],
)
def test_line_breaks_and_ends(text: str, edit: Edit, made: str) -> None:
    assert apply_edit(text, edit) == made


@table(
    ("text", "edit", "made"),
    [
        ("a\r\nb\nc\r\n", Replace("b\nc", "x"), "a\r\nx\r\n"),
        ("a\r\nb\nc\r\n", Replace("a\nb", "x\ny\nz"), "x\r\ny\r\nz\nc\r\n"),
        ("a\r\nb\nc\n", Replace("a", "x\ny"), "x\r\ny\r\nb\nc\n"),
        ("a\nb\nc\r\n", Replace("c", "x\r\ny"), "a\nb\nx\ny\r\n"),
        ("# A\r\n\r\none\n\n# B\n", ReplaceSection("A", "1\n2"), "# A\r\n\r\n1\r\n2\n\n# B\n"),
        ("# A\r\n# B\n", ReplaceSection("A", "x\ny"), "# A\r\n\r\nx\r\ny\r\n\r\n# B\n"),
        ("a\r\nb\n", Append("x\ny"), "a\r\nb\n\nx\ny\n"),
        ("a\nb\r\n", Append("x\ny"), "a\nb\r\n\r\nx\r\ny\r\n"),
        ("a\n", Replace("a", "x\r\ny"), "x\ny\n"),
    ],
)
def test_new_lines_take_the_ends_of_their_neighbours(text: str, edit: Edit, made: str) -> None:
    assert apply_edit(text, edit) == made


@table(
    ("text", "edit", "made"),
    [
        # A section ends neither inside HTML nor in front matter.
        ("# A\n\n<pre>\n# x\n</pre>\n\n# B\n", ReplaceSection("A", "a"), "# A\n\na\n\n# B\n"),
        ("# A\n\n<pre>\n\n# x\n\n</pre>\n\n# B\n", RemoveSection("A"), "# B\n"),
        (
            "---\na: 1\n# x\n---\n# A\n\nold\n",
            ReplaceSection("A", "new"),
            "---\na: 1\n# x\n---\n# A\n\nnew\n",
        ),
        # A fence that is indented, in a list or in a quote ends where CommonMark ends it.
        ("# A\n\n   ```\n   x\n   ```\n\n# B\n\nb\n", ReplaceSection("A", "a"), "# A\n\na\n\n# B\n\nb\n"),
        ("# A\n\n    ```\n\n# B\n\nb\n", ReplaceSection("A", "a"), "# A\n\na\n\n# B\n\nb\n"),
        ("# A\n\n- x\n  ```\n\n# B\n", ReplaceSection("A", "a"), "# A\n\na\n\n# B\n"),
        ("# A\n\n> ```\n\n# B\n", RemoveSection("A"), "# B\n"),
        ("# A\n\n<!--\n# not one\n-->\n\nx\n", ReplaceSection("A", "a"), "# A\n\na\n"),
        # The heading below stays one.
        ("# A\n***\nB\n=\n", ReplaceSection("A", "a"), "# A\na\n\nB\n=\n"),
        ("# A\nx\n# B\n", ReplaceSection("A", "<div>"), "# A\n<div>\n\n# B\n"),
        ("x\n# A\nB\n=\n", RemoveSection("A"), "x\n\nB\n=\n"),
        ("x\r\n# A\r\nB\r\n=\r\n", RemoveSection("A"), "x\r\n\r\nB\r\n=\r\n"),
    ],
)
def test_sections_end_where_commonmark_ends_them(text: str, edit: Edit, made: str) -> None:
    assert apply_edit(text, edit) == made


@table(
    ("edit", "words"),
    [
        (Replace("o", "x"), r"“o” occurs \d+ times \(lines 3, .*Give more of the text around it"),
        (Replace("four", "x"), r"“four” occurs 0 times. Read the document"),
        (Replace("intro.  ## goals", "x"), "occurs 0 times. It stands in line 3 with other spaces"),
        (Replace("", "x"), "find is empty"),
        (ReplaceSection("Goal", "x"), "no section “Goal”. The sections are “Plan”, “Goals”"),
        (RemoveSection("not a heading"), "no section “not a heading”"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_way_out(edit: Edit, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        apply_edit(PLAN, edit)


def test_a_title_that_stands_twice_is_told_by_the_heading_above() -> None:
    text = "# A\n\n## x\n\n1\n\n# B\n\n## x\n\n2\n"
    with pytest.raises(InvalidInput, match=r"2 sections “x” \(lines 3, 9\)"):
        find_section(text, "x")
    assert apply_edit(text, ReplaceSection("b > X", "3")) == text.replace("2", "3")
    with pytest.raises(InvalidInput, match="has no headings"):
        find_section("text", "x")


def test_edits_go_one_after_the_other_and_a_refusal_names_its_edit() -> None:
    assert apply_edits("a", [Replace("a", "b"), Replace("b", "c")]) == "c"
    with pytest.raises(InvalidInput, match=r"^Edit 2 of 2: “a” occurs 0 times"):
        apply_edits("a", [Replace("a", "b"), Replace("a", "c")])


@table(
    ("before", "after", "said"),
    [
        (PLAN, PLAN, []),
        ("# A\na\n# B\nb\n", "# A\na\n", ["drops the section “B”", "removes 50 % of the text"]),
        ("# A\na\n# B\nb\n# C\nc\n", "# C\n" + "c" * 9, ["drops the sections “A” and “B”"]),
        ("# A\na\n# B\nb\n", "# A\nbb\n# B\n", ["drops the section “B”"]),
        ("# A\na\n# B\nb\n", "# B\nb\n# Eins\na\n", []),
        ("# A\n# B\n", "# Eins\n# Zwei\n", []),
        ("x " * 100, "x " * 66, ["removes 34 % of the text"]),
        ("x " * 100, "x " * 67 + " " * 99, []),
        ("x " * 100, "x " * 66 + "y " * 34, ["replaces 34 % of the text"]),
        ("# A\n" + "x " * 9 + "\n# B\n" + "y " * 9, "# B\n" + "y " * 9 + "\n# A\n" + "x " * 9, []),
        ("x", " ", ["leaves the document empty"]),
        ("", "", []),
        ("# A\n# B\n", "# A\n" + "a" * 9, ["drops the section “B”"]),
    ],
)
def test_losses_are_said(before: str, after: str, said: list[str]) -> None:
    assert losses(before, after).in_words == said


def test_long_texts_do_not_take_long() -> None:
    for text in (
        "# " + " " * 200_000 + "x",
        "#" * 200_000,
        "- " * 100_000,
        "a\n" * 100_000 + "```",
        "\r" * 200_000,
    ):
        headings(text)
        unclosed_fence(text)
        apply_edit(text, Append("x"))
        losses(text, "")


# --- properties --------------------------------------------------------------------------------------------------

contents = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)


@given(texts, st.data(), contents)
def test_replacing_keeps_what_is_around(text: str, data: st.DataObject, put: str) -> None:
    start = data.draw(st.integers(0, len(text)))
    find = text[start : data.draw(st.integers(start, len(text)))]
    try:
        made = apply_edit(text, Replace(find, put))
    except InvalidInput:
        assert not find or text.find(find) != text.rfind(find)
        return
    assert made.startswith(text[:start])
    assert made.endswith(text[start + len(find) :])
    # A line break that is put in becomes one of those that the text has.
    assert re.sub(r"[\r\n]", "", made) == re.sub(
        r"[\r\n]", "", text[:start] + put + text[start + len(find) :]
    )


@given(texts, st.sampled_from("ABCD"), contents)
def test_replacing_a_section_keeps_all_others(text: str, title: str, put: str) -> None:
    try:
        section = find_section(text, title)
    except InvalidInput:
        return
    made = apply_edit(text, ReplaceSection(title, put))
    assert made.startswith(text[: section.heading.body])
    assert made.endswith(text[section.end :])
    assert len(made) <= len(text) + len(put) * 2 + 8


@given(texts, st.sampled_from("ABCD"), contents)
def test_appending_removes_nothing(text: str, title: str, put: str) -> None:
    try:
        section = find_section(text, title)
    except InvalidInput:
        section = None
    made = apply_edit(text, Append(put, title if section else None))
    if not put.strip("\r\n"):
        assert made == text
        return
    end = len(text)
    if section:
        own = headings(put) and not put[: headings(put)[0].start].strip()
        end = section.end if own else section.own_end
    assert made.startswith(text[:end].rstrip("\r\n"))
    assert made.endswith(text[end:])


@given(texts, st.sampled_from("ABCD"))
def test_removing_a_section_removes_only_that(text: str, title: str) -> None:
    try:
        section = find_section(text, title)
    except InvalidInput:
        return
    made = apply_edit(text, RemoveSection(title))
    before, after = text[: section.heading.start], text[section.end :]
    assert made in [before + line_break + after for line_break in ("", "\n", "\r\n", "\r")]
