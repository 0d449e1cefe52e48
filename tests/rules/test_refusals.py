"""The description of the API lists the refusals of every route."""

from __future__ import annotations

from typing import Any

import orjson
from scripts.refusals import all_refusals

from docagent.api.refusals import FILE
from tests.support.operations import ORG_PREFIX, description
from tests.support.tables import table

OPERATIONS = {
    operation["operationId"]: (path, operation)
    for path, methods in description()["paths"].items()
    for operation in methods.values()
}


def test_the_refusals_are_those_of_the_code() -> None:
    assert orjson.loads(FILE.read_bytes()) == all_refusals(), "run: make openapi"


@table("name", OPERATIONS)
def test_what_every_route_of_a_kind_refuses_is_described(name: str) -> None:
    path, operation = OPERATIONS[name]
    listed = {int(status) for status in operation["responses"]}
    if operation.get("security"):
        assert 401 in listed
    if path.startswith(ORG_PREFIX):
        assert {401, 403, 404} <= listed
    if "requestBody" in operation:
        assert {400, 413, 422} <= listed
    for status, answer in operation["responses"].items():
        if status.startswith("4"):
            assert _schema(answer) in ("Problem", "HTTPValidationError")


def _schema(answer: dict[str, Any]) -> str:
    if "$ref" in answer:
        answer = description()["components"]["responses"][_last(answer)]
    assert answer["description"]
    return _last(answer["content"]["application/json"]["schema"])


def _last(reference: dict[str, Any]) -> str:
    address: str = reference["$ref"]
    return address.rpartition("/")[2]
