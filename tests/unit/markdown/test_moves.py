"""Moving sections and replacing every occurrence: everything else stays byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docagent.domain.errors import InvalidInput
from docagent.markdown import MoveSection, Replace, apply_edits, headings, losses
from tests.support.tables import table

TEXT = "# Plan\n\nAbove.\n\n## A\n\na\n\n### A1\n\na1\n\n## B\n\n```\n## no heading\n```\n\n## C\n\nc\n"


def titles(text: str) -> list[str]:
    return [one.title for one in headings(text)]


@table(
    ("edit", "order"),
    [
        (MoveSection("C", before="A"), ["Plan", "C", "A", "A1", "B"]),
        (MoveSection("A", after="B"), ["Plan", "B", "A", "A1", "C"]),
        (MoveSection("A"), ["Plan", "B", "C", "A", "A1"]),
        (MoveSection("B", before="A"), ["Plan", "B", "A", "A1", "C"]),
        (MoveSection("A1"), ["Plan", "A", "B", "C", "A1"]),
    ],
)
def test_a_section_goes_with_all_below_it(edit: MoveSection, order: list[str]) -> None:
    after = apply_edits(TEXT, [edit])
    assert titles(after) == order
    assert sorted(after.split("\n")) == sorted(TEXT.split("\n"))
    assert len(after) == len(TEXT)
    assert not losses(TEXT, after).in_words


def test_a_section_cannot_go_into_itself() -> None:
    for edit in (MoveSection("A", before="A1"), MoveSection("A", after="A"), MoveSection("A", before="A")):
        with pytest.raises(InvalidInput, match="cannot be moved into itself"):
            apply_edits(TEXT, [edit])
    with pytest.raises(InvalidInput, match="There is no section “D”"):
        apply_edits(TEXT, [MoveSection("A", before="D")])


@given(
    st.lists(st.sampled_from("ABCDEF"), min_size=2, max_size=6, unique=True),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.data(),
)
def test_moving_keeps_every_line_and_its_end(
    names: list[str], end: str, last: str, data: st.DataObject
) -> None:
    text = (2 * end).join(f"## {name}{2 * end}text of {name}" for name in names) + last.replace("\n", end)
    moved, other = data.draw(st.permutations(names))[:2]
    side = data.draw(st.sampled_from(["before", "after"]))
    after = apply_edits(text, [MoveSection(moved, **{side: other})])
    order = [name for name in names if name != moved]
    order.insert(order.index(other) + (side == "after"), moved)
    assert titles(after) == order
    assert after == (2 * end).join(f"## {name}{2 * end}text of {name}" for name in order) + last.replace(
        "\n", end
    )


def test_every_occurrence_is_replaced_and_nothing_else() -> None:
    text = "June, june.\r\nJune\r\n"
    assert apply_edits(text, [Replace("June", "July", every=True)]) == "July, june.\r\nJuly\r\n"
    assert apply_edits("aaa", [Replace("aa", "b", every=True)]) == "ba"
    with pytest.raises(InvalidInput, match="occurs 2 times"):
        apply_edits(text, [Replace("June", "July")])
    with pytest.raises(InvalidInput, match="occurs 0 times"):
        apply_edits(text, [Replace("May", "July", every=True)])
