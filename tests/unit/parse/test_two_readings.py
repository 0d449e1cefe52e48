"""What becomes of a page that two readers read. Neither of them is real here."""

from __future__ import annotations

import math

from docagent.adapters.parse.recognition.found import Found
from docagent.adapters.parse.recognition.regions import Region, SeenWord
from docagent.adapters.parse.recognition.two_readings import (
    as_rows,
    by_doubt,
    in_pieces,
    joined,
    overlooked,
    words_of_regions,
)

HEIGHT = 20
LETTER = 10
WIDTH, SPACE = 60, 12
TEXT = ["the", "goods", "were", "delivered", "within", "thirty", "days", "after", "confirmation"]


def known(text: str, left: int, top: int = 0, confidence: float = 0.95, line: str = "1") -> Found:
    return Found(text, confidence, (line,), left, top, left + LETTER * len(text), top + HEIGHT)


def region(left: int, right: int, top: int = 0) -> Region:
    return Region(((left + right) / 2, top + HEIGHT / 2), right - left, 1.5 * HEIGHT)


def seen(text: str, confidence: float = 1.0) -> list[SeenWord]:
    """Words as far apart as their letters say, over the whole width of a region."""
    words, start = [], 0
    for word in text.split():
        words.append(
            SeenWord(word, confidence, start / len(text), (start + len(word)) / len(text)),
        )
        start += len(word) + 1
    return words


def read(
    found: list[Found], regions: list[Region], readings: dict[int, list[SeenWord]], *, careful: bool = False
) -> list[Found]:
    return joined(found, regions, words_of_regions(found, regions), readings, careful=careful)


def lines(found: list[Found]) -> list[str]:
    texts: dict[tuple[str, ...], list[str]] = {}
    for word in found:
        texts.setdefault(word.line, []).append(word.text)
    return [" ".join(words) for words in texts.values()]


def test_what_the_first_reader_overlooked_or_doubts_is_read_first_and_what_it_is_sure_of_never() -> None:
    found = [known("sure", 0), known("unsure", 100, confidence=0.4), known("[odd", 200, confidence=0.97)]
    regions = [region(0, 40), region(100, 160), region(200, 240), region(300, 400)]
    assert by_doubt(regions, words_of_regions(found, regions)) == [3, 1, 2]


def test_a_gap_inside_a_region_is_looked_at() -> None:
    """Tesseract takes the dash between two dates for a speck and says nothing."""
    found = [known("03/03/20", 0), known("04/03/20", 110)]
    beside = [known("one", 0), known("two", 35)]
    assert by_doubt([region(0, 190)], words_of_regions(found, [region(0, 190)])) == [0]
    assert by_doubt([region(0, 65)], words_of_regions(beside, [region(0, 65)])) == []


def test_a_word_that_runs_over_two_regions_becomes_two_words() -> None:
    found = [known("$150.00_NM", 0, confidence=0.97)]
    regions = [region(0, 70), region(80, 100)]
    assert by_doubt(regions, words_of_regions(found, regions)) == [0, 1]
    whole = read(found, regions, {0: seen("$150.00"), 1: seen("NM")})
    assert lines(whole) == ["$150.00 NM"]


def test_letters_come_from_the_second_reader_and_spaces_from_both() -> None:
    found = [known("Sub", 0), known("T0tal", 40, confidence=0.6), known("dueDate", 100)]
    whole = read(found, [region(0, 170)], {0: seen("SubTotal due Date")})
    assert lines(whole) == ["Sub Total due Date"]


def test_a_space_that_the_second_reader_lost_is_taken_from_the_first() -> None:
    found = [known("for", 0), known("the", 40), known("sum", 80, confidence=0.5)]
    assert lines(read(found, [region(0, 110)], {0: seen("forthe sum")})) == ["for the sum"]


def test_a_reading_without_confidence_changes_nothing() -> None:
    found = [known("NPHBET", 0, confidence=0.7)]
    assert lines(read(found, [region(0, 60)], {0: seen("NPMBET", 0.5)})) == ["NPHBET"]
    assert read([], [region(0, 60)], {0: seen("~", 0.3)}) == []


def test_what_was_overlooked_joins_the_line_at_its_height_or_stands_between_its_neighbours() -> None:
    found = [known("Total", 0, 0, line="1"), known("Thanks", 0, 200, line="2")]
    regions = [region(0, 50), region(300, 350), region(0, 80, 100), region(0, 60, 200)]
    whole = read(found, regions, {1: seen("99.50"), 2: seen("Cash paid")})
    assert lines(whole) == ["Total 99.50", "Cash paid", "Thanks"]
    amount = whole[1]
    assert (amount.left, amount.right) == (300, 350)


def test_specks_where_the_second_reader_sees_no_writing_are_dropped() -> None:
    found = [known("Logo", 0, confidence=0.5), known("Real", 0, 100, confidence=0.9, line="2")]
    assert lines(read(found, [], {})) == ["Real"]


