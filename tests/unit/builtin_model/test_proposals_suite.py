from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.judging import Labels
from evals.sets import LabelledSet, Task
from evals.suites.proposals import Judged, compared, facts_in, judge

from docagent.builtin_model import propose_schema
from tests.unit.builtin_model import documents

SET = LabelledSet(
    "made",
    {
        "invoice_number": ("code", ""),
        "seller_name": ("name", ""),
        "grand_total": ("amount", ""),
        "due_payable": ("amount", ""),
    },
    rows={"name": ("name", ""), "quantity": ("amount", ""), "line_total": ("amount", "")},
    day_first=True,
)
TEXT = (
    "Invoice A-17 of 3 April 2024 from Northwind Traders, lamp 2 12.00, desk 1 99.00, total 111.00, tax 19%"
)
WANTED: dict[str, Any] = {
    "invoice_number": "A-17",
    "seller_name": "Northwind Traders",
    "grand_total": "111.00",
    "due_payable": "111.00",
    "lines": [
        {"name": "lamp", "quantity": 2, "line_total": 12},
        {"name": "desk", "quantity": 1, "line_total": 99},
    ],
}
FORMAT = propose_schema(documents.invoice())
ROWS = [
    {"description": "lamp", "quantity": 2, "amount": 12},
    {"description": "desk", "quantity": 1, "amount": 99},
]


def judged(**given: Any) -> Judged:
    return compared(SET, WANTED, FORMAT, given, TEXT)


def test_a_value_counts_only_under_a_field_that_is_called_for_it() -> None:
    assert judged(invoice_number="A-17").right == 1
    assert judged(reference="A-17", name="Northwind Traders").right == 0
    assert judged(invoice_number="A-18").right == 0


def test_one_field_answers_one_label() -> None:
    assert judged(total_amount=111.0).right == 1
    assert judged(total_amount=111.0, amount_due=111.0).right == 2


def test_lines_are_one_label_that_half_of_the_cells_answer() -> None:
    assert judged(line_items=ROWS).right == 1
    assert judged(line_items=ROWS[:1]).right == 1
    assert judged(line_items=[{"description": "chair", "quantity": 2, "amount": 5}]).right == 0


def test_half_of_the_labels_and_nothing_invented_make_it_usable() -> None:
    enough = {"invoice_number": "A-17", "supplier_name": "Northwind Traders", "total_amount": 111.0}
    assert judged(**enough).usable
    assert judged(**enough).labels == 5
    assert not judged(invoice_number="A-17", total_amount=111.0).usable
    assert not compared(SET, WANTED, {"type": "json_schema"}, enough, TEXT).usable


def test_every_value_must_be_printed() -> None:
    printed = {"invoice_date": "2024-04-03", "tax_rate": 19.0, "line_items": ROWS, "note": None}
    assert judged(**printed).invented == ()
    assert judged(invoice_date="2024-05-03").invented == ("invoice_date",)
    assert judged(line_items=[{"description": "lamp", "amount": 13}]).invented == ("line_items[0].amount",)
    assert judged(customer_name="Contoso").invented == ("customer_name",)


def test_a_made_invoice_gets_a_usable_proposal() -> None:
    pages = documents.invoice()
    wanted = {"invoice_number": "NW-2024-0042", "seller_name": "Northwind Traders Ltd", "grand_total": 129.6}
    assert judge(SET, wanted, pages, pages[0].text) == Judged(valid=True, right=3, labels=3, invented=())


def test_one_value_answers_one_fact_of_an_unknown_kind() -> None:
    labels = Labels({"seat": "58A", "coach": "58A", "fare": "12.00", "lines": [], "absent": None})
    task = Task(Path("ticket.pdf"), {"properties": {"fare": {"type": "number"}}}, labels)
    data = {"zitplaats": "58A", "prijs": 12.0, "rows": [{"coach": "58A"}]}
    assert facts_in(task, data) == [True, False, True]
