"""The built-in model's reading beside a language model's answer, and what the language model is asked again.

Only single values are asked again, each with the reason: it is not printed on the pages, the built-in model reads
something else, or a sum does not come out. All of them go into one call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docagent import builtin_model
from docagent.domain.documents.text import Line, Page
from docagent.domain.extraction.instructions import Doubt
from docagent.domain.extraction.review import UNPROVEN, places_in
from docagent.domain.extraction.voices import Heard, Voice, Voices, with_voices
from docagent.domain.field_path import FieldPath, leaves
from docagent.domain.problem import Problem
from docagent.evidence.confidence import Calibration, signals_of
from docagent.evidence.grounding import DocumentIndex, locate
from docagent.jsonschema import field_schema
from docagent.reading.printed import squeezed
from docagent.services.extraction.checking import field_problems, proof_of
from docagent.services.extraction.coercing import EMPTY
from docagent.services.extraction.lessons import Filled, heard_from, said_of

Json = dict[str, Any]
MOST_DOUBTS = 20
MOST_PAGES = 20
"""Longer documents are not read by the built-in model besides: it would take longer than the language model."""


@dataclass(frozen=True, slots=True)
class Proof:
    """An answer with everything that is known of its values."""

    data: Json
    problems: list[Problem]
    grounding: Any

    @property
    def printed(self) -> set[FieldPath]:
        """The values that stand in the document."""
        return {path for path, place in places_in(self.grounding) if place["match"] != UNPROVEN}


@dataclass
class Judge:
    """Finds out all that is known of the values of one extraction's answers."""

    pages: list[Page]
    """The pages of the document, and behind them those of its peers."""
    own_pages: int
    schema: Json | None
    is_built_in: bool
    filled: Filled
    recalled: Mapping[str, builtin_model.Recalled]
    calibration: Calibration
    confirmed: set[FieldPath] = field(default_factory=set)
    """What a language model gave again when it was asked a second time."""
    heard: dict[FieldPath, Heard] = field(default_factory=dict)
    reread: dict[int, list[Line]] = field(default_factory=dict)
    """What our readers read besides when they looked at regions of pages again, by the page's number."""

    async def prove(self, data: Json) -> Proof:
        problems = await field_problems(self.schema, data)
        return await asyncio.to_thread(self._prove, data, problems)

    def _prove(self, data: Json, problems: list[Problem]) -> Proof:
        self.heard = {**self._voices(data), **heard_from(self.filled, self.recalled)}
        evidence = {}
        if self.schema is not None:
            evidence = builtin_model.evidence_of(self.pages, self.schema, data, is_own=self.is_built_in)
        voices = {path: one.voices for path, one in self.heard.items()}
        said = replace(said_of(data, self.recalled), voices=voices, evidence=evidence)
        pages = [
            replace(page, lines=(*page.lines, *self.reread.get(page.number, ())))
            for page in self.pages[: self.own_pages]
        ]
        grounding = proof_of(pages, data, self.schema, problems, self.calibration, said)
        return Proof(data, problems, with_voices(grounding, self.heard))

    def _voices(self, data: Json) -> dict[FieldPath, Heard]:
        """Return who gave each value, and what the built-in model says of those of another."""
        if self.schema is None or not (self.is_built_in or len(self.pages) <= MOST_PAGES):
            return {}
        pages = self.pages
        if not self.is_built_in:
            # What one model read is no second voice for another.
            pages = [page.without_model_words() for page in pages]
        own = builtin_model.fill_heard(pages, self.schema)
        if not self.is_built_in:
            return heard_beside(own.data, own.heard, data, self.confirmed)
        return {path: one for path, one in own.heard.items() if path.get(data) == path.get(own.data)}


def heard_beside(
    own: Json, own_voices: Mapping[FieldPath, Heard], data: Json, confirmed: Collection[FieldPath]
) -> dict[FieldPath, Heard]:
    """Return what the built-in model says of a language model's single values, where it says anything.

    `confirmed` are values that the language model gave again when it was shown what else could be meant.
    """
    found = {}
    for path, value in leaves(data):
        other = path.get(own)
        if not _is_single(path) or other in EMPTY:
            continue
        if value in EMPTY:
            known = own_voices.get(path)
            if known is not None and known.voices is Voices.AGREE:
                found[path] = Heard(Voice.MODEL, Voices.DIFFER, (other,))
        elif _is_alike(value, other):
            found[path] = Heard(Voice.MODEL, Voices.AGREE)
        else:
            voices = Voices.ONLY_ONE if path in confirmed else Voices.DIFFER
            found[path] = Heard(Voice.MODEL, voices, (other,))
    return found


