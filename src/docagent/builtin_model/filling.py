"""Fills a schema from a document's words and boxes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from docagent.builtin_model import prose
from docagent.builtin_model.asked.concepts import Kind, is_of_trade
from docagent.builtin_model.asked.fields import Field, Schema, field_of
from docagent.builtin_model.lists import fill_list
from docagent.builtin_model.page.kinds import may_be_trade
from docagent.builtin_model.page.marks import chosen_marks, flag
from docagent.builtin_model.page.pairs import find_pairs
from docagent.builtin_model.page.reading import is_sentence, is_true
from docagent.builtin_model.page.sheet import Sheet, upright_of
from docagent.builtin_model.tables.items import fill_tables
from docagent.builtin_model.values.by_layout import ByLayout
from docagent.builtin_model.values.candidates import Candidate, find_candidates
from docagent.builtin_model.values.captioned import captioned, captions_in, in_groups, meant_by
from docagent.builtin_model.values.choosing import THRESHOLD, as_json, best, choose_amounts, matching_choice
from docagent.builtin_model.values.evidence import Evidence, Proposals, scalars_in
from docagent.builtin_model.values.mentions import Mentions
from docagent.builtin_model.values.network import single_fields
from docagent.builtin_model.values.parties import section_names, whole_name
from docagent.builtin_model.values.till import weigh_totals
from docagent.builtin_model.voices import Joined, joined
from docagent.domain.documents.text import Page
from docagent.domain.field_path import FieldPath
from docagent.jsonschema import resolved, types_of
from docagent.reading.printed import atoms_of, squeezed

_DEEPEST = 8
_ADD_UP = ("net", "tax", "total")
_AMOUNT = {"type": "number"}
_MOST_FIELDS = 1000
_HEADING_ROWS = 25
_LONGEST_HEADING = 9
_MOST_KEPT = 8
_MOST_WEIGHED = 4000
"""In segments: the evidence in longer documents takes long to collect."""
_NOT_ASKED: Mapping[int, float] = {}
_LAST: dict[tuple[int, str], Joined] = {}
"""Whoever stores a result asks for its voices after its values: the same question again."""


def fill(pages: Sequence[Page], schema: Schema) -> dict[str, Any]:
    """Return the schema's fields with values printed in the document; null where evidence is weak."""
    return fill_heard(pages, schema).data


def fill_heard(pages: Sequence[Page], schema: Schema) -> Joined:
    """Fill a schema, and tell which voice found each value. The last answers are kept for who asks again."""
    key = (hash(tuple(map(_identity, pages))), json.dumps(schema, sort_keys=True))
    known = _LAST.get(key)
    if known is None:
        document = upright_of(pages)
        filling = _Filling(document.sheet, schema)
        known = joined(document.pages, document.sheet, schema, filling.run(), filling.candidates)
        _LAST[key] = known
        while len(_LAST) > _MOST_KEPT:
            _LAST.pop(next(iter(_LAST)), None)
    return replace(known, data=deepcopy(known.data), heard=dict(known.heard))


def evidence_of(pages: Sequence[Page], schema: Schema, data: Any, *, is_own: bool) -> dict[FieldPath, float]:
    """Return what the pages speak for each single value of the data, by its path; nothing of very long documents.

    Of its own answers (`is_own`) the built-in model knows besides which of its voices proposed them.
    """
    sheet = upright_of(pages).sheet
    if len(sheet.segments) > _MOST_WEIGHED:
        return {}
    if is_own:
        evidence = fill_heard(pages, schema).evidence
    else:
        evidence = Evidence(Mentions(sheet), single_fields(schema), Proposals())
    if evidence is None:
        return {}
    given = scalars_in(data, evidence.fields)
    return {FieldPath(path): evidence.score(path, value, given) for path, value in given.items()}


def _identity(page: Page) -> tuple[object, ...]:
    return page.number, page.width, page.height, page.lines, page.ruling, str(page.other_readings)


