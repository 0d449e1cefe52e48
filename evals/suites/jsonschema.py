"""Runs the official draft 7 suite, and checks whether providers accept transformed schemas.

The folder holds the suite (`tests/draft7`, `remotes`) and published descriptions of what OpenAI and Gemini
accept (`provider_profiles`), as meta-schemas with examples. Anthropic publishes only prose, so its
meta-schema is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from jsonschema_rs import Draft202012Validator

from docagent.jsonschema.profiles import Profile, to_profile
from docagent.jsonschema.validate import InvalidSchema, SchemaValidator, check_form

NAME = "jsonschema"
FOLDER = "jsonschema"

_REMOTE_BASE = "http://localhost:1234/"
_META_SCHEMAS = {
    Profile.OPENAI_STRICT: ("openai_202602",),
    Profile.GEMINI: ("gemini_202602", "gemini_202503"),
    Profile.ANTHROPIC: (),
}
_ANTHROPIC_NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "type": {
            "anyOf": [{"$ref": "#/$defs/kind"}, {"type": "array", "items": {"$ref": "#/$defs/kind"}}],
        },
        "title": {"type": "string"},
        "description": {"type": "string"},
        "enum": {"type": "array", "minItems": 1, "items": {"type": ["string", "number", "boolean", "null"]}},
        "const": {"type": ["string", "number", "boolean", "null"]},
        "format": {
            "enum": [
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "uri",
                "ipv4",
                "ipv6",
                "uuid",
            ]
        },
        "pattern": {"type": "string"},
        "properties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
        "required": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "additionalProperties": {"const": False},
        "items": {"$ref": "#/$defs/node"},
        "minItems": {"enum": [0, 1]},
        "anyOf": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/node"}},
        "$defs": {"type": "object", "additionalProperties": {"$ref": "#/$defs/node"}},
        "$ref": {"type": "string", "pattern": "^#/\\$defs/"},
    },
    "additionalProperties": False,
    "anyOf": [{"required": ["type"]}, {"required": ["anyOf"]}, {"required": ["$ref"]}],
    "if": {"properties": {"type": {"const": "object"}}, "required": ["type"]},
    "then": {"required": ["properties", "additionalProperties"]},
}
_ANTHROPIC: dict[str, Any] = {
    "$ref": "#/$defs/node",
    "properties": {"type": {"const": "object"}},
    "required": ["type"],
    "$defs": {
        "node": _ANTHROPIC_NODE,
        "kind": {"enum": ["string", "integer", "number", "boolean", "array", "object", "null"]},
    },
}


def run(folder: Path) -> dict[str, float | dict[str, float]]:
    """Return the tests passed, and the shares of schemas that each provider accepts after transformation."""
    remotes = _remotes(folder / "remotes")
    mandatory = sorted((folder / "tests" / "draft7").glob("*.json"))
    optional = sorted((folder / "tests" / "draft7" / "optional").rglob("*.json"))
    figures: dict[str, float | dict[str, float]] = {
        "draft7": _run_tests(mandatory, remotes),
        "draft7_optional": _run_tests(optional, remotes),
    }
    schemas = [group["schema"] for path in [*mandatory, *optional] for group in _read(path)]
    usable = [schema for schema in schemas if _is_schema(schema)]
    for profile in Profile:
        figures[f"profile_{profile}"] = _run_profile(folder / "provider_profiles", profile, usable)
    return figures


def _is_schema(schema: object) -> bool:
    try:
        check_form(schema)
    except InvalidSchema:
        return False
    return True


def _run_tests(files: list[Path], remotes: dict[str, object]) -> dict[str, float]:
    passed = total = 0
    for path in files:
        for group in _read(path):
            total += len(group["tests"])
            try:
                validator = SchemaValidator(
                    group["schema"], resources=remotes, check_formats="format" in path.parts
                )
            except InvalidSchema:
                continue
            passed += sum(validator.is_valid(test["data"]) is test["valid"] for test in group["tests"])
    return {"passed": passed, "total": total, "share": passed / total if total else 0.0}


def _run_profile(folder: Path, profile: Profile, schemas: list[object]) -> dict[str, float]:
    metas = [_ANTHROPIC]
    valid: list[object] = []
    examples: list[object] = []
    if _META_SCHEMAS[profile]:
        metas = [
            yaml.safe_load((folder / "schemas" / f"{name}.yaml").read_text())
            for name in _META_SCHEMAS[profile]
        ]
    for name in _META_SCHEMAS[profile]:
        valid += [_read(path) for path in sorted((folder / "tests" / name / "valid").glob("*.json"))]
    for path in sorted((folder / "tests").glob("*/*/*.json")):
        examples.append(_read(path))
    validators = [Draft202012Validator(meta) for meta in metas]

    def accepted(schema: object) -> bool:
        sent = to_profile(schema, profile).schema
        return all(v.is_valid(sent) for v in validators) and all(
            _is_consistent(n, profile) for n in _nodes(sent)
        )

    figures = {
        "examples_accepted": _share([accepted(schema) for schema in examples]),
        "examples": len(examples),
        "suite_schemas_accepted": _share([accepted(schema) for schema in schemas]),
        "suite_schemas": len(schemas),
    }
    if valid:
        figures["valid_examples_without_loss"] = _share([not to_profile(s, profile).lossy for s in valid])
    return figures


def _is_consistent(node: dict[str, Any], profile: Profile) -> bool:
    """Check the rules that the published meta-schemas leave to code."""
    properties = set(node.get("properties", ()))
    required = set(node.get("required", ()))
    if profile is Profile.OPENAI_STRICT and "properties" in node:
        return required == properties
    return required <= properties and set(node.get("propertyOrdering", properties)) == properties


def _nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for keyword in ("properties", "$defs"):
        for child in schema.get(keyword, {}).values():
            yield from _nodes(child)
    for keyword in ("anyOf", "prefixItems"):
        for child in schema.get(keyword, []):
            yield from _nodes(child)
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            yield from _nodes(schema[keyword])


def _share(outcomes: list[bool]) -> float:
    return sum(outcomes) / len(outcomes) if outcomes else 0.0


def _remotes(folder: Path) -> dict[str, object]:
    """Return the documents that the suite expects at an address, except those of later drafts."""
    return {
        _REMOTE_BASE + path.relative_to(folder).as_posix(): _read(path)
        for path in sorted(folder.rglob("*.json"))
        if path.relative_to(folder).parts[0] != "v1"
    }


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
