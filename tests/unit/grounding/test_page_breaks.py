"""Values that begin on one page and end on the next."""

from __future__ import annotations

from dataclasses import replace

from docagent.domain.documents.text import Page
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.model import Grounding, MatchKind
from tests.support.tables import table
from tests.unit.grounding.made_documents import found, text_of, written

VALUE = "The tenant pays the rent on the first day of each month"


def document(*pages: tuple[str, ...]) -> DocumentIndex:
    made = [replace(written(*lines), number=number) for number, lines in enumerate(pages, 1)]
    return DocumentIndex.of(made)


def places(grounding: Grounding) -> list[tuple[int, str]]:
    return [(word.page, word.text) for word in grounding.words]


def test_a_value_goes_on_after_a_page_break() -> None:
    pages = document(("Agreement", "The tenant pays the rent"), ("on the first day of each month.", "Signed"))

    grounding = found(pages, VALUE)

    assert grounding.match is MatchKind.EXACT
    assert places(grounding)[:1] == [(1, "The")]
    assert places(grounding)[-1:] == [(2, "month.")]
    assert len(grounding.words) == 12


def test_what_is_repeated_at_the_edges_of_pages_does_not_interrupt() -> None:
    head, foot = "Lease of Elm Street 5", "Page {} of 3"
    pages = document(
        (head, "Preamble", "Nothing here", foot.format(1)),
        (head, "Duties", "The tenant pays the rent on", foot.format(2)),
        (head, "the first day of each month.", "Signed", foot.format(3)),
    )

    grounding = found(pages, VALUE)

    assert text_of(grounding) == VALUE + "."
    assert {word.page for word in grounding.words} == {2, 3}


@table(
    "pages",
    [
        [("The tenant pays the rent", "Some other sentence"), ("on the first day of each month",)],
        [("The tenant pays the rent",), ("Some other sentence", "on the first day of each month")],
        [("The tenant pays the rent",), ("Between",), ("on the first day of each month",)],
        [("on the first day of each month",), ("The tenant pays the rent",)],
        [("The tenant pays the rent",), ("on the first day of each months",)],
        [("The tenant pays the rent",), ("on the last day of each month",)],
    ],
)
def test_pieces_that_do_not_meet_prove_nothing(pages: list[tuple[str, ...]]) -> None:
    assert not found(document(*pages), VALUE).located


def test_digits_are_not_joined_over_a_break() -> None:
    pages = document(("Paid in the year 20",), ("24 to everybody",))

    assert not found(pages, "Paid in the year 2024 to everybody").located


def test_short_texts_are_not_put_together() -> None:
    pages: tuple[Page, ...] = document(("Ask for New",), ("York is far",)).pages

    assert not found(DocumentIndex.of(pages), "New York").located
