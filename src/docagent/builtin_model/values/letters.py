"""Reads a letter's frame: to whom it is written, what it is about, who signed it."""

from __future__ import annotations

from docagent.builtin_model.page.reading import is_label, is_sentence
from docagent.builtin_model.page.shapes import has_hard_legal_form, is_address_line, letters_share
from docagent.builtin_model.page.sheet import Segment, Sheet, text_of
from docagent.builtin_model.values.candidates import Candidate
from docagent.words import any_of

_HEAD_ROWS = 40
_LONGEST_BLOCK = 10
_SCORE = 0.5
_LONGEST_SUBJECT = 12


def addressee_of(sheet: Sheet) -> str | None:
    """Return the first line of the letter's address, or None if the document is no letter."""
    greeting = _greeting(sheet)
    if greeting is None:
        return None
    for place in range(greeting - 1, max(greeting - _LONGEST_BLOCK, 0) - 1, -1):
        if any(segment.dates for segment in sheet.rows[place]):
            return text_of(sheet.rows[place + 1]).strip(" ,") if place + 1 < greeting else None
    return None


def subject_of(sheet: Sheet) -> Candidate | None:
    """Return the line right above the salutation, if it says what the letter is about."""
    greeting = _greeting(sheet)
    if not greeting:
        return None
    line = sheet.rows[greeting - 1][0]
    return None if line.dates or not _is_line_of_words(line) else _found(line)


def signer_of(sheet: Sheet) -> Candidate | None:
    """Return the first line under the regards that can be a name."""
    says_regards = any_of("letters", "regards").match
    regards = next((place for place, row in enumerate(sheet.rows) if says_regards(row[0].text)), None)
    if regards is None or _greeting(sheet) is None:
        return None
    names = (row[0] for row in sheet.rows[regards + 1 : regards + 4] if not says_regards(row[0].text))
    people = (line for line in names if not has_hard_legal_form(line.text) and ":" not in line.text)
    return next(
        (_found(line) for line in people if _is_line_of_words(line) and not is_sentence(line.text)), None
    )


def _greeting(sheet: Sheet) -> int | None:
    greetings = any_of("letters", "greetings")
    rows = enumerate(sheet.rows[:_HEAD_ROWS])
    return next((place for place, row in rows if greetings.match(text_of(row))), None)


def _is_line_of_words(line: Segment) -> bool:
    return (
        letters_share(line.text) > 0.6
        and len(line.text.split()) <= _LONGEST_SUBJECT
        and not is_address_line(line.text)
        and not is_label(line.text)
    )


def _found(line: Segment) -> Candidate:
    return Candidate(line.text, line.text, _SCORE, line)
