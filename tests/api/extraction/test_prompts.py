"""Prompts: versions, what they refer to, which model runs, and finding them for a document."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from docagent.services.extraction.prompts import PromptConfig, PromptService
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.accounts import organizations
from tests.api.extraction.test_schemas import response_format
from tests.support.accounts import secrets_of
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

UNKNOWN = "0123456789abcdef01234567"
BUILT_IN = "docagent-offline"


async def make_schema(api: OrgApi, name: str = "s", *properties: str) -> Any:
    return await api.post(
        "/schemas", {"name": name, "response_format": response_format(*(properties or ("a",)))}
    )


async def make_tag(api: OrgApi, name: str) -> str:
    tag_id: str = (await api.post("/tags", {"name": name}))["id"]
    return tag_id


async def test_what_is_left_out_takes_its_default(api: OrgApi) -> None:
    made = await api.post("/prompts", {"name": "P", "content": "Extract"})
    identity = {key: made.pop(key) for key in ("prompt_revid", "prompt_id", "created_at", "created_by")}
    assert made == {
        "name": "P",
        "content": "Extract",
        "schema_id": None,
        "schema_version": None,
        "tag_ids": [],
        "model": "gpt-4o-mini",
        "effective_model": BUILT_IN,
        "kb_id": None,
        "peer_match_keys": [],
        "include": {"ocr_text": True, "metadata_keys": [], "pdf": True, "pictures": None},
        "prompt_version": 1,
    }
    assert identity["created_at"].endswith("Z")
    assert await api.get(f"/prompts/{identity['prompt_revid']}") == made | identity


async def test_everything_given_is_kept(api: OrgApi) -> None:
    schema = await make_schema(api)
    tags = [await make_tag(api, "b"), await make_tag(api, "a")]
    config = {
        "name": "all",
        "content": "",
        "schema_id": schema["schema_id"],
        "schema_version": 1,
        "tag_ids": tags,
        "model": "claude-sonnet-4-6",
        "peer_match_keys": ["customer"],
        "include": {"ocr_text": False, "metadata_keys": ["k"], "pdf": False, "pictures": "never"},
    }
    made = await api.post("/prompts", config)
    assert {key: made[key] for key in config} == config


async def test_repeated_tags_count_once(api: OrgApi) -> None:
    first, second = await make_tag(api, "a"), await make_tag(api, "b")
    made = await api.post("/prompts", {"name": "p", "content": "c", "tag_ids": [second, first, second]})
    assert made["tag_ids"] == [second, first]


async def test_only_exactly_the_same_name_makes_a_new_version(api: OrgApi) -> None:
    first = await api.post("/prompts", {"name": "P", "content": "one"})
    second = await api.post("/prompts", {"name": "P", "content": "two"})
    assert second["prompt_id"] == first["prompt_id"]
    assert second["prompt_version"] == 2
    other = await api.post("/prompts", {"name": "p", "content": "one"})
    assert other["prompt_id"] != first["prompt_id"]
    versions = await api.get(f"/prompts/{first['prompt_id']}/versions")
    assert versions == {"prompts": [second, first], "total_count": 2, "skip": 0}
    assert (await api.get("/prompts"))["prompts"] == [other, second]


async def test_versions_made_at_once_are_numbered_without_gaps(api: OrgApi) -> None:
    made = await api.post("/prompts", {"name": "race", "content": "0"})
    path = f"/prompts/{made['prompt_id']}"
    writes = [
        api.post("/prompts", {"name": "race", "content": str(number)})
        if number % 2
        else api.put(path, {"name": "race", "content": str(number)})
        for number in range(1, 11)
    ]
    answers = await asyncio.gather(*writes)
    assert sorted(answer["prompt_version"] for answer in answers) == list(range(2, 12))
    versions = (await api.get(f"{path}/versions"))["prompts"]
    assert [version["prompt_version"] for version in versions] == list(range(11, 0, -1))


async def test_an_update_replaces_the_whole_configuration(api: OrgApi) -> None:
    schema = await make_schema(api)
    tag = await make_tag(api, "t")
    made = await api.post(
        "/prompts",
        {
            "name": "p",
            "content": "c",
            "schema_id": schema["schema_id"],
            "tag_ids": [tag],
            "model": "gpt-4o",
        },
    )
    path = f"/prompts/{made['prompt_id']}"
    changed = await api.put(path, {"name": "p", "content": "c"})
    assert changed["prompt_version"] == 2
    assert (changed["schema_id"], changed["schema_version"]) == (None, None)
    assert (changed["tag_ids"], changed["model"]) == ([], "gpt-4o-mini")
    assert (await api.put(path, {"name": "p", "content": "c"}))["prompt_version"] == 3
    for body, missing in (({"name": "p"}, "content"), ({"content": "c"}, "name")):
        (problem,) = await api.refused(422, "PUT", path, body)
        assert (problem["type"], problem["loc"]) == ("missing", ["body", missing])


async def test_a_new_name_alone_keeps_revision_and_version(api: OrgApi) -> None:
    tag = await make_tag(api, "t")
    made = await api.post("/prompts", {"name": "old", "content": "c", "tag_ids": [tag]})
    path = f"/prompts/{made['prompt_id']}"
    assert await api.put(path, made | {"name": "new"}) == made | {"name": "new"}
    assert await api.put(path, {"name": "newer", "content": "c", "tag_ids": [tag]}) == made | {
        "name": "newer"
    }
    await api.post("/prompts", {"name": "taken", "content": "c"})
    detail = await api.refused(400, "PUT", path, made | {"name": "taken"})
    assert detail.startswith("A prompt named 'taken' already exists.")


async def test_the_schema_version_is_pinned(api: OrgApi) -> None:
    first = await make_schema(api, "s", "a")
    await make_schema(api, "s", "b")
    schema_id = first["schema_id"]
    newest = await api.post("/prompts", {"name": "newest", "content": "c", "schema_id": schema_id})
    assert newest["schema_version"] == 2
    pinned = await api.post(
        "/prompts", {"name": "pinned", "content": "c", "schema_id": schema_id, "schema_version": 1}
    )
    assert pinned["schema_version"] == 1
    await make_schema(api, "s", "c")
    assert (await api.get(f"/prompts/{newest['prompt_revid']}"))["schema_version"] == 2


async def test_unknown_schemas_are_told(api: OrgApi, stranger: OrgApi) -> None:
    body = {"name": "p", "content": "c"}
    detail = await api.refused(404, "POST", "/prompts", body | {"schema_id": UNKNOWN})
    assert detail == f"Schema with ID {UNKNOWN} not found"
    own = (await make_schema(api))["schema_id"]
    detail = await api.refused(404, "POST", "/prompts", body | {"schema_id": own, "schema_version": 7})
    assert detail == f"Schema with ID {own} version 7 not found"
    foreign = (await make_schema(stranger))["schema_id"]
    detail = await api.refused(404, "POST", "/prompts", body | {"schema_id": foreign})
    assert detail == f"Schema with ID {foreign} not found"
    assert await api.refused(400, "POST", "/prompts", body | {"schema_id": "zz"}) == "Invalid schema ID: zz"
    await api.refused(422, "POST", "/prompts", body | {"schema_id": own, "schema_version": 2**40})
    await api.delete(f"/schemas/{own}")
    await api.refused(404, "POST", "/prompts", body | {"schema_id": own})
    assert (await api.get("/prompts"))["total_count"] == 0


async def test_unknown_tags_are_told(api: OrgApi, stranger: OrgApi) -> None:
    own, foreign = await make_tag(api, "own"), await make_tag(stranger, "foreign")
    for wrong in (UNKNOWN, foreign, "zz", ""):
        body = {"name": "p", "content": "c", "tag_ids": [own, wrong]}
        assert await api.refused(400, "POST", "/prompts", body) == f"Invalid tag IDs: ['{wrong}']"
    prompt = await api.post("/prompts", {"name": "p", "content": "c"})
    body = {"name": "p", "content": "c", "tag_ids": [UNKNOWN, "zz"]}
    detail = await api.refused(400, "PUT", f"/prompts/{prompt['prompt_id']}", body)
    assert detail == f"Invalid tag IDs: ['{UNKNOWN}', 'zz']"
    many = [f"{number:024x}" for number in range(1001)]
    detail = await api.refused(400, "POST", "/prompts", {"name": "p", "content": "c", "tag_ids": many})
    assert detail == "Too many tag IDs: 1001. Use at most 1000."


async def test_the_model_must_be_in_the_catalogue(api: OrgApi) -> None:
    body = {"name": "p", "content": "c", "model": "zz"}
    assert (await api.refused(400, "POST", "/prompts", body)).startswith("Invalid model: zz. ")
    prompt = await api.post("/prompts", body | {"model": BUILT_IN})
    assert (prompt["model"], prompt["effective_model"]) == (BUILT_IN, BUILT_IN)
    detail = await api.refused(400, "PUT", f"/prompts/{prompt['prompt_id']}", body)
    assert detail.startswith("Invalid model: zz. ")
    without_key = await api.post("/prompts", body | {"model": "gpt-4o"})
    assert (without_key["model"], without_key["effective_model"]) == ("gpt-4o", BUILT_IN)


async def test_the_organisations_default_runs_where_the_named_model_cannot(
    product: Product, tenant: Tenant
) -> None:
    db = product.services.db
    service = PromptService(db, ProviderDirectory(secrets_of(product), {"openai": "a key"}))
    async with db.write() as tx:
        await organizations.update(tx, tenant.organization_id, {"default_model": "gpt-4o"})
    for requested, effective in (
        (None, "gpt-4o"),
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("claude-sonnet-4-6", "gpt-4o"),
        (BUILT_IN, BUILT_IN),
    ):
        prompt = await service.create(tenant.member, PromptConfig(name="p", content="c", model=requested))
        assert prompt.effective_model == effective
        assert prompt.model == (requested or "gpt-4o-mini")


async def test_there_are_no_knowledge_bases(api: OrgApi) -> None:
    body = {"name": "p", "content": "c", "kb_id": UNKNOWN}
    assert await api.refused(400, "POST", "/prompts", body) == f"Knowledge base with ID {UNKNOWN} not found"


@pytest.mark.parametrize("wrong_id", [UNKNOWN, "zz", "default"])
async def test_unknown_and_malformed_ids_are_not_found(api: OrgApi, wrong_id: str) -> None:
    path = f"/prompts/{wrong_id}"
    assert await api.refused(404, "GET", path) == "Prompt not found"
    assert await api.refused(404, "GET", f"{path}/versions") == "Prompt not found"
    assert await api.refused(404, "PUT", path, {"name": "x", "content": "c"}) == "Prompt not found"
    assert await api.refused(404, "DELETE", path) == "Prompt not found"


async def test_another_organisations_prompt_is_not_found(api: OrgApi, stranger: OrgApi) -> None:
    made = await api.post("/prompts", {"name": "mine", "content": "c"})
    await stranger.refused(404, "GET", f"/prompts/{made['prompt_revid']}")
    path = f"/prompts/{made['prompt_id']}"
    await stranger.refused(404, "GET", f"{path}/versions")
    await stranger.refused(404, "PUT", path, {"name": "theirs", "content": "c"})
    await stranger.refused(404, "DELETE", path)
    assert (await stranger.get("/prompts"))["total_count"] == 0
    assert await api.get(f"/prompts/{made['prompt_revid']}") == made


async def test_a_deleted_prompt_is_gone(api: OrgApi) -> None:
    made = await api.post("/prompts", {"name": "p", "content": "c"})
    path = f"/prompts/{made['prompt_id']}"
    assert await api.delete(path) == {"message": "Prompt deleted successfully"}
    await api.refused(404, "GET", f"/prompts/{made['prompt_revid']}")
    await api.refused(404, "DELETE", path)
    assert (await api.post("/prompts", {"name": "p", "content": "c"}))["prompt_version"] == 1


@pytest.mark.parametrize("text", ["nul\x00", "half \ud800"])
async def test_content_that_cannot_be_kept_is_refused(api: OrgApi, text: str) -> None:
    response = await api.post_text("/prompts", json.dumps({"name": "p", "content": text}))
    assert response.status_code == 422, response.text
    assert response.json()["detail"][0]["loc"] == ["body", "content"]


async def prompt_names(api: OrgApi, **query: Any) -> list[str]:
    return sorted(prompt["name"] for prompt in (await api.get("/prompts", **query))["prompts"])


async def test_prompts_for_a_document_share_a_tag_with_it(api: OrgApi, stranger: OrgApi) -> None:
    red, blue, green = [await make_tag(api, name) for name in ("red", "blue", "green")]
    for name, tags in (("r", [red]), ("rb", [red, blue]), ("g", [green]), ("none", []), ("was r", [red])):
        await api.post("/prompts", {"name": name, "content": "c", "tag_ids": tags})
    await api.post("/prompts", {"name": "was r", "content": "c", "tag_ids": []})
    tagged = await api.add_document([red])
    both = await api.add_document([blue, green])
    untagged = await api.add_document()
    assert await prompt_names(api, document_id=tagged) == ["r", "rb"]
    assert await prompt_names(api, document_id=both) == ["g", "rb"]
    assert await prompt_names(api, document_id=untagged) == []
    for name in ("Default Prompt", "default prompt"):
        await api.post("/prompts", {"name": name, "content": "c"})
    assert await prompt_names(api, document_id=untagged) == ["Default Prompt"]
    for wrong in (UNKNOWN, "zz"):
        assert await api.refused(404, "GET", "/prompts", document_id=wrong) == "Document not found"
    await stranger.refused(404, "GET", "/prompts", document_id=tagged)
    await api.delete(f"/documents/{tagged}")
    await api.refused(404, "GET", "/prompts", document_id=tagged)


async def test_prompts_with_all_of_some_tags(api: OrgApi) -> None:
    red, blue = await make_tag(api, "red"), await make_tag(api, "blue")
    for name, tags in (("r", [red]), ("rb", [red, blue]), ("none", [])):
        await api.post("/prompts", {"name": name, "content": "c", "tag_ids": tags})
    assert await prompt_names(api, tag_ids=red) == ["r", "rb"]
    assert await prompt_names(api, tag_ids=f"{blue}, {red}") == ["rb"]
    assert await prompt_names(api, tag_ids=f"{red},{red}") == ["r", "rb"]
    assert await prompt_names(api, tag_ids=f"{red},{UNKNOWN}") == []
    assert await prompt_names(api, tag_ids="zz\x00") == []
    assert await prompt_names(api, tag_ids="") == ["none", "r", "rb"]


FILTERS: list[tuple[str, str, Any, list[str]]] = [
    ("tag_ids", "isAnyOf", ["RED"], ["r", "rb"]),
    ("tag_ids", "isAnyOf", ["red", "blue"], ["b", "r", "rb"]),
    ("tag_ids", "equals", "Blue", ["b", "rb"]),
    ("tag_ids", "contains", "re", ["r", "rb"]),
    ("tag_ids", "contains", "nothing", []),
    ("tag_ids", "doesNotContain", "red", ["b", "none"]),
    ("tag_ids", "not", "nothing", ["b", "none", "r", "rb"]),
    ("tag_ids", "startsWith", "bl", ["b", "rb"]),
    ("tag_ids", "endsWith", "ue", ["b", "rb"]),
    ("tag_ids", "isEmpty", None, ["none"]),
    ("tag_ids", "isNotEmpty", None, ["b", "r", "rb"]),
    ("tag_ids", "after", "2020-01-01", ["b", "none", "r", "rb"]),
    ("schema_id", "equals", "INVOICE", ["b"]),
    ("schema_id", "contains", "voi", ["b"]),
    ("schema_id", "equals", "nothing", []),
    ("schema_id", "doesNotEqual", "invoice", ["none", "r", "rb"]),
    ("schema_id", "isEmpty", None, ["none", "rb"]),
    ("schema_id", "isNotEmpty", None, ["b", "r"]),
    ("schema_id", "after", "2020-01-01", ["b", "none", "r", "rb"]),
    ("schema_id", "isAnyOf", ["invoice", "letter"], ["b", "r"]),
    ("model", "equals", "gpt-4o", ["rb"]),
    ("model", "equals", "GPT-4o-mini", ["b", "none", "r"]),
    ("name", "startsWith", "R", ["r", "rb"]),
    ("created_at", "after", "2020-01-01T00:00", ["b", "none", "r", "rb"]),
]


async def test_filters(api: OrgApi) -> None:
    red, blue = await make_tag(api, "red"), await make_tag(api, "blue")
    invoice = (await make_schema(api, "Invoice"))["schema_id"]
    letter = (await make_schema(api, "letter"))["schema_id"]
    for config in (
        {"name": "r", "tag_ids": [red], "schema_id": letter},
        {"name": "rb", "tag_ids": [red, blue], "model": "gpt-4o"},
        {"name": "b", "tag_ids": [blue], "schema_id": invoice},
        {"name": "none"},
    ):
        await api.post("/prompts", {"content": "c"} | config)
    for field, operator, value, names in FILTERS:
        model = {"items": [{"field": field, "operator": operator, "value": value}]}
        assert await prompt_names(api, filters=json.dumps(model)) == names, model


async def test_ids_filter_as_well_as_names(api: OrgApi) -> None:
    tag = await make_tag(api, "t")
    schema_id = (await make_schema(api))["schema_id"]
    made = await api.post(
        "/prompts", {"name": "found", "content": "c", "tag_ids": [tag], "schema_id": schema_id}
    )
    await api.post("/prompts", {"name": "other", "content": "c"})
    for field, value in (
        ("tag_ids", tag),
        ("tag_ids", [tag]),
        ("schema_id", schema_id),
        ("prompt_revid", made["prompt_revid"]),
    ):
        operator = "isAnyOf" if isinstance(value, list) else "equals"
        model = {"items": [{"field": field, "operator": operator, "value": value}]}
        assert await prompt_names(api, filters=json.dumps(model)) == ["found"]


async def test_sorting_and_name_search(api: OrgApi) -> None:
    for name, model in (("my invoice", "gpt-4o"), ("Invoice", None), ("invoices", BUILT_IN)):
        await api.post("/prompts", {"name": name, "content": "c", "model": model})

    async def names(**query: Any) -> list[str]:
        return [prompt["name"] for prompt in (await api.get("/prompts", **query))["prompts"]]

    assert await names() == ["invoices", "Invoice", "my invoice"]
    assert await names(name_search="INVOICE") == ["Invoice", "invoices", "my invoice"]
    by_model = json.dumps([{"field": "model", "sort": "asc"}])
    assert await names(sort=by_model) == ["invoices", "my invoice", "Invoice"]
    by_time = json.dumps([{"field": "created_at", "sort": "asc"}])
    assert await names(sort=by_time, limit=1, skip=1) == ["Invoice"]
    assert await api.refused(400, "GET", "/prompts", sort="{}") == "Invalid sort JSON"
