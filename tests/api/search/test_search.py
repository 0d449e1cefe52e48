"""Finding anything by words: who finds what, where, and that the index is in step with every change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.made.documents import base64_of, pdf
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.proposals import proposed, verdict
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

Json = dict[str, Any]
PAGES = (
    ["Statement", "Nothing of note on the first page"],
    ["Delivery note", "The Zürich warehouse received 12 crates of quinces"],
)


async def find(api: OrgApi, words: str, **options: Any) -> list[Json]:
    results: list[Json] = (await api.get("/search", q=words, **options))["results"]
    return results


async def found(api: OrgApi, words: str, **options: Any) -> list[tuple[str, str]]:
    return [(one["kind"], one["name"]) for one in await find(api, words, **options)]


def marked(one: Json, text: str = "passage", hits: str = "hits") -> list[str]:
    return [one[text][hit["start"] : hit["end"]] for hit in one[hits]]


async def upload(product: Product, tenant: Tenant, name: str, *pages: list[str]) -> str:
    api = OrgApi(product.client, tenant.organization_id, tenant.headers)
    body = {"documents": [{"name": name, "content": base64_of(pdf(*pages))}]}
    document_id: str = (await api.post("/documents", body))["documents"][0]["document_id"]
    assert (await product.read_document(tenant, document_id))["state"] == "ocr_completed"
    return document_id


def schema_of(**fields: str) -> Json:
    properties = {name: {"type": "string", "description": said} for name, said in fields.items()}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "made", "schema": schema, "strict": True}}


async def test_a_document_is_found_by_name_text_and_values(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document = await upload(product, tenant, "Quarterly overview.pdf", *PAGES)

    [by_name] = await find(api, "quarterly OVER")
    assert (by_name["kind"], by_name["id"], by_name["page"]) == ("document", document, None)
    assert marked(by_name, "name", "name_hits") == ["Quarterly", "over"]
    assert (await find(api, "ov"))[0]["id"] == document, "the word is still being typed"

    [by_text] = await find(api, "quinces zurich")
    assert (by_text["id"], by_text["page"], by_text["field"]) == (document, 2, None)
    assert marked(by_text) == ["Zürich", "quinces"]

    schema = await api.post("/schemas", {"name": "Note", "response_format": schema_of(goods="What came")})
    prompt = await api.post(
        "/prompts", {"name": "Notes", "content": "Extract it", "schema_id": schema["schema_id"]}
    )
    address = f"?prompt_revid={prompt['prompt_revid']}"
    await api.call("POST", f"/llm/run/{document}{address}")
    path = f"/llm/result/{document}{address}"
    assert (
        await api.call("PATCH", path, json={"path": "goods", "value": "Persimmon 4711"})
    ).status_code == 200
    [by_value] = await find(api, "4711 persimm")
    assert (by_value["id"], by_value["prompt_id"], by_value["field"]) == (
        document,
        prompt["prompt_id"],
        "goods",
    )
    assert by_value["passage"] == "goods: Persimmon 4711"
    assert marked(by_value) == ["Persimm", "4711"]

    assert (await api.call("PATCH", path, json={"path": "goods", "value": "Medlar"})).status_code == 200
    assert await find(api, "persimmon") == []
    assert [one["id"] for one in await find(api, "medlar")] == [document]
    await api.call("DELETE", f"/llm/result/{document}{address}")
    assert await find(api, "medlar") == []


async def test_the_index_follows_every_change_of_a_document(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    document = await upload(product, tenant, "walnut.pdf", ["hazelnut"])
    await api.put(f"/documents/{document}", {"document_name": "chestnut.pdf"})
    assert await find(api, "walnut") == []
    assert await found(api, "chestnut") == await found(api, "hazelnut") == [("document", "chestnut.pdf")]
    await api.delete(f"/documents/{document}")
    assert await find(api, "chestnut") == await find(api, "hazelnut") == []
    await product.services.documents.undelete(tenant.member, document)
    assert await found(api, "chestnut") == await found(api, "hazelnut") == [("document", "chestnut.pdf")]


async def test_schemas_prompts_tags_projects_and_what_they_hold(api: OrgApi) -> None:
    schema = await api.post(
        "/schemas", {"name": "Papaya form", "response_format": schema_of(grove="Where the papaya grew")}
    )
    prompt = await api.post("/prompts", {"name": "Reader", "content": "Read about the papaya harvest"})
    tag = await api.post("/tags", {"name": "papaya", "description": "Fruit", "color": "#123456"})
    project = await api.post("/projects", {"name": "Grove", "description": "All about papaya"})
    text = await api.post(
        f"/projects/{project['id']}/documents", {"name": "Log", "content": "One\n\nThe papaya is ripe."}
    )
    kinds = {one["kind"]: one for one in await find(api, "papaya")}
    assert {kind: one["id"] for kind, one in kinds.items()} == {
        "schema": schema["schema_id"],
        "prompt": prompt["prompt_id"],
        "tag": tag["id"],
        "project": project["id"],
        "living_document": text["id"],
    }
    assert (
        marked(kinds["prompt"]) == marked(kinds["project"]) == marked(kinds["living_document"]) == ["papaya"]
    )
    assert (kinds["living_document"]["line"], kinds["living_document"]["project_id"]) == (3, project["id"])
    assert kinds["schema"]["passage"] == "grove (Where the papaya grew)"
    # Names that begin with what was typed come first, whatever their kind.
    assert [one["name"] for one in await find(api, "papaya")][:2] == ["Papaya form", "papaya"]
    assert await found(api, "papaya", kinds="tag,project", limit=1) == [("tag", "papaya")]

    await api.put(f"/tags/{tag['id']}", {"name": "mango", "color": "#123456"})
    await api.put(f"/projects/{project['id']}", {"description": "All about mango"})
    await api.put(f"/prompts/{prompt['prompt_id']}", {"name": "Reader", "content": "Read about mango"})
    await api.put(
        f"/schemas/{schema['schema_id']}", {"name": "Mango form", "response_format": schema_of(grove="Where")}
    )
    assert await found(api, "papaya") == [("living_document", "Log")]
    assert {kind for kind, _ in await found(api, "mango")} == {"schema", "prompt", "tag", "project"}
    for path in ("tags", "projects", "prompts", "schemas"):
        thing = {"tags": tag, "projects": project, "prompts": prompt, "schemas": schema}[path]
        await api.delete(f"/{path}/{thing.get('prompt_id') or thing.get('schema_id') or thing['id']}")
    assert await find(api, "mango") == []


async def test_what_is_only_proposed_is_not_found(api: OrgApi) -> None:
    waiting = await proposed(api)
    kinds = "schema,prompt,document"
    before = [one for one in await find(api, "PO-2291", kinds=kinds) if one["field"]]
    assert before == []
    assert await find(api, "order", kinds="schema,prompt") == []
    await verdict(api, waiting["document_id"], "accept")
    assert {one["kind"] for one in await find(api, "order", kinds="schema,prompt")} == {"schema", "prompt"}
    [found_now] = await find(api, "PO-2291", kinds="document")
    assert found_now["field"] is not None


async def test_nobody_finds_what_belongs_to_others(
    product: Product, tenant: Tenant, api: OrgApi, other: Tenant, stranger: OrgApi
) -> None:
    await upload(product, tenant, "starfruit.pdf", ["guava on the page"])
    await api.post("/tags", {"name": "starfruit", "color": "#123456"})
    for words in ("starfruit", "guava", f"{tenant.organization_id}tag starfruit"):
        assert await find(stranger, words) == []
    address = f"/v0/orgs/{tenant.organization_id}/search"
    assert (await stranger.client.get(address, params={"q": "guava"}, headers=other.headers)).status_code in (
        401,
        403,
        404,
    )
    assert (await stranger.client.get(address, params={"q": "guava"})).status_code == 401


HOSTILE = (
    "",
    "   ",
    '"',
    "'; DROP TABLE documents; --",
    'a" OR "b',
    "text : x* NEAR(a b)",
    "a & b | !c <-> d:*",
    "((((",
    "*" * 200,
    "\\",
    "%_%",
    "½ ² ª",
    "发票 号码",
    "مرحبا بالعالم",
    "สวัสดี ครับ",
    "x" * 200,
    "a " * 100,
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "AND OR NOT",
    "the",
)


@pytest.mark.parametrize("words", HOSTILE)
async def test_no_text_is_an_error(api: OrgApi, words: str) -> None:
    assert await find(api, words) == []


async def test_what_cannot_be_looked_for_is_refused_in_words(api: OrgApi) -> None:
    assert "at most 200 characters" in await api.refused(400, "GET", "/search", q="x" * 10_000)
    assert "NUL" in await api.refused(400, "GET", "/search", q="a\x00b")
    assert "`living_document`" in await api.refused(400, "GET", "/search", q="a", kinds="document,secret")


async def test_other_scripts_are_found(product: Product, tenant: Tenant, api: OrgApi) -> None:
    await api.post("/tags", {"name": "增值税发票", "color": "#123456"})
    await api.post("/tags", {"name": "счёт-фактура", "color": "#123456"})
    assert await found(api, "增值") == [("tag", "增值税发票")]
    assert await found(api, "Счёт") == [("tag", "счёт-фактура")]
    await api.post("/tags", {"name": "한국어 청구서 Ölmühle йод", "color": "#123456"})
    for words in ("한국", "청구서", "olmu", "ölmühle", "йод"):
        assert await found(api, words) == [("tag", "한국어 청구서 Ölmühle йод")]
