"""Chooses among candidates, and converts values to what the schema asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import product

from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.values.candidates import Candidate
from docagent.reading.printed import squeezed

THRESHOLD = 0.42
"""A field stays empty if no candidate reaches this score: no value is better than a guess."""
_MOST_TRIED = 6
_ADDS_UP = 0.25
_ANOTHER_PLACE = 0.03

"""A box before a choice, ticked or not."""

Json = str | int | float | bool | None


def best(candidates: Sequence[Candidate]) -> Candidate | None:
    """Return the candidate with the most evidence. Being found in several places counts a little."""
    strengths: dict[str, float] = {}
    for one in candidates:
        strengths[str(one.value)] = strengths.get(str(one.value), 0.0) + _ANOTHER_PLACE * (one.score > 0.3)
    ranked = [(one.score + min(strengths[str(one.value)], 4 * _ANOTHER_PLACE), one) for one in candidates]
    if not ranked:
        return None
    score, chosen = max(ranked, key=lambda pair: pair[0])
    return chosen if score >= THRESHOLD else None


def choose_amounts(candidates: Mapping[str, list[Candidate]]) -> dict[str, Candidate]:
    """Choose net, tax and total together, so that net + tax = total if possible."""
    parts = [candidates.get(key, [])[:_MOST_TRIED] for key in ("net", "tax", "total")]
    chosen: dict[str, Candidate] = {}
    if all(parts):

        def worth(three: tuple[Candidate, ...]) -> float:
            net, tax, total = (Decimal(str(one.value)) for one in three)
            adds_up = abs(net + tax - total) <= Decimal("0.02") and total != 0 and abs(tax) < abs(net)
            return sum(one.score for one in three) + 3 * _ADDS_UP * adds_up

        three = max(product(*parts), key=worth)
        chosen = dict(zip(("net", "tax", "total"), three, strict=True))
        if sum(one.score for one in three) == worth(three):
            chosen = {}
    return chosen


def as_json(value: str | date | Decimal, text: str, field: Field) -> Json:
    """Return the value in the type that the schema asks for."""
    choices = field.schema.get("enum")
    if choices:
        return matching_choice(text, choices)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        if field.types & {"number"}:
            return float(value)
        if "integer" in field.types:
            return int(value) if value == value.to_integral_value() else None
        return text
    if "string" not in field.types and field.types & {"integer", "number"}:
        digits = "".join(character for character in value if character.isdigit())
        return int(digits) if digits else None
    return value


def matching_choice(text: str, choices: Sequence[object]) -> Json:
    """Return the enum's choice that the text names first. If two begin at the same place, the longer one wins."""
    letters = squeezed(text)
    found = [
        (letters.index(squeezed(choice)), -len(choice), choice)
        for choice in choices
        if isinstance(choice, str) and squeezed(choice) and squeezed(choice) in letters
    ]
    return min(found)[2] if found else None
