"""Hunks and merges: nothing is lost, nothing is glued together, and what nobody changed stays byte for byte."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.markdown import Clash, hunks, merge, with_hunks
from docagent.markdown.differing import MOST_PAIRS, lines_of
from tests.support.tables import table
from tests.unit.markdown.texts import PLAN

texts = st.lists(st.sampled_from(["a", "b", "c", "d", "", "\n", "\r\n", "\r", "\n", "\n"]), max_size=25).map(
    "".join
)
CRLF = PLAN.replace("\n", "\r\n")


@given(texts, texts)
def test_all_hunks_make_the_new_text_and_none_the_old_one(before: str, after: str) -> None:
    found = hunks(before, after)
    assert with_hunks(before, after, range(len(found))) == after
    assert with_hunks(before, after, ()) == before
    places = [(hunk.start, hunk.end) for hunk in found]
    assert all(one[1] < other[0] for one, other in pairwise(places))


@given(texts, texts, st.data())
def test_some_hunks_change_their_own_lines_and_no_others(
    before: str, after: str, data: st.DataObject
) -> None:
    found = hunks(before, after)
    accepted = data.draw(st.sets(st.sampled_from(range(len(found))))) if found else set()
    made = lines_of(with_hunks(before, after, accepted))
    old = lines_of(before)
    place = done = 0
    for number, hunk in enumerate(found):
        same = old[done : hunk.start]
        assert made[place : place + len(same)] == same
        place += len(same)
        there = list(hunk.lines) if number in accepted else old[hunk.start : hunk.end]
        assert made[place : place + len(there)] == there
        place, done = place + len(there), hunk.end
    assert made[place:] == old[done:]


@given(texts, texts)
def test_a_side_that_changed_nothing_leaves_the_other(base: str, other: str) -> None:
    assert merge(base, base, other).text == other
    assert merge(base, other, base).text == other
    assert merge(base, other, other).text == other


@given(texts, texts, texts)
def test_both_sides_are_treated_alike(base: str, mine: str, theirs: str) -> None:
    turned = [
        Clash(part.base, part.theirs, part.mine) if isinstance(part, Clash) else part
        for part in merge(base, mine, theirs).parts
    ]
    assert tuple(turned) == merge(base, theirs, mine).parts


@settings(max_examples=300)
@given(st.data())
def test_marks_of_both_sides_are_all_there_once_and_every_other_line_stays(data: st.DataObject) -> None:
    """Each side writes marks of its own into lines, adds lines and removes none."""
    base = data.draw(st.lists(st.sampled_from(["one", "two", "two", "", "three"]), max_size=8))
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))

    def written(side: str) -> str:
        lines = list(base)
        for number in range(data.draw(st.integers(0, 3))):
            place = data.draw(st.integers(0, len(lines)))
            if place < len(lines) and data.draw(st.booleans()):
                lines[place] += f"<{side}{number}>"
            else:
                lines.insert(place, f"<{side}{number}>")
        return end.join(lines) + last

    last = data.draw(st.sampled_from([end, ""]))
    original = end.join(base) + last
    mine, theirs = written("m"), written("t")
    made = merge(original, mine, theirs)
    everything = "".join(part if isinstance(part, str) else part.mine + part.theirs for part in made.parts)
    for side in (mine, theirs):
        for mark in (f"<{name}{number}>" for name in "mt" for number in range(3)):
            if mark in side:
                assert everything.count(mark) == 1
    if made.text is not None:
        bare = made.text
        for mark in (f"<{name}{number}>" for name in "mt" for number in range(3)):
            bare = bare.replace(mark, "")
        left = iter(bare.split(end))
        assert all(line in left for line in base)  # all of them, in their order


@table("text", [PLAN, CRLF, CRLF.replace("one\r\n", "one\n")])
def test_changes_of_other_lines_are_merged(text: str) -> None:
    made = merge(text, text.replace("Intro", "Beginning"), text.replace("three", "3").replace("end", "END"))
    assert made.text == text.replace("Intro", "Beginning").replace("three", "3").replace("end", "END")


def test_neighbouring_lines_are_other_lines() -> None:
    assert merge("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n").text == "A\nB\nc\n"
    assert merge("a\nb\n", "a\nnew\nb\n", "a\nB\n").text == "a\nnew\nB\n"


def test_one_of_two_equal_lines_that_both_take_away_is_taken_away_once() -> None:
    assert merge("a\n\n\nb\n", "new\na\n\nb\n", "a\n\nb\n").text == "new\na\n\nb\n"
    assert merge("x\na\na\n", "new\nx\na\n", "x\na\n").text == "new\nx\na\n"


def test_the_same_lines_are_shown_from_both_sides_and_the_rest_is_settled() -> None:
    made = merge(
        PLAN,
        PLAN.replace("- one", "- 1").replace("end", "END"),
        PLAN.replace("- one", "- eins").replace("Intro", "Hello"),
    )
    before, clash, after = made.parts
    assert made.text is None
    assert clash == Clash("- one\n", "- 1\n", "- eins\n")
    assert isinstance(before, str)
    assert isinstance(after, str)
    assert "Hello." in before
    assert after.endswith("END\n")


@table(
    ("base", "mine", "theirs", "clash"),
    [
        ("a\n", "a\nmine\n", "a\ntheirs\n", Clash("", "mine\n", "theirs\n")),
        ("a\nb\nc\n", "a\nc\n", "a\nB\nc\n", Clash("b\n", "", "B\n")),
        ("a", "a\nmine", "A", Clash("a", "a\nmine", "A")),
    ],
)
def test_what_cannot_be_put_in_order_is_shown(base: str, mine: str, theirs: str, clash: Clash) -> None:
    assert clash in merge(base, mine, theirs).parts


def test_a_long_text_is_compared_where_it_differs() -> None:
    """Blank lines and a word that stands everywhere: a comparison of all pairs would take minutes."""
    lines = [f"Line {number}" if number % 3 else "same" for number in range(20_000)]
    text = "\n\n".join(lines)
    changed = text.replace("Line 1\n", "Line one\n").replace("Line 19999", "The last")
    first, last = hunks(text, changed)
    assert (first.lines, last.lines) == (("Line one\n",), ("The last",))
    assert len(hunks("\n".join(["x"] * 1_000), "\n".join(["y"] * (MOST_PAIRS // 500)))) == 1
    other = text.replace("Line 10000\n", "Line ten thousand\n")
    merged = merge(text, changed, other).text
    assert merged == changed.replace("Line 10000\n", "Line ten thousand\n")
