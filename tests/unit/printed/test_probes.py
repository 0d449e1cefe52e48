"""Printed values that one of two earlier readers did not know, or read otherwise."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from docagent.reading.printed import Day, Style, codes_of, find_dates, find_numbers, parse_date, parse_number
from tests.support.tables import table

DAY_FIRST = Style(day_first=True, decimal_comma=False)


@table(
    ("text", "day"),
    [
        ("15. ledna 2024", (2024, 1, 15)),
        ("5. b\u0159ezna 2024", (2024, 3, 5)),
        ("5. \u00fanora 2024", (2024, 2, 5)),
        ("12 prosince 2024", (2024, 12, 12)),
        ("5 de mar\u00e7o de 2024", (2024, 3, 5)),
        ("5 janeiro 2024", (2024, 1, 5)),
        ("5\u00ba de marzo de 2024", (2024, 3, 5)),
        ("5. maerz 2024", (2024, 3, 5)),
        ("5 marts 2024", (2024, 3, 5)),
        ("5 augusti 2024", (2024, 8, 5)),
        ("5 desember 2024", (2024, 12, 5)),
        ("2024. m\u00e1rcius 5.", (2024, 3, 5)),
        ("5 \u043c\u0430\u0440\u0442\u0430 2024", (2024, 3, 5)),
        ("2024\u5e743\u67085\u65e5", (2024, 3, 5)),
        ("2024\ub144 3\uc6d4 5\uc77c", (2024, 3, 5)),
        ("2024-Mar-05", (2024, 3, 5)),
        ("1 - Jul - 24", (2024, 7, 1)),
        ("March 5, 24", (2024, 3, 5)),
        ("06t07t20", (2020, 7, 6)),
        ("5 March 2024: paid", (2024, 3, 5)),
        ("$1,687.25 May 2020", (2020, 5, 0)),
        ("Ma\u0308rz 2024", (2024, 3, 0)),
    ],
)
def test_a_date_has_one_reading(text: str, day: Day) -> None:
    [found] = find_dates(text, DAY_FIRST)
    assert found.days[0] == day


@table("text", ["31.02.2024", "29.02.2023", "1 - July 31", "2020-Feb 12", "216.5 Jun/20"])
def test_what_the_calendar_or_columns_make_no_date_is_none(text: str) -> None:
    assert [found for found in find_dates(text) if found.certain] == []


@table("text", ["00/05/2024", "05/00/24", "0000-01-01", "2024-00-05"])
def test_zero_is_no_day_month_or_year(text: str) -> None:
    assert find_dates(text) == []


@table(
    ("text", "certain"), [("May 5 10", False), ("May 5/10", True), ("May 5, 10", True), ("May 5 '10", True)]
)
def test_two_numbers_behind_a_month_may_be_columns(text: str, certain: bool) -> None:
    [found] = find_dates(text)
    assert found.day == date(2010, 5, 5)
    assert found.certain is certain


def test_a_time_behind_a_day_is_no_year() -> None:
    assert find_dates("5 Mar 12:30") == []


def test_both_ends_of_a_span_without_spaces_are_found() -> None:
    for text in ("01.05.14-31.05.14", "Jun05/20 - Jun19/20", "05/19/20-05/22/20"):
        found = find_dates(text)
        assert len(found) == 2
        assert all(date.certain for date in found)


@table("text", ["20240305", "INV-2024-03-05", "5 3 2024", "10.03.2024.17", "50-60-70"])
def test_digits_that_may_be_a_code_are_no_certain_date(text: str) -> None:
    assert not any(found.certain for found in find_dates(text))


def test_what_may_be_a_code_is_still_a_date_for_those_who_keep_every_meaning() -> None:
    read = parse_date("20240305")
    assert read is not None
    assert read[0].days == ((2024, 3, 5),)


@table(
    ("text", "value", "currency"),
    [
        ("HK$ 500.00", "500.00", "HKD"),
        ("NZ$5.00", "5.00", "NZD"),
        ("C$5.00", "5.00", "CAD"),
        ("ZAR 99.50", "99.50", "ZAR"),
        ("AED 12.00", "12.00", "AED"),
        ("\u20a95,000", "5000", "KRW"),
        ("\u20bd 100", "100", "RUB"),
        ("100 \u20ba", "100", "TRY"),
        ("RMB 20.00", "20.00", "CNY"),
        ("\u0e3f50", "50", "THB"),
        ("1,000\u5186", "1000", "JPY"),
        ("500 kr", "500", "SEK"),
        ("500 kr", "500", "DKK"),
        ("3.441.812 Euros", "3441812", "EUR"),
        ("CHF 1'000.-", "1000", "CHF"),
        ("12.00 Ft", "12.00", "HUF"),
    ],
)
def test_an_amount_has_one_reading_with_its_currency(text: str, value: str, currency: str) -> None:
    whole = parse_number(text)
    assert whole is not None
    [found] = find_numbers(text)
    assert found == whole
    assert found.value == Decimal(value)
    assert (found.start, found.end) == (0, len(text))
    assert currency in found.currencies


@table("text", ["12.00 ft", "try 5"])
def test_words_that_look_like_currencies_are_none(text: str) -> None:
    [found] = find_numbers(text)
    assert found.currencies == ()


@table(
    ("text", "value"),
    [
        ("1,23,456.00", "123456.00"),
        (".50", "0.50"),
        ("3.14159", "3.14159"),
        ("1\u00b7234", "1234"),
        ("\uff15\uff10\uff10", "500"),
        ("[12]", "12"),
        ("(1,234.56)", "-1234.56"),
        ("1,234.56-", "-1234.56"),
    ],
)
def test_a_number_has_one_likeliest_reading(text: str, value: str) -> None:
    [found] = find_numbers(text)
    whole = parse_number(text)
    assert whole is not None
    assert found.value == whole.value == Decimal(value)


@table("text", ["01.234.567.8", "1234 567", "--1----"])
def test_codes_are_no_number(text: str) -> None:
    assert parse_number(text) is None


def test_the_sign_between_a_percentage_and_an_amount_is_the_amounts() -> None:
    share, amount = find_numbers("21% \u20ac 199,98")
    assert share.percent
    assert share.currencies == ()
    assert amount.currencies == ("EUR",)
    assert amount.value == Decimal("199.98")


def test_a_shared_sign_stands_for_every_currency_that_has_it() -> None:
    assert {"USD", "AUD", "CAD"} <= set(codes_of("$"))
    assert set(codes_of("kr")) == {"SEK", "NOK", "DKK", "ISK"}
    assert codes_of("kilo") == ()
