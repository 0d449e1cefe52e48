"""Fields of schemas: their names and types, as people say them and as schemas write them, and changes to them.

A change to a `response_format` returns a new one and leaves the old one as it was.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from docagent.builtin_model.agent.known import matching
from docagent.builtin_model.agent.work import GiveUp
from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.proposals.usual import closed
from docagent.reading.printed import fold

Schema = dict[str, Any]

_DATE: Schema = {"type": "string", "format": "date", "description": "as YYYY-MM-DD"}
_TYPES: dict[str, Schema] = {
    word: schema
    for words, schema in (
        ("date dates day datum fecha", _DATE),
        ("number numbers amount amounts price money decimal zahl betrag", {"type": "number"}),
        ("nombre montant numero importe", {"type": "number"}),
        ("integer count ganzzahl entier entero", {"type": "integer"}),
        ("yes/no boolean flag checkbox ja/nein oui/non si/no", {"type": "boolean"}),
        ("text texts string strings words texte texto", {"type": "string"}),
    )
    for word in words.split()
}
_AS = re.compile(
    r"\s(?:as|als|comme|como|of type|vom typ)\s(?:an?\s|eine?\s|une?\s|una?\s)?"
    r"(?P<list>list of\s|list[ea] (?:de|von)\s)?(?P<type>[\w/]+)$",
    re.I,
)
_BETWEEN = re.compile(r"[,;&\n]|\s(?:and|und|et|y|plus)\s", re.I)
_ARTICLE = re.compile(r"^(?:the|an?|der|die|das|eine?n?|les?|la|l'|une?|el|los|las|una?)\s", re.I)
_NOUN = re.compile(r"^(?:fields?|felder|feld|champs?|campos?)\s|\s(?:fields?|columns?|felder|feld)$", re.I)
_YES_OR_NO = re.compile(r"(?:is|has|was|are|should|can|with)[ _]\w")
_ROWS = frozenset({"items", "lineitems", "lines", "positions", "rows", "positionen", "articles", "products"})
_COLUMNS = ("description", "quantity", "unit price", "amount")
_NUMBERS = ("quantity", "amount", "price", "unit_price")
_LONGEST_NAME = 60


def listed(text: str) -> list[str]:
    """Return the members of a list such as `a, the b and c`."""
    parts = (_NOUN.sub("", _ARTICLE.sub("", part.strip())).strip(" \"'“”`") for part in _BETWEEN.split(text))
    return [part for part in parts if part]


def new_fields(text: str) -> dict[str, Schema]:
    """Return the types of the fields in `a, b as a date and c`. If none is said, the name decides."""
    found = {}
    for part in listed(text):
        said = _AS.search(part)
        kind = _TYPES.get(fold(said["type"])) if said else None
        if said and kind:
            found[part[: said.start()].strip()] = {"type": "array", "items": kind} if said["list"] else kind
        else:
            found[part] = type_of_name(part)
    return found


def snake(name: str) -> str:
    """Return a field's name as schemas write it: `Vendor VAT-ID` becomes `vendor_vat_id`."""
    words = fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))
    return "_".join(re.findall(r"[a-z0-9]+", words))[:_LONGEST_NAME].strip("_")


