"""Finds values that need no label, by where and how they stand: sender, recipient, addresses, title."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.kinds import document_kind, names_kind
from docagent.builtin_model.page.reading import is_label, is_sentence
from docagent.builtin_model.page.shapes import letters_share
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.builtin_model.values.candidates import Candidate
from docagent.builtin_model.values.choosing import best
from docagent.builtin_model.values.parties import address_after, letterhead_names, recipient_names
from docagent.reading.printed import likely_currency, squeezed
from docagent.words import words

_BY_SHAPE_SCORE = 0.5
_HEADING_ROWS = 25
_HEAD_ROWS = 8
_LONGEST_BANK = 5
_ABOUT_EQUAL = 0.85
_PURCHASE_ORDER = "purchase order"
_SENT_BY_THE_BUYER = frozenset({"order", _PURCHASE_ORDER})


class ByLayout:
    """Looks at one document. Parties that labels name are asked for: the layout tells the others."""

    def __init__(
        self, sheet: Sheet, labelled: Callable[[str], Candidate | None], asked: frozenset[str] = frozenset()
    ) -> None:
        self._sheet = sheet
        self._asked = asked
        self._labelled = labelled
        self._finders: dict[str, Callable[[], Candidate | None]] = {
            "supplier": lambda: self._supplier,
            "buyer": lambda: self._buyer,
            "sender": lambda: self._letterhead if self._is_of_the_kind else None,
            "holder": lambda: self._buyer,
            "receiver": lambda: self._recipient if self._is_of_the_kind else None,
            "address": lambda: self._address_of(self._supplier),
            "buyer_address": lambda: self._address_of(self._buyer),
            "holder_address": lambda: self._address_of(self._buyer),
            "ship_to_address": lambda: self._address_of(self._labelled("ship_to")),
            "invoice_date": self._first_date,
            "bank": self._bank,
            "title": self._title,
            "currency": self._currency,
        }

    def find(self, field: Field) -> Candidate | None:
        finder = self._finders.get(field.key)
        return finder() if finder else None

    @cached_property
    def _letterhead(self) -> Candidate | None:
        return best(list(letterhead_names(self._sheet)))

    @cached_property
    def _is_of_the_kind(self) -> bool:
        """Whether the document speaks of what is asked: no delivery note has a patient."""
        terms = self._asked & words("terms").keys()
        return bool(self._sheet.with_meanings(terms)) if terms else False

    @cached_property
    def _is_of_the_buyer(self) -> bool:
        """Whether the letterhead is the buyer's: who orders sends the order."""
        kind, head = document_kind(self._sheet), self._letterhead
        supplier = self._labelled("supplier")
        if supplier is not None:
            is_another = head is not None and squeezed(supplier.text) != squeezed(head.text)
            return is_another and kind in _SENT_BY_THE_BUYER
        return kind == _PURCHASE_ORDER and self._labelled("buyer") is None

    @cached_property
    def _supplier(self) -> Candidate | None:
        return self._labelled("supplier") or (self._recipient if self._is_of_the_buyer else self._letterhead)

    @cached_property
    def _buyer(self) -> Candidate | None:
        labelled = self._labelled("buyer")
        return labelled or (self._letterhead if self._is_of_the_buyer else self._recipient)

    @cached_property
    def _recipient(self) -> Candidate | None:
        sender = self._letterhead if self._is_of_the_buyer else self._supplier
        return best(list(recipient_names(self._sheet, sender.text if sender else None)))

    def _address_of(self, party: Candidate | None) -> Candidate | None:
        return address_after(self._sheet, party.segment) if party else None

    def _first_date(self) -> Candidate | None:
        """Return the first date of the document. It counts for more if there is no other date."""
        dated = [(segment, found) for segment in self._sheet.segments for found in segment.dates]
        if not dated:
            return None
        segment, found = dated[0]
        alone = len({one.value for _, one in dated}) == 1
        return Candidate(found.value, segment.text[found.start : found.end], 0.6 if alone else 0.45, segment)

    def _bank(self) -> Candidate | None:
        """Return the bank in the letterhead: a few words, of which one is `bank`."""
        for segment in self._sheet.with_meanings(["bank"]):
            few = len(segment.text.split()) <= _LONGEST_BANK and not any(map(str.isdigit, segment.text))
            if segment.page == 0 and segment.row < _HEAD_ROWS and few and not is_label(segment.text):
                return Candidate(segment.text, segment.text, _BY_SHAPE_SCORE, segment)
        return None

    def _title(self) -> Candidate | None:
        """Return the largest line in the upper part of the first page, of about equal ones that names a kind."""
        rows = [row for row in self._sheet.rows[:_HEADING_ROWS] if row[0].page == 0]
        segments = [one for row in rows for one in row if _may_be_title(one)]
        if not segments:
            return None
        largest = max(segments, key=lambda one: round(one.height))
        about_equal = [one for one in segments if one.height > _ABOUT_EQUAL * largest.height]
        largest = next((one for one in about_equal if names_kind(one, self._sheet)), largest)
        clear = largest.height > 1.25 * self._sheet.height
        return Candidate(largest.text, largest.text, 0.5 if clear else 0.2, largest)

    def _currency(self) -> Candidate | None:
        code = likely_currency(self._sheet.text)
        return Candidate(code, code, 0.6, self._sheet.segments[0]) if code else None


def _may_be_title(segment: Segment) -> bool:
    """Return whether a line can be a title: words, and no label with its value, no stamp with a day, no sentence."""
    text = segment.text
    labelled = "=" in text or ":" in text
    return letters_share(text) > 0.5 and not (labelled or segment.dates or is_sentence(text))
