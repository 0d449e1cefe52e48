"""Rows of a table whose heads nobody knows are found again under the same heads."""

from __future__ import annotations

from typing import Any

from docagent import builtin_model
from docagent.builtin_model import Memory, Placed
from docagent.domain.documents.text import Page
from docagent.services.extraction.checking import grounding_of
from tests.support.made.pages import page_of

ROW = {
    "goods": {"type": ["string", "null"]},
    "crates": {"type": ["number", "null"]},
    "tons": {"type": ["number", "null"]},
}
SCHEMA = {
    "type": "object",
    "properties": {"freight": {"type": "array", "items": {"type": "object", "properties": ROW}}},
}
Rows = list[dict[str, Any]]
FIRST: Rows = [
    {"goods": "Torsk", "crates": 12.0, "tons": 3.5},
    {"goods": "Sild", "crates": 40.0, "tons": 11.25},
]
SECOND: Rows = [
    {"goods": "Rejer", "crates": 7.0, "tons": 1.75},
    {"goods": "Makrel", "crates": 31.0, "tons": 9.5},
    {"goods": "Hummer", "crates": 2.0, "tons": 0.25},
]


def manifest(rows: Rows, shift: float = 0.0, above: int = 0) -> list[Page]:
    """A ship's manifest in words of nobody's language."""
    heads = [(0.1 + shift, "Varg"), (0.45 + shift, "Kolv"), (0.7 + shift, "Vukt")]
    lines = [
        [
            (0.1 + shift, one["goods"]),
            (0.45 + shift, f"{one['crates']:g}"),
            (0.7 + shift, f"{one['tons']:.2f}"),
        ]
        for one in rows
    ]
    total = f"{sum(one['tons'] for one in rows):.2f}"
    end = [(0.1 + shift, "Olt summa"), (0.7 + shift, total)]
    after = [(0.1 + shift, "Havn"), (0.45 + shift, "17"), (0.7 + shift, "99.50")]
    return [page_of([[(0.1, "Skibets last")], *([[]] * above), heads, *lines, end, after])]


def taught(pages: list[Page], truth: Any, given: Any) -> dict[str, Memory]:
    right, said = (Placed(data, grounding_of(pages, data, SCHEMA)) for data in (truth, given))
    return builtin_model.remember(pages, SCHEMA, right, said, lambda path: True)


def lesson(rows: Rows, given: Any = None) -> dict[str, Memory]:
    pages, truth = manifest(rows), {"freight": rows}
    return taught(pages, truth, {"freight": given or []})


def test_rows_are_read_under_the_heads_that_were_learnt_and_end_where_they_ended() -> None:
    memories = lesson(FIRST)
    table = memories["freight"].table
    assert table is not None
    assert [(head.name, head.label) for head in table.heads] == [
        ("goods", "varg"),
        ("crates", "kolv"),
        ("tons", "vukt"),
    ]
    assert table.end == "olt summa"
    for pages in (manifest(SECOND), manifest(SECOND, shift=0.05, above=4)):
        recalled = builtin_model.recall(pages, SCHEMA, [memories])
        assert recalled["freight"].value == SECOND
        assert builtin_model.fill_from_memory({"freight": []}, recalled) == {"freight": SECOND}


def test_a_table_survives_being_stored() -> None:
    memories = lesson(FIRST)
    assert {path: Memory.from_json(one.as_json()) for path, one in memories.items()} == memories


def test_rows_that_the_model_reads_rightly_stay_its_own() -> None:
    was_right = lesson(FIRST, given=FIRST)
    given = {"freight": [{**SECOND[0], "tons": 17.5}]}
    recalled = builtin_model.recall(manifest(SECOND), SCHEMA, [was_right])
    assert builtin_model.fill_from_memory(given, recalled) == given
    corrected = builtin_model.recall(manifest(SECOND), SCHEMA, [lesson(FIRST)])
    assert builtin_model.fill_from_memory(given, corrected) == {"freight": SECOND}


def test_rows_that_the_model_left_out_are_added() -> None:
    recalled = builtin_model.recall(manifest(SECOND), SCHEMA, [lesson(FIRST, given=FIRST)])
    for given in (SECOND[:1], [SECOND[0], SECOND[2]]):
        assert builtin_model.fill_from_memory({"freight": given}, recalled) == {"freight": SECOND}


def test_a_table_that_is_not_found_again_teaches_nothing() -> None:
    elsewhere = [{"goods": "Torsk", "crates": 77.0, "tons": 3.5}]
    pages = manifest(FIRST)
    found = taught(pages, {"freight": elsewhere}, {"freight": []})
    assert found["freight"].table is None
    assert builtin_model.recall(pages, SCHEMA, [found]) == {}


def test_without_the_heads_nothing_is_read() -> None:
    other = [page_of([[(0.1, "Ganz andere Liste")], [(0.1, "Torsk"), (0.45, "12"), (0.7, "3.50")]])]
    assert builtin_model.recall(other, SCHEMA, [lesson(FIRST)]) == {}
