from __future__ import annotations

from datetime import date
from decimal import Decimal

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.page.meant import dates_in, numbers_in
from docagent.builtin_model.page.reading import read_values
from docagent.builtin_model.page.shapes import has_hard_legal_form, is_address_line
from docagent.reading.printed import Style
from tests.support.tables import table


@table(
    ("text", "expected"),
    [
        ("2024-03-05", date(2024, 3, 5)),
        ("05.03.2024", date(2024, 3, 5)),
        ("5. März 2024", date(2024, 3, 5)),
        ("05 Mar 2024 18:24", date(2024, 3, 5)),
        ("March 5, 2024", date(2024, 3, 5)),
        ("MAR 5 , 2024", date(2024, 3, 5)),
        ("5 de marzo de 2024", date(2024, 3, 5)),
        ("le 5 février 2024", date(2024, 2, 5)),
        ("7 mei 2014", date(2014, 5, 7)),
        ("2 stycznia 2021", date(2021, 1, 2)),
        ("Jun05/20", date(2020, 6, 5)),
        ("25/12/99", date(1999, 12, 25)),
        ("12/25/19", date(2019, 12, 25)),
        ("31.02.2024", None),
        ("192.168.10.1", None),
        ("Version 1.2.3", None),
        ("4/11", None),
    ],
)
def test_dates_are_read_in_many_forms(text: str, expected: date | None) -> None:
    found = [one.value for one in dates_in(text, Style(day_first=True))]
    assert found == ([expected] if expected else [])


@table(
    ("text", "expected", "comma"),
    [
        ("$36,125.00", "36125.00", False),
        ("1.234,56 €", "1234.56", True),
        ("1 234,56", "1234.56", True),
        ("1'234.50", "1234.50", False),
        ("(3,249.00)", "-3249.00", False),
        ("-0,50", "-0.50", True),
        ("9.00-", "-9.00", False),
        ("67,2244", "67.2244", True),
        ("RM33.90", "33.90", False),
        ("1.234", "1234", True),
        ("1.234", "1.234", False),
        ("0.025 €", "0.025", False),
    ],
)
def test_amounts_are_read_as_printed(text: str, expected: str, comma: bool) -> None:
    assert [one.value for one in numbers_in(text, Style(True, comma))] == [Decimal(expected)]


@table("text", ["19%", "7 %", "12.03.2018", "AB12", "TB100A4", "18:24", "50-60-70"])
def test_what_only_looks_like_an_amount_is_left_out(text: str) -> None:
    assert numbers_in(text, Style(True, True)) == ()


def test_percentages_are_read_in_the_documents_style() -> None:
    [found] = read_values(Kind.PERCENT, "VAT 7,5 % of 20,00", Style(True, True))
    assert (found.value, found.text, found.start) == (Decimal("7.5"), "7,5 %", 4)


def test_bank_accounts_end_before_the_next_word() -> None:
    style = Style(day_first=True, decimal_comma=True)
    for text, account in (
        ("IBAN DE88 2008 0000 0970 3757 00 BIC COBADEFFXXX", "DE88 2008 0000 0970 3757 00"),
        ("IBAN NL50INGB0683251309 VAT DE123456789", "NL50INGB0683251309"),
        ("GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 32"),
    ):
        assert [value.value for value in read_values(Kind.IBAN, text, style)] == [account]
    assert [value.value for value in read_values(Kind.BIC, "BIC COBADEFFXXX", style)] == ["COBADEFFXXX"]


def test_firms_and_addresses_are_told_apart() -> None:
    assert has_hard_legal_form("Northwind Traders Ltd.")
    assert not has_hard_legal_form("Northwind Street 5")
    assert is_address_line("Hauptstraße 5")
    assert is_address_line("80333 München")
    assert is_address_line("Springfield, IL 62701")
    assert not is_address_line("Northwind Traders")
    assert not is_address_line("info@northwind.example")
