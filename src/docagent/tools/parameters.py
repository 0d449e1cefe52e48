"""Parts of parameter schemas. Every object that a tool takes is closed."""

from __future__ import annotations

from typing import Any

MAX_NAME = 255
MAX_TEXT = 1_000_000
MAX_ITEMS = 1000


def takes(properties: dict[str, Any] | None = None, required: tuple[str, ...] = ()) -> dict[str, Any]:
    """The parameters of a tool."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties or {},
        "additionalProperties": False,
    }
    return {**schema, "required": list(required)} if required else schema


def an_id(description: str, *, or_none: bool = False) -> dict[str, Any]:
    return {
        "type": ["string", "null"] if or_none else "string",
        "description": description,
        "maxLength": MAX_NAME,
    }


def a_name(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description, "minLength": 1, "maxLength": MAX_NAME}


def a_text(description: str, *, or_none: bool = False) -> dict[str, Any]:
    return {
        "type": ["string", "null"] if or_none else "string",
        "description": description,
        "maxLength": MAX_TEXT,
    }


def a_number(description: str, least: int, most: int = 2**31 - 1) -> dict[str, Any]:
    return {"type": "integer", "description": description, "minimum": least, "maximum": most}


def ids(description: str) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "string", "maxLength": MAX_NAME},
        "description": description,
        "maxItems": MAX_ITEMS,
    }


def texts_by_name(description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": description,
    }


def paging(noun: str, most: int = 100) -> dict[str, Any]:
    """`skip`, `limit` and `name_search`, the same for every list."""
    return {
        "skip": a_number(f"How many {noun} to pass over. 0 when left out.", 0),
        "limit": a_number(f"How many {noun} to return. 10 when left out.", 1, most),
        "name_search": {
            "type": "string",
            "maxLength": MAX_NAME,
            "description": "Only names that contain this text, upper and lower case alike. Best matches first.",
        },
    }


def grid() -> dict[str, Any]:
    """`sort` and `filters`, JSON texts as the REST lists take them."""
    return {
        "sort": a_text(
            'Order as JSON text, such as [{"field":"name","sort":"asc"}]. Newest first when left out.'
        ),
        "filters": a_text(
            'Conditions as JSON text, such as {"items":[{"field":"name","operator":"contains","value":"inv"}]}.'
        ),
    }


RESPONSE_FORMAT: dict[str, Any] = {
    "type": "object",
    "description": "The whole response format: type, and json_schema with name, strict and schema.",
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
                    "description": "JSON Schema, draft 7. Its root is an object; every object lists all its "
                    "properties in required and sets additionalProperties to false.",
                },
            },
        },
    },
}
"""Open on purpose: the strict check says more about what is wrong here than a parameter schema could."""
