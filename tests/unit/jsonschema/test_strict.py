"""The strict rule and the lenient rule for a response_format."""

from __future__ import annotations

from typing import Any

from docagent.jsonschema.response_format import check_response_format
from docagent.jsonschema.strict import check_strict
from tests.support.tables import table


def field(kind: str = "string") -> dict[str, Any]:
    return {"type": kind, "description": "What to look for"}


def record(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def wrap(schema: object, **changes: Any) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "inv", "schema": schema, "strict": True, **changes},
    }


def errors(value: object) -> list[tuple[str, str]]:
    return [(str(problem.path), problem.message) for problem in check_strict(value).errors]


def warned(value: object) -> list[str]:
    return [str(problem.path) for problem in check_strict(value).warnings]


def test_a_good_format_has_neither_errors_nor_warnings() -> None:
    line = {**record(text=field(), amount=field("number")), "description": "One line"}
    lines = {"type": "array", "items": line, "description": "All lines"}
    report = check_strict(wrap(record(number=field(), lines=lines)))
    assert (report.errors, report.warnings, report.valid) == ([], [], True)


@table(
    ("value", "path", "words"),
    [
        ("text", "", "must be an object"),
        ({"type": "json_object", "json_schema": wrap(record())["json_schema"]}, "type", "Set 'type'"),
        ({"type": "json_schema"}, "json_schema", "Add 'json_schema'"),
        (wrap(record(), name=None), "json_schema.name", "Add 'name'"),
        (wrap(record(), name="has space"), "json_schema.name", "Change the name 'has space'"),
        (wrap(record(), name="x" * 65), "json_schema.name", "1 to 64 letters"),
        (wrap(record(), name="ends\n"), "json_schema.name", "Change the name"),
        (wrap(record(), strict=False), "json_schema.strict", "Set 'strict' to true"),
        (wrap(record(), strict="true"), "json_schema.strict", "Set 'strict' to true"),
        (wrap(None), "json_schema.schema", "Add 'schema'"),
        (wrap({**record(a=field()), "required": 5}), "json_schema.schema.required", "is not of type 'array'"),
        (wrap({**record(), "type": "array"}), "json_schema.schema.type", "The root must be an object"),
    ],
)
def test_each_mistake_around_the_schema_is_one_error(value: object, path: str, words: str) -> None:
    [(where, message)] = errors(value)
    assert where == path
    assert words in message


def without(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != keyword}


@table(
    ("broken", "place", "words"),
    [
        (without(record(a=field()), "additionalProperties"), "additionalProperties", "to false"),
        ({**record(a=field()), "additionalProperties": True}, "additionalProperties", "to false"),
        (without(record(a=field()), "required"), "required", "Add 'required' with every property: ['a']"),
        ({**record(a=field(), b=field()), "required": ["a"]}, "required", "Add 'b' to 'required'"),
        ({**record(a=field()), "required": ["a", "z"]}, "required", "Remove 'z' from 'required'"),
        ({**without(record(), "properties"), "required": []}, "properties", "Add 'properties'"),
    ],
)
@table("nesting", ["root", "property", "items", "anyOf", "$defs", "nullable"])
def test_the_rules_for_objects_hold_everywhere(
    broken: dict[str, Any], place: str, words: str, nesting: str
) -> None:
    broken = {**broken, "description": "Something"}
    if nesting == "nullable":
        broken = {**broken, "type": ["object", "null"]}
    schema, prefix = {
        "root": (broken, ""),
        "property": (record(p=broken), "properties.p."),
        "nullable": (record(p=broken), "properties.p."),
        "items": (record(p={"type": "array", "items": broken, "description": "d"}), "properties.p.items."),
        "anyOf": (record(p={"anyOf": [field(), broken], "description": "d"}), "properties.p.anyOf.1."),
        "$defs": ({**record(p={"$ref": "#/$defs/x"}), "$defs": {"x": broken}}, "$defs.x."),
    }[nesting]
    [(where, message)] = errors(wrap(schema))
    assert where == f"json_schema.schema.{prefix}{place}"
    assert words in message


@table(
    ("keyword", "value"),
    [
        ("enum", ["a"]),
        ("pattern", "^a"),
        ("minimum", 1),
        ("maximum", 1),
        ("minLength", 1),
        ("minItems", 1),
        ("maxItems", 1),
        ("uniqueItems", True),
        ("format", "date"),
        ("oneOf", [{"type": "string"}]),
        ("not", {"type": "null"}),
    ],
)
def test_keywords_that_a_provider_may_not_honour_are_warnings(keyword: str, value: object) -> None:
    schema = record(a={**field(), keyword: value})
    report = check_strict(wrap(schema))
    assert report.valid
    assert [str(problem.path) for problem in report.warnings] == [
        f"json_schema.schema.properties.a.{keyword}"
    ]
    assert repr(keyword) in report.warnings[0].message


@table(
    ("keyword", "value", "description", "count"),
    [
        ("format", "date", "Date of the invoice, as YYYY-MM-DD", 0),
        ("format", "date", "Date of the invoice", 1),
        ("format", "time", "As YYYY-MM-DD", 1),
        ("pattern", "^[0-9-]+$", "As YYYY-MM-DD", 1),
    ],
)
def test_what_the_description_says_too_is_no_warning(
    keyword: str, value: object, description: str, count: int
) -> None:
    schema = record(a={"type": "string", "description": description, keyword: value})
    assert len(check_strict(wrap(schema)).warnings) == count


def test_what_the_model_should_be_told_is_a_warning() -> None:
    base = "json_schema.schema.properties.a"
    assert warned(wrap(record(a={"type": "string"}))) == [f"{base}.description"]
    assert warned(wrap(record(a={"description": "d"}))) == [f"{base}.type"]
    assert warned(wrap(record(a={**field("array")}))) == [f"{base}.items"]


def test_another_draft_is_a_warning() -> None:
    schema = {**record(a=field()), "$schema": "https://json-schema.org/draft/2020-12/schema"}
    assert warned(wrap(schema)) == ["json_schema.schema.$schema"]
    assert warned(wrap({**schema, "$schema": "http://json-schema.org/draft-07/schema#"})) == []


def test_a_property_named_like_a_keyword_is_not_taken_for_one() -> None:
    assert check_strict(wrap(record(enum=field(), properties=field(), pattern=field()))).warnings == []


def test_a_schema_that_is_no_schema_stops_there() -> None:
    assert errors(wrap({"type": "objekt", "properties": {"a": {}}})) == [
        ("json_schema.schema.type", "'objekt' is not valid under any of the given schemas")
    ]


@table(
    ("value", "expected"),
    [
        (wrap(record(a=field())), []),
        (wrap({"properties": {"a": {"type": "string"}}}, strict=False), []),
        ({"type": "json_schema", "json_schema": {"name": "n"}}, ["json_schema must contain 'schema' field"]),
        ({"type": "json_schema", "json_schema": {"schema": {}}}, ["json_schema must contain 'name' field"]),
        ({"type": "json_schema"}, ["json_schema must be an object with 'name' and 'schema'"]),
        ({"type": "text", "json_schema": {"name": "n", "schema": {}}}, ["type must be 'json_schema'"]),
        ([], ["response_format must be an object"]),
        (wrap(True), ["Invalid JSON schema: it must be an object"]),
        (
            wrap({"properties": {"a": {"type": "strin"}}}),
            ["Invalid JSON schema: properties.a.type: 'strin' is not valid under any of the given schemas"],
        ),
    ],
)
def test_the_lenient_rule(value: object, expected: list[str]) -> None:
    assert check_response_format(value) == expected
