"""Checks a result's data, whoever made it: what breaks the schema, and where each value stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.domain.extraction.results import FieldProblem
from docagent.domain.text import Page
from docagent.grounding import DocumentIndex, as_json, ground_tree
from docagent.jsonschema import SchemaValidator


def field_problems(schema: dict[str, Any] | None, data: Any) -> list[FieldProblem]:
    if schema is None:
        return []
    return [FieldProblem(item.path, item.message) for item in SchemaValidator(schema).errors(data)]


def grounding_of(pages: Sequence[Page], data: dict[str, Any], schema: dict[str, Any] | None) -> Any:
    """The tree of places in its stored form. Slow for long documents: call it in a thread."""
    return as_json(ground_tree(DocumentIndex.of(pages), data, schema))
