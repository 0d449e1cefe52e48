from __future__ import annotations

from docagent.reading.printed import PrintedDate, Style, find_dates, likely_style, parse_date, told_style
from tests.support.tables import table


@table(
    "text",
    [
        "2018-03-05",
        "2018/3/5",
        "05 MAR 2018",
        "05MAR2018",
        "5. M\u00e4rz 2018",
        "Mar 5, 2018",
        "March 5th, 2018",
        "5-Mar-18",
        "5 de marzo de 2018",
        "5 mars 2018",
        "5 maart 2018",
        "5 marca 2018",
        "2018\u5e743\u67085\u65e5",
        "20180305",
    ],
)
def test_a_date_is_read_in_every_usual_form(text: str) -> None:
    read = parse_date(text)

    assert read is not None
    assert (2018, 3, 5) in read[0].days


def test_day_and_month_may_be_exchanged_until_the_document_tells() -> None:
    [unsure] = find_dates("03/05/2018")
    [clear] = find_dates("17/05/2018")

    assert set(unsure.days) == {(2018, 3, 5), (2018, 5, 3)}
    assert order_told_by(unsure) is None
    assert order_told_by(unsure, clear) is True
    assert unsure.in_style(Style(day_first=True)).days == ((2018, 5, 3),)
    assert unsure.in_style(Style(day_first=False)).days == ((2018, 3, 5),)
    assert unsure.in_style(Style()) == unsure


def test_american_dates_tell_their_order_and_mixed_ones_do_not() -> None:
    [american], [european] = find_dates("05/17/2018"), find_dates("17/05/2018")

    assert order_told_by(american) is False
    assert order_told_by(american, european) is None


def order_told_by(*dates: PrintedDate) -> bool | None:
    return told_style(dates, "").day_first


def test_points_stand_between_day_and_month_in_any_style() -> None:
    [found] = find_dates("03.04.2024", Style(day_first=False))

    assert found.days == ((2024, 4, 3),)


def test_the_likely_order_is_that_of_most_dates_or_of_the_country() -> None:
    assert likely_style("due 25/01/2024, paid 03/04/2024").day_first
    assert not likely_style("due 01/25/2024, paid 03/04/2024").day_first
    assert not likely_style("03/04/2024 Springfield, IL 62701").day_first
    assert likely_style("03/04/2024 Kuala Lumpur").day_first


def test_two_digits_of_a_year_may_be_of_either_century() -> None:
    read = parse_date("5 May 48")

    assert read is not None
    assert set(read[0].days) == {(2048, 5, 5), (1948, 5, 5)}


def test_both_ends_of_a_range_are_found() -> None:
    found = [date.days[0] for date in find_dates("Flight 02/20/20-02/26/20")]

    assert found == [(2020, 2, 20), (2020, 2, 26)]


def test_a_month_without_a_day_is_a_date_of_its_own() -> None:
    read = parse_date("March 2018")

    assert read is not None
    assert read[0].days == ((2018, 3, 0),)


def test_a_time_behind_a_date_is_given_apart() -> None:
    read = parse_date("2014-08-03T12:30:00Z")

    assert read is not None
    assert (read[0].days, read[1]) == (((2014, 8, 3),), "12:30")


@table("text", ["12-1234567", "2018-13-05", "32/01/2018", "1.234,56", "no date", "5 Marble 2018"])
def test_what_is_no_date_is_not_read_as_one(text: str) -> None:
    assert parse_date(text) is None
