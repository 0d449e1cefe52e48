"""What each provider is sent, what is told about the difference, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.jsonschema.profiles import Profile, Profiled, from_profile, to_profile
from docagent.jsonschema.validate import InvalidSchema
from tests.support.tables import table

OPENAI, ANTHROPIC, GEMINI = Profile.OPENAI_STRICT, Profile.ANTHROPIC, Profile.GEMINI


def record(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def sent_field(field: object, profile: Profile, **more: Any) -> Any:
    """How one required property of a closed object is sent."""
    schema: Any = to_profile({**record(f=field), **more}, profile).schema
    return schema["properties"]["f"]


def told(profiled: Profiled) -> dict[str, str]:
    return {change.path: change.what for change in profiled.changes}


@table("profile", [OPENAI, ANTHROPIC])
def test_a_schema_within_the_rules_is_sent_as_it_is(profile: Profile) -> None:
    schema = record(
        n={"type": "string", "description": "d", "format": "date"},
        kind={"type": "string", "enum": ["a", "b"]},
        version={"type": "integer", "const": 1},
        maybe={"type": ["number", "null"]},
        lines={"type": "array", "items": record(a={"type": "boolean"})},
        either={"anyOf": [{"type": "string"}, {"type": "integer"}]},
    )
    profiled = to_profile(schema, profile)
    assert profiled.schema == schema
    assert profiled.changes == []
    assert not profiled.lossy


def test_the_stored_schema_is_not_touched() -> None:
    schema = {"properties": {"a": {"allOf": [{"type": "string", "minLength": 2}]}}, "oneOf": [{}, {}]}
    before = repr(schema)
    for profile in Profile:
        to_profile(schema, profile)
    assert repr(schema) == before


def test_optional_fields_are_required_and_nullable_for_openai_and_come_back_as_absent() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": ["string", "null"]}},
        "required": ["a"],
        "additionalProperties": False,
    }
    profiled = to_profile(schema, OPENAI)
    assert profiled.schema == record(
        a={"type": "string"}, b={"type": ["integer", "null"]}, c={"type": ["string", "null"]}
    )
    assert set(told(profiled)) == {"properties.b", "properties.c"}
    assert not profiled.lossy
    assert from_profile({"a": "x", "b": None, "c": None}, profiled) == {"a": "x", "c": None}
    assert from_profile({"a": "x", "b": 0, "c": ""}, profiled) == {"a": "x", "b": 0, "c": ""}


@table("profile", [ANTHROPIC, GEMINI])
def test_optional_fields_stay_optional_elsewhere(profile: Profile) -> None:
    schema: Any = to_profile({"type": "object", "properties": {"a": {"type": "string"}}}, profile).schema
    assert "required" not in schema
    assert schema["properties"] == {"a": {"type": "string"}}


@table(
    ("field", "openai", "anthropic", "gemini"),
    [
        (
            {"type": "string", "minLength": 2, "pattern": "^a"},
            {"type": "string", "pattern": "^a", "description": "[minLength: 2]"},
            {"type": "string", "pattern": "^a", "description": "[minLength: 2]"},
            {"type": "string", "description": '[minLength: 2, pattern: "^a"]'},
        ),
        (
            {"type": "string", "pattern": "^(?!a)"},
            {"type": "string", "pattern": "^(?!a)"},
            {"type": "string", "description": '[pattern: "^(?!a)"]'},
            {"type": "string", "description": '[pattern: "^(?!a)"]'},
        ),
        (
            {"type": "string", "format": "uri", "description": "Link"},
            {"type": "string", "description": 'Link [format: "uri"]'},
            {"type": "string", "format": "uri", "description": "Link"},
            {"type": "string", "description": 'Link [format: "uri"]'},
        ),
        (
            {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
            {"type": "integer", "exclusiveMinimum": 0, "maximum": 9},
            {"type": "integer", "description": "[maximum: 9, exclusiveMinimum: 0]"},
            {"type": "integer", "minimum": 1, "maximum": 9, "description": "[exclusiveMinimum: 0]"},
        ),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True},
            {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "description": "[uniqueItems: true]",
            },
            {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "description": "[minItems: 2, uniqueItems: true]",
            },
            {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 2,
                "description": "[uniqueItems: true]",
            },
        ),
        (
            {"const": "v1"},
            {"type": "string", "const": "v1"},
            {"type": "string", "const": "v1"},
            {"type": "string", "enum": ["v1"]},
        ),
        (
            {"enum": ["a", None]},
            {"type": ["string", "null"], "enum": ["a", None]},
            {"type": ["string", "null"], "enum": ["a", None]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"enum": [1, 2.5, True]},
            {"anyOf": [{"type": "number", "enum": [1, 2.5]}, {"type": "boolean", "enum": [True]}]},
            {"anyOf": [{"type": "number", "enum": [1, 2.5]}, {"type": "boolean", "enum": [True]}]},
            {"type": "string"},
        ),
        (
            {"type": ["string", "integer", "null"]},
            {"anyOf": [{"type": ["string", "null"]}, {"type": "integer"}]},
            {"anyOf": [{"type": ["string", "null"]}, {"type": "integer"}]},
            {"type": ["string", "null"]},
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "null"}]},
            {"type": ["string", "null"]},
            {"type": ["string", "null"]},
            {"type": ["string", "null"]},
        ),
        (
            {"type": "null"},
            {"type": ["string", "null"], "enum": [None]},
            {"type": "null"},
            {"type": "null"},
        ),
        (
            {"items": [{"type": "string"}, {"type": "integer"}]},
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        ),
        (
            {"allOf": [{"type": ["string", "integer"], "minimum": 1}, {"type": "number", "minimum": 3}]},
            {"type": "integer", "minimum": 3},
            {"type": "integer", "description": "[minimum: 3]"},
            {"type": "integer", "minimum": 3},
        ),
    ],
)
def test_single_fields(field: object, openai: object, anthropic: object, gemini: object) -> None:
    assert sent_field(field, OPENAI) == openai
    assert sent_field(field, ANTHROPIC) == anthropic
    assert sent_field(field, GEMINI) == gemini


LOSSY = [
    ({"type": "string", "minLength": 2}, "minLength"),
    ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "oneOf"),
    ({"type": "string", "not": {"const": "a"}}, "not"),
    (
        {
            "type": "object",
            "properties": {},
            "required": [],
            "maxProperties": 2,
            "additionalProperties": False,
        },
        "maxProperties",
    ),
    ({"type": "array", "items": {"type": "string"}, "contains": {"const": "a"}}, "contains"),
    (
        {"type": "object", "properties": {"a": {"type": "string"}}, "dependencies": {"a": ["b"]}},
        "dependencies",
    ),
    ({"type": "object", "patternProperties": {"^a": {"type": "string"}}}, "patternProperties.^a"),
]


@table("profile", list(Profile))
@table(("field", "keyword"), LOSSY)
def test_what_is_lost_is_told_with_its_place(field: object, keyword: str, profile: Profile) -> None:
    profiled = to_profile(record(f=field), profile)
    lost = {change.path for change in profiled.changes if change.lossy}
    assert f"properties.f.{keyword}" in lost
    assert profiled.lossy


@table("profile", list(Profile))
def test_annotations_and_unknown_keywords_go_with_a_word(profile: Profile) -> None:
    profiled = to_profile(
        record(f={"type": "string", "examples": ["a"], "x-order": 1, "default": "q"}), profile
    )
    changes = {c.path: (c.what, c.lossy) for c in profiled.changes}
    assert changes["properties.f.examples"] == ("dropped", False)
    assert changes["properties.f.x-order"] == ("dropped", False)
    assert changes["properties.f.default"] == ("moved into the description", False)


@table("profile", [OPENAI, ANTHROPIC])
def test_free_keys_become_entries_and_come_back(profile: Profile) -> None:
    schema = record(rates={"type": "object", "additionalProperties": {"type": "number"}})
    profiled = to_profile(schema, profile)
    entry = record(key={"type": "string"}, value={"type": "number"})
    assert profiled.schema == record(rates={"type": "array", "items": entry})
    assert not profiled.lossy
    reply = {"rates": [{"key": "EUR", "value": 1.1}, {"key": "USD", "value": 1}]}
    assert from_profile(reply, profiled) == {"rates": {"EUR": 1.1, "USD": 1}}
    assert from_profile({"rates": []}, profiled) == {"rates": {}}


def test_free_keys_stay_for_gemini() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "number"}, "propertyOrdering": []}
    assert to_profile(schema, GEMINI).schema == schema


@table("profile", [OPENAI, ANTHROPIC])
def test_a_root_that_is_no_object_is_wrapped_and_unwrapped(profile: Profile) -> None:
    profiled = to_profile({"type": "array", "items": {"type": "string"}}, profile)
    assert profiled.schema == record(value={"type": "array", "items": {"type": "string"}})
    assert from_profile({"value": ["a"]}, profiled) == ["a"]
    assert from_profile("not wrapped", profiled) == "not wrapped"


def test_a_wrapped_recursive_root_still_finds_itself() -> None:
    schema = {"type": "array", "items": {"$ref": "#"}}
    profiled = to_profile(schema, OPENAI)
    assert profiled.schema == {
        **record(value={"$ref": "#/$defs/root"}),
        "$defs": {"root": {"type": "array", "items": {"$ref": "#/$defs/root"}}},
    }
    assert from_profile({"value": [[], [[]]]}, profiled) == [[], [[]]]


NODE = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "kids": {"type": "array", "items": {"$ref": "#/definitions/node"}},
    },
    "required": ["name"],
    "additionalProperties": False,
}
TREE = {**record(top={"$ref": "#/definitions/node"}), "definitions": {"node": NODE}}


def test_recursion_stays_for_openai_and_nulls_are_dropped_at_every_level() -> None:
    profiled = to_profile(TREE, OPENAI)
    sent: Any = profiled.schema
    assert sent["properties"]["top"] == {"$ref": "#/$defs/node"}
    assert sent["$defs"]["node"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/node"}
    reply = {"top": {"name": "a", "kids": [{"name": "b", "kids": None}]}}
    assert from_profile(reply, profiled) == {"top": {"name": "a", "kids": [{"name": "b"}]}}


@table("profile", [ANTHROPIC, GEMINI])
def test_recursion_is_cut_into_json_text_elsewhere_and_read_back(profile: Profile) -> None:
    profiled = to_profile(TREE, profile)
    assert "$ref" not in repr(profiled.schema)
    assert any("recursion" in change.why for change in profiled.changes if change.lossy)
    reply: Any = {"name": "d", "kids": ['{"name": "e", "kids": []}', "not json"]}
    for name in ("c", "b", "a"):
        reply = {"name": name, "kids": [reply]}
    restored: Any = from_profile({"top": reply}, profiled)
    assert restored["top"]["kids"][0]["kids"][0]["kids"][0]["kids"] == [{"name": "e", "kids": []}, "not json"]


def test_shared_definitions_stay_where_references_are_accepted() -> None:
    schema = {
        **record(a={"$ref": "#/definitions/money"}, b={"$ref": "#/definitions/money"}),
        "definitions": {"money": {"type": "number"}},
    }
    expected = {
        **record(a={"$ref": "#/$defs/money"}, b={"$ref": "#/$defs/money"}),
        "$defs": {"money": {"type": "number"}},
    }
    assert to_profile(schema, OPENAI).schema == expected
    assert to_profile(schema, ANTHROPIC).schema == expected
    inline: Any = to_profile(schema, GEMINI).schema
    assert inline["properties"] == {"a": {"type": "number"}, "b": {"type": "number"}}


def test_a_description_beside_a_reference_is_kept() -> None:
    field = {"$ref": "#/definitions/money", "description": "Net"}
    definitions = {"money": {"type": "number", "description": "Money"}}
    for profile in Profile:
        assert sent_field(field, profile, definitions=definitions) == {"type": "number", "description": "Net"}


def test_a_reference_that_leads_outside_becomes_any_value_and_is_told() -> None:
    profiled = to_profile(record(f={"$ref": "http://example.test/x.json"}), OPENAI)
    assert "'http://example.test/x.json' became any value" in [change.what for change in profiled.changes]


def test_properties_named_only_in_conditions_stay_possible() -> None:
    schema = {
        **record(kind={"type": "string"}),
        "if": {"properties": {"kind": {"const": "x"}}},
        "then": {"properties": {"extra": {"type": "string"}}, "required": ["extra"]},
    }
    profiled = to_profile(schema, OPENAI)
    sent: Any = profiled.schema
    assert sent["properties"]["extra"] == {"type": ["string", "null"]}
    assert from_profile({"kind": "y", "extra": None}, profiled) == {"kind": "y"}


def test_what_stands_beside_any_of_is_merged_into_each_branch() -> None:
    field = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
        "additionalProperties": False,
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    }
    sent = sent_field(field, ANTHROPIC)
    assert [branch["required"] for branch in sent["anyOf"]] == [["a"], ["b"]]
    assert all(set(branch["properties"]) == {"a", "b"} for branch in sent["anyOf"])


def test_branches_are_told_apart_on_the_way_back() -> None:
    cat = {
        "type": "object",
        "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
        "required": ["kind"],
    }
    dog = {
        "type": "object",
        "properties": {"kind": {"const": "dog"}, "lives": {"type": ["integer", "null"]}},
        "required": ["kind"],
    }
    closed = {"additionalProperties": False}
    profiled = to_profile(record(pet={"anyOf": [{**cat, **closed}, {**dog, **closed}]}), OPENAI)
    assert from_profile({"pet": {"kind": "cat", "lives": None}}, profiled) == {"pet": {"kind": "cat"}}
    assert from_profile({"pet": {"kind": "dog", "lives": None}}, profiled) == {
        "pet": {"kind": "dog", "lives": None}
    }


def test_objects_nested_too_deep_for_openai_become_json_text() -> None:
    schema: Any = {"type": "string"}
    for _ in range(12):
        schema = record(a=schema)
    profiled = to_profile(schema, OPENAI)
    [change] = profiled.changes
    assert change.path == ".".join(["properties", "a"] * 10)
    assert "10 levels" in change.why
    reply: Any = '{"a": {"a": "x"}}'
    expected: Any = {"a": {"a": "x"}}
    for _ in range(10):
        reply, expected = {"a": reply}, {"a": expected}
    assert from_profile(reply, profiled) == expected


def test_too_many_enum_values_for_openai_drop_the_longest_list() -> None:
    long = {"type": "string", "enum": [f"v{index}" for index in range(1_500)]}
    short = {"type": "string", "enum": ["a", "b"]}
    profiled = to_profile(record(long=long, short=short), OPENAI)
    assert profiled.schema == record(long={"type": "string"}, short=short)
    assert [(change.path, change.lossy) for change in profiled.changes] == [("properties.long", True)]


def test_too_many_properties_for_openai_are_told() -> None:
    profiled = to_profile(record(**{f"p{index}": {"type": "string"} for index in range(5_001)}), OPENAI)
    [change] = profiled.changes
    assert change.what == "has 5001 properties"
    assert "5000" in change.why


def test_too_many_optional_properties_for_anthropic_become_required() -> None:
    texts = {f"text{index}": {"type": "string"} for index in range(30)}
    numbers = {f"number{index}": {"type": "number"} for index in range(20)}
    schema = {"type": "object", "properties": {**texts, **numbers}, "additionalProperties": False}
    profiled = to_profile(schema, ANTHROPIC)
    sent: Any = profiled.schema
    assert len(sent["properties"]) - len(sent["required"]) == 24
    assert sum(isinstance(field["type"], list) for field in sent["properties"].values()) == 16
    assert not profiled.lossy
    empty = dict.fromkeys(sent["required"], "")
    empty |= {name: None for name in sent["required"] if isinstance(sent["properties"][name]["type"], list)}
    assert from_profile(empty, profiled) == {}


def test_limits_that_cannot_be_met_are_told() -> None:
    numbers = {f"number{index}": {"type": "number"} for index in range(50)}
    profiled = to_profile({"type": "object", "properties": numbers, "additionalProperties": False}, ANTHROPIC)
    assert any(change.what == "has 34 optional properties" for change in profiled.changes if change.lossy)


def test_property_order_is_kept_for_gemini() -> None:
    fields = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    first: Any = to_profile(fields, GEMINI).schema
    assert first["propertyOrdering"] == ["a", "b"]
    second: Any = to_profile({**fields, "propertyOrdering": ["b", "b", "zzz"]}, GEMINI).schema
    assert second["propertyOrdering"] == ["b", "a"]


def test_alternatives_become_one_object_for_gemini() -> None:
    a = record(kind={"const": "a"}, x={"type": "string"})
    b = record(kind={"const": "b"}, y={"type": "string"})
    sent = sent_field({"anyOf": [a, b, {"type": "null"}]}, GEMINI)
    assert sent["type"] == ["object", "null"]
    assert sent["properties"]["kind"] == {"type": "string", "enum": ["a", "b"]}
    assert sent["required"] == ["kind"]


@table("profile", list(Profile))
@table(
    "schema",
    [
        True,
        False,
        {},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {"anyOf": [{"$ref": "#"}, {"items": {"$ref": "#"}}]},
        {"properties": {"a": False}, "required": ["a"]},
        {"allOf": [{"type": "string"}, {"type": "object"}]},
        {"enum": [{"a": [1, {"b": None}]}, [], "x"]},
        {"items": False},
        {"additionalProperties": {"$ref": "#"}},
        {"type": ["object", "array", "null"]},
        {"not": {}},
    ],
)
def test_strange_schemas_still_give_something_with_a_type(schema: object, profile: Profile) -> None:
    profiled = to_profile(schema, profile)
    assert profiled.schema["type"]
    assert profiled.changes


@table("profile", list(Profile))
def test_definitions_that_multiply_stay_small(profile: Profile) -> None:
    definitions: dict[str, Any] = {"d30": {"type": "string"}}
    for level in range(30):
        reference = {"$ref": f"#/definitions/d{level + 1}"}
        definitions[f"d{level}"] = record(a=reference, b=reference)
    profiled = to_profile({**record(top={"$ref": "#/definitions/d0"}), "definitions": definitions}, profile)
    assert len(repr(profiled.schema)) < 5_000_000


@table("profile", list(Profile))
def test_a_long_chain_of_definitions_is_no_trouble(profile: Profile) -> None:
    definitions: dict[str, Any] = {"d2000": {"type": "string"}}
    for level in range(2000):
        definitions[f"d{level}"] = {"type": "array", "items": {"$ref": f"#/definitions/d{level + 1}"}}
    profiled = to_profile({**record(top={"$ref": "#/definitions/d0"}), "definitions": definitions}, profile)
    assert profiled.schema["type"] == "object"


def test_what_is_no_schema_is_refused() -> None:
    with pytest.raises(InvalidSchema, match="'strin' is not valid"):
        to_profile({"type": "strin"}, OPENAI)
