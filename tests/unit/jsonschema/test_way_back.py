"""Random schemas: what a provider may reply, brought back, fits the stored schema when nothing was lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from docagent.jsonschema.profiles import Profile, Profiled, from_profile, to_profile
from docagent.jsonschema.validate import SchemaValidator

NAMES = st.sampled_from(["a", "b", "c", "d"])
LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "integer"},
        {"type": ["number", "null"]},
        {"enum": ["x", "y", None]},
        {"const": 7},
        {"type": "boolean", "description": "Yes or no"},
        {"$ref": "#/definitions/shared"},
    ]
)


def structured(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    properties = st.dictionaries(NAMES, inner, min_size=1, max_size=3)
    objects = st.builds(
        lambda named, count: {
            "type": "object",
            "properties": named,
            "required": sorted(named)[:count],
            "additionalProperties": False,
        },
        properties,
        st.integers(0, 3),
    )
    return st.one_of(
        objects,
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(lambda free: {"type": "object", "additionalProperties": free}, inner),
        st.builds(lambda branch: {"anyOf": [branch, {"type": "null"}]}, inner),
    )


SCHEMAS = st.recursive(LEAVES, structured, max_leaves=6)
SHARED = structured(st.sampled_from([{"type": "string"}, {"type": "integer"}]))


def reply(draw: st.DrawFn, schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """Some value that a provider could give for a schema that it was sent."""
    if "$ref" in schema:
        return reply(draw, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema:
        return reply(draw, draw(st.sampled_from(schema["anyOf"])), root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kind = draw(st.sampled_from(kinds))
    if kind == "object":
        optional = [name for name in schema.get("properties", {}) if name not in schema.get("required", [])]
        left_out = {name for name in optional if draw(st.booleans())}
        value = {
            name: reply(draw, member, root)
            for name, member in schema.get("properties", {}).items()
            if name not in left_out
        }
        if isinstance(schema.get("additionalProperties"), dict):
            value["free"] = reply(draw, schema["additionalProperties"], root)
        return value
    if kind == "array":
        return [reply(draw, schema["items"], root) for _ in range(draw(st.integers(0, 2)))]
    scalars = {"string": "t", "integer": 3, "number": 1.5, "boolean": True, "null": None}
    return scalars[kind]


@st.composite
def replies(draw: st.DrawFn) -> tuple[dict[str, Any], Profiled, Any]:
    stored = {"definitions": {"shared": draw(SHARED)}, "allOf": [draw(SCHEMAS)]}
    profiled = to_profile(stored, draw(st.sampled_from(list(Profile))))
    sent: Any = profiled.schema
    return stored, profiled, reply(draw, sent, sent)


@settings(max_examples=300)
@given(case=replies())
def test_a_reply_comes_back_into_the_stored_schema(case: tuple[dict[str, Any], Profiled, Any]) -> None:
    stored, profiled, value = case
    assert SchemaValidator(profiled.schema).errors(value) == []
    if not profiled.lossy:
        assert SchemaValidator(stored).errors(from_profile(value, profiled)) == []
