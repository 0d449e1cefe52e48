"""Plain text that keeps its layout: columns apart, tables as rows of cells, no word lost."""

from __future__ import annotations

from docagent.reading.layout import to_plain
from tests.support.made.pages import page_of


def test_columns_stay_apart_and_begin_at_the_same_place_in_every_line() -> None:
    page = page_of([[(0.1, "Lieferant GmbH"), (0.6, "RECHNUNG")], [(0.1, "80333 Ulm"), (0.6, "Nummer 17")]])
    first, second = to_plain(page).splitlines()
    assert first.split("   ")[0] == "Lieferant GmbH"
    assert first.index("RECHNUNG") == second.index("Nummer 17")
    assert "80333 Ulm   " in second


def test_a_table_is_rows_of_cells() -> None:
    rows = [("Torsk", "12", "3.50"), ("Sild", "4", "2.25"), ("Rejer", "7", "9.10"), ("Hummer", "1", "5.00")]
    page = page_of(
        [
            [(0.1, "Freight of the day")],
            [(0.1, "Goods"), (0.45, "Crates"), (0.7, "Tons")],
            *[[(0.1, name), (0.45, crates), (0.7, tons)] for name, crates, tons in rows],
        ]
    )
    lines = to_plain(page).splitlines()
    assert "| Torsk | 12 | 3.50 |" in lines
    assert "| Hummer | 1 | 5.00 |" in lines


def test_no_word_is_lost_and_running_text_is_as_it_was() -> None:
    page = page_of(
        [[(0.1, "All ships keep to the orders of the harbour office")], [(0.1, "Pilot"), (0.5, "Ole | Ida")]]
    )
    written = to_plain(page)
    assert written.splitlines()[0] == page.lines[0].text
    assert len(written.splitlines()) == 2
    assert sorted(written.split()) == sorted(page.text.split())
    assert to_plain(page_of([])) == ""
