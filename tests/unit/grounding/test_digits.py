"""Digits are parted where the value parts them."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.domain.documents.text import Page
from docagent.evidence.grounding.model import MatchKind
from tests.support.tables import table
from tests.unit.grounding.made_documents import found, scanned, written

Maker = Callable[..., Page]

DIFFERENT = [
    ("2/4/20", "04/24/20"),
    ("2/4/20", "2/42/0"),
    ("4/2/2020", "42/2020"),
    ("04/24/20", "0/42/420"),
    ("2.4", "2, 4,"),
    ("2.4", "2, 4 and 7"),
    ("2.14", "2, 14, 16"),
    ("2.4", "24"),
    ("2.4", "2/4"),
    (2.4, "2, 4,"),
    (2.4, "24"),
    (24, "2.4"),
    (24, "2 4"),
    ("2.4 million", "24 million"),
    ("2.4 million", "4.2 million"),
    ("2.4 million", "2, 4 million"),
    ("24 million", "2.4 million"),
    ("2, 4 million", "2.4 million"),
    ("2.4 million", "2-4 million"),
    ("Room 24", "Room 2 4"),
    ("Room 2 4", "Room 24"),
    ("Section 1.12", "Section 11.2"),
    ("Section 1.12", "Section 1 12"),
    ("version 1.23", "version 12.3"),
    ("12:30 noon", "1:230 noon"),
    ("No. 12-345", "No. 123-45"),
    ("No. 12/34", "No. 123/4"),
    (42420, "4/24/20"),
    ("42420", "4/24/20"),
    (123456, "12/34/56"),
    ("123456789", "1.234.567,89"),
    ("A1-23", "A12-3"),
]
"""Values, and what is printed instead of them: the same digits, parted elsewhere."""

SAME = [
    ("2/4/20", "2/4/20"),
    ("2.4", "2,4"),
    ("2.4 million", "2,4 million"),
    ("2/4/20", "02/04/20"),
    ("12345", "123-45"),
    ("1234567 units", "1,234,567 units"),
    ("1,234 units", "1234 units"),
    ("DE88200800000970375700", "DE88 2008 0000 0970 3757 00"),
    ("DE88 2008 0000 0970 3757 00", "DE88200800000970375700"),
    ("030 123 456 78", "03012345678"),
    ("123-45-6789", "1 2 3 4 5 6 7 8 9"),
    ("No. 12/34", "No. 12-34"),
    ("Section 1.12", "Section 1.12,"),
    ("24.04.2020 noon", "24/04/2020 noon"),
    ("Floor 2, Room 4", "Floor 2 Room 4"),
]
"""Values, and other forms of them."""


@table("page", [written, scanned])
@table(("value", "printed"), DIFFERENT)
def test_digits_parted_elsewhere_prove_nothing(page: Maker, value: str | float, printed: str) -> None:
    assert found(page("Something else entirely", f"See {printed} there"), value).match is MatchKind.UNPROVEN


@table(("value", "printed"), SAME)
def test_digits_parted_alike_are_found(value: str, printed: str) -> None:
    assert found(written("Something else entirely", f"See {printed} there"), value).located


@table("page", [written, scanned])
def test_words_in_another_order_keep_their_numbers(page: Maker) -> None:
    printed = page("Payee Katharine Huffman 4.2 there")

    assert not found(printed, "Huffman, Katharine 2.4").located
    assert found(printed, "Huffman, Katharine 4.2").located


def test_a_number_that_recognition_tore_apart_is_found() -> None:
    assert found(scanned("Total 8. 20 thanks"), 8.20).located
    assert found(scanned("Total 1, 234.50 thanks"), 1234.50).located


GROUPS = st.lists(st.integers(1, 99), min_size=2, max_size=4)


@settings(max_examples=60)
@given(GROUPS, GROUPS, st.sampled_from("/:-"))
def test_groups_of_digits_prove_only_the_same_groups(one: list[int], other: list[int], mark: str) -> None:
    """Both are printed with letters before, so that neither is a date or a number in another form."""
    value, printed = (f"Kx {mark.join(map(str, groups))} end" for groups in (one, other))

    assert found(written(f"See {printed} there"), value).located == (one == other)


@settings(max_examples=40)
@given(st.integers(0, 999), st.integers(0, 99), st.sampled_from((". ", ", ", " ", "")))
def test_a_decimal_number_is_not_proven_by_two_numbers(whole: int, cents: int, gap: str) -> None:
    printed = f"See {whole}{gap}{cents}, there"

    assert not found(written(printed), f"{whole}.{cents} km").located
