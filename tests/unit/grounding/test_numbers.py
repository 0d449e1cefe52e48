from __future__ import annotations

from decimal import Decimal

from docagent.evidence.grounding.numbers import key, number_with_unit


def test_a_unit_may_be_attached_but_thousands_are_no_unit() -> None:
    assert number_with_unit("5kg") == "5"
    assert number_with_unit("(2,5m\u00b2.)") == "2,5"
    assert number_with_unit("1.2K") is None
    assert number_with_unit("3bn") is None


def test_equal_numbers_have_one_key() -> None:
    assert key(Decimal("0.00")) == key(Decimal("-0"))
    assert key(Decimal("5.10")) == key(Decimal("5.1"))
