"""What speaks for a value of a field and against it, as numbers by name: what a fitted score weighs.

Names begin with the family they belong to: `label`, `rivals`, `type`, `place`, `sums`, `text`, `rules`, `network`;
`silent` are some of them once more, where rules found nothing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from docagent.builtin_model.asked.asking import described_meanings
from docagent.builtin_model.asked.concepts import SHAPED, Kind
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page import shapes
from docagent.builtin_model.page.reading import is_label, is_sentence
from docagent.builtin_model.values.candidates import Candidate
from docagent.builtin_model.values.choosing import Json, as_json
from docagent.builtin_model.values.mentions import Direction, Mention, Mentions
from docagent.builtin_model.values.network import Said, same
from docagent.domain.field_path import FieldPath

Features = dict[str, float]
Where = tuple[str, ...]

_WORTH = {Direction.INLINE: 1.0, Direction.LEFT: 0.97, Direction.ABOVE: 0.88, Direction.HEAD: 0.5}
_NUMBERS = frozenset({Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT})
_MOST_AMOUNTS = 40
_MANY = 30
_GTIN = frozenset({8, 12, 13, 14})
_OF_NETWORK, _OF_RULES, _OF_CAPTIONS, _OF_DESCRIBED, _OF_FEW = 4, 3, 3, 2, 2
"""How many candidates each source proposes for a field."""
_IF_SILENT = (
    "label, label left, label above, label described, network own, network sure, network very sure, "
    "network sure of another, rivals margin, rivals want it, rivals twice given, rivals none, place alone, "
    "type number, type date, type code, type shape, type text, type unknown"
)
"""What counts for something else where rules found nothing: the paper may not have the field at all."""


@dataclass(frozen=True, slots=True)
class _Captioned:
    """A printed value, and how well its best captions fit a field."""

    value: Json
    worth: float
    described: float


@dataclass(frozen=True)
class Proposals:
    """What the voices propose for the single fields of a document. None: the voice was not asked."""

    rules: Mapping[Where, Sequence[Candidate]] | None = None
    chosen: Mapping[Where, Json] = field(default_factory=dict)
    """What rules gave in the end."""
    network: Mapping[Where, Sequence[Said]] | None = None


class Evidence:
    """Weighs nothing itself: collects what is known of any value that a field of the document could have."""

    def __init__(self, mentions: Mentions, fields: Mapping[Where, Field], proposals: Proposals) -> None:
        self._mentions = mentions
        self.fields = fields
        self.proposals = proposals
        self._labels: dict[tuple[Where, int, int, int], Features] = {}
        self._best: dict[Where, list[_Captioned]] = {}

    def with_proposals(self, proposals: Proposals) -> Evidence:
        """Return the evidence as it would be if the voices proposed something else."""
        other = Evidence(self._mentions, self.fields, proposals)
        other._labels, other._best = self._labels, self._best
        return other

    def candidates(self, path: Where) -> list[Json]:
        """Return the values that a field could have: what the voices propose, and what captions point at."""
        asked = self.fields[path]
        found: list[Json] = [one.value for one in (self.proposals.network or {}).get(path, ())[:_OF_NETWORK]]
        rules = (self.proposals.rules or {}).get(path, ())[:_OF_RULES]
        found += [as_json(one.value, one.text, asked) for one in rules]
        ranked = self._ranked(path)
        found += [one.value for one in ranked[:_OF_CAPTIONS] if one.worth > 0]
        described = sorted(ranked, key=lambda one: -one.described)
        found += [one.value for one in described[:_OF_DESCRIBED] if one.described > 0]
        if len(ranked) <= _OF_FEW:
            found += [one.value for one in ranked]
        different: list[Json] = []
        for value in found:
            if value not in (None, "") and not any(same(value, one) for one in different):
                different.append(value)
        return different

    def of(self, path: Where, value: Json, given: Mapping[Where, Json]) -> Features:
        """Return the features of one value of a field; `given` has the values of the other fields."""
        asked = self.fields[path]
        found = _of_type(asked, value)
        places = self._mentions.saying(asked, value)
        label = 0.0
        if places:
            here = max(places, key=lambda one: self._label(path, one)["label"])
            told = self._label(path, here)
            label = told["label"]
            found |= told | self._of_place(here) | self._wanted_elsewhere(path, here, label)
            found["place repeated"] = min(len(places), 4) / 4
        else:
            found["place none"] = 1.0
        found |= self._rivals(path, value, label)
        found |= self._of_sums(value) if isinstance(value, int | float) else _of_text(str(value))
        twice = any(other != path and same(value, one) for other, one in given.items())
        found["rivals twice given"] = float(twice)
        found |= self._of_rules(path, value) | self._of_network(path, value)
        group = _group(asked.kind)
        for name in ("label", "network own", "rules own"):
            if found.get(name):
                found[f"{name} of {group}"] = found[name]
        if found.get("rules silent"):
            found |= {f"silent {name}": found[name] for name in _IF_SILENT.split(", ") if found.get(name)}
        return found

    def score(self, path: Where, value: Json, given: Mapping[Where, Json]) -> float:
        """Return what all of it speaks for the value: the more above 0, the surer it is right."""
        weights = _weights()
        found = {"always": 1.0, **self.of(path, value, given)}
        return round(sum(weights.get(name, 0.0) * number for name, number in found.items()), 3)

    # --- captions ---------------------------------------------------------------------------------------------

    def _label(self, path: Where, mention: Mention) -> Features:
        key = (path, mention.segment.row, mention.segment.place, mention.start)
        known = self._labels.get(key)
        if known is None:
            known = self._labels[key] = self._find_label(self.fields[path], mention)
        return known

    def _find_label(self, asked: Field, mention: Mention) -> Features:
        found: Features = {"label": 0.0}
        described = described_meanings(str(asked.schema.get("description") or ""))
        words = asked.meanings.union(filter(None, described))
        for caption in self._mentions.captions(mention):
            strength = self._mentions.strength(caption, asked)
            worth = _WORTH[caption.direction] * strength
            if strength:
                found[f"label {caption.direction}"] = strength
            found["label"] = max(found["label"], worth)
            said = {one for one in caption.meanings if one.isalpha() and len(one) > 1}
            if said and len(said) <= 6:
                share = _WORTH[caption.direction] * len(said & words) / len(said)
                found["label described"] = max(found.get("label described", 0.0), share)
        return found

    def _wanted_elsewhere(self, path: Where, mention: Mention, label: float) -> Features:
        """Return how much more another field's name fits the captions of a place."""
        others = (
            _WORTH[caption.direction] * self._mentions.strength(caption, other)
            for caption in self._mentions.captions(mention)
            for where, other in self.fields.items()
            if where != path
        )
        return {"rivals want it": max(0.0, max(others, default=0.0) - label)}

    def _rivals(self, path: Where, value: Json, label: float) -> Features:
        others = [one.worth for one in self._ranked(path) if not same(one.value, value)]
        best = others[0] if others else 0.0
        close = sum(worth >= label - 0.05 for worth in others) if label else 0
        return {
            "rivals margin": label - best,
            "rivals better": float(best > label),
            "rivals close": min(close, 4) / 4,
            "rivals none": float(not others),
            "rivals many": math.log1p(min(len(others), _MANY)) / math.log1p(_MANY),
        }

    def _ranked(self, path: Where) -> list[_Captioned]:
        """Return the different values of a field's type with the worth of their captions, best first."""
        known = self._best.get(path)
        if known is None:
            best: dict[str, _Captioned] = {}
            for one in self._mentions.of(self.fields[path]):
                label = self._label(path, one)
                before = best.get(str(one.value), _Captioned(one.value, 0.0, 0.0))
                worth, described = label["label"], label.get("label described", 0.0)
                best[str(one.value)] = _Captioned(
                    one.value, max(worth, before.worth), max(described, before.described)
                )
            known = self._best[path] = sorted(best.values(), key=lambda one: -one.worth)
        return known

    # --- place and figures ------------------------------------------------------------------------------------

    def _of_place(self, mention: Mention) -> Features:
        segment, sheet = mention.segment, self._mentions.sheet
        width, height = sheet.page_sizes[segment.page]
        return {
            "place top": float(segment.top < 0.25 * height),
            "place bottom": float(segment.top > 0.75 * height),
            "place right": float(segment.left_at(mention.start) > 0.5 * width),
            "place later page": float(segment.page > 0),
            "place large": min(max(segment.height / max(sheet.height, 1.0) - 1.0, -0.5), 1.5),
            "place alone": float(segment.text.strip() == mention.text.strip()),
            "place misread": 1.0 - segment.confidence,
        }

    @cached_property
    def _amounts(self) -> list[float]:
        """Return the different sums of money that are printed."""
        printed = (one for segment in self._mentions.sheet.segments for one in segment.amounts)
        return sorted({float(one.value) for one in printed if one.looks_like_money})

    @cached_property
    def _summing(self) -> tuple[frozenset[float], frozenset[float]]:
        """Return the printed amounts that are the sum of two others, and those that are part of such a sum."""
        cents = sorted({round(100 * one) for one in self._amounts if one > 0})
        if len(cents) > _MOST_AMOUNTS:
            cents = cents[-_MOST_AMOUNTS:]
        known = set(cents)
        sums, parts = set(), set()
        for place, one in enumerate(cents):
            for other in cents[place + 1 :]:
                if one + other in known and one >= 100:
                    sums.add((one + other) / 100)
                    parts |= {one / 100, other / 100}
        return frozenset(sums), frozenset(parts)

    def _of_sums(self, value: float) -> Features:
        amounts = self._amounts
        above = sum(one > value for one in amounts)
        sums, parts = self._summing
        number = round(float(value), 2)
        return {
            "sums largest": float(bool(amounts) and above == 0),
            "sums rank": min(above, 10) / 10,
            "sums is sum": float(number in sums),
            "sums is part": float(number in parts),
            "sums whole": float(float(value).is_integer()),
            "sums zero": float(value == 0),
            "sums long": float(abs(value) >= 1e7),
        }

    # --- voices -----------------------------------------------------------------------------------------------

    def _of_rules(self, path: Where, value: Json) -> Features:
        if self.proposals.rules is None:
            return {}
        chosen = self.proposals.chosen.get(path)
        asked = self.fields[path]
        own = others = 0.0
        for one in self.proposals.rules.get(path, ()):
            if same(as_json(one.value, one.text, asked), value):
                own = max(own, one.score)
            else:
                others = max(others, one.score)
        found = {"rules own": own, "rules others": others, "rules margin": own - others, "rules heard": 1.0}
        if chosen in (None, "", []):
            return found | {"rules silent": 1.0}
        mine = same(chosen, value)
        found |= {"rules chose": float(mine), "rules differ": float(not mine)}
        known = "known" if asked.key else "unknown"
        return found | (
            {f"rules chose a {_group(asked.kind)}": 1.0, f"rules chose {known}": 1.0} if mine else {}
        )

    def _of_network(self, path: Where, value: Json) -> Features:
        if self.proposals.network is None or path not in self.proposals.network:
            return {}
        own = others = 0.0
        for one in self.proposals.network[path]:
            if same(one.value, value):
                own = max(own, one.chance)
            else:
                others = max(others, one.chance)
        return {
            "network heard": 1.0,
            "network own": own,
            "network others": others,
            "network first": float(own > others),
            "network sure": float(own >= 0.9),
            "network very sure": float(own >= 0.99),
            "network sure of another": float(others >= 0.9),
            "network silent": float(not own and not others),
        }


