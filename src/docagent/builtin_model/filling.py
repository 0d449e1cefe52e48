"""Fills a schema from a document's words and boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from docagent.builtin_model import prose
from docagent.builtin_model.candidates import Candidate, find_candidates
from docagent.builtin_model.choosing import THRESHOLD, as_json, best, choose_amounts, matching_choice
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import Field, Schema, field_of, resolved, types_of
from docagent.builtin_model.items import fill_tables
from docagent.builtin_model.lists import fill_list
from docagent.builtin_model.parties import (
    address_after,
    letterhead_names,
    recipient_names,
    section_names,
    whole_name,
)
from docagent.builtin_model.reading import is_sentence, is_true, read_values
from docagent.builtin_model.shapes import letters_share
from docagent.builtin_model.sheet import Sheet, sheet_of
from docagent.builtin_model.till import sum_of_all, weigh_totals
from docagent.domain.text import Page
from docagent.printed import likely_currency

_DEEPEST = 8
_MOST_FIELDS = 1000
_BY_SHAPE = frozenset({Kind.EMAIL, Kind.WEBSITE})
_BY_SHAPE_SCORE = 0.5
_HEADING_ROWS = 25
_LONGEST_HEADING = 9


def fill(pages: Sequence[Page], schema: Schema) -> dict[str, Any]:
    """Return the schema's fields with values printed in the document; null where evidence is weak."""
    return fill_sheet(sheet_of(pages), schema)


def fill_sheet(sheet: Sheet, schema: Schema) -> dict[str, Any]:
    """Fill a schema from a document that is already in rows."""
    return _Filling(sheet, schema).run()


