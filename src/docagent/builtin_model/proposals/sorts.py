"""Tells what a schema for a document should be like: the kind that its headings name, corrected by its content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from docagent import reader_model
from docagent.builtin_model.page.kinds import document_kind
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.domain.documents.text import Page
from docagent.reading.printed import fold
from docagent.words import any_of, words

_TIME = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])")
_TO_PAY = frozenset({"due", "iban", "buyer"})
_LONGEST_TILL = 90
_LIKE_TILL = 2
_NARROW = 0.6
"""Width by height: narrower than any sheet of paper, of which legal is the narrowest."""
_MAYBE_TILL = frozenset({None, "invoice", "receipt", "order"})
_AD_WORDS = (frozenset({"advertiser"}), frozenset({"flight", "spots", "spot", "broadcast"}))
_MAYBE_ADVERTISING = frozenset({None, "contract", "order", "report"})
_MAYBE_AGREEMENT = frozenset({None, "report"})
_OPENING_ROWS = 12
_NETWORK_IS_SURE = 0.95
_BY_NETWORK = {
    "invoice": "invoice",
    "credit_note": "credit note",
    "order": "order",
    "delivery_note": "delivery note",
    "receipt": "receipt",
    "statement": "bank statement",
    "contract": "contract",
}
"""Kinds of which it is known what they usually carry. Forms and letters carry what they like."""


def sort_of(sheet: Sheet) -> str | None:
    """Return the kind of document that a schema is for, or None if nothing tells."""
    kind = document_kind(sheet)
    printed = {word for segment in sheet.segments for word in _words(segment)}
    if kind in _MAYBE_ADVERTISING and all(printed & some for some in _AD_WORDS):
        return "advertising order"
    if kind in _MAYBE_TILL and _is_till(sheet, printed):
        return "receipt"
    if kind == "receipt" and any_of("papers", "addressed").search(sheet.text):
        return "invoice"
    if kind in _MAYBE_AGREEMENT and _opens_as_agreement(sheet):
        return "contract"
    return kind


def sort_by_network(pages: Sequence[Page]) -> str | None:
    """Return the kind of document that a schema is for, or None if the network is not sure or not there."""
    kind = reader_model.kind_of(pages) if reader_model.is_available() else None
    return _BY_NETWORK.get(kind.name) if kind is not None and kind.chance >= _NETWORK_IS_SURE else None


def _words(segment: Segment) -> list[str]:
    return re.findall(r"[a-z]+", fold(segment.text))


def _is_till(sheet: Sheet, printed: set[str]) -> bool:
    """Return whether the paper comes from a till: paid at once, at a time of the day, by nobody who is named."""
    if len(sheet.page_sizes) != 1 or len(sheet.rows) > _LONGEST_TILL:
        return False
    if any(_TO_PAY & segment.meanings and "change" not in segment.meanings for segment in sheet.segments):
        return False
    width, height = sheet.page_sizes[0]
    signs = min(len(printed & _of_a_till()), _LIKE_TILL)
    signs += any_of("papers", "thanks").search(sheet.text) is not None
    signs += any(_TIME.search(segment.text) for segment in sheet.segments)
    signs += bool(height) and width / height < _NARROW
    return signs >= _LIKE_TILL and any(segment.amounts for segment in sheet.segments)


def _opens_as_agreement(sheet: Sheet) -> bool:
    opening = "\n".join(" ".join(one.text for one in row) for row in sheet.rows[:_OPENING_ROWS])
    names_parties = any(any_of("contract", key).search(opening) for key in ("between", "parties"))
    return names_parties and any_of("kinds", "contract").search(opening) is not None


@cache
def _of_a_till() -> frozenset[str]:
    return frozenset(map(fold, words("papers")["till"]))
