"""The common fields of business papers: what schemas call them and what papers print, as `concepts.toml` says.

Names and labels are sets of meanings (see `docagent.words`), so order and language do not matter.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from docagent.words import listed


class Kind(StrEnum):
    """What a value looks like."""

    DATE = "date"
    AMOUNT = "amount"
    NUMBER = "number"
    CODE = "code"
    NAME = "name"
    TEXT = "text"
    ADDRESS = "address"
    EMAIL = "email"
    PHONE = "phone"
    WEBSITE = "website"
    IBAN = "iban"
    BIC = "bic"
    VAT_ID = "vat_id"
    CURRENCY = "currency"
    PERCENT = "percent"
    BOOLEAN = "boolean"
    DURATION = "duration"
    PLACE = "place"


SHAPED = frozenset({Kind.IBAN, Kind.BIC, Kind.VAT_ID, Kind.EMAIL, Kind.PHONE, Kind.WEBSITE, Kind.CURRENCY})
"""Kinds whose values are known by how they are printed."""
Meanings = frozenset[str]
_FILE = Path(__file__).with_name("concepts.toml")


@dataclass(frozen=True)
class Concept:
    key: str
    kind: Kind
    names: frozenset[Meanings]
    labels: dict[Meanings, float]
    """How surely each label means the concept."""
    harmless: Meanings
    """Meanings that may stand beside a label without changing its meaning."""
    in_row: bool
    """Whether it is a column of a table."""
    of_trade: bool
    """Whether only papers of trade have it."""


@cache
def concepts() -> dict[str, Concept]:
    """Return every concept by its key."""
    entries = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return {key: _concept(key, entry) for key, entry in entries.items()}


def is_of_trade(key: str) -> bool:
    """Return whether the key is that of a concept which only papers of trade have."""
    concept = concepts().get(key)
    return concept is not None and concept.of_trade


def _concept(key: str, entry: dict[str, Any]) -> Concept:
    labels = (label.rsplit(" ", 1) for label in listed(entry.get("labels", "")) if label)
    in_row = entry.get("row", False)
    return Concept(
        key,
        Kind(entry["kind"]),
        frozenset(frozenset(name.split()) for name in listed(entry["names"])),
        {frozenset(meanings.split()): float(weight) for meanings, weight in labels},
        frozenset(entry.get("harmless", "").split()),
        in_row,
        in_row or entry.get("trade", False),
    )