def unproven_in(proof: Proof) -> dict[FieldPath, Any]:
    """Return the values, but for checks, that stand nowhere in the words of the pages."""
    return {
        path: path.get(proof.data)
        for path, place in places_in(proof.grounding)
        if place["match"] == UNPROVEN and not isinstance(path.get(proof.data), bool)
    }


def missing_in(proof: Proof, schema: Json | None) -> list[Doubt]:
    """Return the fields that the schema requires with a value, and that are empty."""
    if schema is None:
        return []
    found = []
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        kinds = properties.get(name, {}).get("type")
        is_single = kinds in ("string", "number", "integer")
        if is_single and proof.data.get(name) in EMPTY:
            why = "it was left empty, and the schema requires it"
            found.append(Doubt(FieldPath((name,)), proof.data.get(name), why, is_unproven=True))
    return found


def doubts_in(proof: Proof, heard: Mapping[FieldPath, Heard]) -> list[Doubt]:
    """Return the single values that the language model should look at again, and why.

    What breaks the schema is not among them: the model was told so already.
    """
    broken = {problem.path for problem in proof.problems}
    places = {path: place for path, place in places_in(proof.grounding) if _is_single(path)}
    found = []
    for path, value in leaves(proof.data):
        place, known = places.get(path), heard.get(path)
        rivals = known.rivals if known is not None and known.voices is Voices.DIFFER else ()
        signals = signals_of(place, value) if place is not None else None
        is_unproven = signals is not None and signals.match == UNPROVEN
        why = None
        if rivals:
            why = "it was left empty" if value in EMPTY else "the document can be read otherwise"
        elif signals is not None and is_unproven and signals.kind not in ("text", "flag"):
            why = "it is not printed in the document"
        elif signals is not None and signals.adds_up is False:
            why = "the sums that it is part of do not come out"
        if why is not None and path not in broken:
            found.append(Doubt(path, value, why, rivals, is_unproven))
    return found[:MOST_DOUBTS]


def of_window(doubts: Sequence[Doubt], given: Json, pages: Sequence[Page]) -> list[Doubt]:
    """Return the values that a window is asked about: those it gave, and those with rivals on its pages."""
    index = DocumentIndex.of(pages)
    return [
        one
        for one in doubts
        if (one.said not in EMPTY and one.path.get(given) == one.said)
        or any(_is_printed(index, rival) for rival in one.rivals)
    ]


def _is_printed(index: DocumentIndex, value: Any) -> bool:
    place = None if value in EMPTY else locate(index, value)
    return place is not None and place.match != UNPROVEN


def schema_of(schema: Json, doubts: Sequence[Doubt]) -> Json:
    """Return what the second answer looks like: one property for each doubtful field, named by its JSON Pointer."""
    shared: Json = {name: schema[name] for name in ("$defs", "definitions") if name in schema}
    fields = {doubt.path.pointer: field_schema(schema, doubt.path) for doubt in doubts}
    return {**shared, "type": "object", "properties": fields, "required": list(fields)}


def answered(first: Json, doubts: Sequence[Doubt], answers: Json) -> Json:
    """Return the first answer with what the second says of the doubtful fields. What was printed is not taken away."""
    data = first
    for doubt in doubts:
        value = answers.get(doubt.path.pointer, doubt.said)
        if value != doubt.said and (value not in EMPTY or doubt.is_unproven):
            data = doubt.path.set(data, value)
    return data


def worse_in(second: Proof, first: Proof, doubts: Sequence[Doubt]) -> set[FieldPath]:
    """Return the fields whose first value was printed in the document, and whose second is not."""
    lost = first.printed - second.printed
    return {one.path for one in doubts if one.path in lost}


def _is_alike(one: Any, other: Any) -> bool:
    """Return whether two values say the same. Of two texts, one may say more: `99.50` and `99.50 EUR`."""
    if builtin_model.is_same(one, other):
        return True
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    short, long = sorted((squeezed(one), squeezed(other)), key=len)
    return bool(short) and short in long


def _is_single(path: FieldPath) -> bool:
    return bool(path) and path == path.column
