"""The last step: removes the marks from the schema and, where possible, brings it under the provider's limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from docagent.jsonschema.keywords import JsonObject, as_list, as_object
from docagent.jsonschema.problems import Path
from docagent.jsonschema.profiles.model import Mark
from docagent.jsonschema.profiles.rules import Rules
from docagent.jsonschema.profiles.shapes import MARK, is_nullable, make_nullable
from docagent.jsonschema.profiles.simplify import Report

_NAMED = ("properties", "$defs")
_LISTED = ("anyOf", "prefixItems")
_SINGLE = ("items", "additionalProperties")

Marks = dict[Path, Mark]


def take_marks(schema: JsonObject) -> tuple[JsonObject, Marks]:
    """Return a copy of the schema without its marks, and the marks by their place."""
    marks: Marks = {}

    def clean(node: JsonObject, path: Path) -> JsonObject:
        mark = node.get(MARK)
        if isinstance(mark, Mark):
            marks[path] = mark
        return map_children({key: value for key, value in node.items() if key != MARK}, path, clean)

    return clean(schema, ()), marks


def map_children(
    node: JsonObject, path: Path, change: Callable[[JsonObject, Path], JsonObject]
) -> JsonObject:
    """Return a copy of the node with each of its direct subschemas changed."""
    changed = dict(node)
    for keyword in _NAMED:
        named = node.get(keyword)
        if isinstance(named, dict):
            changed[keyword] = {name: change(sub, (*path, keyword, name)) for name, sub in named.items()}
    for keyword in _LISTED:
        listed = node.get(keyword)
        if isinstance(listed, list):
            changed[keyword] = [change(sub, (*path, keyword, index)) for index, sub in enumerate(listed)]
    for keyword in _SINGLE:
        single = node.get(keyword)
        if isinstance(single, dict):
            changed[keyword] = change(single, (*path, keyword))
    return changed


def every_schema(schema: JsonObject) -> Iterator[tuple[Path, JsonObject]]:
    """Yield the schema and all schemas inside it."""
    found: list[tuple[Path, JsonObject]] = []

    def visit(node: JsonObject, path: Path) -> JsonObject:
        found.append((path, node))
        map_children(node, path, visit)
        return node

    visit(schema, ())
    return iter(found)


def respect_limits(schema: JsonObject, marks: Marks, rules: Rules, report: Report) -> None:
    """Change the schema and the marks in place where a limit is exceeded. Report what cannot be fixed."""
    limits = rules.limits
    if limits.enum_values is not None:
        _shorten_enums(schema, limits.enum_values, report)
    if limits.optional_properties is not None and limits.unions is not None:
        _require_surplus(schema, marks, rules, limits.optional_properties, limits.unions, report)
    nodes = list(every_schema(schema))
    counted = {
        "properties": (sum(len(_properties(node)) for _, node in nodes), limits.properties),
        "characters in names and enum values": (_name_characters(nodes), limits.name_characters),
        "optional properties": (sum(len(_optional(node)) for _, node in nodes), limits.optional_properties),
        "unions": (_unions(nodes), limits.unions),
    }
    for what, (count, most) in counted.items():
        if most is not None and count > most:
            report.add(
                (), f"has {count} {what}", f"{rules.provider} accepts {most} and may refuse it", lossy=True
            )


def _shorten_enums(schema: JsonObject, most: int, report: Report) -> None:
    """Drop the longest lists of allowed values until the rest fits."""
    enums = [(path, node) for path, node in every_schema(schema) if isinstance(node.get("enum"), list)]
    enums.sort(key=lambda entry: -len(as_list(entry[1]["enum"])))
    total = sum(len(as_list(node["enum"])) for _, node in enums)
    for path, node in enums:
        if total <= most:
            return
        total -= len(as_list(node["enum"]))
        del node["enum"]
        report.add(
            path, "enum dropped in the sent schema", f"all enums together may have {most} values", lossy=True
        )


def _require_surplus(
    schema: JsonObject, marks: Marks, rules: Rules, most: int, most_unions: int, report: Report
) -> None:
    """Make surplus optional properties required: null stands for an absent one or, if unions run out, empty text."""
    nodes = list(every_schema(schema))
    optional = [(path, node, name) for path, node in nodes for name in _optional(node)]
    surplus = len(optional) - most
    unions = _unions(nodes)
    optional.sort(key=lambda entry: _is_plain_text(_properties(entry[1])[entry[2]]))
    for path, node, name in optional:
        if surplus <= 0:
            return
        member = _properties(node)[name]
        mark = marks.get(path, Mark())
        if is_nullable(member):
            what = "optional became required, with null for absent"
        elif unions < most_unions:
            unions += 1
            _properties(node)[name] = make_nullable(member, rules)
            mark = replace(mark, null_if_absent=mark.null_if_absent | {name})
            what = "optional became required, with null for absent"
        elif _is_plain_text(member):
            mark = replace(mark, empty_if_absent=mark.empty_if_absent | {name})
            told = member.get("description")
            member["description"] = f"{told} [empty if absent]" if told else "[empty if absent]"
            what = "optional became required, with empty text for absent"
        else:
            continue
        surplus -= 1
        marks[path] = mark
        required = as_list(node.get("required"))
        node["required"] = [n for n in _properties(node) if n in required or n == name]
        report.add((*path, "properties", name), what, f"at most {most} may be optional", lossy=False)


def _is_plain_text(member: JsonObject) -> bool:
    return member.get("type") == "string" and not {"enum", "const", "format", "pattern"} & set(member)


def _optional(node: JsonObject) -> list[str]:
    required = set(map(str, as_list(node.get("required"))))
    return [name for name in _properties(node) if name not in required]


def _unions(nodes: list[tuple[Path, JsonObject]]) -> int:
    return sum("anyOf" in node or isinstance(node.get("type"), list) for _, node in nodes)


def _name_characters(nodes: list[tuple[Path, JsonObject]]) -> int:
    texts: list[object] = []
    for _, node in nodes:
        texts += [*_properties(node), *as_object(node.get("$defs"))]
        texts += [*as_list(node.get("enum")), node.get("const")]
    return sum(len(text) for text in texts if isinstance(text, str))


def _properties(node: JsonObject) -> dict[str, JsonObject]:
    properties = node.get("properties")
    return properties if isinstance(properties, dict) else {}
