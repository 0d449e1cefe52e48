"""Schemas: versions, names, what may be stored, and checking data against them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docagent.services.extraction.schemas import SchemaService
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

UNKNOWN = "0123456789abcdef01234567"


def response_format(*names: str, **extra: Any) -> dict[str, Any]:
    """A strict response format with one text property for each name."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": name.title()} for name in names},
        "required": list(names),
        "additionalProperties": False,
        **extra,
    }
    return {"type": "json_schema", "json_schema": {"name": "inv", "schema": schema, "strict": True}}


async def test_a_schema_is_kept_as_sent(api: OrgApi) -> None:
    sent = response_format("z", "a", "m")
    made = await api.post("/schemas", {"name": "Inv", "response_format": sent})
    assert made["name"] == "Inv"
    assert made["schema_version"] == 1
    assert made["created_at"].endswith("Z")
    assert json.dumps(made["response_format"]) == json.dumps(sent)
    assert await api.get(f"/schemas/{made['schema_revid']}") == made


async def test_an_existing_name_in_any_case_makes_a_new_version(api: OrgApi) -> None:
    first = await api.post("/schemas", {"name": "Straße", "response_format": response_format("a")})
    second = await api.post("/schemas", {"name": "STRASSE", "response_format": response_format("b")})
    assert second["schema_id"] == first["schema_id"]
    assert second["schema_revid"] != first["schema_revid"]
    assert (second["schema_version"], second["name"]) == (2, "Straße")
    assert await api.get(f"/schemas/{first['schema_revid']}") == first
    listed = await api.get("/schemas")
    assert listed == {"schemas": [second], "total_count": 1, "skip": 0}


async def test_versions_come_newest_first(api: OrgApi) -> None:
    made = [
        await api.post("/schemas", {"name": "v", "response_format": response_format(name)}) for name in "abc"
    ]
    found = await api.get(f"/schemas/{made[0]['schema_id']}/versions")
    assert found == {"schemas": made[::-1], "total_count": 3, "skip": 0}


async def test_versions_made_at_once_are_numbered_without_gaps(api: OrgApi) -> None:
    answers = await asyncio.gather(
        *(
            api.post("/schemas", {"name": "race", "response_format": response_format(f"p{number}")})
            for number in range(12)
        )
    )
    assert sorted(answer["schema_version"] for answer in answers) == list(range(1, 13))
    assert len({answer["schema_id"] for answer in answers}) == 1
    (listed,) = (await api.get("/schemas"))["schemas"]
    assert listed["schema_version"] == 12
    assert listed == next(answer for answer in answers if answer["schema_version"] == 12)


async def test_a_new_name_alone_keeps_revision_and_version(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "old", "response_format": response_format("a")})
    path = f"/schemas/{made['schema_id']}"
    assert await api.put(path, {"name": "new"}) == made | {"name": "new"}
    both = await api.put(path, {"name": "NEW", "response_format": response_format("a")})
    assert both == made | {"name": "NEW"}


async def test_anything_else_makes_a_new_version_even_if_identical(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("a", "b")})
    path = f"/schemas/{made['schema_id']}"
    bodies: list[dict[str, Any]] = [
        {"response_format": response_format("a", "b")},
        {"name": "s"},
        {"name": "s", "response_format": response_format("a", "b")},
        {"name": "renamed", "response_format": response_format("b", "a")},
    ]
    for version, body in enumerate(bodies, start=2):
        changed = await api.put(path, body)
        assert changed["schema_version"] == version
        assert changed["name"] == body.get("name", "s")
        assert changed["schema_id"] == made["schema_id"]
    assert changed["response_format"] == response_format("b", "a")


async def test_true_and_one_are_different_schemas(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("a", default=True)})
    body = {"name": "t", "response_format": response_format("a", default=1)}
    assert (await api.put(f"/schemas/{made['schema_id']}", body))["schema_version"] == 2


