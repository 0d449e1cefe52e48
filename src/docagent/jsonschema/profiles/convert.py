"""Converts a draft 7 schema to a provider's form, one place at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from docagent.jsonschema.keywords import (
    LIMITS_OF_LISTS,
    LIMITS_OF_NUMBERS,
    LIMITS_OF_OBJECTS,
    LIMITS_OF_TEXTS,
    JsonObject,
    as_list,
    as_object,
)
from docagent.jsonschema.problems import Path
from docagent.jsonschema.profiles import shapes
from docagent.jsonschema.profiles.merge import Contradiction, same
from docagent.jsonschema.profiles.model import Mark
from docagent.jsonschema.profiles.recursion import recursive_schemas
from docagent.jsonschema.profiles.rules import Rules
from docagent.jsonschema.profiles.scalars import keep_keywords
from docagent.jsonschema.profiles.simplify import Report, Simplifier
from docagent.jsonschema.references import References

_MOST_NESTED = 60
_MOST_SCHEMAS = 10_000
_RECURSION_UNROLLED = 3
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "$comment", "$id", "$schema", "definitions", "$defs"}
)
_KEYWORDS_OF_TYPE = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", *LIMITS_OF_OBJECTS),
    "array": ("items", "prefixItems", *LIMITS_OF_LISTS),
    "string": LIMITS_OF_TEXTS,
    "number": LIMITS_OF_NUMBERS,
}
_TYPE_OF_KEYWORD = {keyword: kind for kind, keywords in _KEYWORDS_OF_TYPE.items() for keyword in keywords}
_HANDLED = frozenset(
    {
        *_TYPE_OF_KEYWORD,
        *("type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies"),
        *("additionalItems", "contentEncoding", "contentMediaType"),
        *("title", "description", "default", "definitions", "$defs", "propertyOrdering"),
    }
)
"""Keywords that are kept, or whose loss is reported by the code that handles them."""


class Converter:
    """Converts one schema. `definitions` collects the definitions that the result refers to."""

    def __init__(self, root: object, references: References, rules: Rules, report: Report) -> None:
        self._root = root
        self._rules = rules
        self._report = report
        self._simplifier = Simplifier(references, report)
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._queue: deque[tuple[str, object, Path]] = deque()
        self._recursive = recursive_schemas(root, references)
        self._inlined: list[int] = []
        self._nested = 0
        self._object_levels = 0
        self._schemas = 0
        self.definitions: dict[str, JsonObject] = {}

    def convert_root(self) -> JsonObject:
        """Convert the root and all definitions it needs. The result is never a bare `$ref`."""
        root = self._simplifier.resolve(self._root, ())
        if isinstance(root, dict):
            self._inlined.append(id(root))
        converted = self.convert(root, ())
        while self._queue:
            name, target, path = self._queue.popleft()
            self.definitions[name] = self._or_null(self.convert(target, path), path)
        return self._or_null(converted, ())

    def convert(self, schema: object, path: Path) -> JsonObject | None:
        """Return the provider's form, or None if no value is allowed."""
        self._schemas += 1
        if schema is False:
            return None
        if not isinstance(schema, dict):
            return self._any(path)
        if self._nested >= _MOST_NESTED or self._schemas > _MOST_SCHEMAS:
            return self._as_text(schema, path, "the schema is too deep or too large when written out")
        with self._one_deeper():
            if isinstance(schema.get("$ref"), str):
                return self._reference(schema, path)
            for keyword in [name for name in schema if name not in _HANDLED]:
                self._report.unsupported((*path, keyword), "dropped", lossy=False)
            simple = self._simplifier.simplify(schema, path, (id(schema),))
            return None if simple is None else self._plain(simple, path)

    @contextmanager
    def _one_deeper(self) -> Iterator[None]:
        self._nested += 1
        try:
            yield
        finally:
            self._nested -= 1

    def _any(self, path: Path) -> JsonObject:
        what = "any value became text, number, true, false or null" if self._rules.unions else "became text"
        self._report.unsupported(path, what)
        return shapes.any_scalar(self._rules)

    def _or_null(self, converted: JsonObject | None, path: Path) -> JsonObject:
        if converted is not None:
            return converted
        self._report.add(path, "became null", "the schema allows no value at all", lossy=True)
        return shapes.null_only(self._rules)

    def _as_text(self, schema: JsonObject, path: Path, why: str) -> JsonObject:
        self._report.add(path, "became a string that holds JSON", why, lossy=True)
        return shapes.json_text(schema.get("description"))

    # References

    def _reference(self, schema: JsonObject, path: Path) -> JsonObject | None:
        target = self._simplifier.resolve(schema, path)
        if not isinstance(target, dict):
            return self.convert(target, path)
        recursive = id(target) in self._recursive
        told = schema.get("description")
        if self._rules.references and (self._rules.recursion or not recursive):
            if not isinstance(told, str) or recursive:
                return {"$ref": self._pointer(target, str(schema["$ref"]), path)}
        elif self._inlined.count(id(target)) > _RECURSION_UNROLLED:
            return self._as_text(target, path, f"recursion is cut after {_RECURSION_UNROLLED} levels")
        if recursive and id(target) not in self._inlined:
            self._report.unsupported(path, f"recursion written out {_RECURSION_UNROLLED} times")
        elif not recursive and not self._rules.references:
            self._report.unsupported(path, "definition written out in place", lossy=False)
        self._inlined.append(id(target))
        converted = self.convert(target, path)
        self._inlined.pop()
        if converted is not None and isinstance(told, str):
            converted = {**converted, "description": told}
        return converted

    def _pointer(self, target: JsonObject, text: str, path: Path) -> str:
        if target is self._simplifier.resolve(self._root, ()):
            return "#"
        name = self._names.get(id(target))
        if name is None:
            wanted = "".join(c if c.isalnum() else "_" for c in text.rsplit("/", 1)[-1]) or "definition"
            name, number = wanted, 1
            while name in self._taken:
                number += 1
                name = f"{wanted}_{number}"
            self._names[id(target)] = name
            self._taken.add(name)
            self._queue.append((name, target, path))
        return f"#/$defs/{name}"

    # Unions, enumerations and types

    def _plain(self, schema: JsonObject, path: Path) -> JsonObject | None:
        if isinstance(schema.get("anyOf"), list) or isinstance(schema.get("oneOf"), list):
            return self._union(schema, path)
        if "const" in schema or isinstance(schema.get("enum"), list):
            return self._enumeration(schema, path)
        kinds = self._kinds(schema, path)
        named = [kind for kind in kinds if kind != "null"]
        if not kinds:
            return {**self._any(path), **keep_keywords(schema, "", path, self._rules, self._report)}
        if not named:
            return {
                **shapes.null_only(self._rules),
                **keep_keywords(schema, "", path, self._rules, self._report),
            }
        converted = self._one_of([self._typed(schema, kind, path) for kind in named], path)
        return shapes.make_nullable(converted, self._rules) if "null" in kinds else converted

    def _kinds(self, schema: JsonObject, path: Path) -> list[str]:
        declared = schema.get("type")
        kinds = [declared] if isinstance(declared, str) else declared
        if not isinstance(kinds, list):
            kinds = list(dict.fromkeys(_TYPE_OF_KEYWORD[k] for k in schema if k in _TYPE_OF_KEYWORD))
            if kinds:
                self._report.add(path, f"taken as {' or '.join(kinds)}", "a type must be named", lossy=True)
        return [kind for kind in kinds if not (kind == "integer" and "number" in kinds)]

    def _union(self, schema: JsonObject, path: Path) -> JsonObject | None:
        keyword = "anyOf" if isinstance(schema.get("anyOf"), list) else "oneOf"
        if "oneOf" in schema:
            both = keyword == "anyOf"
            self._report.unsupported((*path, "oneOf"), "dropped beside anyOf" if both else "became anyOf")
        base = {k: v for k, v in schema.items() if k not in ("anyOf", "oneOf", *_ANNOTATIONS)}
        converted: list[JsonObject] = []
        for index, branch in enumerate(as_list(schema[keyword])):
            one = self._branch(base, branch, (*path, keyword, index))
            if one is not None:
                converted.append(one)
        if not converted:
            return None
        union = self._one_of(converted, path)
        told = keep_keywords(schema, "", path, self._rules, self._report)
        if "$ref" in union and told:
            self._report.unsupported(path, "description beside a reference dropped", lossy=False)
            return union
        return {**union, **told}

    def _branch(self, base: JsonObject, branch: object, path: Path) -> JsonObject | None:
        if not base or branch is False:
            return self.convert(branch, path)
        resolved = self._simplifier.resolve(branch, path)
        if not isinstance(resolved, dict):
            return self.convert(base if resolved is True else resolved, path)
        simple = self._simplifier.simplify(resolved, path, (id(resolved),))
        try:
            return (
                None if simple is None else self.convert(self._simplifier.combine(base, simple, path), path)
            )
        except Contradiction:
            return None

    def _one_of(self, schemas: list[JsonObject], path: Path) -> JsonObject:
        if len(schemas) == 1:
            return schemas[0]
        flat: list[JsonObject] = []
        for schema in schemas:
            inner = schema.get("anyOf")
            flat.extend(inner if isinstance(inner, list) and set(schema) == {"anyOf"} else [schema])
        only_null = shapes.null_only(self._rules)
        distinct = shapes.without_duplicates(flat)
        values = [schema for schema in distinct if schema != only_null]
        if not values:
            return only_null
        nullable = len(values) < len(distinct)
        if len(values) == 1:
            one = values[0]
        elif self._rules.unions:
            one = {"anyOf": values}
        else:
            self._report.unsupported(path, "alternatives became one schema")
            one = shapes.narrow(values)
        return shapes.make_nullable(one, self._rules) if nullable else one

    def _enumeration(self, schema: JsonObject, path: Path) -> JsonObject | None:
        listed = schema.get("enum")
        values = [schema["const"]] if "const" in schema else listed if isinstance(listed, list) else []
        if "const" in schema and isinstance(listed, list):
            values = [value for value in values if any(same(value, other) for other in listed)]
        kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type")
        if isinstance(kinds, list):
            values = [value for value in values if _fits(value, kinds)]
        converted: list[JsonObject] = [shapes.null_only(self._rules)] if None in values else []
        for value in values:
            if isinstance(value, dict | list):
                self._report.unsupported(path, "a structured constant became a description of its shape")
                told: JsonObject = {
                    name: schema[name] for name in ("title", "description", "default") if name in schema
                }
                shape = self.convert({**told, **_describe(value)}, path)
                converted.extend([shape] if shape is not None else [])
        for kind in ("string", "number", "boolean"):
            group = [value for value in values if _fits(value, [kind])]
            if group:
                converted.append(self._enumerated(schema, kind, group, path))
        return self._one_of(converted, path) if converted else None

    def _enumerated(self, schema: JsonObject, kind: str, values: list[object], path: Path) -> JsonObject:
        if kind == "number" and schema.get("type") != "number" and _all_whole(values):
            kind = "integer"
        converted = {"type": kind, **keep_keywords(schema, kind, path, self._rules, self._report)}
        if "const" in schema and self._rules.consts:
            return {**converted, "const": values[0]}
        if "const" in schema:
            self._report.unsupported((*path, "const"), "became enum with one value", lossy=False)
        return {**converted, "enum": values}

    def _typed(self, schema: JsonObject, kind: str, path: Path) -> JsonObject:
        if kind == "object":
            return self._object(schema, path)
        if kind == "array":
            return self._array(schema, path)
        return {"type": kind, **keep_keywords(schema, kind, path, self._rules, self._report)}

    # Objects and arrays

    def _object(self, schema: JsonObject, path: Path) -> JsonObject:
        most = self._rules.limits.object_levels
        if most is not None and self._object_levels >= most:
            return self._as_text(schema, path, f"objects may be nested {most} levels deep")
        self._object_levels += 1
        try:
            kept = keep_keywords(schema, "object", path, self._rules, self._report)
            named = as_object(schema.get("properties"))
            required = [name for name in as_list(schema.get("required")) if isinstance(name, str)]
            is_open = schema.get("additionalProperties") is not False or bool(schema.get("patternProperties"))
            if self._rules.closed_objects and not named and not required and is_open:
                return self._map(schema, kept, path)
            return self._record(schema, kept, named, required, path)
        finally:
            self._object_levels -= 1

    def _free_value(self, schema: JsonObject, path: Path) -> JsonObject | None:
        """Return the schema for the values of free keys, or None if free keys are not allowed."""
        candidates: list[JsonObject] = []
        for pattern, member in as_object(schema.get("patternProperties")).items():
            self._report.unsupported((*path, "patternProperties", pattern), "keys are no longer checked")
            converted = self.convert(member, (*path, "patternProperties", pattern))
            candidates.extend([converted] if converted is not None else [])
        free = schema.get("additionalProperties", not candidates)
        if isinstance(free, dict) or (free is True and not candidates):
            converted = self.convert(free, (*path, "additionalProperties"))
            candidates.extend([converted] if converted is not None else [])
        return self._one_of(candidates, path) if candidates else None

    def _map(self, schema: JsonObject, kept: JsonObject, path: Path) -> JsonObject:
        value = self._free_value(schema, path)
        if value is None:
            return {**shapes.closed_object({}), **kept}
        self._report.unsupported(path, "free keys became a list of key and value", lossy=False)
        return {**shapes.entries(value), **kept}

    def _record(
        self, schema: JsonObject, kept: JsonObject, named: JsonObject, required: list[str], path: Path
    ) -> JsonObject:
        members = {name: named.get(name, True) for name in [*named, *required]}
        free = schema.get("additionalProperties", True)
        properties: JsonObject = {}
        for name, member in members.items():
            source = member if name in named else free
            converted = self.convert(source, (*path, "properties", name))
            if converted is None:
                self._report.add((*path, "properties", name), "dropped", "it may hold no value", lossy=False)
            else:
                properties[name] = converted
        optional = [name for name in properties if name not in required]
        record: JsonObject = {"type": "object", **kept}
        if self._rules.all_required:
            record = self._require_all(record, properties, optional, path)
        if properties or "properties" in schema or self._rules.closed_objects:
            record["properties"] = properties
        must = [name for name in properties if self._rules.all_required or name not in optional]
        if must or self._rules.all_required or isinstance(schema.get("required"), list):
            record["required"] = must
        if "properties" not in record:
            record.pop("required", None)
        self._close(record, schema, path)
        if self._rules.property_ordering:
            record["propertyOrdering"] = _ordering(schema.get("propertyOrdering"), list(properties))
            if record["propertyOrdering"] != schema.get("propertyOrdering"):
                self._report.add((*path, "propertyOrdering"), "set", "older models need it", lossy=False)
        return record

    def _require_all(
        self, record: JsonObject, properties: JsonObject, optional: list[str], path: Path
    ) -> JsonObject:
        null_if_absent = set()
        for name in optional:
            member = properties[name]
            self._report.unsupported(
                (*path, "properties", name), "optional became required, with null for absent", lossy=False
            )
            if isinstance(member, dict) and not shapes.is_nullable(member):
                null_if_absent.add(name)
                properties[name] = shapes.make_nullable(member, self._rules)
        if null_if_absent:
            record[shapes.MARK] = Mark(null_if_absent=frozenset(null_if_absent))
        return record

    def _close(self, record: JsonObject, schema: JsonObject, path: Path) -> None:
        free = schema.get("additionalProperties", True)
        if self._rules.closed_objects:
            if free is not False:
                stated = "additionalProperties" in schema
                self._report.unsupported((*path, "additionalProperties"), "became false", lossy=stated)
            for pattern in as_object(schema.get("patternProperties")):
                self._report.unsupported((*path, "patternProperties", pattern), "dropped")
            record["additionalProperties"] = False
        elif isinstance(free, dict) or "patternProperties" in schema:
            value = self._free_value(schema, path)
            record["additionalProperties"] = False if value is None else value
        elif "additionalProperties" in schema:
            record["additionalProperties"] = free

    def _array(self, schema: JsonObject, path: Path) -> JsonObject:
        array: JsonObject = {
            "type": "array",
            **keep_keywords(schema, "array", path, self._rules, self._report),
        }
        items = schema.get("items", True)
        places = items if isinstance(items, list) else schema.get("prefixItems")
        if isinstance(places, list) and places:
            return self._tuple(array, schema, places, path)
        converted = self.convert(items, (*path, "items"))
        if converted is None:
            self._report.add((*path, "items"), "became text", "an array must say what it holds", lossy=True)
            converted = {"type": "string"}
            if "maxItems" in self._rules.array:
                array["maxItems"] = 0
        return {**array, "items": converted}

    def _tuple(self, array: JsonObject, schema: JsonObject, places: list[object], path: Path) -> JsonObject:
        converted = [
            self._or_null(self.convert(place, (*path, "items", index)), (*path, "items", index))
            for index, place in enumerate(places)
        ]
        rest = schema.get("additionalItems")
        if self._rules.tuples:
            if "additionalItems" in schema:
                self._report.unsupported((*path, "additionalItems"), "dropped")
            return {**array, "prefixItems": converted}
        self._report.unsupported((*path, "items"), "places of a tuple became alternatives for every item")
        more = self.convert(rest, (*path, "additionalItems")) if isinstance(rest, dict) else None
        if more is not None:
            converted.append(more)
        return {**array, "items": self._one_of(converted, path)}


def _fits(value: object, kinds: list[object]) -> bool:
    if value is None:
        return "null" in kinds
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, str):
        return "string" in kinds
    if isinstance(value, dict):
        return "object" in kinds
    if isinstance(value, list):
        return "array" in kinds
    return "number" in kinds or ("integer" in kinds and _all_whole([value]))


def _all_whole(values: list[object]) -> bool:
    return all(not isinstance(value, float) or value.is_integer() for value in values)


def _describe(value: object) -> JsonObject:
    """Return a schema that describes a constant object or list."""
    if isinstance(value, dict):
        return shapes.closed_object({name: {"const": member} for name, member in value.items()})
    members = as_list(value)
    items: object = {"enum": members} if members else True
    return {"type": "array", "items": items, "minItems": len(members), "maxItems": len(members)}


def _ordering(wanted: object, names: list[str]) -> list[str]:
    first = [name for name in dict.fromkeys(as_list(wanted)) if name in names]
    return [str(name) for name in [*first, *(name for name in names if name not in first)]]
