"""What the description of the API says of refusals: the 4xx answers of every route.

`scripts/refusals.py` finds them in the code and writes them to the file beside this one.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson
from fastapi import FastAPI

FILE = Path(__file__).parent / "refusals.json"

WORDS = {
    HTTPStatus.BAD_REQUEST: "Something in the request cannot be right",
    HTTPStatus.UNAUTHORIZED: "No credentials, or none that are valid here",
    HTTPStatus.PAYMENT_REQUIRED: "Too few credits",
    HTTPStatus.FORBIDDEN: "The caller may not do this",
    HTTPStatus.NOT_FOUND: "There is no such thing in the caller's reach",
    HTTPStatus.CONFLICT: "Right in itself, but not in the present state",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Larger than the server accepts",
    HTTPStatus.UNPROCESSABLE_ENTITY: "A field is missing or breaks a rule",
    HTTPStatus.TOO_MANY_REQUESTS: "Too often; `Retry-After` says when to try again",
}
MERGE_PART = {
    "title": "MergePart",
    "description": "`text` that is settled, or lines that both changed: as they were, as sent and as they are",
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("text", "base", "mine", "theirs")},
}
MERGE = {
    "title": "Merge",
    "description": "With the 409 of a living document: the sent text on top of the newest version, as a proposal",
    "type": "object",
    "properties": {
        "base_version": {"type": "integer"},
        "version": {"type": "integer", "description": "The newest version; the next `base_version`"},
        "clean": {"type": "boolean", "description": "Whether there is nothing to choose"},
        "content": {"type": ["string", "null"], "description": "The merged text, if it is clean"},
        "parts": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/MergePart"}},
    },
    "required": ["base_version", "version", "clean", "content", "parts"],
}
PROBLEM = {
    "title": "Problem",
    "type": "object",
    "properties": {
        "detail": {
            "title": "Detail",
            "description": "What is wrong and what to do; a list of entries where fields are wrong",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}],
        },
        "request_id": {"title": "Request Id", "type": "string"},
        "merge": {"$ref": "#/components/schemas/Merge"},
    },
    "required": ["detail", "request_id"],
}


def describe_refusals(app: FastAPI) -> None:
    """Let the description of the application list the refusals."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _add_refusals(make())
            _mark_files(make())
        return make()

    app.openapi = openapi  # type: ignore[method-assign]


def _mark_files(description: dict[str, Any]) -> None:
    """Mark files in forms as generators of clients know it. FastAPI's newer word they take for text."""
    for schema in description["components"]["schemas"].values():
        for field in schema.get("properties", {}).values():
            file = field.get("items", field)
            if "contentMediaType" in file:
                file["format"] = "binary"


def _add_refusals(description: dict[str, Any]) -> None:
    refusals: dict[str, list[int]] = orjson.loads(FILE.read_bytes())
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    description["components"]["schemas"] |= {"Problem": PROBLEM, "Merge": MERGE, "MergePart": MERGE_PART}
    description["components"]["responses"] = {
        f"Refused{status:d}": {"description": words, "content": content} for status, words in WORDS.items()
    }
    for methods in description["paths"].values():
        for operation in methods.values():
            for status in refusals.get(operation["operationId"], ()):
                answer = {"$ref": f"#/components/responses/Refused{status}"}
                operation["responses"].setdefault(str(status), answer)
