"""The labelled sets' fields in other words, as other users would name and describe them.

`building.json` is there to build with; `judging.json` is only scored, so nobody who writes rules reads it. Each has,
for every set, several ways to say its fields; a way has the fields in one language or in several. A field is
`"path": [name, description]`, where the path leads through the original names and a list's place does not count:
`lines.quantity`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any


class Half(StrEnum):
    BUILDING = "building"
    JUDGING = "judging"


@dataclass(frozen=True)
class Wording:
    """One way to say the fields of a set, in one language."""

    way: str
    language: str
    fields: dict[str, tuple[str, str | None]]

    def reword(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the schema with other names and descriptions. Types, order and choices stay."""
        return self._reworded(schema, ())

    def restore(self, reply: Any) -> Any:
        """Return a reply to the reworded schema under the original names."""
        return self._restored(reply, ())

    def say(self, values: Any, path: tuple[str, ...] = ()) -> Any:
        """Return values under the names of this wording: what `restore` takes back."""
        if isinstance(values, list):
            return [self.say(item, path) for item in values]
        if not isinstance(values, dict):
            return values
        return {self._said(name, path): self.say(item, (*path, name)) for name, item in values.items()}

    def _reworded(self, part: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
        part = dict(part)
        if "properties" in part:
            properties = {}
            for name, child in part["properties"].items():
                said, description = self.fields.get(".".join((*path, name)), (name, child.get("description")))
                reworded = self._reworded(child, (*path, name))
                reworded.pop("description", None)
                properties[said] = reworded | ({"description": description} if description else {})
            part["properties"] = properties
        if "required" in part:
            part["required"] = [self._said(name, path) for name in part["required"]]
        if isinstance(part.get("items"), dict):
            part["items"] = self._reworded(part["items"], path)
        for group in ("anyOf", "oneOf", "allOf"):
            if group in part:
                part[group] = [self._reworded(choice, path) for choice in part[group]]
        return part

    def _restored(self, value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [self._restored(item, path) for item in value]
        if not isinstance(value, dict):
            return value
        originals = {
            self._said(name, path): name
            for *parents, name in (field.split(".") for field in self.fields)
            if tuple(parents) == path
        }
        names = {said: str(originals.get(said, said)) for said in value}
        return {names[said]: self._restored(item, (*path, names[said])) for said, item in value.items()}

    def _said(self, name: str, path: tuple[str, ...]) -> str:
        said = self.fields.get(".".join((*path, name)))
        return said[0] if said else name


def wordings(name: str, half: Half, text: str) -> list[Wording]:
    """Return every way to say the fields of a set, each in the language of the text where it has that language."""
    language = language_of(text)
    chosen = []
    for way, languages in _read(half).get(name, {}).items():
        said_in = language if language in languages else next(iter(languages))
        fields = {path: (said, description) for path, (said, description) in languages[said_in].items()}
        chosen.append(Wording(way, said_in, fields))
    return chosen


@cache
def _read(half: Half) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((Path(__file__).parent / f"{half}.json").read_text())
    return data


_USUAL_WORDS = {
    "en": "the of and to is for on this your from",
    "de": "der die und das ist für von mit auf nicht",
    "fr": "le la les et des du pour est vous votre",
    "es": "el los y del las por para una su con",
    "it": "il di che per della con del una gli sono",
    "nl": "het een van en voor uw niet bij zijn wordt",
    "pl": "i w na z do nie się od jest dla",
    "pt": "o os da do em para uma não com ao",
}


def language_of(text: str) -> str:
    """Return the language whose usual words the text has most of; English where it has none."""
    words = Counter(re.findall(r"[^\W\d_]+", text.casefold()))
    counts = {
        language: sum(words[word] for word in usual.split()) for language, usual in _USUAL_WORDS.items()
    }
    return max(counts, key=lambda language: counts[language])