def test_a_careful_reading_tells_where_the_readers_agree_and_keeps_both_readings() -> None:
    found = [
        known("Total", 0, confidence=0.8),
        known("1OO.00", 60, confidence=0.8),
        known("EUR", 0, 100, line="2"),
    ]
    regions = [region(0, 120), region(0, 30, 100)]
    same, other, third = read(
        found, regions, {0: seen("Total 100.00", 0.98), 1: seen("FUR", 0.7)}, careful=True
    )
    assert (same.text, same.told_confidence, same.other) == ("Total", 0.99, None)
    assert (other.text, other.told_confidence, other.other) == ("100.00", 0.5, "1OO.00")
    assert (third.text, third.told_confidence, third.other) == ("EUR", 0.5, "FUR")


def test_in_a_careful_reading_what_only_one_reader_saw_is_doubtful() -> None:
    found = [known("stamp", 0, 100, confidence=0.9)]
    first, second = read(found, [region(0, 60)], {0: seen("copied", 0.99)}, careful=True)
    assert (first.text, first.told_confidence) == ("copied", 0.5)
    assert (second.text, second.told_confidence) == ("stamp", 0.5)


def test_a_line_that_runs_up_the_page_keeps_its_order() -> None:
    found = [known("first", 4, 300), known("second", 2, 200), known("third", 0, 100)]
    assert lines(read(found, [], {})) == ["first second third"]


def test_rows_follow_a_page_that_slopes() -> None:
    sloping = [
        known(f"{row}{column}", 100 * column, 40 * row + 8 * column) for row in (0, 1) for column in range(6)
    ]
    assert lines(as_rows(sloping)) == ["00 01 02 03 04 05", "10 11 12 13 14 15"]


def test_the_share_of_writing_that_was_overlooked() -> None:
    regions = [region(0, 100), region(0, 300, 100)]
    assert overlooked(regions, [[known("word", 0)], []]) == 0.75
    assert overlooked([], []) == 0.0


def prose(*doubtful: int, space: int = SPACE, wide_before: int | None = None) -> list[Found]:
    """A line. Tesseract is unsure of the doubtful words."""
    words, left = [], 100
    for number, text in enumerate(TEXT):
        left += 4 * SPACE if number == wide_before else 0
        sure = 0.5 if number in doubtful else 0.97
        words.append(Found(text, sure, ("1",), left, 100, left + WIDTH, 100 + HEIGHT))
        left += WIDTH + space
    return words


def around(words: list[Found]) -> Region:
    left, right = words[0].left - 4, words[-1].right + 4
    return Region(((left + right) / 2, 110), right - left, 1.4 * HEIGHT)


def pieces_of(words: list[Found]) -> list[list[str]]:
    regions, known = in_pieces([around(words)], [words])
    return [[word.text for word in known[number]] for number in by_doubt(regions, known)]


def test_of_a_long_line_only_the_doubtful_words_are_read_again() -> None:
    words = prose(3, 4, 7)
    regions, known = in_pieces([around(words)], [words])
    assert [[word.text for word in piece] for piece in known] == [["delivered", "within"], ["after"]]
    assert sum(region.cost for region in regions) < 0.5 * around(words).cost
    for region, piece in zip(regions, known, strict=True):
        assert piece[0].left - SPACE < region.left < piece[0].left
        assert piece[-1].right < region.right < piece[-1].right + SPACE


def test_sure_words_of_a_long_line_stay_beside_those_that_are_read_again() -> None:
    words = prose(3)
    regions, known = in_pieces([around(words)], [words])
    whole = joined(words, regions, known, {0: [SeenWord("deliberated", 0.99, 0.0, 1.0)]})
    assert [word.text for word in whole] == [*TEXT[:3], "deliberated", *TEXT[4:]]


def test_wide_spaces_of_justified_prose_are_not_taken_for_overlooked_words() -> None:
    assert pieces_of(prose(space=24)) == []
    assert pieces_of(prose(2, space=24)) == [["were"]]


def test_around_one_wide_space_something_may_be_overlooked() -> None:
    assert sorted(pieces_of(prose(2, wide_before=6))) == [["thirty", "days"], ["were"]]


def test_words_of_sloping_lines_stand_in_their_own_line_alone() -> None:
    slope, pitch = 3.0, 1.4 * HEIGHT
    fall = math.tan(math.radians(slope))
    lines = []
    for number in range(4):
        words = [
            word._replace(top=word.top + down, bottom=word.bottom + down, line=(str(number),))
            for word in prose()
            for down in [round(number * pitch + fall * (word.left - 100))]
        ]
        lines.append(words)
    regions = [
        Region(
            ((words[0].left + words[-1].right) / 2, (words[0].middle + words[-1].middle) / 2), 660, 26, slope
        )
        for words in lines
    ]
    assert words_of_regions([word for words in lines for word in words], regions) == lines
