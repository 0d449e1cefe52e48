"""Checks a result's data, whoever made it: what breaks the schema, where each value stands, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from docagent.confidence import Calibration, Known, weighed, weighed_values
from docagent.domain.extraction.paths import found_at
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


def proof_of(
    pages: Sequence[Page],
    data: dict[str, Any],
    schema: dict[str, Any] | None,
    problems: Sequence[FieldProblem],
    calibration: Calibration,
    said: Known | None = None,
) -> Any:
    """The tree of places with the confidence of each value. Slow for long documents: call it in a thread.

    `said` is what voices and verified documents say of the values.
    """
    known = replace(said or Known(), problems=[problem.path for problem in problems])
    return weighed(grounding_of(pages, data, schema), data, known, calibration)


def said_of_kept_values(grounding: Any, before: dict[str, Any], after: dict[str, Any]) -> Known:
    """What voices and verified documents said of the values that an edit leaves as they are."""
    kept = {
        ".".join(one.path): one.signals
        for one in weighed_values(grounding, before)
        if found_at(after, one.path) == one.value
    }
    return Known(
        voices={path: one.voices for path, one in kept.items() if one.voices is not None},
        learnt={path: one.learnt for path, one in kept.items() if one.learnt is not None},
        learnt_from={path: one.learnt_from for path, one in kept.items() if one.learnt_from},
    )
