from __future__ import annotations

from decimal import Decimal

import pytest

from docagent.grounding.numbers import (
    Convention,
    convention_of,
    currency_names,
    currency_of,
    key,
    parse_number,
    parse_with_unit,
)


@pytest.mark.parametrize(
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
    assert [key(each) for each in printed.values] == [key(Decimal(value))]


@pytest.mark.parametrize("text", ["(1,234.56)", "1,234.56-"])
def test_brackets_and_a_trailing_minus_may_mean_a_negative(text: str) -> None:
    printed = parse_number(text)

    assert printed is not None
    assert set(printed.values) == {Decimal("1234.56"), Decimal("-1234.56")}


@pytest.mark.parametrize(
    "text", ["12-1234567", "5/7", "1.2K", "abc", "(5", "1.2.3", "1,2,3.4.5", "12:30", "1,2345.6", "1 2 3"]
)
def test_what_is_no_number_is_not_read_as_one(text: str) -> None:
    assert parse_number(text) is None


def test_one_group_of_three_may_be_thousands_or_decimals() -> None:
    unsure = parse_number("2.400")
    assert unsure is not None
    assert set(unsure.values) == {Decimal(2400), Decimal("2.4")}

    by_point, by_comma = parse_number("2.400", Convention.POINT), parse_number("2.400", Convention.COMMA)
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
    assert amount.currency == currency_of("\u20ac")


def test_a_unit_may_be_attached_but_thousands_are_no_unit() -> None:
    kilograms = parse_with_unit("5kg")

    assert kilograms is not None
    assert kilograms.values == (Decimal(5),)
    assert kilograms.has_unit
    assert parse_with_unit("1.2K") is None
    assert parse_with_unit("3bn") is None


@pytest.mark.parametrize(
    ("text", "convention"),
    [
        ("1.50 2.75 1,200.00", Convention.POINT),
        ("1,50 2,75 1.200,00", Convention.COMMA),
        ("1,50 2.75 3,20 4.10", Convention.UNKNOWN),
        ("01.05.14 31.05.14 02.06.14", Convention.UNKNOWN),
    ],
)
def test_a_document_tells_its_convention_when_its_numbers_agree(text: str, convention: Convention) -> None:
    assert convention_of(text) is convention


def test_zero_has_one_key_and_currencies_have_several_names() -> None:
    assert key(Decimal("0.00")) == key(Decimal("-0"))
    assert {"\u20ac", "eur"} <= set(currency_names("euro"))
