"""Checks a result's data, whoever made it: what breaks the schema, where each value stands, and how sure it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Protocol

from docagent.domain.documents.text import Box, Page
from docagent.domain.extraction.review import places_in
from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem
from docagent.evidence.confidence import Calibration, Known, weighed, weighed_values
from docagent.evidence.grounding import DocumentIndex, PointedWord, as_json, ground_tree
from docagent.jsonschema import SchemaValidator
from docagent.store.engine.database import OrgTx

Places = Mapping[FieldPath, Sequence[PointedWord]]
"""By path, the words on the pages that a person pointed at."""


class Calibrations(Protocol):
    """How sure an organisation's scores are, and what to do once a person verified more values."""

    async def of(self, organization_id: str) -> Calibration: ...

    async def after_verifying(self, tx: OrgTx) -> None: ...


_long_checks = ThreadPoolExecutor(2, "long-check")
"""Threads of their own for checks that wait for a process: they cannot fill the pool that all others use."""


async def field_problems(schema: dict[str, Any] | None, data: Any) -> list[Problem]:
    return [] if schema is None else await problems_of(lambda: SchemaValidator(schema), data)


async def problems_of(validator: Callable[[], SchemaValidator], data: Any) -> list[Problem]:
    """Return everything that is wrong with the data, which a member and a schema of a member may have made long."""

    def check() -> tuple[SchemaValidator, list[Problem] | None]:
        prepared = validator()
        return prepared, prepared.errors_here(data)

    prepared, found = await asyncio.to_thread(check)
    if found is None:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(_long_checks, prepared.errors_in_process, data)
    return found


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
    problems: Sequence[Problem],
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
    """What voices, verified documents and the page said of the values that an edit leaves as they are."""
    kept = {
        one.path: one.signals for one in weighed_values(grounding, before) if one.path.get(after) == one.value
    }
    return Known(
        voices={path: one.voices for path, one in kept.items() if one.voices is not None},
        learnt={path: one.learnt for path, one in kept.items() if one.learnt is not None},
        learnt_from={path: one.learnt_from for path, one in kept.items() if one.learnt_from},
        evidence={path: one.evidence for path, one in kept.items() if one.evidence is not None},
    )


def pointed_before(
    grounding: Any, before: dict[str, Any], after: dict[str, Any]
) -> dict[FieldPath, list[PointedWord]]:
    """Where a person pointed for the values that an edit leaves as and where they are."""
    return {
        path: [(word["page"], Box(*word["box"])) for word in place["words"]]
        for path, place in places_in(grounding)
        if (place.get("signals") or {}).get("pointed") and _is_untouched(before, after, path)
    }


def _is_untouched(before: Any, after: Any, path: FieldPath) -> bool:
    """Whether the value is the same, and no list on the way to it lost or got an item, which would move it."""
    for length in range(len(path)):
        above = FieldPath(path[:length])
        one, other = above.get(before), above.get(after)
        if isinstance(one, list) and (not isinstance(other, list) or len(one) != len(other)):
            return False
    return bool(path.get(before) == path.get(after))
