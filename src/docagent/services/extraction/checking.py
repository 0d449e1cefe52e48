"""Checks a result's data, whoever made it: what breaks the schema, where each value stands, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from docagent.domain.documents.text import Box, Page
from docagent.domain.extraction.paths import found_at
from docagent.domain.extraction.results import FieldProblem
from docagent.evidence.confidence import Calibration, Known, weighed, weighed_values
from docagent.evidence.grounding import DocumentIndex, PointedWord, as_json, ground_tree
from docagent.jsonschema import SchemaValidator
from docagent.store.engine.database import OrgTx

Places = Mapping[str, Sequence[PointedWord]]
"""By path, the words on the pages that a person pointed at."""


class Calibrations(Protocol):
    """How sure an organisation's scores are, and what to do once a person verified more values."""

    async def of(self, organization_id: str) -> Calibration: ...

    async def after_verifying(self, tx: OrgTx) -> None: ...


def field_problems(schema: dict[str, Any] | None, data: Any) -> list[FieldProblem]:
    if schema is None:
        return []
    return [FieldProblem(item.path, item.message) for item in SchemaValidator(schema).errors(data)]


def grounding_of(
    pages: Sequence[Page],
    data: dict[str, Any],
    schema: dict[str, Any] | None,
    pointed: Places | None = None,
) -> Any:
    """The tree of places in its stored form. Slow for long documents: call it in a thread."""
    return as_json(ground_tree(DocumentIndex.of(pages), data, schema, pointed))


def proof_of(
    pages: Sequence[Page],
    data: dict[str, Any],
    schema: dict[str, Any] | None,
    problems: Sequence[FieldProblem],
    calibration: Calibration,
    said: Known | None = None,
    pointed: Places | None = None,
) -> Any:
    """The tree of places with the confidence of each value. Slow for long documents: call it in a thread.

    `said` is what voices and verified documents say of the values, `pointed` where a person pointed for them.
    """
    known = replace(said or Known(), problems=[problem.path for problem in problems])
    return weighed(grounding_of(pages, data, schema, pointed), data, known, calibration)


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


def pointed_before(
    grounding: Any, before: dict[str, Any], after: dict[str, Any]
) -> dict[str, list[PointedWord]]:
    """Where a person pointed for the values that an edit leaves as and where they are."""
    return {
        ".".join(path): [(word["page"], Box(*word["box"])) for word in place["words"]]
        for path, place in _pointed(grounding, ())
        if _is_untouched(before, after, path)
    }


def _pointed(tree: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    if isinstance(tree, list):
        for number, branch in enumerate(tree):
            yield from _pointed(branch, (*path, str(number)))
    elif isinstance(tree, dict) and "match" in tree and "words" in tree:
        if (tree.get("signals") or {}).get("pointed"):
            yield path, tree
    elif isinstance(tree, dict):
        for name, branch in tree.items():
            yield from _pointed(branch, (*path, name))


def _is_untouched(before: Any, after: Any, path: tuple[str, ...]) -> bool:
    """Whether the value is the same, and no list on the way to it lost or got an item, which would move it."""
    for length in range(len(path)):
        one, other = found_at(before, path[:length]), found_at(after, path[:length])
        if isinstance(one, list) and (not isinstance(other, list) or len(one) != len(other)):
            return False
    return bool(found_at(before, path) == found_at(after, path))
