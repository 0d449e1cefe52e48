"""Decides which keywords a provider keeps for strings, numbers, and the limits of arrays and objects."""

from __future__ import annotations

import json
import re

from docagent.jsonschema.keywords import LIMITS_OF_LISTS, LIMITS_OF_NUMBERS, LIMITS_OF_OBJECTS, JsonObject
from docagent.jsonschema.problems import Path
from docagent.jsonschema.profiles.rules import Rules
from docagent.jsonschema.profiles.simplify import Report

_STRING = ("minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType")
_BY_TYPE: dict[str, tuple[str, ...]] = {
    "string": _STRING,
    "number": LIMITS_OF_NUMBERS,
    "integer": LIMITS_OF_NUMBERS,
    "array": LIMITS_OF_LISTS,
    "object": LIMITS_OF_OBJECTS,
}
_INCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_COUNTS = frozenset({"minItems", "maxItems"})
_FANCY_PATTERN = re.compile(r"\(\?[=!<]|\\[bB1-9]")
_LONGEST_NOTE = 200
_ANNOTATIONS = ("title", "description")


def keep_keywords(schema: JsonObject, kind: str, path: Path, rules: Rules, report: Report) -> JsonObject:
    """Keep the keywords of a type that the provider accepts. The others become notes in the description."""
    accepted = {"string": rules.string, "number": rules.number, "integer": rules.number, "array": rules.array}
    kept: JsonObject = {name: schema[name] for name in _ANNOTATIONS if isinstance(schema.get(name), str)}
    notes: list[str] = []
    for keyword in _BY_TYPE.get(kind, ()):
        if keyword not in schema or schema[keyword] is False:
            continue
        value = schema[keyword]
        if keyword in accepted.get(kind, frozenset()) and _accepts(keyword, value, rules):
            kept[keyword] = int(value) if keyword in _COUNTS and isinstance(value, float) else value
            continue
        note = f"{keyword}: {json.dumps(value, ensure_ascii=False)}"
        notes.append(note if len(note) <= _LONGEST_NOTE else f"{note[:_LONGEST_NOTE]}...")
        report.unsupported((*path, keyword), "moved into the description")
        _keep_nearest(kept, keyword, value, kind, rules)
    if "default" in schema:
        notes.append(f"default: {json.dumps(schema['default'], ensure_ascii=False)}"[:_LONGEST_NOTE])
        report.unsupported((*path, "default"), "moved into the description", lossy=False)
    if notes:
        told = f"{kept['description']} " if kept.get("description") else ""
        kept["description"] = f"{told}[{', '.join(notes)}]"
    return kept


def _accepts(keyword: str, value: object, rules: Rules) -> bool:
    if keyword == "format":
        return value in rules.formats
    if keyword == "pattern":
        return not (rules.plain_patterns_only and _FANCY_PATTERN.search(str(value)))
    if keyword == "minItems" and rules.largest_min_items is not None:
        return isinstance(value, int | float) and value <= rules.largest_min_items
    return True


def _keep_nearest(kept: JsonObject, keyword: str, value: object, kind: str, rules: Rules) -> None:
    """Keep a looser limit if the exact one is not accepted."""
    if keyword == "minItems" and rules.largest_min_items is not None:
        kept["minItems"] = rules.largest_min_items
    inclusive = _INCLUSIVE.get(keyword)
    if inclusive in rules.number and inclusive not in kept and isinstance(value, int | float):
        step = 1 if keyword == "exclusiveMinimum" else -1
        kept[str(inclusive)] = value + step if kind == "integer" and isinstance(value, int) else value
