"""Builds the parameters of tools, each with a description for the model and with limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema
from pydantic.config import JsonDict

MAX_NAME = 255
MAX_TEXT = 1_000_000
MAX_ITEMS = 1000


def last(*keywords: str) -> Callable[[JsonDict], None]:
    """Return a function that moves keywords to the end of a schema, so that models see the same bytes as ever."""

    def moved(schema: JsonDict) -> None:
        for keyword in keywords:
            if keyword in schema:
                schema[keyword] = schema.pop(keyword)

    return moved


_limits_last = last("minLength", "maxLength", "minimum", "maximum", "maxItems")


def _or_null(schema: JsonDict) -> None:
    """Allow null as a value. In all other parameters null means that the argument is left out."""
    _limits_last(schema)
    schema["type"] = [schema["type"], "null"]


def an_id(description: str, *, or_null: bool = False) -> Any:
    shown = _or_null if or_null else _limits_last
    return Field(description=description, max_length=MAX_NAME, json_schema_extra=shown)


def a_name(description: str) -> Any:
    return Field(description=description, min_length=1, max_length=MAX_NAME, json_schema_extra=_limits_last)


def a_text(description: str, *, or_null: bool = False) -> Any:
    shown = _or_null if or_null else _limits_last
    return Field(description=description, max_length=MAX_TEXT, json_schema_extra=shown)


def a_number(description: str, least: int, most: int = 2**31 - 1) -> Any:
    return Field(description=description, ge=least, le=most, json_schema_extra=_limits_last)


def ids(description: str) -> Any:
    return Field(description=description, max_length=MAX_ITEMS, json_schema_extra=_limits_last)


def how_many_to_pass_over(noun: str) -> Any:
    return a_number(f"How many {noun} to pass over. 0 when left out.", 0)


def how_many_to_return(noun: str, most: int = 100) -> Any:
    return a_number(f"How many {noun} to return. 10 when left out.", 1, most)


Id = Annotated[str, Field(max_length=MAX_NAME)]
NameSearch = Annotated[
    str,
    Field(
        max_length=MAX_NAME,
        description="Only names that contain this text, upper and lower case alike. Best matches first.",
    ),
]
SortText = Annotated[
    str,
    a_text('Order as JSON text, such as [{"field":"name","sort":"asc"}]. Newest first when left out.'),
]
FiltersText = Annotated[
    str,
    a_text(
        'Conditions as JSON text, such as {"items":[{"field":"name","operator":"contains","value":"inv"}]}.'
    ),
]

ResponseFormat = Annotated[
    dict[str, Any],
    WithJsonSchema(
        {
            "type": "object",
            "description": (
                "The whole response format: type, and json_schema with name, strict and schema. "
                'Dates are strings with "format": "date".'
            ),
            "properties": {
                "type": {"type": "string", "description": "Always json_schema."},
                "json_schema": {
                    "type": "object",
                    "description": "The named schema.",
                    "properties": {
                        "name": {"type": "string", "description": "1 to 64 letters, digits, _ or -."},
                        "strict": {"type": "boolean", "description": "Always true."},
                        "schema": {
                            "type": "object",
                            "description": "JSON Schema, draft 7. Its root is an object; every object lists all "
                            "its properties in required and sets additionalProperties to false.",
                        },
                    },
                },
            },
        }
    ),
]
"""Loose on purpose: the strict check explains a wrong schema better than a parameter schema could."""
