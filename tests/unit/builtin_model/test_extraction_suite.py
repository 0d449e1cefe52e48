from __future__ import annotations

from typing import Any

from evals.suites.extraction import LabelledSet, Tally, compare

SET = LabelledSet(
    "made",
    {
        "number": ("code", ""),
        "date": ("date", ""),
        "name": ("name", ""),
        "total": ("amount", ""),
        "iban": ("code", ""),
    },
    rows={"item": ("name", ""), "price": ("amount", "")},
)
TEXT = "Invoice A-17 of 03/04/2024 from Northwind Traders, total $1,250.50, lamp 12.00, desk 99.00"


def tally(wanted: dict[str, Any], given: dict[str, Any]) -> Tally:
    counts = Tally()
    for compared in compare(SET, wanted, given, TEXT):
        counts.add(compared)
    return counts


def test_values_are_compared_by_their_kind() -> None:
    wanted = {"number": "A-17", "date": "03/04/2024", "name": "NORTHWIND TRADERS", "total": "$1,250.50"}
    given = {"number": "A17", "date": "2024-04-03", "name": "Northwind Trader", "total": 1250.5}
    counts = tally(wanted, given)
    assert counts.f1 == 1.0
    assert counts.invented == 0


def test_missing_wrong_and_invented_values_are_counted_apart() -> None:
    wanted = {"number": "A-17", "date": "03/04/2024", "name": "Northwind Traders", "iban": None}
    given = {"number": "B-99", "date": None, "name": "Northwind Traders", "iban": "A-17"}
    counts = tally(wanted, given)
    assert (counts.right, counts.given, counts.wanted) == (1, 3, 3)
    assert counts.invented == 2


def test_what_is_not_labelled_is_not_asked() -> None:
    assert tally({"name": "Northwind Traders"}, {"name": "Northwind Traders", "total": 5}).given == 1


def test_rows_too_many_and_too_few_count() -> None:
    wanted = {"lines": [{"item": "lamp", "price": 12}, {"item": "desk", "price": 99}]}
    assert tally(wanted, {"lines": [{"item": "lamp", "price": 12}]}).recall == 0.5
    assert tally({"lines": []}, {"lines": [{"item": "lamp", "price": 12}]}).invented == 2
