"""Checking schemas and values: the wording, the places, and everything that must not crash, hang or fetch."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import jsonschema
import orjson
import pytest

from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem
from docagent.jsonschema.processes import OVER_BUDGET
from docagent.jsonschema.validate import InvalidSchema, SchemaValidator, check_schema
from tests.support.tables import table


def errors(schema: object, instance: object) -> list[tuple[str, str]]:
    return [(str(problem.path), problem.message) for problem in SchemaValidator(schema).errors(instance)]


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


SAME_WORDS: list[tuple[object, object]] = [
    ({"type": "string"}, 1),
    ({"type": "integer"}, True),
    ({"type": "integer"}, 1.5),
    ({"type": ["null", "string"]}, 1),
    ({"required": ["n", "m"]}, {}),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"x": 1}),
    ({"properties": {"a": {}}, "additionalProperties": False}, {"x": 1, "y": 2}),
    ({"additionalProperties": False}, {"x": 1, "y": 2}),
    ({"items": {"additionalProperties": False}}, [{}, {"x": 1}]),
    ({"items": [{}], "additionalItems": False}, [1, 2, 3]),
    ({"enum": [1, "two", None]}, 3),
    ({"const": {"a": 1}}, 3),
    ({"contains": {"type": "string"}}, [1]),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"a": 1}),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"a": 1}),
    ({"not": {"type": "object"}}, {}),
    (False, 1),
    ({"propertyNames": {"maxLength": 2}}, {"abc": 1}),
    ({"if": {"type": "object"}, "then": {"required": ["a"]}}, {}),
    ({"uniqueItems": True}, [1, 1]),
    ({"multipleOf": 3}, 4),
    ({"pattern": "^a"}, "b"),
    ({"minLength": 3}, "a"),
    ({"minLength": 1}, ""),
    ({"maxLength": 1}, "ab"),
    ({"minItems": 1}, []),
    ({"minItems": 2}, [1]),
    ({"maxItems": 1}, [1, 2]),
    ({"maxItems": 0}, [1]),
    ({"minProperties": 1}, {}),
    ({"minProperties": 2}, {"a": 1}),
    ({"maxProperties": 1}, {"a": 1, "b": 2}),
    ({"minimum": 3}, 2),
    ({"maximum": 1}, 2),
    ({"exclusiveMinimum": 2}, 2),
    ({"exclusiveMaximum": 2.5}, 2.5),
    ({"items": {"properties": {"price": {"type": "number"}}}}, [{"price": "1"}]),
    ({"definitions": {"a": {"type": "string"}}, "properties": {"p": {"$ref": "#/definitions/a"}}}, {"p": 1}),
]


@table(("schema", "instance"), SAME_WORDS)
def test_words_and_places_are_those_of_python_jsonschema(schema: object, instance: object) -> None:
    expected = sorted(
        (str(FieldPath(error.absolute_path)), error.message)
        for error in jsonschema.Draft7Validator(schema).iter_errors(instance)
    )
    assert sorted(errors(schema, instance)) == expected


def test_errors_are_sorted_by_place_with_numbers_as_numbers() -> None:
    schema = {"properties": {"b": {"type": "string"}, "a": {"items": {"type": "string"}}}}
    found = errors(schema, {"b": 1, "a": [1] * 11})
    assert [path for path, _ in found] == [*(f"a.{index}" for index in range(11)), "b"]


def test_a_property_called_like_a_keyword_is_a_property() -> None:
    assert errors({"properties": {"additionalProperties": False}}, {"additionalProperties": 1}) == [
        ("additionalProperties", "False schema does not allow 1")
    ]
    assert errors(
        {"properties": {"properties": {"additionalProperties": False}}}, {"properties": {"x": 1}}
    ) == [("properties", "Additional properties are not allowed ('x' was unexpected)")]


def test_a_dependency_and_several_matching_branches_are_told() -> None:
    assert errors({"dependencies": {"a": ["b"]}}, {"a": 1}) == [
        ("", "'b' is a dependency of a property that is present")
    ]
    assert errors({"oneOf": [{}, {"type": "integer"}]}, 1) == [
        ("", "1 is valid under more than one of the given schemas")
    ]


def test_long_values_are_cut() -> None:
    [(_, message)] = errors({"type": "integer"}, "x" * 5000)
    assert len(message) < 200
    assert message.startswith("'xxx")
    assert message.endswith("... is not of type 'integer'")
    [(_, message)] = errors({"type": "integer"}, [{"k": index} for index in range(5000)])
    assert len(message) < 200


def test_only_the_first_thousand_errors_are_listed() -> None:
    found = errors({"items": {"type": "string"}}, [1] * 3000)
    assert len(found) == 1001
    assert found[-1] == ("", "Only the first 1000 errors are listed")


def test_formats_are_asserted_only_when_asked() -> None:
    schema = {"format": "email"}
    assert SchemaValidator(schema).is_valid("no address")
    checking = SchemaValidator(schema, check_formats=True)
    assert list(map(str, checking.errors("no address"))) == ["'no address' is not a 'email'"]
    assert checking.errors_in_process("no address") == checking.errors("no address")


@table(
    ("schema", "path", "words"),
    [
        ({"type": "strin"}, "type", "'strin' is not valid under any"),
        ({"properties": {"a": {"minLength": -1}}}, "properties.a.minLength", "less than the minimum of 0"),
        ({"properties": []}, "properties", "[] is not of type 'object'"),
        ({"pattern": "("}, "pattern", "'(' is not a 'regex'"),
        ([], "", "is not of type 'boolean', 'object'"),
        ("{}", "", "is not of type 'boolean', 'object'"),
        (None, "", "is not of type 'boolean', 'object'"),
        ({"required": "a"}, "required", "'a' is not of type 'array'"),
    ],
)
def test_what_is_no_schema_is_told_with_its_place(schema: object, path: str, words: str) -> None:
    [problem] = check_schema(schema)
    assert str(problem.path) == path
    assert words in problem.message


def test_all_problems_of_a_schema_are_listed() -> None:
    assert [str(problem.path) for problem in check_schema({"type": 5, "minLength": -1})] == [
        "minLength",
        "type",
    ]


def test_a_good_schema_has_no_problems() -> None:
    assert check_schema({"type": "object", "properties": {"n": {"type": "string"}}}) == []
    assert check_schema(True) == []


def test_every_schema_is_read_as_draft_7_whatever_it_says() -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "string"}]}
    assert SchemaValidator(schema).is_valid([1])
    assert (
        check_schema({"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": True}) != []
    )


@pytest.fixture
def schema_server() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"type": "string"}')

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test output clean."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


def test_a_reference_to_the_network_is_never_followed(schema_server: tuple[str, list[str]]) -> None:
    address, asked = schema_server
    [problem] = check_schema({"properties": {"a": {"$ref": f"{address}/a.json"}}})
    assert str(problem.path) == "properties.a.$ref"
    assert "never fetched" in problem.message
    assert check_schema({"$id": f"{address}/base.json", "$ref": "a.json"}) != []
    assert check_schema({"$id": f"{address}/base.json", "items": {"$ref": "a.json"}}) != []
    assert asked == []


def test_a_reference_to_a_file_is_never_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(json.dumps({"type": "string"}))
    [problem] = check_schema({"$ref": secret.as_uri()})
    assert "never fetched" in problem.message
    [problem] = check_schema({"items": {"$ref": str(secret)}})
    assert str(problem.path) == "items.$ref"


def test_a_reference_to_nothing_says_where_it_stands() -> None:
    assert check_schema({"items": {"$ref": "#/definitions/line"}}) == [
        Problem(
            FieldPath(("items", "$ref")),
            "'#/definitions/line' points to nothing in this schema; "
            "add it under 'definitions' or correct the name",
        )
    ]


def test_references_inside_the_schema_and_to_the_meta_schema_work() -> None:
    schema = {
        "$id": "http://example.test/root.json",
        "definitions": {
            "a": {"$id": "#anchor", "type": "integer"},
            "b/c~d%": {"$id": "b.json", "type": "string"},
        },
        "properties": {
            "anchor": {"$ref": "#anchor"},
            "pointer": {"$ref": "#/definitions/b~1c~0d%25"},
            "address": {"$ref": "b.json"},
            "meta": {"$ref": "http://json-schema.org/draft-07/schema#"},
        },
    }
    found = errors(schema, {"anchor": "x", "pointer": 1, "address": 2, "meta": {"type": 3}})
    assert [path for path, _ in found] == ["address", "anchor", "meta.type", "pointer"]


def test_resources_in_memory_can_be_referred_to() -> None:
    resources = {"http://example.test/money.json": {"type": "number", "minimum": 0}}
    validator = SchemaValidator({"items": {"$ref": "http://example.test/money.json"}}, resources=resources)
    assert validator.errors([1, -1]) == [
        Problem(FieldPath((1,)), "-1 is less than the minimum of 0", "minimum", 0)
    ]
    assert validator.errors_in_process([1, -1]) == validator.errors([1, -1])


@table(
    "schema",
    [
        {"$ref": "#"},
        {
            "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}},
            "$ref": "#/definitions/a",
        },
        {"allOf": [{"$ref": "#"}]},
        {
            "definitions": {"a": {"anyOf": [{"not": {"$ref": "#/definitions/a"}}]}},
            "items": {"$ref": "#/definitions/a"},
        },
        {"dependencies": {"x": {"$ref": "#"}}},
    ],
)
def test_a_reference_loop_is_a_problem_of_the_schema(schema: object) -> None:
    [problem] = check_schema(schema)
    assert "leads back to itself" in problem.message
    assert problem.path[-1] == "$ref"


def test_recursion_through_the_value_is_fine() -> None:
    tree = {"properties": {"children": {"items": {"$ref": "#"}}, "name": {"type": "string"}}}
    assert errors(tree, {"children": [{"children": [{"name": 1}]}]}) == [
        ("children.0.children.0.name", "1 is not of type 'string'")
    ]
    deep: dict[str, object] = {"name": 1}
    for _ in range(45):
        deep = {"children": [deep]}
    assert len(errors(tree, deep)) == 1


@table("levels", [101, 300, 5_000, 200_000])
def test_values_nested_too_deep_are_a_problem(levels: int) -> None:
    [(_, message)] = errors({"items": {"$ref": "#"}}, nested(levels))
    assert message == "This value is nested deeper than 100 levels"


@table("levels", [60, 300, 5_000, 200_000])
def test_schemas_nested_too_deep_are_a_problem(levels: int) -> None:
    schema: dict[str, object] = {}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    [problem] = check_schema(schema)
    assert problem.message == "This schema is nested deeper than 100 levels"
    assert problem.path[:4] == ("properties", "a", "properties", "a")


def test_depth_just_below_the_limit_is_checked() -> None:
    assert errors({"items": {"$ref": "#"}, "not": {"const": 1}}, nested(100)) != []
    schema: dict[str, object] = {"type": "string"}
    value: object = 1
    for _ in range(49):
        schema, value = {"properties": {"a": schema}}, {"a": value}
    assert errors(schema, value) == [(".".join(["a"] * 49), "1 is not of type 'string'")]


def test_a_value_that_holds_itself_is_a_problem() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert "nested deeper" in errors({}, endless)[0][1]
    schema: dict[str, object] = {}
    schema["not"] = schema
    assert "nested deeper" in check_schema(schema)[0].message


def test_a_schema_that_is_too_large_is_a_problem() -> None:
    assert "too large" in check_schema({"enum": list(range(60_000))})[0].message
    assert "too large" in check_schema({"description": "x" * 2_000_000})[0].message


def test_a_long_chain_of_references_is_followed() -> None:
    definitions: dict[str, object] = {f"d{i}": {"$ref": f"#/definitions/d{i + 1}"} for i in range(5_000)}
    schema = {"definitions": {**definitions, "d5000": {"type": "string"}}, "$ref": "#/definitions/d0"}
    assert errors(schema, 1) == [("", "1 is not of type 'string'")]


@table(
    ("schema", "instance"),
    [
        ({"pattern": "^(?:(?=a)a+)+$"}, "a" * 60 + "!"),
        ({"patternProperties": {"^(?:(?=a)a+)+$": {"type": "string"}}}, {"a" * 60 + "!": 1}),
        ({"propertyNames": {"pattern": "^(?:(?=a)a+)+$"}}, {"a" * 60 + "!": 1}),
    ],
)
def test_a_pattern_that_backtracks_without_end_is_given_up(schema: object, instance: object) -> None:
    [(_, message)] = errors(schema, instance)
    assert "takes too many steps" in message


def test_patterns_with_nested_repeats_and_look_ahead_work() -> None:
    assert errors({"pattern": "^(a+)+$"}, "a" * 5_000 + "!") != []
    assert errors({"pattern": "^(?!x)[a-z]+$"}, "abc") == []
    assert errors({"pattern": "^(?!x)[a-z]+$"}, "xbc") != []


def test_a_pattern_that_needs_too_much_memory_is_a_problem() -> None:
    [problem] = check_schema({"pattern": "((a{1000}){1000}){1000}"})
    assert str(problem.path) == "pattern"


def doubling(levels: int) -> dict[str, object]:
    definitions: dict[str, object] = {f"d{levels}": {"type": "string"}}
    for level in range(levels):
        reference = {"$ref": f"#/definitions/d{level + 1}"}
        definitions[f"d{level}"] = {"anyOf": [reference, dict(reference)]}
    return {"definitions": definitions, "$ref": "#/definitions/d0"}


def test_branches_that_double_are_checked_within_the_budget() -> None:
    assert errors(doubling(5), 1) == [("", "1 is not valid under any of the given schemas")]
    assert errors(doubling(60), 1) == [("", OVER_BUDGET)]


def test_branches_that_double_with_each_level_of_the_value_are_checked_within_the_budget() -> None:
    branch = {"properties": {"a": {"$ref": "#"}}, "required": ["a"]}
    schema = {"anyOf": [branch, dict(branch)]}
    shallow: dict[str, object] = {"a": {"a": {}}}
    assert errors(schema, shallow) == [("", f"{shallow} is not valid under any of the given schemas")]
    deep: dict[str, object] = {}
    for _ in range(60):
        deep = {"a": deep}
    assert errors(schema, deep) == [("", OVER_BUDGET)]


LONG_CHECKS: list[tuple[object, object]] = [
    # Each text stays just below the limit of steps for one.
    ({"items": {"pattern": "^(?:(?=a)a+)+$"}}, ["a" * 15 + "!"] * 2_000),
    ({"items": {"patternProperties": {"^(?:(?=a)a+)+$": {}}}}, [{"a" * 15 + "!": 1}] * 2_000),
    # Linear in the text, and in the pattern written out.
    ({"pattern": "(?:x*[ab]{1,100}y*){100}[cd]{3}x"}, "abbabaab" * 2_500 + "cdx"),
    # No pattern at all: every branch fails on every item.
    ({"items": {"anyOf": [{"type": "string"}] * 1_000}}, [1] * 2_000),
    ({"items": {"allOf": [False] * 1_000}}, [1] * 2_000),
    ({"items": {"allOf": [{"multipleOf": 0.0000001}] * 2_000}}, [123456789.123] * 2_000),
]


@table(("schema", "instance"), LONG_CHECKS)
def test_a_check_as_a_whole_has_a_budget_of_processor_time(schema: object, instance: object) -> None:
    validator = SchemaValidator(schema)
    assert validator.errors_here(instance) is None
    assert validator.errors(instance) == [Problem(ROOT, OVER_BUDGET)]


def test_what_is_checked_here_and_in_a_process_has_the_same_words() -> None:
    schema = {"items": {"type": ["string", "integer"], "maximum": 10**30}}
    validator = SchemaValidator(schema)
    value: list[object] = [1.5, "é", 10**31, None]
    assert validator.errors_here(value) == validator.errors_in_process(value) != []
    many = [*value, *["x"] * 100_000]
    assert validator.errors_here(many) is None
    assert validator.errors(many) == validator.errors_here(value)


def test_patterns_are_compiled_within_a_budget_for_all_together() -> None:
    [problem] = check_schema(
        {"properties": {str(n): {"pattern": r"\p{L}{1,100}" + str(n)} for n in range(2_000)}}
    )
    assert str(problem.path) == "properties.0.pattern"
    [problem] = check_schema({"pattern": "|".join(r"(?=a)\p{L}{1,100}" for _ in range(2_000))})
    assert str(problem.path) == "pattern"
    ordinary = {str(n): {"pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"} for n in range(100)}
    assert check_schema({"properties": ordinary}) == []


def test_many_items_of_a_recursive_schema_are_not_taken_for_doubling() -> None:
    tree = {"properties": {"children": {"items": {"$ref": "#"}}, "name": {"type": "string"}}}
    value = {"children": [{"name": "n", "children": [{"name": "m"}]} for _ in range(5_000)]}
    assert errors(tree, value) == []


@table("value", [float("nan"), float("inf"), float("-inf"), 1e400])
def test_numbers_that_json_does_not_have_are_problems(value: float) -> None:
    assert errors({}, {"a": [value]}) == [("a.0", f"{value!r} is not a JSON number")]
    assert check_schema({"maximum": value}) == [
        Problem(FieldPath(("maximum",)), f"{value!r} is not a JSON number")
    ]


def test_large_numbers_are_compared_exactly() -> None:
    big = 10**400
    assert errors({"type": "integer", "maximum": big}, big) == []
    [(_, message)] = errors({"maximum": big}, big + 1)
    assert "is greater than the maximum of" in message
    assert errors({"multipleOf": 0.01}, 19.99) == []
    assert "too large" in errors({}, 10**5000)[0][1]


@table("value", [{1: 2}, {"a": {1, 2}}, b"x", (1,), object()])
def test_values_that_are_not_json_are_problems(value: object) -> None:
    [(_, message)] = errors({}, value)
    assert "not JSON" in message


def test_half_a_surrogate_pair_is_a_problem() -> None:
    assert "not valid Unicode" in errors({"type": "string"}, "\ud800")[0][1]
    assert "not valid Unicode" in errors({}, {"\ud800": 1})[0][1]
    assert "not valid Unicode" in check_schema({"description": "\ud800"})[0].message


def test_unusual_names_are_ordinary_names() -> None:
    names = ["__proto__", "é", "e\u0301", "", "constructor", "a.b", "$ref", "日本"]
    schema = {"properties": {name: {"type": "string"} for name in names if name != "$ref"}}
    found = SchemaValidator(schema).errors(dict.fromkeys(names, 1))
    assert sorted(problem.path[0] for problem in found) == sorted(name for name in names if name != "$ref")


def test_true_is_not_one() -> None:
    assert errors({"const": 1}, True) == [("", "1 was expected")]
    assert errors({"enum": [False]}, 0) == [("", "0 is not one of [False]")]
    assert errors({"uniqueItems": True}, [1, True]) == []
    assert errors({"const": 1}, 1.0) == []


def test_an_unusable_schema_raises_with_all_its_problems() -> None:
    with pytest.raises(InvalidSchema, match=r"^type: 'x' is not valid") as caught:
        SchemaValidator({"type": "x"})
    assert [str(problem.path) for problem in caught.value.problems] == ["type"]


@table(
    ("schema", "value", "path", "keyword", "expected"),
    [
        (
            {"properties": {"a.b": {"type": ["string", "null"]}}},
            {"a.b": 1},
            ("a.b",),
            "type",
            ["null", "string"],
        ),
        ({"required": ["Nr. 'x'"]}, {}, (), "required", "Nr. 'x'"),
        ({"enum": ["one, two", "three"]}, 1, (), "enum", ["one, two", "three"]),
        ({"const": None}, 1, (), "const", None),
        ({"items": {"minimum": 3}}, [5, 1], (1,), "minimum", 3),
        ({"minItems": 2}, [1], (), "minItems", 2),
        ({"pattern": "^a"}, "b", (), "pattern", "^a"),
        ({"additionalProperties": False}, {"x": 1}, (), "additionalProperties", ["x"]),
        (
            {"properties": {"a": {}}, "additionalProperties": False},
            {"b": 1},
            (),
            "additionalProperties",
            ["b"],
        ),
        ({"required": ["q"], "properties": {"": {}}}, {"": 1}, (), "required", "q"),
        (
            {"properties": {"": {"properties": {"0": {"type": "null"}}}}},
            {"": {"0": 1}},
            ("", "0"),
            "type",
            ["null"],
        ),
        ({"properties": {"": {"items": {"minimum": 3}}}}, {"": [5, 1]}, ("", 1), "minimum", 3),
        ({"properties": {"": {"type": "string"}}}, {"": None}, ("",), "type", ["string"]),
        ({"dependencies": {"a": ["b"]}}, {"a": 1}, (), "dependencies", "b"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, (), "anyOf", None),
        ({"not": {"type": "integer"}}, 1, (), "not", None),
        ({"enum": list(range(99))}, "x", (), "enum", list(range(50))),
    ],
)
def test_a_problem_keeps_what_programs_need_of_it(
    schema: object, value: object, path: tuple[object, ...], keyword: str, expected: object
) -> None:
    [problem] = SchemaValidator(schema).errors(value)
    assert (problem.path, problem.keyword, problem.expected) == (path, keyword, expected)
    stored = orjson.loads(orjson.dumps(problem.as_json()))
    assert Problem.from_json(stored, value) == problem


def test_a_problem_that_an_earlier_version_stored_is_read() -> None:
    stored = {"path": "Total incl. VAT", "message": "None is not of type 'number'"}
    problem = Problem.from_json(stored, {"Total incl. VAT": None})
    assert (problem.path, problem.keyword) == (("Total incl. VAT",), None)
