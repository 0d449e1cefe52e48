from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docagent.adapters.parse.pdf.reading_order import arrange
from docagent.adapters.parse.tokens import TEXT
from docagent.reading.page_codec import Token

_place = st.integers(min_value=-10_000, max_value=110_000)


def _token(text: str, left: int, top: int, width: int = 8000, height: int = 1000) -> Token:
    return (text, left, top, left + width, top + height, 1.0, TEXT)


def _texts(words: list[Token]) -> list[str]:
    return [" ".join(word[0] for word in line) for line in arrange(words, 595, 842)]


@st.composite
def _tokens(draw: st.DrawFn) -> Token:
    left, top = draw(_place), draw(_place)
    return (
        draw(st.text("ab1.א世", min_size=1, max_size=9)),
        left,
        top,
        left + draw(st.integers(0, 60_000)),
        top + draw(st.integers(0, 60_000)),
        1.0,
        TEXT,
    )


@given(st.lists(_tokens(), max_size=60), st.floats(1, 20_000), st.floats(1, 20_000))
def test_no_word_is_lost_or_changed(words: list[Token], width: float, height: float) -> None:
    lines = arrange(words, width, height)
    assert sorted(word for line in lines for word in line) == sorted(words)
    assert all(lines)


def test_rows_come_from_the_top_whatever_the_order_of_the_file() -> None:
    words = [
        _token("third", 10_000, 30_000),
        _token("first", 10_000, 10_000),
        _token("second", 10_000, 20_000),
    ]
    assert _texts(words) == ["first", "second", "third"]


def test_small_marks_stay_on_their_line() -> None:
    words = [
        _token("12", 10_000, 10_000, 2000),
        _token("-", 13_000, 10_500, 500, 100),
        _token("15", 14_000, 10_000, 2000),
    ]
    assert _texts(words) == ["12 - 15"]


def test_a_table_is_read_by_rows() -> None:
    words = [
        _token(f"cell{row}{column}", 10_000 + 25_000 * column, 10_000 + 2000 * row)
        for column in range(3)
        for row in range(6)
    ]
    assert _texts(words) == [f"cell{row}0 cell{row}1 cell{row}2" for row in range(6)]


def test_hebrew_lines_are_read_from_the_right() -> None:
    words = [_token("עולם", 30_000, 10_000), _token("שלום", 40_000, 10_000), _token("2024", 20_000, 10_000)]
    assert _texts(words) == ["שלום עולם 2024"]
