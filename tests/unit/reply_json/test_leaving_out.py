"""Objects with certain names are left out of a text, the same however the text is cut into pieces."""

from __future__ import annotations

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from docagent.reply_json import ObjectsLeftOut, without_objects
from tests.support.tables import table

NAMES = frozenset({"finish", "final_answer"})
TEXTS = [
    "Just words.",
    "",
    'I look.\n\n```json\n{"finish": false, "final_answer": ""}\n```',
    'I look. {"finish": false} And on.',
    'I look. {"other": {"finish": true}} And on.',
    '```python\nd = {"a": 1}\n```\nSo `x` and ``y`` and {z}.',
    '{"final_answer": "a } and { and ``` in it"} End.',
    "{finish: true} and {note: this} and {'finish': False}",
    'Broken {"fini',
    'Broken {"finish": tr',
    'Broken {"other": tr',
    "A brace { and nothing",
    "Backticks ``",
    "```\nplain\n```",
]


def in_pieces(text: str, cuts: list[int]) -> list[str]:
    places = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


@given(st.sampled_from(TEXTS), st.lists(st.integers(0, 200), max_size=12))
def test_pieces_make_no_difference(text: str, cuts: list[int]) -> None:
    leaving_out = ObjectsLeftOut(NAMES)
    shown = [leaving_out.feed(piece) for piece in in_pieces(text, cuts)]
    assert ("".join(shown) + leaving_out.rest()).strip() == without_objects(text, NAMES)


@table("text", TEXTS)
def test_one_character_at_a_time_never_shows_what_is_left_out(text: str) -> None:
    leaving_out = ObjectsLeftOut(NAMES)
    shown = "".join(leaving_out.feed(letter) for letter in text)
    assert (shown + leaving_out.rest()).strip() == without_objects(text, NAMES)
    if "other" not in text:
        assert "fini" not in shown
        assert "final" not in shown


@table(
    ("text", "left"),
    [
        (TEXTS[2], "I look."),
        (TEXTS[3], "I look.  And on."),
        (TEXTS[4], TEXTS[4]),
        (TEXTS[5], TEXTS[5]),
        (TEXTS[6], "End."),
        (TEXTS[7], "and {note: this} and"),
        (TEXTS[8], "Broken"),
        (TEXTS[9], "Broken"),
        (TEXTS[10], TEXTS[10]),
        (TEXTS[11], TEXTS[11]),
        (TEXTS[12], TEXTS[12]),
        (TEXTS[13], TEXTS[13]),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    assert without_objects(text, NAMES) == left


def test_words_are_shown_at_once() -> None:
    leaving_out = ObjectsLeftOut(NAMES)
    assert leaving_out.feed("I look at ") == "I look at "
    assert leaving_out.feed('it. {"') == "it. "
    assert leaving_out.feed('other": 1} Then') == '{"other": 1} Then'


def test_a_long_object_in_many_pieces_does_not_take_long() -> None:
    text = '{"items": [' + ", ".join('{"a": {"b": 1}}' for _ in range(5000)) + "]}"
    leaving_out = ObjectsLeftOut(NAMES)
    begun = time.process_time()
    shown = "".join(leaving_out.feed(text[start : start + 4]) for start in range(0, len(text), 4))
    assert shown + leaving_out.rest() == text
    assert time.process_time() - begun < 5
