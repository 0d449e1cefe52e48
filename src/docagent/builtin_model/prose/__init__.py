"""Finds what contracts say in sentences, without labels: parties, dates, governing law, duration."""

from __future__ import annotations

from collections.abc import Callable

from docagent.builtin_model.page.durations import Duration
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.prose.clauses import (
    effective_date_in,
    governing_law_in,
    notice_in,
    term_in,
)
from docagent.builtin_model.prose.parties import parties_in
from docagent.builtin_model.values.candidates import Candidate
from docagent.builtin_model.values.letters import addressee_of

__all__ = ["KEYS", "find", "find_parties"]

_SCORE = 0.6


def find(sheet: Sheet, key: str) -> Candidate | None:
    """Return what the sentences say for one of the `KEYS`."""
    return _FINDERS[key](sheet) if sheet.segments else None


def find_parties(sheet: Sheet) -> list[Candidate]:
    """Return all parties of a contract."""
    if not sheet.segments:
        return []
    return [_said(sheet, name) for name in parties_in(sheet.running_text, addressee_of(sheet))]


def _party(sheet: Sheet, place: int) -> Candidate | None:
    parties = find_parties(sheet)
    return parties[place] if place < len(parties) else None


def _effective_date(sheet: Sheet) -> Candidate | None:
    found = effective_date_in(sheet.running_text, sheet.style)
    return Candidate(found[0], found[1], _SCORE, sheet.segments[0]) if found else None


def _place(sheet: Sheet, find_in: Callable[[str], str | None]) -> Candidate | None:
    place = find_in(sheet.running_text)
    return _said(sheet, place) if place else None


def _duration(sheet: Sheet, find_in: Callable[[str], Duration | None]) -> Candidate | None:
    found = find_in(sheet.running_text)
    return _said(sheet, found.text) if found else None


def _said(sheet: Sheet, text: str) -> Candidate:
    return Candidate(text.strip(), text.strip(), _SCORE, sheet.segments[0])


_FINDERS: dict[str, Callable[[Sheet], Candidate | None]] = {
    "effective_date": _effective_date,
    "parties": lambda sheet: _party(sheet, 0),
    "first_party": lambda sheet: _party(sheet, 0),
    "second_party": lambda sheet: _party(sheet, 1),
    "governing_law": lambda sheet: _place(sheet, governing_law_in),
    "duration": lambda sheet: _duration(sheet, term_in),
    "notice_period": lambda sheet: _duration(sheet, notice_in),
}
KEYS = frozenset(_FINDERS)
"""The concepts that contracts state in sentences."""
