"""Finds reference loops, and branches that multiply.

A validator follows every branch of `anyOf` and the like. Branches that meet again in a shared definition
double the work each time, so a short schema can ask for more steps than anyone can wait for.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from docagent.jsonschema.keywords import Applies, JsonObject, subschemas
from docagent.jsonschema.references import References

_FEW_REPEATS = 100


class ReferenceLoop(Exception):
    """The references lead back to where they started without going deeper into the value."""

    def __init__(self, references: list[str]) -> None:
        super().__init__(references)
        self.references = references


@dataclass(slots=True)
class _Node:
    reference: str | None
    here: list[int] = field(default_factory=list)
    members: list[int] = field(default_factory=list)


def may_multiply(schema: object, references: References) -> bool:
    """Return whether the schema is recursive or reaches some schemas in many ways. Raises ReferenceLoop."""
    nodes = _collect(schema, references)
    try:
        TopologicalSorter({key: node.here for key, node in nodes.items()}).prepare()
    except CycleError as error:
        loop = [nodes[key].reference for key in error.args[1]]
        raise ReferenceLoop(sorted({text for text in loop if text is not None})) from None
    after = {key: [*node.here, *node.members] for key, node in nodes.items()}
    try:
        leaves_first = list(TopologicalSorter(after).static_order())
    except CycleError:
        return True
    ways: Counter[int] = Counter({id(schema): 1})
    for key in reversed(leaves_first):
        for target in after[key]:
            ways[target] += ways[key]
    return ways.total() - len(ways) > _FEW_REPEATS


def _collect(schema: object, references: References) -> dict[int, _Node]:
    """Return which schema is tried after which, for all schemas that can be reached from the root."""
    nodes: dict[int, _Node] = {}
    waiting = [schema]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, dict) or id(current) in nodes:
            continue
        node = nodes[id(current)] = _Node(_reference_text(current))
        target = references.target_of(current)
        if isinstance(target, dict):
            node.here.append(id(target))
            waiting.append(target)
        for child in subschemas(current):
            if child.applies is Applies.NOWHERE or not isinstance(child.schema, dict):
                continue
            waiting.append(child.schema)
            (node.here if child.applies is Applies.HERE else node.members).append(id(child.schema))
    return nodes


def _reference_text(schema: JsonObject) -> str | None:
    text = schema.get("$ref")
    return text if isinstance(text, str) else None