def spoken(name: str) -> str:
    """Return a field's name as people say it: `vendor_vat_id` becomes `vendor vat id`."""
    return " ".join(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").split())


def type_of_name(name: str) -> Schema:
    """Return the type that a field with this name most likely has."""
    if snake(name).replace("_", "") in _ROWS:
        columns = {snake(column): described(column, type_of_name(column)) for column in _COLUMNS}
        return {"type": "array", "items": closed(columns)}
    if _YES_OR_NO.match(fold(name)):
        return {"type": "boolean"}
    kind = field_of(snake(name) or name, {"type": "string"}).kind
    if kind in (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT) or snake(name) in _NUMBERS:
        return {"type": "number"}
    return dict(_DATE) if kind is Kind.DATE else {"type": "string"}


def is_money(name: str) -> bool:
    kind = field_of(snake(name) or "value", {"type": "number"}).kind
    words = snake(name).split("_")
    return "rate" not in words and (kind is Kind.AMOUNT or words[-1] in ("price", "amount", "total"))


def described(name: str, schema: Schema) -> Schema:
    """Return the field's schema with a description: its name and, for a date, how to write it."""
    text = spoken(name)
    form = f", {schema['description']}" if schema.get("description") else ""
    return {**schema, "description": text[:1].upper() + text[1:] + form}


def type_words(schema: Schema) -> str:
    """Return a field's type in words for people."""
    kind = schema.get("type")
    kind = next((one for one in kind if one != "null"), "text") if isinstance(kind, list) else kind
    if kind == "array":
        inner = schema["items"] if isinstance(schema.get("items"), dict) else {}
        rows = inner.get("properties")
        return f"list of rows with {', '.join(rows)}" if rows else f"list of {type_words(inner)}"
    if kind == "object" or "properties" in schema:
        return f"group of {', '.join(schema.get('properties') or {})}"
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    if kind == "string" and schema.get("format") == "date":
        return "date"
    words = {"string": "text", "boolean": "yes or no", "integer": "whole number"}
    return words.get(str(kind), str(kind or "text"))


# --- changes ---------------------------------------------------------------------------------------------------------


def schema_of(response_format: Mapping[str, Any]) -> Schema:
    """Return the JSON Schema inside, not a copy of it."""
    inner = response_format.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else {}


def response_format_of(name: str, fields: Mapping[str, Schema]) -> Schema:
    """Return a strict `response_format` with just these fields."""
    inner = {"name": snake(name) or "document", "schema": closed({}), "strict": True}
    return with_fields({"type": "json_schema", "json_schema": inner}, fields)


def with_fields(response_format: Mapping[str, Any], fields: Mapping[str, Schema]) -> Schema:
    changed, properties = _copied(response_format)
    for said, kind in fields.items():
        properties[_free_name(said, properties)] = described(said, kind)
    return _with(changed, properties)


def without_field(response_format: Mapping[str, Any], name: str) -> Schema:
    changed, properties = _copied(response_format)
    if len(properties) <= 1:
        raise GiveUp(f"`{name}` is the only field there; a schema needs at least one.")
    del properties[name]
    return _with(changed, properties)


def with_new_name(response_format: Mapping[str, Any], old: str, new: str) -> Schema:
    """Rename a field in its place. A description that only repeats the name is renamed as well."""
    changed, properties = _copied(response_format)
    name = _free_name(new, [one for one in properties if one != old])
    part = properties[old]
    if isinstance(part, dict) and str(part.get("description", "")).lower() == spoken(old).lower():
        part["description"] = spoken(new)[:1].upper() + spoken(new)[1:]
    return _with(changed, {name if key == old else key: value for key, value in properties.items()})


def find_field(response_format: Mapping[str, Any], phrase: str) -> str:
    """Return the name of the field that is meant. Raises GiveUp if there is not one."""
    names = list(schema_of(response_format).get("properties") or {})
    found = matching(phrase, [(name,) for name in names])
    if len(found) != 1:
        known = ", ".join(f"`{name}`" for name in names[:20])
        raise GiveUp(f"There is no field “{phrase}” in this schema. It has {known}.")
    return found[0][0]


def _copied(response_format: Mapping[str, Any]) -> tuple[Schema, Schema]:
    changed = copy.deepcopy(dict(response_format))
    return changed, dict(schema_of(changed).get("properties") or {})


def _free_name(said: str, taken: Any) -> str:
    name = snake(said)
    if not name:
        raise GiveUp(f"“{said}” cannot be the name of a field.")
    if name in taken:
        raise GiveUp(f"There is a field `{name}` already.")
    return name


def _with(response_format: Schema, properties: Schema) -> Schema:
    """Require every field and allow no others, as the strict rule demands."""
    schema_of(response_format).update(closed(properties))
    return response_format
