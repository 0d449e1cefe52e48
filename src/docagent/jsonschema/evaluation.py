"""Estimates how much work a schema can cause: endless reference loops, and branches that multiply.

A validator follows every branch of `anyOf` and the like. Branches that meet again in a shared definition
double the work each time, so a short schema can ask for more steps than anyone can wait for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush

from docagent.jsonschema.keywords import Applies, JsonObject, subschemas
from docagent.jsonschema.references import References

_REPEATS_WITHOUT_A_LOOK = 100
MOST_REPEATS = 20_000


class ReferenceLoop(Exception):
    """The references lead back to where they started without going deeper into the value."""

    def __init__(self, references: list[str]) -> None:
        super().__init__(references)
        self.references = references


@dataclass(slots=True)
class _Node:
    reference: str | None
    here: list[int] = field(default_factory=list)
    members: list[tuple[str | int | None, int]] = field(default_factory=list)


class EvaluationGraph:
    """Which schema is tried after which, for all schemas that can be reached from the root."""

    def __init__(self, schema: object, references: References) -> None:
        self._nodes: dict[int, _Node] = {}
        self._root = id(schema)
        self._collect(schema, references)
        self._order = self._order_of_trial()
        self._may_multiply = self._find_multiplying()

    def repeats(self, instance: object) -> int:
        """Count how often a schema is tried again on a value it was already tried on. Stops above MOST_REPEATS."""
        if not self._may_multiply:
            return 0
        repeats = 0
        waiting: list[tuple[object, Counter[int]]] = [(instance, Counter({self._root: 1}))]
        while waiting and repeats <= MOST_REPEATS:
            value, first = waiting.pop()
            trials = self._spread(first)
            repeats += trials.total() - len(trials)
            for key, member in _members_of(value):
                below: Counter[int] = Counter()
                for schema_id, times in trials.items():
                    for about, target in self._nodes[schema_id].members:
                        if about is None or about == key:
                            below[target] += times
                if below:
                    waiting.append((member, below))
        return repeats

    def _collect(self, schema: object, references: References) -> None:
        waiting = [schema]
        while waiting:
            current = waiting.pop()
            if not isinstance(current, dict) or id(current) in self._nodes:
                continue
            node = self._nodes[id(current)] = _Node(_reference_text(current))
            target = references.target_of(current)
            if isinstance(target, dict):
                node.here.append(id(target))
                waiting.append(target)
            for child in subschemas(current):
                if child.applies is Applies.NOWHERE or not isinstance(child.schema, dict):
                    continue
                waiting.append(child.schema)
                if child.applies is Applies.HERE:
                    node.here.append(id(child.schema))
                else:
                    node.members.append((child.member, id(child.schema)))

    def _order_of_trial(self) -> dict[int, int]:
        try:
            leaves_first = list(
                TopologicalSorter({key: n.here for key, n in self._nodes.items()}).static_order()
            )
        except CycleError as error:
            loop = [self._nodes[key].reference for key in error.args[1]]
            raise ReferenceLoop(sorted({text for text in loop if text is not None})) from None
        return {key: position for position, key in enumerate(reversed(leaves_first))}

    def _find_multiplying(self) -> bool:
        """Return whether the schema is recursive or reaches some schemas in many ways."""
        after = {key: [*n.here, *(target for _, target in n.members)] for key, n in self._nodes.items()}
        try:
            leaves_first = TopologicalSorter(after).static_order()
            ways: Counter[int] = Counter({self._root: 1})
            for key in reversed(list(leaves_first)):
                for target in after[key]:
                    ways[target] += ways[key]
        except CycleError:
            return True
        return ways.total() - len(ways) > _REPEATS_WITHOUT_A_LOOK

    def _spread(self, first: Counter[int]) -> Counter[int]:
        """Return all schemas tried on one value and how often, given the ones it starts with."""
        times = Counter(first)
        waiting = [(self._order[key], key) for key in first]
        waiting.sort()
        while waiting:
            _, key = heappop(waiting)
            for target in self._nodes[key].here:
                if target not in times:
                    heappush(waiting, (self._order[target], target))
                times[target] += times[key]
        return times


def _reference_text(schema: JsonObject) -> str | None:
    text = schema.get("$ref")
    return text if isinstance(text, str) else None


def _members_of(value: object) -> Iterator[tuple[str | int, object]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