def fill_sheet(sheet: Sheet, schema: Schema) -> dict[str, Any]:
    """Fill a schema by rules alone, from a document that is already in rows."""
    return _Filling(sheet, schema).run()


class _Filling:
    """Fills one schema from one document."""

    def __init__(self, sheet: Sheet, schema: Schema) -> None:
        self._sheet = sheet
        self._pairs = find_pairs(sheet)
        self._captions = captions_in(self._pairs)
        self._may_be_trade = may_be_trade(sheet)
        self._root = schema
        self._fields: dict[tuple[str, ...], Field] = {}
        self._objects: set[tuple[str, ...]] = set()
        self._chosen: dict[tuple[str, ...], Candidate] = {}
        self.candidates: dict[tuple[str, ...], list[Candidate]] = {}
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
            one = field_of(name, {"description": schema.get("description", ""), **items}, path[:-1])
            ticked = chosen_marks(self._sheet.marks, items.get("enum") or [])
            self._lists[path] = fill_list(self._sheet, one) if ticked is None else ticked

    def _choose(self) -> None:
        meant = meant_by(self._pairs, list(self._fields.values()))
        candidates = {
            path: self._candidates(field, by_meaning)
            for (path, field), by_meaning in zip(self._fields.items(), meant, strict=True)
        }
        self.candidates = candidates
        by_key = {field.key: found for path, field in self._fields.items() for found in [candidates[path]]}
        if by_key.keys() & set(_ADD_UP):
            by_key |= {key: self._candidates(field_of(key, _AMOUNT)) for key in _ADD_UP if key not in by_key}
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

    def _candidates(self, field: Field, meant: Mapping[int, float] = _NOT_ASKED) -> list[Candidate]:
        if is_of_trade(field.key) and not self._may_be_trade:
            return []
        labelled = [in_groups(self._pairs, field, one) for one in find_candidates(self._sheet, field)]
        found = [one for one in labelled if squeezed(one.text) not in self._captions]
        if field.kind is Kind.NAME:
            found += [one for one in section_names(self._sheet, field) if not self._is_caption(one.text)]
        found += captioned(self._pairs, field, self._sheet.style, meant)
        if field.key == "total":
            found = weigh_totals(self._sheet, found)
        return found

    def _is_caption(self, text: str) -> bool:
        """Whether it stands before a value and says what that is. A name that stands beside a date says nothing."""
        return squeezed(text) in self._captions and any(
            atom.is_known or atom.is_term for atom in atoms_of(text)
        )

    def _find_by_layout(self) -> None:
        """Find fields that need no label: sender, recipient, address, date."""
        asked = frozenset().union(*(field.meanings for field in self._fields.values()))
        layout = ByLayout(self._sheet, self._labelled_party, asked)
        for path, field in self._fields.items():
            in_layout = self._may_be_trade or not is_of_trade(field.key)
            found = self._in_prose(path, field) or (layout.find(field) if in_layout else None)
            if found is not None and found.score >= THRESHOLD:
                self._chosen[path] = found

    def _labelled_party(self, key: str) -> Candidate | None:
        """Return the party that a label names, whether the schema asks for it or not."""
        asked = [path for path, field in self._fields.items() if field.key == key]
        if asked:
            return next((self._chosen[path] for path in asked if path in self._chosen), None)
        return best(self._candidates(field_of(key, {"type": "string"})))

    def _in_prose(self, path: tuple[str, ...], field: Field) -> Candidate | None:
        """Return what a sentence says, else what a label points at, unless that is only where the sentence begins."""
        if field.key not in prose.KEYS:
            return self._chosen.get(path)
        labelled = self._chosen.pop(path, None)
        said = prose.find(self._sheet, field.key)
        return said or (labelled if labelled and not is_sentence(labelled.text) else None)

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
            marked = flag(self._sheet.marks, field)
            return marked if marked is not None or not chosen else is_true(chosen.text)
        ticked = chosen_marks(self._sheet.marks, field.schema.get("enum") or [], field)
        if ticked is not None:
            return ticked[0] if len(ticked) == 1 else None
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