async def test_a_taken_name_is_refused(api: OrgApi) -> None:
    await api.post("/schemas", {"name": "Taken", "response_format": response_format("a")})
    other = await api.post("/schemas", {"name": "other", "response_format": response_format("a")})
    path = f"/schemas/{other['schema_id']}"
    for body in ({"name": "TAKEN"}, {"name": "taken", "response_format": response_format("b")}):
        detail = await api.refused(400, "PUT", path, body)
        assert detail.startswith(f"A schema named '{body['name']}' already exists.")
    assert (await api.get(f"{path}/versions"))["schemas"] == [other]


async def test_an_empty_change_is_refused(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("a")})
    for body in ({}, {"name": None}, {"unknown": 1}):
        (problem,) = await api.refused(422, "PUT", f"/schemas/{made['schema_id']}", body)
        assert problem["loc"] == ["body"]
        assert problem["type"] == "value_error"
        assert problem["msg"].startswith("Value error, ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "json_object"}, "type must be 'json_schema'"),
        ({"json_schema": {"name": "x"}}, "json_schema must contain 'schema' field"),
        ({"json_schema": {"schema": {}}}, "json_schema must contain 'name' field"),
        (
            {"json_schema": {"name": "x", "schema": {"type": "nonsense"}}},
            "Invalid JSON schema: type: 'nonsense' is not valid under any of the given schemas",
        ),
        (
            {"json_schema": {"name": "x", "schema": {"default": "\x00"}}},
            "NUL characters cannot be stored; remove them",
        ),
        (
            {"json_schema": {"name": "x", "schema": {"default": 2**70}}},
            "An integer is too large; the limit is 64 bits",
        ),
    ],
)
async def test_what_may_not_be_stored(api: OrgApi, change: dict[str, Any], message: str) -> None:
    body = {"name": "s", "response_format": response_format("a") | change}
    (problem,) = await api.refused(422, "POST", "/schemas", body)
    assert problem["type"] == "value_error"
    assert problem["loc"] == ["body", "response_format"]
    assert problem["msg"] == f"Value error, {message}"
    assert problem["ctx"] == {"error": {}}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
async def test_numbers_that_json_does_not_have_are_refused(api: OrgApi, number: str) -> None:
    body = json.dumps({"name": "s", "response_format": response_format("a", default="N")})
    response = await api.post_text("/schemas", body.replace('"N"', number))
    assert response.status_code == 422, response.text
    assert "is not a JSON number" in response.json()["detail"][0]["msg"]


async def test_half_of_a_surrogate_pair_is_refused(api: OrgApi) -> None:
    body = json.dumps({"name": "s", "response_format": response_format("a", title="\ud800")})
    response = await api.post_text("/schemas", body)
    assert response.status_code == 422, response.text


async def test_strict_rules_are_not_asked_of_stored_schemas(api: OrgApi) -> None:
    loose = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    made = await api.post("/schemas", {"name": "loose", "response_format": loose})
    assert made["response_format"] == loose


@pytest.mark.parametrize("wrong_id", [UNKNOWN, "zz", "default"])
async def test_unknown_and_malformed_ids_are_not_found(api: OrgApi, wrong_id: str) -> None:
    path = f"/schemas/{wrong_id}"
    assert await api.refused(404, "GET", path) == "Schema not found"
    assert await api.refused(404, "GET", f"{path}/versions") == "Schema not found"
    assert await api.refused(404, "PUT", path, {"name": "x"}) == "Schema not found"
    assert await api.refused(404, "DELETE", path) == "Schema not found"
    assert await api.refused(404, "POST", f"{path}/validate", {"data": {}}) == "Schema not found"
    assert await api.refused(404, "GET", f"{path}/profiles/openai") == "Schema not found"


async def test_schema_ids_and_revision_ids_are_not_the_same(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("a")})
    await api.refused(404, "GET", f"/schemas/{made['schema_id']}")
    await api.refused(404, "GET", f"/schemas/{made['schema_revid']}/versions")
    await api.refused(404, "PUT", f"/schemas/{made['schema_revid']}", {"name": "x"})
    await api.refused(404, "DELETE", f"/schemas/{made['schema_revid']}")


