"""The first step for every provider: removes a top-level `$ref`, `allOf`, `not` and conditions."""

from __future__ import annotations

from collections.abc import Iterator

from docagent.domain.field_path import FieldPath
from docagent.jsonschema.keywords import JsonObject, as_list, as_object
from docagent.jsonschema.problems import Path, show
from docagent.jsonschema.profiles.merge import Contradiction, merge
from docagent.jsonschema.profiles.model import Change
from docagent.jsonschema.references import References

_MOST_NESTED = 60
_CONDITIONS = ("if", "then", "else", "dependencies", "not")


class Report:
    """Collects the changes that a transformation makes, each one once."""

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._changes: dict[tuple[str, str], Change] = {}

    def add(self, path: Path, what: str, why: str, *, lossy: bool) -> None:
        place = str(FieldPath(path))
        self._changes.setdefault((place, what), Change(place, what, why, lossy))

    def unsupported(self, path: Path, what: str, *, lossy: bool = True) -> None:
        self.add(path, what, f"{self._provider} does not accept it as it is", lossy=lossy)

    @property
    def changes(self) -> list[Change]:
        return list(self._changes.values())


class Simplifier:
    """Resolves and merges the schemas that apply at one place."""

    def __init__(self, references: References, report: Report) -> None:
        self._references = references
        self._report = report

    def resolve(self, schema: object, path: Path) -> object:
        """Follow `$ref` to the schema it finally leads to. Return True (any value) if it leads nowhere."""
        seen: set[int] = set()
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            target = self._references.target_of(schema)
            if target is None or id(schema) in seen:
                self._report.add(
                    path, f"{show(schema['$ref'])} became any value", "it cannot be followed", lossy=True
                )
                return True
            seen.add(id(schema))
            schema = target
        return schema

    def simplify(self, schema: JsonObject, path: Path, above: tuple[int, ...] = ()) -> JsonObject | None:
        """Merge `allOf` into the schema and remove conditions. Return None if no value can fit."""
        simple = {
            keyword: value for keyword, value in schema.items() if keyword not in ("allOf", *_CONDITIONS)
        }
        try:
            for index, branch in enumerate(as_list(schema.get("allOf"))):
                here = (*path, "allOf", index)
                resolved = self.resolve(branch, here)
                if resolved is False:
                    return None
                if not isinstance(resolved, dict):
                    continue
                if id(resolved) in above or len(above) > _MOST_NESTED:
                    self._report.add(here, "dropped", "it repeats itself without end", lossy=True)
                    continue
                merged = self.simplify(resolved, here, (*above, id(schema), id(resolved)))
                if merged is None:
                    return None
                simple = self.combine(simple, merged, here)
        except Contradiction:
            return None
        if "allOf" in schema:
            self._report.unsupported((*path, "allOf"), "merged into one schema", lossy=False)
        return self._without_conditions(schema, simple, path)

    def combine(self, first: JsonObject, second: JsonObject, path: Path) -> JsonObject:
        """Merge both schemas into one. Raises Contradiction if no value fits both."""

        def lost(keyword: str) -> None:
            self._report.add((*path, keyword), "dropped", "it cannot be merged with its twin", lossy=True)

        return merge(first, second, lost)

    def _without_conditions(self, schema: JsonObject, simple: JsonObject, path: Path) -> JsonObject:
        """Drop conditions, but keep the properties that only they name, as optional ones."""
        for keyword in _CONDITIONS:
            if keyword in schema:
                self._report.unsupported((*path, keyword), "dropped")
        named = as_object(simple.get("properties"))
        found = {
            name: member
            for branch in self._conditional(schema, path)
            for name, member in as_object(branch.get("properties")).items()
            if name not in named and isinstance(member, dict)
        }
        if found:
            self._report.unsupported(path, f"kept {show(sorted(found))} as optional, without their condition")
            simple["properties"] = {**named, **found}
        return simple

    def _conditional(self, schema: JsonObject, path: Path) -> Iterator[JsonObject]:
        dependencies = as_object(schema.get("dependencies"))
        branches = [schema.get("then"), schema.get("else"), *dependencies.values()]
        for branch in branches:
            resolved = self.resolve(branch, path)
            if isinstance(resolved, dict):
                yield resolved
