"""Asks for what papers say in many ways and in ten languages."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evals.wordings import Half
from evals.zoo.asking import PARTY_LABELS, catalogue, slug
from evals.zoo.halves import Dice, known
from evals.zoo.words import LANGUAGES, words_of

from training.made.lesson import Way, Ways

_FILE = Path(__file__).parent / "wordings.toml"
_NAMELESS = ("field", "value", "x", "f", "item", "key", "answer", "a", "col", "entry", "data", "param")


_AMBIGUOUS = frozenset(
    "number document_number document_no doc_no date total amount sum address name company from to price fee period "
    "title contract_num reference due gross net code account balance rate hours start_date end_date begin until dated "
    "place work job institution holder customer client buyer recipient sender author owner contact to_address "
    "from_address purchase_date received paid remaining term who law courts".split()
)
_OF_ITS_OWN = "own number"
_TRIES = 4
_WITH_ROWS = 0.6


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text())


def _split(line: str) -> list[str]:
    return [part.strip() for part in line.split(" | ")]


def styled(name: str, dice: Dice) -> str:
    """Return a name in one of the styles in which people write fields."""
    words = [word for word in re.split(r"[_\s-]+", name) if word]
    match dice.choices(("snake", "camel", "title", "plain", "upper", "glued"), (50, 18, 12, 12, 4, 4))[0]:
        case "camel":
            return words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
        case "title":
            return " ".join(word[:1].upper() + word[1:] for word in words)
        case "plain":
            return " ".join(words)
        case "upper":
            return "_".join(words).upper()
        case "glued":
            return "-".join(words)
        case _:
            return "_".join(words)


def said_of(label: str, language: str, dice: Dice) -> str:
    text = label if language == "de" or dice.likely(0.3) else label[:1].lower() + label[1:]
    return dice.choice(_split(_file()["said"][language])).replace("{}", text)


def nameless(dice: Dice) -> str:
    name = dice.choice(_NAMELESS)
    return dice.choice((name, f"{name}_{dice.randint(1, 20)}", f"{name}{dice.randint(1, 9)}"))


@dataclass(frozen=True)
class ConceptWays(Ways):
    """The ways to ask for a concept of the zoo: its building half's, those of `wordings.toml`, and labels."""

    section: str
    concept: str
    language: str

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        """Ask. Words that may mean something that the paper has are not taken for what it does not have."""
        for _ in range(_TRIES):
            name, description = self._drawn(dice)
            if not absent or not (
                slug(name) in _AMBIGUOUS or _OF_ITS_OWN in description or description.endswith("own")
            ):
                break
        return name, description

    def _drawn(self, dice: Dice) -> Way:
        label = self._label(dice) if dice.likely(0.35) else None
        if label:
            name, description = label
        else:
            name, description = dice.choice(_ways(self.section, self.concept))
            if dice.likely(0.5):
                name = dice.choice(_names(self.section, self.concept))
            if dice.likely(0.5):
                description = dice.choice(_descriptions(self.section, self.concept))
        name = styled(name, dice)
        chance = dice.random()
        if chance < 0.25:
            return name, ""
        if chance < 0.4:
            return nameless(dice), description
        return name, description

    def _label(self, dice: Dice) -> Way | None:
        """Return a name and a description made of what the document's or another language calls the concept."""
        language = self.language if dice.likely(0.6) else dice.choice(LANGUAGES)
        words = words_of(language)
        section = "labels" if self.section == "field" else "columns"
        label = PARTY_LABELS.get(self.concept, self.concept.removeprefix("applicant_"))
        if not words.has(section, label):
            return None
        text = dice.wording(words(section, label))
        return (slug(text), said_of(text, language, dice)) if len(slug(text)) > 3 else None


@dataclass(frozen=True)
class ConceptRows(Ways):
    """The ways to call the rows of a table."""

    concept: str

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        ways = [
            way.partition(" = ") for way in known(Half.BUILDING, catalogue()["rows"][self.concept]["ask"])
        ]
        name, _, description = dice.choice(ways)
        return dice.choice((name, f"line_{name}", f"{name}_rows")), description


@dataclass(frozen=True)
class Column(Ways):
    """The ways to ask for a column: as itself, or with the name of the rows before it."""

    own: Ways
    rows: Ways

    def draw(self, dice: Dice, *, absent: bool = False) -> Way:
        name, description = self.own.draw(dice, absent=absent)
        if dice.likely(_WITH_ROWS):
            name = f"{self.rows.draw(dice)[0]} {name}"
        return name, description


@cache
def _ways(section: str, concept: str) -> list[Way]:
    entry = catalogue()[section].get(concept)
    if entry is None:
        names, says = _names(section, concept), _descriptions(section, concept)
        return [(name, said) for name in names for said in says]
    ways = [way.partition(" = ") for way in known(Half.BUILDING, entry["ask"])]
    return [(name, description) for name, _, description in ways]


@cache
def _names(section: str, concept: str) -> list[str]:
    return _split(_file()[section][concept]["names"]) if concept in _file()[section] else [concept]


@cache
def _descriptions(section: str, concept: str) -> list[str]:
    if concept not in _file()[section]:
        return [said for _, said in _ways(section, concept)]
    return _split(_file()[section][concept]["says"])
