"""Types of fields in words, such as `a date`, `yes/no` or `list of amounts`; and the type that a name suggests."""

from __future__ import annotations

import re
from typing import Any

from docagent.builtin_model.agent.clauses import listed, unquoted
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import field_of
from docagent.reading.printed import fold

Schema = dict[str, Any]

_SIMPLE: dict[str, str] = {
    "date": r"dates?|days?|datum",
    "number": r"(?:decimal )?numbers?|amounts?(?: of money)?|prices?|money|decimals?|figures?|floats?|numeric"
    r"|currency amounts?|zahl(?:en)?|betrag",
    "integer": r"integers?|whole numbers?|counts?|ints?|ganzzahl",
    "boolean": r"yes ?(?:/|or|-) ?no(?: (?:question|value))?|booleans?|bools?|flags?|check ?box(?:es)?"
    r"|true ?(?:/|or) ?false",
    "string": r"texts?|strings?|words?|plain text|free text|names?",
}
_ONE = "|".join(f"(?P<{name}>{words})" for name, words in _SIMPLE.items())
_ANY = "|".join(f"(?:{words})" for words in _SIMPLE.values())
TYPE = rf"(?:(?:list|array|several|multiple)\s+(?:of\s+)?(?:{_ANY})|(?:{_ANY}))(?:\s+(?:field|value|type))?"
"""Matches a type in words, for use in patterns."""
CHOICE = r"(?:one of|either|a choice (?:of|between)|choice of)\s+.+"
_LIST = re.compile(r"(?:list|array|several|multiple)\s+(?:of\s+)?(?P<of>.+)", re.IGNORECASE)
_TYPE = re.compile(_ONE, re.IGNORECASE)
_CHOICE = re.compile(r"(?:one of|either|a choice (?:of|between)|choice of)\s+(?P<of>.+)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the|of type|type)\s+", re.IGNORECASE)
_YES_OR_NO = re.compile(r"(?:is|has|was|are|should|can|with)[ _]\w")
_ROWS = re.compile(
    r"(?:line )?items|lines|positions|rows|line positions|positionen|articles|products", re.IGNORECASE
)
_NUMBERS = (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT)
_COLUMNS = ("description", "quantity", "unit price", "amount")
_LONGEST_NAME = 60
_DATE: Schema = {"type": "string", "format": "date", "description": "as YYYY-MM-DD"}


def snake(name: str) -> str:
    """Return a field's name as schemas write it: `Vendor VAT-ID` becomes `vendor_vat_id`."""
    words = fold(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))
    return "_".join(re.findall(r"[a-z0-9]+", words))[:_LONGEST_NAME].strip("_")


def spoken(name: str) -> str:
    """Return a field's name as people say it: `vendor_vat_id` becomes `vendor vat id`."""
    return re.sub(r"[_\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)).strip()


def type_in_words(words: str) -> Schema | None:
    """Return the type that the words name, or None."""
    text = _ARTICLE.sub("", unquoted(words), count=1).strip()
    text = re.sub(r"(?<!\s)\s+(?:field|value|type)$", "", text, flags=re.IGNORECASE)
    if choice := _CHOICE.fullmatch(text):
        members = [
            unquoted(one) for part in listed(choice["of"]) for one in re.split(r"(?<!\s)\s+or\s+", part)
        ]
        return {"type": "string", "enum": members} if len(members) > 1 else None
    if several := _LIST.fullmatch(text):
        inner = type_in_words(several["of"])
        return None if inner is None else {"type": "array", "items": inner}
    match = _TYPE.fullmatch(text)
    if match is None:
        return None
    name = str(match.lastgroup)
    return dict(_DATE) if name == "date" else {"type": name}


def type_of_name(name: str) -> Schema:
    """Return the type that a field with this name most likely has."""
    if _ROWS.fullmatch(spoken(name)):
        return rows_of([(column, type_of_name(column)) for column in _COLUMNS])
    if _YES_OR_NO.match(fold(name)):
        return {"type": "boolean"}
    kind = field_of(snake(name) or name, {"type": "string"}).kind
    if kind in _NUMBERS or snake(name) in ("quantity", "amount", "price", "unit_price"):
        return {"type": "number"}
    return dict(_DATE) if kind is Kind.DATE else {"type": "string"}


def rows_of(columns: list[tuple[str, Schema]]) -> Schema:
    properties = {snake(name): described(name, schema) for name, schema in columns if snake(name)}
    return {"type": "array", "items": closed(properties)}


def closed(properties: Schema) -> Schema:
    """Return an object schema as the strict rule demands."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def described(name: str, schema: Schema) -> Schema:
    """Return the field's schema with a description: its name and, for a date, how to write it."""
    words = spoken(name)
    text = words[:1].upper() + words[1:]
    form = schema.get("description")
    if form == "as YYYY-MM-DD":
        text += ", as YYYY-MM-DD"
    elif form:
        text = str(form)
    if "enum" in schema:
        text += f": one of {', '.join(schema['enum'])}"
    return {**schema, "description": text}


def type_words(schema: Schema) -> str:
    """Return a field's type in words for people."""
    kind = schema.get("type")
    kind = next((one for one in kind if one != "null"), "text") if isinstance(kind, list) else kind
    if kind == "array":
        items = schema.get("items")
        inner = items if isinstance(items, dict) else {}
        if "properties" in inner:
            return f"list of rows with {', '.join(inner['properties'])}"
        return f"list of {type_words(inner)}"
    if kind == "object" or "properties" in schema:
        return f"group of {', '.join(schema.get('properties') or {})}"
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    if kind == "string" and (
        "YYYY-MM-DD" in str(schema.get("description")) or schema.get("format") == "date"
    ):
        return "date"
    return {"string": "text", "boolean": "yes or no", "integer": "whole number"}.get(
        str(kind), str(kind or "text")
    )
