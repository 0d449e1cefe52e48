"""Every whole number in a request has a bound: one that the database cannot hold would be an error of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.rules.sources import ROOT

SAID_OTHERWISE = {"NewTokenIn.lifetime"}
"""What a service refuses in its own words."""
_BESIDES = frozenset({"properties", "anyOf", "items", "schema", "content", "application/json"})
API = json.loads((ROOT / "docs/openapi.json").read_text())


def test_every_whole_number_of_a_request_has_a_largest_value() -> None:
    operations = [one for path in API["paths"].values() for one in path.values() if isinstance(one, dict)]
    found = [
        one
        for operation in operations
        for key in ("parameters", "requestBody")
        for one in _unbounded(operation.get(key), operation.get("operationId", ""), set())
    ]
    assert set(found) == SAID_OTHERWISE


def _unbounded(part: Any, where: str, seen: set[str]) -> Iterator[str]:
    if isinstance(part, list):
        for one in part:
            yield from _unbounded(one, where, seen)
    elif isinstance(part, dict):
        name = part.get("$ref")
        if name is not None and name not in seen:
            seen.add(name)
            yield from _unbounded(
                API["components"]["schemas"][name.split("/")[-1]], name.split("/")[-1], seen
            )
        if part.get("type") == "integer" and not {"maximum", "exclusiveMaximum", "enum", "const"} & set(part):
            yield where
        for key, one in part.items():
            yield from _unbounded(one, f"{where}.{key}" if key not in _BESIDES else where, seen)
