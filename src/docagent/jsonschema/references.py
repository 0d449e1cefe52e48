"""Finds what `$ref` points to, inside one document and the resources given with it. Nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag, urljoin

from docagent.jsonschema.keywords import JsonObject, subschemas
from docagent.jsonschema.problems import Path

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Reference:
    """A `$ref` in the document: where it stands, its text, and the base address it is relative to."""

    path: Path
    text: str
    base: str

    @property
    def is_local(self) -> bool:
        return self.text.startswith("#")


class References:
    """An index of a schema: each `$id`, each `$ref`, and what each `$ref` points to."""

    def __init__(self, schema: object, resources: Mapping[str, object] | None = None) -> None:
        self._resources: dict[str, object] = {"": schema}
        self._bases: dict[int, str] = {}
        self._references: list[Reference] = []
        self._index(schema, "", self._references)
        for address, resource in (resources or {}).items():
            self._resources[address] = resource
            self._index(resource, address, [])

    def __iter__(self) -> Iterator[Reference]:
        return iter(self._references)

    def target(self, reference: Reference) -> object | None:
        """Return the schema that a reference names, or None if there is none."""
        return self._find(reference.text, reference.base)

    def target_of(self, schema: JsonObject) -> object | None:
        """Return the schema that the `$ref` of this (already indexed) schema names."""
        text = schema.get("$ref")
        if not isinstance(text, str):
            return None
        return self._find(text, self._bases.get(id(schema), ""))

    def _find(self, text: str, base: str) -> object | None:
        address, fragment = urldefrag(_join(base, text))
        if fragment and not fragment.startswith("/"):
            return self._resources.get(f"{address}#{fragment}")
        resource = self._resources.get(address, _MISSING)
        found = _follow(resource, fragment)
        if found is _MISSING:
            return None
        if isinstance(found, dict) and id(found) not in self._bases:
            self._index(found, address, [])
        return found

    def _index(self, schema: object, base: str, references: list[Reference]) -> None:
        waiting: list[tuple[object, str, Path]] = [(schema, base, ())]
        while waiting:
            current, base, path = waiting.pop()
            if not isinstance(current, dict) or id(current) in self._bases:
                continue
            text = current.get("$ref")
            if isinstance(text, str):
                references.append(Reference((*path, "$ref"), text, base))
            else:
                base = self._named_base(current, base)
            self._bases[id(current)] = base
            waiting.extend((child.schema, base, (*path, *child.path)) for child in subschemas(current))

    def _named_base(self, schema: JsonObject, base: str) -> str:
        identifier = schema.get("$id")
        if not isinstance(identifier, str):
            return base
        address, anchor = urldefrag(_join(base, identifier))
        if anchor:
            self._resources.setdefault(f"{address}#{anchor}", schema)
            return base
        self._resources.setdefault(address, schema)
        return address


def _join(base: str, text: str) -> str:
    if text.startswith("#"):
        return urldefrag(base)[0] + text
    try:
        return urljoin(base, text)
    except ValueError:
        return text


def _follow(document: object, pointer: str) -> object:
    current = document
    for part in unquote(pointer).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(current, dict) and key in current:
            current = current[key]
        elif isinstance(current, list) and key.isdecimal() and int(key) < len(current):
            current = current[int(key)]
        else:
            return _MISSING
    return current