class _Filling:
    """Fills one schema from one document."""

    def __init__(self, sheet: Sheet, schema: Schema) -> None:
        self._sheet = sheet
        self._root = schema
        self._fields: dict[tuple[str, ...], Field] = {}
        self._objects: set[tuple[str, ...]] = set()
        self._chosen: dict[tuple[str, ...], Candidate] = {}
        self._tables: dict[tuple[str, ...], Schema] = {}
        self._lists: dict[tuple[str, ...], list[Any]] = {}

    def run(self) -> dict[str, Any]:
        root = resolved(self._root, self._root)
        self._collect(root, ())
        self._choose()
        self._lists |= fill_tables(self._sheet, self._tables, self._root)
        return self._object(root, ())

    def _collect(self, schema: Schema, path: tuple[str, ...]) -> None:
        for name, part in (schema.get("properties") or {}).items():
            inner = resolved(part, self._root)
            types = types_of(inner)
            here = (*path, name)
            if "object" in types:
                if len(here) < _DEEPEST and len(self._fields) < _MOST_FIELDS:
                    self._objects.add(here)
                    self._collect(inner, here)
            elif "array" in types:
                self._collect_list(name, inner, here)
            else:
                self._fields[here] = field_of(name, inner, path)

    def _collect_list(self, name: str, schema: Schema, path: tuple[str, ...]) -> None:
        items = resolved(schema.get("items"), self._root)
        if items.get("properties"):
            self._tables[path] = items
        elif not types_of(items) & {"object", "array"}:
            one = {"description": schema.get("description", ""), **items}
            self._lists[path] = fill_list(self._sheet, field_of(name, one, path[:-1]))

    def _choose(self) -> None:
        candidates = {path: self._candidates(field) for path, field in self._fields.items()}
        by_key = {field.key: found for path, field in self._fields.items() for found in [candidates[path]]}
        together = choose_amounts(by_key)
        for path, field in self._fields.items():
            chosen = together.get(field.key) if field.kind is Kind.AMOUNT else None
            chosen = chosen or best(candidates[path])
            if chosen is not None:
                self._chosen[path] = chosen
            if chosen is not None and field.kind is Kind.NAME:
                name = whole_name(self._sheet, chosen)
                self._chosen[path] = replace(chosen, value=name, text=name)
        self._find_by_layout()

    def _candidates(self, field: Field) -> list[Candidate]:
        found = find_candidates(self._sheet, field)
        if field.kind is Kind.NAME:
            found += section_names(self._sheet, field)
        elif field.key == "total":
            found = weigh_totals(self._sheet, found)
        return found

    def _find_by_layout(self) -> None:
        """Find fields that need no label: sender, recipient, address, date."""
        labelled = (self._chosen.get(path) for path, field in self._fields.items() if field.key == "supplier")
        supplier = next((one for one in labelled if one), None) or best(list(letterhead_names(self._sheet)))
        for path, field in self._fields.items():
            found = self._in_prose(path, field) or self._by_layout(field, supplier)
            if found is not None and found.score >= THRESHOLD:
                self._chosen[path] = found

    def _in_prose(self, path: tuple[str, ...], field: Field) -> Candidate | None:
        """Return what a sentence says, else what a label points at, unless that is only where the sentence begins."""
        if field.key not in prose.KEYS:
            return self._chosen.get(path)
        labelled = self._chosen.pop(path, None)
        said = prose.find(self._sheet, field.key)
        return said or (labelled if labelled and not is_sentence(labelled.text) else None)

    def _by_layout(self, field: Field, supplier: Candidate | None) -> Candidate | None:
        if field.kind in _BY_SHAPE:
            return self._by_shape(field)
        finders: dict[str, Callable[[], Candidate | None]] = {
            "supplier": lambda: supplier,
            "buyer": lambda: best(list(recipient_names(self._sheet, supplier.text if supplier else None))),
            "address": lambda: address_after(self._sheet, supplier.segment) if supplier else None,
            "invoice_date": self._first_date,
            "effective_date": self._first_date,
            "total": lambda: sum_of_all(self._sheet),
            "title": self._title,
            "currency": self._currency,
        }
        finder = finders.get(field.key)
        return finder() if finder else None

    def _first_date(self) -> Candidate | None:
        """Return the first date of the document. It counts for more if there is no other date."""
        dated = [(segment, found) for segment in self._sheet.segments for found in segment.dates]
        if not dated:
            return None
        segment, found = dated[0]
        alone = len({one.value for _, one in dated}) == 1
        return Candidate(found.value, segment.text[found.start : found.end], 0.6 if alone else 0.45, segment)

    def _title(self) -> Candidate | None:
        """Return the largest line in the upper part of the first page."""
        rows = [row for row in self._sheet.rows[:_HEADING_ROWS] if row[0].page == 0]
        segments = [
            one for row in rows for one in row if letters_share(one.text) > 0.5 and not is_sentence(one.text)
        ]
        if not segments:
            return None
        largest = max(segments, key=lambda one: round(one.height))
        clear = largest.height > 1.25 * self._sheet.height
        return Candidate(largest.text, largest.text, 0.5 if clear else 0.2, largest)

    def _currency(self) -> Candidate | None:
        code = likely_currency(self._sheet.text)
        return Candidate(code, code, 0.6, self._sheet.segments[0]) if code else None

    def _by_shape(self, field: Field) -> Candidate | None:
        found = [
            (segment, value)
            for segment in self._sheet.segments
            for value in read_values(field.kind, segment.text, self._sheet.style)
        ]
        if len({str(value.value) for _, value in found}) != 1:
            return None
        segment, value = found[0]
        return Candidate(value.value, value.text, _BY_SHAPE_SCORE, segment)

    def _object(self, schema: Schema, path: tuple[str, ...]) -> dict[str, Any]:
        filled: dict[str, Any] = {}
        for name, part in (schema.get("properties") or {}).items():
            inner = resolved(part, self._root)
            types = types_of(inner)
            here = (*path, name)
            if here in self._fields:
                filled[name] = self._scalar(here)
            elif "array" in types:
                filled[name] = self._lists.get(here, [])
            elif here in self._objects:
                filled[name] = self._object(inner, here)
            else:
                filled[name] = None
        return filled

    def _scalar(self, path: tuple[str, ...]) -> Any:
        field = self._fields[path]
        if "const" in field.schema:
            return None
        chosen = self._chosen.get(path)
        if field.kind is Kind.BOOLEAN:
            return is_true(chosen.text) if chosen else None
        if chosen is None:
            return self._choice_in_headings(field)
        return as_json(chosen.value, chosen.text, field)

    def _choice_in_headings(self, field: Field) -> Any:
        """Return the choice that a heading in the upper part of the first page names."""
        choices = field.schema.get("enum") or []
        for row in self._sheet.rows[:_HEADING_ROWS]:
            for segment in row:
                if segment.page == 0 and len(segment.text.split()) <= _LONGEST_HEADING:
                    choice = matching_choice(segment.text, choices)
                    if choice is not None:
                        return choice
        return None
