"""Line ends: a text that is written again keeps them, line by line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docagent.markdown import with_line_ends_of
from docagent.markdown.blocks import LINE_BREAK
from tests.support.tables import table

texts = st.lists(st.sampled_from(["", "a", "b", "# A", "\r\n", "\n", "\r"]), max_size=12).map("".join)


@given(texts)
def test_a_text_that_is_only_opened_and_saved_stays(text: str) -> None:
    assert with_line_ends_of(text, LINE_BREAK.sub("\n", text)) == text


@given(texts, st.data())
def test_of_one_letter_that_is_typed_exactly_that_letter_differs(text: str, data: st.DataObject) -> None:
    shown = LINE_BREAK.sub("\n", text)
    at = data.draw(st.integers(0, len(shown)))
    typed = with_line_ends_of(text, f"{shown[:at]}§{shown[at:]}")
    assert typed.replace("§", "") == text


@table(
    ("old", "new", "made"),
    [
        ("a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"),
        ("a\r\nb\nc\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\nc\n"),
        ("a\r\nb\n", "new\na\nb\n", "new\r\na\r\nb\n"),
        ("a\nb\n", "a\r\nb\r\n", "a\nb\n"),
        ("a", "a\r\nb", "a\r\nb"),
    ],
)
def test_new_lines_take_the_ends_of_their_neighbours(old: str, new: str, made: str) -> None:
    assert with_line_ends_of(old, new) == made
