"""Groups of documents: figures by group, and what is fitted judged on groups that it did not see."""

from __future__ import annotations

import json
from pathlib import Path

from evals.groups import SEEN, Grouped, Layouts, inside_and_outside
from evals.judging import Comparison
from evals.report import is_regression
from evals.sets import other_papers

from tests.unit.builtin_model.documents import invoice, rechnung


def compared(*, right: bool) -> list[Comparison]:
    return [Comparison("total", 1, 1 if right else 2, right, printed=True)]


def test_one_layout_over_and_over_does_not_hide_the_others() -> None:
    grouped = Grouped()
    for _ in range(9):
        grouped.add({"issuer": "A"}, compared(right=True))
    grouped.add({"issuer": "B"}, compared(right=False))

    figures = grouped.figures
    assert (figures["issuers"], figures["issuer_mean_f1"]) == (2, 0.5)
    assert figures["issuer=A f1"] == 1.0
    assert "issuer=B f1" not in figures, "one document makes no figure"
    assert not is_regression("papers groups.issuer=A f1", 0.5, 1.0)
    assert is_regression("papers groups.issuer_mean_f1", 0.4, 0.5)


def test_the_gap_between_what_was_looked_at_and_what_was_not_is_told() -> None:
    grouped = Grouped()
    for right in (True, True):
        grouped.add({SEEN: "inside"}, compared(right=right))
    assert "gap" not in grouped.figures
    for right in (True, False):
        grouped.add({SEEN: "outside"}, compared(right=right))
    assert grouped.figures["gap"] == 0.5


def test_layouts_are_told_by_what_is_printed_where() -> None:
    layouts = Layouts()

    assert [layouts.of(pages) for pages in (invoice(), rechnung(), invoice())] == ["1", "2", "1"]


def test_what_is_learnt_by_heart_is_worth_nothing_outside() -> None:
    items = [("A", 1), ("A", 2), ("B", 3)]

    def known(fitted: frozenset[tuple[str, int]], item: tuple[str, int]) -> bool:
        return item in fitted

    inside, outside = inside_and_outside(items, lambda item: item[0], frozenset, known)
    assert inside == [True, True, True]
    assert outside == [False, False, False]


def test_a_general_fit_is_worth_as_much_outside() -> None:
    items = [("A", 2), ("A", 2), ("B", 2)]
    inside, outside = inside_and_outside(
        items, lambda item: item[0], lambda seen: max(seen)[1], lambda fitted, item: item[1] - fitted
    )
    assert inside == outside == [0, 0, 0]


def test_a_paper_brings_its_schema_and_names_its_kind_and_design(tmp_path: Path) -> None:
    row = {
        "file": "bill.pdf",
        "fields": {"total": "12.50", "iban": None, "rows": [{"amount": "12.50"}]},
        "absent": ["iban"],
        "schema": {"type": "object", "properties": {"total": {"type": "number"}}},
        "kinds": {"total": "amount", "rows.amount": "amount"},
        "kind": "utility_bill",
        "design": "dense",
        "day_first": True,
    }
    folder = tmp_path / other_papers.SET.folder
    folder.mkdir()
    (folder / "gt.jsonl").write_text(json.dumps(row))

    (task,) = other_papers.SET.tasks(tmp_path)
    assert task.groups == {"kind": "utility_bill", "design": "dense", "seen": "inside"}
    assert task.labels.absent == {"iban"}
    assert task.schema == row["schema"]
