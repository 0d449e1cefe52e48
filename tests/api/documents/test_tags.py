"""Tags: making, changing and deleting them, and finding them again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.support.org_api import OrgApi
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

UNKNOWN = "0123456789abcdef01234567"


async def test_a_tag_has_a_colour_of_its_own_or_the_default(api: OrgApi) -> None:
    plain = await api.post("/tags", {"name": "plain"})
    assert plain["color"] == "#3B82F6"
    assert plain["description"] is None
    assert plain["created_at"].endswith("Z")
    assert (await api.post("/tags", {"name": "empty", "color": ""}))["color"] == "#3B82F6"
    assert (await api.post("/tags", {"name": "null", "color": None}))["color"] == "#3B82F6"
    own = await api.post("/tags", {"name": "own", "color": "no colour", "description": "mine"})
    assert own["color"] == "no colour"
    assert await api.get(f"/tags/{own['id']}") == own


async def test_names_are_kept_as_given_and_exact_repeats_are_refused(api: OrgApi) -> None:
    spaced = await api.post("/tags", {"name": " inv "})
    assert spaced["name"] == " inv "
    await api.post("/tags", {"name": "inv"})
    await api.post("/tags", {"name": "INV"})
    assert await api.refused(400, "POST", "/tags", {"name": "inv"}) == "Tag with name 'inv' already exists"


async def test_the_same_name_is_free_in_another_organisation(api: OrgApi, stranger: OrgApi) -> None:
    await api.post("/tags", {"name": "shared"})
    await stranger.post("/tags", {"name": "shared"})


@pytest.mark.parametrize(
    "name", ["", "x" * 256, "nul\x00inside", "half \ud800 pair"], ids=["empty", "long", "nul", "surrogate"]
)
async def test_names_that_cannot_be_kept_are_refused(api: OrgApi, name: str) -> None:
    response = await api.post_text("/tags", json.dumps({"name": name}))
    assert response.status_code == 422, response.text
    assert response.json()["detail"][0]["loc"] == ["body", "name"]


async def test_a_missing_name_is_told_in_the_usual_shape(api: OrgApi) -> None:
    (problem,) = await api.refused(422, "POST", "/tags", {})
    assert problem == {"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}


async def test_a_change_keeps_an_empty_colour_and_overwrites_the_description(api: OrgApi) -> None:
    tag = await api.post("/tags", {"name": "old", "color": "#111111", "description": "words"})
    path = f"/tags/{tag['id']}"
    renamed = await api.put(path, {"name": "new", "color": "", "description": "other"})
    assert renamed == tag | {"name": "new", "description": "other"}
    assert (await api.put(path, {"name": "new", "color": None}))["description"] is None
    assert (await api.put(path, {"name": "new", "color": "red"}))["color"] == "red"
    assert (await api.refused(422, "PUT", path, {"color": "red"}))[0]["loc"] == ["body", "name"]


async def test_a_change_to_a_taken_name_is_refused(api: OrgApi) -> None:
    await api.post("/tags", {"name": "first"})
    second = await api.post("/tags", {"name": "second"})
    detail = await api.refused(400, "PUT", f"/tags/{second['id']}", {"name": "first"})
    assert detail == "Tag with name 'first' already exists"
    assert await api.put(f"/tags/{second['id']}", {"name": "second"}) == second


async def test_unknown_and_malformed_ids_are_not_found(api: OrgApi) -> None:
    for tag_id in (UNKNOWN, "zz", "default", "%00"):
        for method, body in (("GET", None), ("PUT", {"name": "x"}), ("DELETE", None)):
            assert await api.refused(404, method, f"/tags/{tag_id}", body) == "Tag not found"


async def test_another_organisations_tag_is_not_found(api: OrgApi, stranger: OrgApi) -> None:
    tag = await api.post("/tags", {"name": "mine"})
    path = f"/tags/{tag['id']}"
    assert await stranger.refused(404, "GET", path) == "Tag not found"
    assert await stranger.refused(404, "PUT", path, {"name": "theirs"}) == "Tag not found"
    assert await stranger.refused(404, "DELETE", path) == "Tag not found"
    assert (await stranger.get("/tags"))["tags"] == []
    assert await api.get(path) == tag


async def test_a_deleted_tag_is_gone_and_its_name_is_free(api: OrgApi) -> None:
    tag = await api.post("/tags", {"name": "brief"})
    assert await api.delete(f"/tags/{tag['id']}") == {"message": "Tag deleted successfully"}
    assert await api.refused(404, "DELETE", f"/tags/{tag['id']}") == "Tag not found"
    await api.post("/tags", {"name": "brief"})


async def test_a_tag_in_use_cannot_be_deleted(api: OrgApi) -> None:
    tag = await api.post("/tags", {"name": "busy"})
    path = f"/tags/{tag['id']}"
    start = "Cannot delete tag 'busy' because it is assigned to one or more "

    document_id = await api.add_document([tag["id"]])
    assert await api.refused(400, "DELETE", path) == start + "documents"
    await api.delete(f"/documents/{document_id}")

    prompt = await api.post("/prompts", {"name": "p", "content": "c", "tag_ids": [tag["id"]]})
    assert await api.refused(400, "DELETE", path) == start + "prompts"
    await api.put(f"/prompts/{prompt['prompt_id']}", {"name": "p", "content": "c"})

    form = await api.post("/forms", {"name": "f", "response_format": {}, "tag_ids": [tag["id"]]})
    assert await api.refused(400, "DELETE", path) == start + "forms"
    await api.delete(f"/forms/{form['form_id']}")

    assert await api.delete(path) == {"message": "Tag deleted successfully"}


async def test_of_many_who_create_the_same_tag_one_succeeds(api: OrgApi) -> None:
    answers = await asyncio.gather(*(api.call("POST", "/tags", json={"name": "race"}) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7
    assert (await api.get("/tags", name_search="race"))["total_count"] == 1


async def test_lists_come_newest_first_in_pages(api: OrgApi) -> None:
    for number in range(5):
        await api.post("/tags", {"name": f"t{number}"})
    first = await api.get("/tags", limit=2)
    assert [tag["name"] for tag in first["tags"]] == ["t4", "t3"]
    assert (first["total_count"], first["skip"]) == (5, 0)
    last = await api.get("/tags", skip=4, limit=2)
    assert [tag["name"] for tag in last["tags"]] == ["t0"]
    assert (last["total_count"], last["skip"]) == (5, 4)
    assert (await api.get("/tags", skip=50))["tags"] == []
    for wrong in ({"limit": 0}, {"limit": 101}, {"skip": -1}):
        await api.refused(422, "GET", "/tags", **wrong)


async def test_name_search_puts_whole_names_first_then_beginnings(api: OrgApi) -> None:
    for name in ("my inv", "INVOICE", "inv", "other", "Investment"):
        await api.post("/tags", {"name": name})
    found = await api.get("/tags", name_search="INV")
    assert [tag["name"] for tag in found["tags"]] == ["inv", "Investment", "INVOICE", "my inv"]
    sort = json.dumps([{"field": "name", "sort": "asc"}])
    found = await api.get("/tags", name_search="inv", sort=sort)
    assert [tag["name"] for tag in found["tags"]] == ["inv", "Investment", "INVOICE", "my inv"]
    assert found["total_count"] == 4


async def test_name_search_takes_the_text_as_it_is(api: OrgApi) -> None:
    for name in ("100%", "1000", "a_b", "aXb", "(x", "GRÜSSE"):
        await api.post("/tags", {"name": name})
    for text, names in (
        ("0%", ["100%"]),
        ("a_b", ["a_b"]),
        ("(", ["(x"]),
        ("grü", ["GRÜSSE"]),
        ("ß", ["GRÜSSE"]),
    ):
        found = await api.get("/tags", name_search=text)
        assert [tag["name"] for tag in found["tags"]] == names
    assert await api.refused(400, "GET", "/tags", name_search="a\x00b")


async def test_sorting(api: OrgApi) -> None:
    for name, color in (("b", "1"), ("A", "2"), ("c", "1")):
        await api.post("/tags", {"name": name, "color": color})

    async def names(*sort: tuple[str, str]) -> list[str]:
        model = [{"field": field, "sort": direction} for field, direction in sort]
        found = await api.get("/tags", sort=json.dumps(model))
        return [tag["name"] for tag in found["tags"]]

    assert await names(("name", "asc")) == ["A", "b", "c"]
    assert await names(("name", "desc")) == ["c", "b", "A"]
    assert await names(("color", "asc")) == ["b", "c", "A"], "what is equal follows the direction, by age"
    assert await names(("color", "desc"), ("name", "asc")) == ["A", "b", "c"]
    assert await names(("created_at", "asc")) == ["b", "A", "c"]
    assert await names(("nonsense", "asc")) == ["c", "A", "b"]
    assert await api.refused(400, "GET", "/tags", sort="[{") == "Invalid sort JSON"


@pytest.fixture
async def four_tags(api: OrgApi) -> OrgApi:
    for name, description in (
        ("Alpha", "First one"),
        ("beta", "second ÄPFEL"),
        ("gamma", None),
        ("delta", ""),
    ):
        await api.post("/tags", {"name": name, "description": description})
    return api


FILTERS: list[tuple[str, str, Any, list[str]]] = [
    ("name", "contains", "ET", ["beta"]),
    ("name", "doesNotContain", "ta", ["Alpha", "gamma"]),
    ("name", "equals", "ALPHA", ["Alpha"]),
    ("name", "=", "beta", ["beta"]),
    ("name", "is", "beta", ["beta"]),
    ("name", "doesNotEqual", "beta", ["Alpha", "delta", "gamma"]),
    ("name", "!=", "beta", ["Alpha", "delta", "gamma"]),
    ("name", "startsWith", "de", ["delta"]),
    ("name", "starts with", "DE", ["delta"]),
    ("name", "endsWith", "TA", ["beta", "delta"]),
    ("name", "isAnyOf", ["ALPHA", "gamma"], ["Alpha", "gamma"]),
    ("description", "contains", "äpfel", ["beta"]),
    ("description", "contains", "ÄPFEL", ["beta"]),
    ("description", "doesNotContain", "one", ["beta", "delta", "gamma"]),
    ("description", "isEmpty", None, ["delta", "gamma"]),
    ("description", "isNotEmpty", None, ["Alpha", "beta"]),
    ("color", "equals", "#3b82f6", ["Alpha", "beta", "delta", "gamma"]),
    ("created_at", "after", "2020-01-01", ["Alpha", "beta", "delta", "gamma"]),
    ("created_at", "before", "2020-01-01", []),
    ("nonsense", "equals", "x", ["Alpha", "beta", "delta", "gamma"]),
    ("name", "nonsense", "x", ["Alpha", "beta", "delta", "gamma"]),
]


async def test_filters(four_tags: OrgApi) -> None:
    for field, operator, value, names in FILTERS:
        model = {"items": [{"field": field, "operator": operator, "value": value}]}
        found = await four_tags.get("/tags", filters=json.dumps(model))
        assert sorted(tag["name"] for tag in found["tags"]) == names, model
        assert found["total_count"] == len(names)


@pytest.mark.parametrize("key", ["logicOperator", "operatorValue"])
async def test_filters_are_joined_by_and_or_by_or(four_tags: OrgApi, key: str) -> None:
    items = [
        {"field": "name", "operator": "endsWith", "value": "ta"},
        {"field": "description", "operator": "isEmpty"},
    ]
    both = await four_tags.get("/tags", filters=json.dumps({"items": items, key: "and"}))
    assert [tag["name"] for tag in both["tags"]] == ["delta"]
    either = await four_tags.get("/tags", filters=json.dumps({"items": items, key: "or"}))
    assert sorted(tag["name"] for tag in either["tags"]) == ["beta", "delta", "gamma"]
    assert await four_tags.refused(400, "GET", "/tags", filters="nope") == "Invalid filters JSON"
