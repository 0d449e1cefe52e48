"""Finds the schemas that can reach themselves again."""

from __future__ import annotations

from docagent.jsonschema.keywords import Applies, subschemas
from docagent.jsonschema.references import References

Edges = dict[int, list[int]]


def recursive_schemas(root: object, references: References) -> frozenset[int]:
    """Return the ids of all schemas that lie on a circle of subschemas and references."""
    after = _collect(root, references)
    before: Edges = {node: [] for node in after}
    for node, targets in after.items():
        for target in targets:
            before[target].append(node)
    found: set[int] = set()
    done: set[int] = set()
    for start in reversed(_finish_order(after)):
        circle = _reach(start, before, done)
        if len(circle) > 1 or start in after[start]:
            found |= circle
    return frozenset(found)


def _collect(root: object, references: References) -> Edges:
    after: Edges = {}
    waiting = [root]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, dict) or id(current) in after:
            continue
        children = [child.schema for child in subschemas(current) if child.applies is not Applies.NOWHERE]
        children.append(references.target_of(current))
        schemas = [schema for schema in children if isinstance(schema, dict)]
        after[id(current)] = [id(schema) for schema in schemas]
        waiting.extend(schemas)
    return after


def _finish_order(after: Edges) -> list[int]:
    """Return all nodes, each after the nodes it leads to (except inside a circle)."""
    order: list[int] = []
    seen: set[int] = set()
    for start in after:
        waiting = [(start, False)]
        while waiting:
            node, is_finished = waiting.pop()
            if is_finished:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                waiting.extend((target, False) for target in after[node] if target not in seen)
    return order


def _reach(start: int, before: Edges, done: set[int]) -> set[int]:
    """Return the nodes that lead to this one and belong to no circle yet."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node not in done:
            done.add(node)
            found.add(node)
            waiting.extend(before[node])
    return found
