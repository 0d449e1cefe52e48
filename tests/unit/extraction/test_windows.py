"""Long documents: windows that share a page, merged with everything reported."""

from __future__ import annotations

from typing import Any

from docagent.domain.documents.text import Box, Line, Page, Word
from docagent.domain.extraction.windows import MergeReport, Window, WindowReply, merge, reconcile, split


def page(number: int, characters: int) -> Page:
    word = Word("x" * characters, Box(0, 0, 1, 1))
    return Page(number, 100, 100, (Line((word,)),))


def reply(first: int, last: int, data: dict[str, Any] | None, failure: str | None = None) -> WindowReply:
    return WindowReply(Window(first, last), data, failure)


def test_windows_share_a_page_where_there_is_room_for_it() -> None:
    pages = [page(number, 40) for number in range(1, 8)]
    assert split(pages, 100, 99) == [Window(number, number + 1) for number in range(1, 7)]
    assert split(pages, 10_000, 3) == [Window(1, 3), Window(3, 5), Window(5, 7)]
    assert split(pages, 10, 99) == [Window(number, number) for number in range(1, 8)]
    assert split(pages, 10_000, 1) == [Window(number, number) for number in range(1, 8)]
    assert split([*pages[:3], page(4, 80), *pages[4:]], 110, 99)[1:3] == [Window(2, 3), Window(4, 4)]
    assert split(pages, 10_000, 99) == [Window(1, 7)]
    assert split([], 10, 10) == []


def test_rows_of_a_shared_page_come_once_and_whole() -> None:
    """The last row of page 2 goes on at the top of page 3, and one row was read differently the second time."""
    first = [{"n": 1, "v": 10}, {"n": 2, "v": 20}, {"n": 3, "v": 30}, {"n": 4, "v": None}]
    second = [{"n": 2, "v": 20}, {"n": 8, "v": 30}, {"n": 4, "v": 40}, {"n": 5, "v": 50}]
    data, report = merge([reply(1, 2, {"rows": first}), reply(2, 3, {"rows": second})])
    assert data == {"rows": [*first[:3], {"n": 4, "v": 40}, {"n": 5, "v": 50}]}
    assert report.duplicates == [], "that windows share a page is nothing to tell"
    nothing_shared, _ = merge([reply(1, 2, {"rows": [{"n": 1}]}), reply(2, 3, {"rows": [{"n": 2}]})])
    assert nothing_shared == {"rows": [{"n": 1}, {"n": 2}]}


def test_a_later_total_beats_one_that_was_carried_forward() -> None:
    data, report = merge(
        [
            reply(1, 2, {"sums": {"grand_total": 120.5, "number": "A"}}),
            reply(2, 3, {"sums": {"grand_total": None, "number": "B"}}),
            reply(3, 4, {"sums": {"grand_total": 310}}),
        ]
    )
    assert data == {"sums": {"grand_total": 310, "number": "A"}}
    assert [(str(one.path), one.kept, one.other, one.pages) for one in report.conflicts] == [
        ("sums.number", "A", "B", "pages 2-3"),
        ("sums.grand_total", 310, 120.5, "pages 1-2"),
    ]


def test_lists_are_joined_and_fields_taken_from_where_they_stand() -> None:
    data, report = merge(
        [
            reply(1, 2, {"bank": "First", "total": None, "rows": [{"n": 1}, {"n": 2}]}),
            reply(3, 4, {"bank": None, "total": 10, "rows": [{"n": 3}]}),
        ]
    )
    assert data == {"bank": "First", "total": 10, "rows": [{"n": 1}, {"n": 2}, {"n": 3}]}
    assert (report.gaps, report.duplicates, report.conflicts) == ([], [], [])


def test_rows_repeated_at_a_seam_are_taken_once_and_told() -> None:
    data, report = merge(
        [reply(1, 1, {"rows": [{"n": 1}, {"n": 2}]}), reply(2, 2, {"rows": [{"n": 2}, {"n": 3}]})]
    )
    assert data == {"rows": [{"n": 1}, {"n": 2}, {"n": 3}]}
    assert report.duplicates == ["rows: 1 rows repeated at the beginning of page 2"]


def test_equal_rows_inside_a_window_stay() -> None:
    data, report = merge([reply(1, 1, {"rows": [{"n": 1}, {"n": 1}]}), reply(2, 2, {"rows": [{"n": 2}]})])
    assert data == {"rows": [{"n": 1}, {"n": 1}, {"n": 2}]}
    assert report.duplicates == []


def test_a_window_without_an_answer_is_a_gap() -> None:
    data, report = merge([reply(1, 2, {"rows": [{"n": 1}]}), reply(3, 4, None, "the provider is down")])
    assert data == {"rows": [{"n": 1}]}
    assert report.gaps == ["pages 3-4: the provider is down"]


def test_a_field_that_windows_disagree_on_keeps_the_first_and_tells() -> None:
    data, report = merge([reply(1, 1, {"a": {"b": "x"}}), reply(2, 2, {"a": {"b": "y"}})])
    assert data == {"a": {"b": "x"}}
    (conflict,) = report.conflicts
    assert (str(conflict.path), conflict.kept, conflict.other, conflict.pages) == ("a.b", "x", "y", "page 2")


def test_totals_are_held_against_the_sums_of_rows() -> None:
    report = MergeReport()
    reconcile({"total_amount": 30.30, "rows": [{"amount": 10.1}, {"amount": "20.20"}]}, report)
    (found,) = report.reconciliations
    assert (str(found.total_path), str(found.rows_path), found.agrees) == (
        "total_amount",
        "rows.amount",
        True,
    )
    report = MergeReport()
    reconcile({"total": 31, "rows": [{"amount": 10}, {"amount": 20}]}, report)
    assert [item.agrees for item in report.reconciliations] == [False]
    report = MergeReport()
    reconcile({"total": 31, "rows": [{"amount": 10}, {"amount": None}]}, report)
    assert report.reconciliations == []


def test_rows_may_add_up_to_the_net_amount_and_unit_prices_to_nothing() -> None:
    report = MergeReport()
    rows = [
        {"quantity": 4, "unit_price": 189, "amount": 756},
        {"quantity": 2, "unit_price": 50, "amount": 100},
    ]
    reconcile({"net_amount": 856, "total_amount": 1052.88, "line_items": rows}, report)
    (found,) = report.reconciliations
    assert (str(found.total_path), found.agrees) == ("net_amount", True)
