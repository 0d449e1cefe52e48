from __future__ import annotations

import random

from evals.printed import PrintedText, absent_variants, is_printed, words_are_there

from tests.support.tables import table


@table(
    ("value", "text"),
    [
        ("2018-03-05", "printed 5. M\u00e4rz 2018 18:24"),
        ("1163.40", "Summe 1.163,40 EUR"),
        (262.9, "net 262.90"),
        ("24%", "about 24.0%"),
        ("EUR", "5,00 \u20ac"),
        ("Huffman, Katharine", "by Katharine Huffman"),
        ("Beeswax XL\nAcme", "Beeswax XL 5.00\nAcme"),
        ("INV-2023/7", "Invoice:INV 20237"),
        ("Yellow wax of bees", "1 Yellow wax 5.00\nof bees 7.00"),
        ("$", "$5"),
    ],
)
def test_a_printed_value_is_seen(value: object, text: str) -> None:
    assert is_printed(value, text)


@table(
    ("value", "text"),
    [
        ("2018-03-06", "5 Mar 2018"),
        ("63.40", "1.163,40"),
        ("CT", "a cat"),
        ("Acme", "nothing"),
        ("Palm Inc", "Palm Incorporated"),
        ("South Ohio", "Ohio South"),
        ("INR", "hours"),
        ("Yellow bees", "Yellow wax of bees"),
    ],
)
def test_an_absent_value_is_not_seen(value: object, text: str) -> None:
    assert not is_printed(value, text)


def test_scattered_words_are_there_although_the_text_is_not() -> None:
    assert words_are_there("Katharine Huffman", PrintedText("Huffman and also Katharine"))
    assert not words_are_there("17.00", PrintedText("17.00"))


@table("value", ["2018-03-05", 17, "Road 12"])
def test_variants_differ_from_the_value(value: object) -> None:
    variants = list(absent_variants(value, random.Random(1)))

    assert variants
    assert value not in variants