async def test_another_organisations_schema_is_not_found(api: OrgApi, stranger: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "mine", "response_format": response_format("a")})
    by_revision, by_id = f"/schemas/{made['schema_revid']}", f"/schemas/{made['schema_id']}"
    await stranger.refused(404, "GET", by_revision)
    await stranger.refused(404, "POST", f"{by_revision}/validate", {"data": {}})
    await stranger.refused(404, "GET", f"{by_revision}/profiles/gemini")
    await stranger.refused(404, "GET", f"{by_id}/versions")
    await stranger.refused(404, "PUT", by_id, {"name": "theirs"})
    await stranger.refused(404, "DELETE", by_id)
    assert (await stranger.get("/schemas"))["total_count"] == 0
    theirs = await stranger.post("/schemas", {"name": "mine", "response_format": response_format("b")})
    assert theirs["schema_version"] == 1
    assert await api.get(by_revision) == made


async def test_a_deleted_schema_is_gone_and_its_name_starts_again(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("a")})
    answer = await api.delete(f"/schemas/{made['schema_id']}")
    assert answer == {"message": "Schema deleted successfully"}
    await api.refused(404, "GET", f"/schemas/{made['schema_revid']}")
    await api.refused(404, "GET", f"/schemas/{made['schema_id']}/versions")
    await api.refused(404, "DELETE", f"/schemas/{made['schema_id']}")
    assert (await api.get("/schemas"))["total_count"] == 0
    again = await api.post("/schemas", {"name": "S", "response_format": response_format("a")})
    assert again["schema_version"] == 1
    assert again["schema_id"] != made["schema_id"]


async def test_a_schema_that_any_version_of_a_prompt_uses_stays(api: OrgApi) -> None:
    schema = await api.post("/schemas", {"name": "s", "response_format": response_format("a")})
    schema_id = schema["schema_id"]
    prompt = await api.post("/prompts", {"name": "p", "content": "c", "schema_id": schema_id})
    await api.put(f"/prompts/{prompt['prompt_id']}", {"name": "p", "content": "without"})
    detail = await api.refused(400, "DELETE", f"/schemas/{schema_id}")
    start = "Cannot delete schema because it has dependent prompts: "
    assert detail.startswith(start)
    assert json.loads(detail.removeprefix(start)) == [{"name": "p", "schema_version": 1}]
    await api.delete(f"/prompts/{prompt['prompt_id']}")
    await api.delete(f"/schemas/{schema_id}")


WRONG = {
    "path": "n",
    "message": "1 is not of type 'string'",
    "pointer": "/n",
    "keyword": "type",
    "expected": ["string"],
}


async def test_data_is_checked_wrapped_and_bare(api: OrgApi) -> None:
    made = await api.post("/schemas", {"name": "s", "response_format": response_format("n")})
    path = f"/schemas/{made['schema_revid']}/validate"
    assert await api.post(path, {"data": {"n": "x"}}) == {"valid": True}
    assert await api.post(path, {"n": "x"}) == {"valid": True}
    wrong = {"valid": False, "errors": [WRONG]}
    assert await api.post(path, {"data": {"n": 1}}) == wrong
    assert await api.post(path, {"n": 1}) == wrong
    (absent,) = (await api.post(path, {}))["errors"]
    assert (absent["path"], absent["message"]) == ("", "'n' is a required property")
    assert (await api.post(path, {"data": None}))["valid"] is False
    assert (await api.post(path, [1]))["valid"] is False


async def test_formats_are_not_asserted(api: OrgApi) -> None:
    body = response_format()
    body["json_schema"]["schema"] = {"properties": {"mail": {"type": "string", "format": "email"}}}
    made = await api.post("/schemas", {"name": "s", "response_format": body})
    assert await api.post(f"/schemas/{made['schema_revid']}/validate", {"data": {"mail": "no"}}) == {
        "valid": True
    }


async def test_each_version_checks_by_its_own_rules(api: OrgApi) -> None:
    old = await api.post("/schemas", {"name": "s", "response_format": response_format("a")})
    new = await api.post("/schemas", {"name": "s", "response_format": response_format("b")})
    for _ in range(2):
        assert (await api.post(f"/schemas/{old['schema_revid']}/validate", {"a": ""}))["valid"] is True
        assert (await api.post(f"/schemas/{new['schema_revid']}/validate", {"a": ""}))["valid"] is False


