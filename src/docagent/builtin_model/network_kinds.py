"""What kind of document the network takes a paper for, where its headings do not tell."""

from __future__ import annotations

from collections.abc import Sequence

from docagent import reader_model
from docagent.domain.documents.text import Page

_SURE = 0.95
_SORTS = {
    "invoice": "invoice",
    "credit_note": "credit note",
    "order": "order",
    "delivery_note": "delivery note",
    "receipt": "receipt",
    "statement": "bank statement",
    "contract": "contract",
}
"""Kinds of which it is known what they usually carry. Forms and letters carry what they like."""


def sort_by_network(pages: Sequence[Page]) -> str | None:
    """Return the kind of document that a schema is for, or None if the network is not sure or not there."""
    kind = reader_model.kind_of(pages) if reader_model.is_available() else None
    return _SORTS.get(kind.name) if kind is not None and kind.chance >= _SURE else None
