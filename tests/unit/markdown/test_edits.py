"""Edits of markdown: what they do, and that they do nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.domain.errors import InvalidInput
from docagent.markdown.edits import (
    Append,
    Edit,
    RemoveSection,
    Replace,
    ReplaceSection,
    apply_edit,
    apply_edits,
    find_section,
    headings,
    losses,
    unclosed_fence,
)

PLAN = """# Plan

Intro.

## Goals

- one
- two

### Later

three

## Risks
none

```sh
# not a heading
## Goals
```

Notes
=====

end
"""


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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A #\n## B##\n#c\n####### d\n    # e\n#", ["A", "B##", ""]),
        ("~~~\n# a\n```\n# b\n~~~\n# c", ["c"]),
        ("````\n```\n# a\n````\n# c", ["c"]),
        ("- x\n    ```\n# a\n    ```\n# c", ["c"]),
        ("``` a`b\n# c", ["c"]),
        ("---\ntitle: x\n---\n# c", ["c"]),
        ("- a\n---\n\n1. b\n---\n\n| a |\n---\n\n> q\n---\n", []),
        ("one\ntwo\n---\n", []),
        ("**Two**\r\n---\r\n\r\n# c\r\n", ["**Two**", "c"]),
        ("# a\x0b# b\u2028# c", ["a\x0b# b\u2028# c"]),
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


@pytest.mark.parametrize(("edit", "before", "after"), EDITS)
def test_an_edit_changes_what_it_names(edit: Edit, before: str, after: str) -> None:
    made = apply_edit(PLAN, edit)
    if isinstance(edit, ReplaceSection) and edit.section == "risks":
        # The section goes on to the next heading of its level: the code is part of it.
        assert made == PLAN[: PLAN.index("none")] + "some\n\nNotes\n=====\n\nend\n"
        return
    assert PLAN.count(before) == 1
    assert made == PLAN.replace(before, after)


@pytest.mark.parametrize(
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
        ("# A\r\n\r\none\r\n", Append("x\ny", "A"), "# A\r\n\r\none\r\n\r\nx\r\ny\r\n"),
    ],
)
def test_line_breaks_and_ends(text: str, edit: Edit, made: str) -> None:
    assert apply_edit(text, edit) == made


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (PLAN, PLAN, []),
        (PLAN, "# Plan\n\n" + "x" * 100, ["removes 4 of 5 sections"]),
        ("# A\n# B\n", "# Eins\n# Zwei\n", ["drops 2 of 2 headings and brings 2 others"]),
        ("x" * 100, "x" * 9, ["removes 91 % of the text"]),
        ("x" * 100, "x" * 10, []),
        ("x", " ", ["leaves the document empty"]),
        ("", "", []),
        ("# A\n# B\n", "# A\n", []),
    ],
)
def test_losses_are_said(before: str, after: str, said: list[str]) -> None:
    assert losses(before, after) == said


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

lines = st.sampled_from(
    [
        "# A",
        "## B",
        "### C",
        "text",
        "- item",
        "",
        "",
        "```",
        "~~~",
        "| a | b |",
        "Under",
        "---",
        "  ## D ##",
        "ä “x”",
    ]
)
breaks = st.sampled_from(["\n", "\r\n"])
texts = st.builds(lambda parts, end: end.join(parts), st.lists(lines, max_size=14), breaks)
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
    assert made.replace("\r", "") == (text[:start] + put + text[start + len(find) :]).replace("\r", "")


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
    else:
        assert kept_in_order(text, made)


@given(texts, st.sampled_from("ABCD"))
def test_removing_a_section_removes_only_that(text: str, title: str) -> None:
    try:
        section = find_section(text, title)
    except InvalidInput:
        return
    assert apply_edit(text, RemoveSection(title)) == text[: section.heading.start] + text[section.end :]


@given(texts)
def test_headings_are_where_they_say(text: str) -> None:
    for heading in headings(text):
        assert heading.title in text[heading.start : heading.body]
        assert text.count("\n", 0, heading.start) == heading.line - 1
        assert heading.path[-1] == heading.title


def kept_in_order(text: str, made: str) -> bool:
    """Whether every line with something in it is still there, in the same order."""
    rest = iter(made.splitlines())
    return all(any(line == other for other in rest) for line in text.splitlines() if line.strip())