async def test_forgotten_validators_are_made_again(product: Product, tenant: Tenant) -> None:
    service = SchemaService(product.services.db, kept_validators=1)
    made = [
        await service.create(tenant.member, name=name, response_format=response_format(name)) for name in "ab"
    ]
    for schema in made * 2:
        assert await service.validate(tenant.member, schema.revid, {schema.name: ""}) == []
        assert len(await service.validate(tenant.member, schema.revid, {})) == 1


async def test_the_strict_check_tells_errors_and_warnings(api: OrgApi) -> None:
    good = await api.post("/schemas/check", {"response_format": response_format("a")})
    assert good == {"valid": True, "errors": [], "warnings": []}
    loose = response_format("a", additionalProperties=True)
    loose["json_schema"]["schema"]["properties"]["a"]["pattern"] = "x"
    report = await api.post("/schemas/check", {"response_format": loose})
    assert report["valid"] is False
    assert [error["path"] for error in report["errors"]] == ["json_schema.schema.additionalProperties"]
    assert [entry["path"] for entry in report["warnings"]] == ["json_schema.schema.properties.a.pattern"]
    assert (await api.post("/schemas/check", {"response_format": None}))["valid"] is False
    await api.refused(422, "POST", "/schemas/check", {})
    assert (await api.get("/schemas"))["total_count"] == 0


@pytest.mark.parametrize("provider", ["openai", "anthropic", "gemini"])
async def test_what_a_provider_is_sent_is_told_beside_the_stored_schema(api: OrgApi, provider: str) -> None:
    sent = response_format("a", required=[], patternProperties={"^x": {"type": "string"}})
    made = await api.post("/schemas", {"name": "s", "response_format": sent})
    path = f"/schemas/{made['schema_revid']}"
    profile = await api.get(f"{path}/profiles/{provider}")
    assert profile["schema"]["type"] == "object"
    assert profile["changes"]
    assert set(profile["changes"][0]) == {"path", "change", "reason", "lossy"}
    assert await api.get(path) == made
    await api.refused(422, "GET", f"{path}/profiles/nobody")


async def test_lists_are_searched_sorted_and_filtered(api: OrgApi) -> None:
    made = {
        name: await api.post("/schemas", {"name": name, "response_format": response_format("a")})
        for name in ("my inv", "Invoice", "INV", "other")
    }
    await api.put(f"/schemas/{made['other']['schema_id']}", {"response_format": response_format("b")})

    async def names(**query: Any) -> list[str]:
        encoded = {
            key: value if isinstance(value, str) else json.dumps(value) for key, value in query.items()
        }
        return [schema["name"] for schema in (await api.get("/schemas", **encoded))["schemas"]]

    def filters(field: str, operator: str, value: Any = None) -> dict[str, Any]:
        return {"items": [{"field": field, "operator": operator, "value": value}]}

    assert await names() == ["other", "INV", "Invoice", "my inv"]
    assert await names(name_search="inv") == ["INV", "Invoice", "my inv"]
    assert await names(sort=[{"field": "name", "sort": "asc"}]) == ["INV", "Invoice", "my inv", "other"]
    assert await names(filters=filters("name", "startsWith", "inv")) == ["INV", "Invoice"]
    inv = made["INV"]
    for field in ("schema_id", "schema_revid"):
        assert await names(filters=filters(field, "equals", inv[field])) == ["INV"]
    assert len(await names(filters=filters("created_by", "equals", inv["created_by"]))) == 4
    assert await names(filters=filters("created_at", "before", inv["created_at"])) == ["Invoice", "my inv"]
    assert await names(filters=filters("created_at", "after", inv["created_at"])) == ["other"]
    assert await names(filters=filters("created_at", "is", inv["created_at"])) == ["INV"]
    assert await names(filters=filters("created_at", "onOrAfter", inv["created_at"])) == ["other", "INV"]
    assert await names(filters=filters("created_at", "onOrBefore", made["Invoice"]["created_at"])) == [
        "Invoice",
        "my inv",
    ]
    assert await names(filters=filters("created_at", "not", inv["created_at"])) == [
        "other",
        "Invoice",
        "my inv",
    ]
    assert await names(skip="1", limit="2") == ["INV", "Invoice"]
