"""Small random schemas and values: our validator and Python's jsonschema must agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
from hypothesis import example, given, settings
from hypothesis import strategies as st

from docagent.jsonschema.validate import SchemaValidator, check_schema

NAMES = st.sampled_from(["a", "b", "c", "é", "__proto__"])
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([0.0, 1.0, 1.5, -2.5, 1e20, 10**30]),
    st.sampled_from(["", "a", "ab", "abc", "\N{PILE OF POO}", "é"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
COUNTS = st.integers(0, 3)
PATTERNS = st.sampled_from(["^a", "b$", "^[a-c]*$", "^(?!ab)", "é"])


def schemas_with(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    some = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    names = st.lists(NAMES, max_size=3, unique=True)
    keywords: dict[str, st.SearchStrategy[object]] = {
        "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        "minimum": st.integers(-3, 3),
        "exclusiveMaximum": st.sampled_from([-1, 1.5, 3]),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "minLength": COUNTS,
        "maxLength": COUNTS,
        "pattern": PATTERNS,
        "items": st.one_of(inner, some),
        "additionalItems": inner,
        "minItems": COUNTS,
        "maxItems": COUNTS,
        "uniqueItems": st.booleans(),
        "contains": inner,
        "properties": named,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "additionalProperties": inner,
        "required": names,
        "minProperties": COUNTS,
        "maxProperties": COUNTS,
        "propertyNames": inner,
        "dependencies": st.dictionaries(NAMES, st.one_of(inner, names), max_size=2),
        "allOf": some,
        "anyOf": some,
        "oneOf": some,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
    }
    chosen = st.lists(st.sampled_from(sorted(keywords)), max_size=5, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: keywords[name] for name in names}))


LEAVES = st.one_of(
    st.booleans(), TYPES.map(lambda name: {"type": name}), st.just({"$ref": "#/definitions/d"})
)
SCHEMAS = st.recursive(LEAVES, schemas_with, max_leaves=6)
DEFINITIONS = schemas_with(TYPES.map(lambda name: {"type": name}))


def additional_items(validator: Any, wanted: Any, value: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """As jsonschema's own, which fails where `items` is true or false. Then no item is additional."""
    if isinstance(schema.get("items"), bool):
        return
    yield from jsonschema.Draft7Validator.VALIDATORS["additionalItems"](validator, wanted, value, schema)


Judge = jsonschema.validators.extend(jsonschema.Draft7Validator, {"additionalItems": additional_items})


@settings(max_examples=400)
@example(schema={"items": False, "additionalItems": {"maxItems": 0}}, definition={}, value=[[1]])
@given(schema=SCHEMAS, definition=DEFINITIONS, value=VALUES)
def test_our_validator_agrees_with_python_jsonschema(
    schema: object, definition: object, value: object
) -> None:
    whole = {"properties": {"value": schema}, "definitions": {"d": definition}}
    assert check_schema(whole) == []
    expected = Judge(whole).is_valid({"value": value})
    assert SchemaValidator(whole).is_valid({"value": value}) is expected


@settings(max_examples=300)
@given(
    schema=st.dictionaries(
        st.sampled_from(
            ["type", "properties", "required", "items", "minLength", "enum", "anyOf", "pattern", "$id"]
        ),
        st.one_of(VALUES, TYPES, st.lists(TYPES, max_size=2)),
        max_size=4,
    )
)
def test_what_is_a_schema_is_what_python_jsonschema_takes_for_one(schema: dict[str, object]) -> None:
    try:
        jsonschema.Draft7Validator.check_schema(schema)
    except jsonschema.SchemaError:
        assert check_schema(schema) != []
    else:
        assert check_schema(schema) == []
