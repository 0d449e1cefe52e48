"""Values in text that nobody sees are not proven."""

from __future__ import annotations

from dataclasses import replace

from docagent.domain.documents.text import Line, Page, WordSource
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.model import MatchKind, Reason, as_json
from docagent.evidence.grounding.tree import ground_tree
from tests.unit.grounding.made_documents import found, text_of, written


def with_hidden(page: Page, *hidden: str) -> Page:
    """The same page, on which nobody sees the given words."""
    lines = tuple(
        Line(
            tuple(
                replace(word, source=WordSource.HIDDEN) if word.text in hidden else word
                for word in line.words
            )
        )
        for line in page.lines
    )
    return replace(page, lines=lines)


def test_a_value_that_stands_only_in_hidden_text_is_not_proven() -> None:
    page = with_hidden(written("Invoice of Acme", "Total 999.00"), "Total", "999.00")

    grounding = found(page, 999.0, label="total")

    assert (grounding.match, grounding.words, grounding.page) == (MatchKind.UNPROVEN, (), None)
    assert grounding.signals.reason is Reason.HIDDEN
    assert grounding.signals.sources == (WordSource.HIDDEN,)
    assert [place.text for place in grounding.alternatives] == ["999.00"]


def test_a_value_of_which_a_part_is_hidden_is_not_proven() -> None:
    page = with_hidden(written("Paid to Acme Holding Limited"), "Holding")

    grounding = found(page, "Acme Holding Limited")

    assert grounding.signals.reason is Reason.HIDDEN
    assert grounding.signals.sources == (WordSource.HIDDEN, WordSource.TEXT)


def test_the_visible_place_is_taken_although_the_hidden_one_has_the_label() -> None:
    page = with_hidden(written("Total due 120.00", "Net 7 120.00"), "Total", "due")
    page = replace(page, lines=(with_hidden(page, "120.00").lines[0], page.lines[1]))

    grounding = found(page, 120, label="total_due")

    assert grounding.match is MatchKind.NORMALISED
    assert (text_of(grounding), grounding.candidates) == ("120.00", 1)
    assert grounding.boxes == (page.lines[1].words[2].box,)


def test_hidden_labels_and_marks_prove_no_check_box() -> None:
    page = with_hidden(written("[x] Resident", "[ ] Foreigner"), "[x]", "Resident")

    assert found(page, True, label="resident").match is MatchKind.UNPROVEN


def test_a_value_that_stands_nowhere_is_not_found() -> None:
    page = with_hidden(written("Total 999.00"), "999.00")

    assert found(page, 998.0).signals.reason is Reason.NOT_FOUND


def test_a_result_tells_which_of_its_values_are_hidden() -> None:
    page = with_hidden(written("Vendor Acme", "Total 999.00"), "999.00")

    told = as_json(
        ground_tree(DocumentIndex.of([page]), {"vendor": "Acme", "total": 999, "rows": [{"sum": 999}]})
    )

    assert told["vendor"]["match"] == "exact"
    assert told["total"]["signals"]["reason"] == told["rows"][0]["sum"]["signals"]["reason"] == "hidden"
    assert told["total"]["alternatives"][0]["page"] == 1
