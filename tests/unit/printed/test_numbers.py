from __future__ import annotations

from decimal import Decimal

from docagent.reading.printed import (
    Style,
    codes_of,
    currency_in,
    find_numbers,
    likely_currency,
    likely_style,
    parse_number,
    signs_of,
    told_style,
)
from docagent.reading.printed.currencies import currency_counts
from tests.support.tables import table

POINT, COMMA = Style(decimal_comma=False), Style(decimal_comma=True)


@table(
    ("text", "value"),
    [
        ("1,234.56", "1234.56"),
        ("1.234,56", "1234.56"),
        ("1 234,56", "1234.56"),
        ("1'234.56", "1234.56"),
        ("1,23,456.00", "123456"),
        ("$36,125.00", "36125"),
        ("36.125,00 €", "36125"),
        ("EUR 5", "5"),
        ("RM33.90", "33.90"),
        ("-$5.00", "-5"),
        ("$-5.00", "-5"),
        ("19 %", "19"),
        (".50", "0.5"),
        ("CHF 1'000.-", "1000"),
        ("\uff12\uff10", "20"),
    ],
)
def test_a_number_is_read_in_every_usual_form(text: str, value: str) -> None:
    printed = parse_number(text)

    assert printed is not None
    assert printed.values == (Decimal(value),)


@table("text", ["(1,234.56)", "1,234.56-"])
def test_brackets_and_a_trailing_minus_may_mean_a_negative(text: str) -> None:
    printed = parse_number(text)

    assert printed is not None
    assert set(printed.values) == {Decimal("1234.56"), Decimal("-1234.56")}


@table("text", ["12-1234567", "5/7", "1.2K", "abc", "(5", "1.2.3", "1,2,3.4.5", "12:30", "1,2345.6", "1 2 3"])
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    assert parse_number(text) is None


def test_one_group_of_three_may_be_thousands_or_decimals() -> None:
    unsure = parse_number("2.400")
    assert unsure is not None
    assert set(unsure.values) == {Decimal(2400), Decimal("2.4")}

    by_point, by_comma = parse_number("2.400", POINT), parse_number("2.400", COMMA)
    assert by_point is not None
    assert by_comma is not None
    assert by_point.values == (Decimal("2.400"),)
    assert by_comma.values == (Decimal(2400),)


def test_three_zeros_are_thousands() -> None:
    printed = parse_number("7,000")

    assert printed is not None
    assert printed.values == (Decimal(7000),)


def test_percent_and_currency_are_noted() -> None:
    percent, amount = parse_number("19%"), parse_number("220,00 EUR")

    assert percent is not None
    assert percent.percent
    assert amount is not None
    assert amount.currencies == codes_of("\u20ac")


@table(
    ("text", "decimal_comma"),
    [
        ("1.50 2.75 1,200.00", False),
        ("1,50 2,75 1.200,00", True),
        ("1,50 2.75 3,20 4.10", None),
        ("01.05.14 31.05.14 02.06.14", None),
    ],
)
def test_a_document_tells_its_decimal_mark_when_its_numbers_agree(
    text: str, decimal_comma: bool | None
) -> None:
    assert told_style([], text).decimal_comma is decimal_comma


def test_the_likely_decimal_mark_is_that_of_most_numbers() -> None:
    assert likely_style("9,90 198,00 1.234,00").decimal_comma
    assert not likely_style("9.90 198.00 1,234.00").decimal_comma


@table("text", ["12.03.2018", "AB12", "TB100A4", "18:24", "50-60-70"])
def test_what_only_looks_like_a_number_is_not_found(text: str) -> None:
    assert find_numbers(text) == []


def test_currencies_are_counted_beside_numbers_or_as_codes() -> None:
    assert currency_counts("Total 5,00 \u20ac and 6,00 \u20ac; USD") == {"EUR": 2, "USD": 1}
    assert currency_counts("try again, Rs Manager") == {}


def test_a_shared_sign_counts_for_the_currency_that_the_text_names() -> None:
    assert currency_counts("$ 5.00 and $ 6.00") == {"USD": 2}
    assert currency_counts("$ 5.00 and $ 6.00, all prices in AUD") == {"AUD": 3}
    assert currency_counts("5 kr and 6 kr") == {}
    assert currency_counts("5 kr and 6 kr, NOK 11") == {"NOK": 3}


def test_the_currency_of_a_document_is_printed_most_often() -> None:
    assert likely_currency("5 \u20ac, 6 \u20ac, 7 USD") == "EUR"
    assert likely_currency("5 kr and 6 kr") is None


def test_the_first_currency_that_can_be_told() -> None:
    assert currency_in("kr or \u20ac") == "EUR"
    assert currency_in("none") is None


def test_a_currency_has_several_signs() -> None:
    assert {"\u20ac", "eur"} <= set(signs_of(["EUR"]))