@cache
def _weights() -> dict[str, float]:
    """Return what each feature counts for, as `python -m evals.calibrate` fitted it on labelled papers."""
    stored: dict[str, float] = json.loads(Path(__file__).with_name("evidence.json").read_text())
    return stored


def _group(kind: Kind) -> str:
    if kind in _NUMBERS:
        return "number"
    if kind in SHAPED:
        return "shape"
    return kind.value if kind in (Kind.DATE, Kind.CODE) else "text"


def _of_type(asked: Field, value: Json) -> Features:
    found = {
        f"type {_group(asked.kind)}": 1.0,
        f"type {asked.kind}": 1.0,
        "type unknown": float(not asked.key),
        "type choice": float("enum" in asked.schema),
    }
    letters = "".join(filter(str.isalnum, str(value)))
    if asked.kind is Kind.IBAN or shapes.IBAN.fullmatch(str(value)):
        found["type check digits"] = 1.0 if _is_iban(letters) else -1.0
    elif isinstance(value, str) and letters.isdigit() and len(letters) in _GTIN:
        found["type check digits"] = 1.0 if _is_gtin(letters) else 0.0
    return found


def _is_iban(letters: str) -> bool:
    turned = letters[4:] + letters[:4]
    figures = "".join(str(int(one, 36)) for one in turned if one.isascii())
    return bool(figures) and int(figures) % 97 == 1


def _is_gtin(digits: str) -> bool:
    worth = sum(int(one) * (3 if place % 2 else 1) for place, one in enumerate(reversed(digits)))
    return worth % 10 == 0


def _of_text(text: str) -> Features:
    words = text.split()
    return {
        "text words": min(len(words), 10) / 10,
        "text one word": float(len(words) == 1),
        "text digits": 1.0 - shapes.letters_share(text),
        "text short": float(len(text) <= 2),
        "text sentence": float(is_sentence(text)),
        "text legal form": float(shapes.has_legal_form(text)),
        "text address": float(shapes.is_address_line(text)),
        "text is a label": float(is_label(text)),
    }


def scalars_in(data: Any, paths: Mapping[Where, Field]) -> dict[Where, Json]:
    """Return the values that the data has for single fields."""
    found = {path: FieldPath(path).get(data) for path in paths}
    return {
        path: one for path, one in found.items() if one not in (None, "") and not isinstance(one, dict | list)
    }
