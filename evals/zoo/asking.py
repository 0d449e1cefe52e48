"""Asks for what a paper says, and for things that it does not say, in many wordings."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from evals.zoo.canvas import Mark
from evals.zoo.document import Asked, Occurrence
from evals.zoo.halves import Dice
from evals.zoo.paper import Paper, Said
from evals.zoo.words import Words

_FILE = Path(__file__).parent / "concepts.toml"
_NATIVE = 0.25
"""How often a field is asked for in the document's own language."""
_MISSING_COLUMN = 0.2
"""How often rows are asked for a column that the table does not have."""
_ENOUGH_TO_ASK = 5
"""Letters of a label with which one can ask: `De` or `Nr` alone says nothing."""
PARTY_LABELS = {
    "seller_name": "seller",
    "buyer_name": "buyer",
    "sender_name": "sender",
    "recipient_name": "recipient",
}
FOREIGN = (
    "patient_name", "vehicle", "policy_number", "flight_number", "court_case", "interest_rate", "warranty_until",
    "hours_worked",
)  # fmt: skip
"""What no paper of the zoo says."""


@dataclass(frozen=True)
class Wish:
    """What a kind of paper may be asked for: its concepts, and the rows of its table."""

    fields: tuple[str, ...]
    rows: str | None = None
    columns: tuple[str, ...] = ()


def ask(paper: Paper, wish: Wish, places: dict[Mark, Occurrence], dice: Dice) -> tuple[Asked, ...]:
    """Return the fields of a schema: most of what the paper says, and about half as many that it does not."""
    said = [concept for concept in wish.fields if concept in paper.said and concept not in paper.unclear]
    absent = [
        concept for concept in wish.fields if concept not in paper.said and concept not in paper.unclear
    ]
    chosen = dice.sample(said, min(len(said), dice.randint(4, 12)))
    chosen += dice.sample(absent, min(len(absent), max(1, len(chosen) // 3)))
    chosen += dice.sample(FOREIGN, dice.choice((0, 1, 2)))
    dice.shuffle(chosen)
    asked: list[Asked] = []
    taken: set[str] = set()
    for concept in chosen:
        field = _field(concept, paper, dice, taken)
        asked.append(_with_value(field, paper.said.get(concept), places))
    if wish.rows and paper.rows and dice.likely(0.7):
        asked.append(_rows(paper, wish, places, dice, taken))
    return tuple(asked)


def _field(concept: str, paper: Paper, dice: Dice, taken: set[str]) -> Asked:
    entry = catalogue()["field"][concept]
    name, description = _wording(concept, entry["ask"], paper.words, dice, taken)
    choices = paper.words("choices", concept) if entry["kind"] == "choice" else ()
    return Asked(name, concept, entry["kind"], description, None, choices=choices)


def _wording(concept: str, ways: list[str], words: Words, dice: Dice, taken: set[str]) -> tuple[str, str]:
    label = _label(concept, words, dice) if dice.likely(_NATIVE) else ""
    if label:
        name, description = slug(label), label
    else:
        name, _, description = dice.wording(ways).partition(" = ")
    if not name or name in taken:
        name = concept if concept not in taken else f"{concept}_{len(taken)}"
    taken.add(name)
    return name, description


def _label(concept: str, words: Words, dice: Dice) -> str:
    """Return what the document's language calls a concept, or nothing if that is too short to ask with."""
    known = PARTY_LABELS.get(concept, concept.removeprefix("applicant_"))
    if not words.has("labels", known):
        return ""
    label = dice.wording(words("labels", known))
    return label if len(slug(label)) >= _ENOUGH_TO_ASK else ""


def _with_value(field: Asked, said: Said | None, places: dict[Mark, Occurrence]) -> Asked:
    if said is None:
        return field
    found = tuple(places[mark] for mark in said.marks if mark in places)
    return replace(field, value=said.value, places=found)


def _rows(paper: Paper, wish: Wish, places: dict[Mark, Occurrence], dice: Dice, taken: set[str]) -> Asked:
    known = catalogue()
    name, _, description = dice.wording(known["rows"][wish.rows]["ask"]).partition(" = ")
    name = name if name not in taken else f"{name}_rows"
    present = [column for column in wish.columns if any(column in row for row in paper.rows)]
    wanted = dice.sample(present, dice.randint(min(2, len(present)), len(present)))
    missing = [column for column in wish.columns if column not in present]
    if missing and dice.likely(_MISSING_COLUMN):
        wanted.append(dice.choice(missing))
    names: set[str] = set()
    columns = []
    for column in wanted:
        entry = known["column"][column]
        way, _, meaning = dice.wording(entry["ask"]).partition(" = ")
        way = way if way not in names else column
        names.add(way)
        columns.append(Asked(way, column, entry["kind"], meaning, None))
    rows = tuple(
        {column.name: _with_value(column, row.get(column.concept), places) for column in columns}
        for row in paper.rows
    )
    values = [{name: cell.value for name, cell in row.items()} for row in rows]
    return Asked(name, wish.rows or "", "rows", description, values, columns=tuple(columns), rows=rows)


def slug(label: str) -> str:
    """Return a field's name made from a label: `Rechnungs-Nr.` becomes `rechnungs_nr`."""
    plain = unicodedata.normalize("NFD", label.casefold().replace("ß", "ss").replace("ł", "l"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


@cache
def catalogue() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text())
