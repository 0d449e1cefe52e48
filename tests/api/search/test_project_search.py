"""Finding living documents, and one's own conversations about projects, by words."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.ids import new_id
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

Json = dict[str, Any]
GUIDE = (
    "# Guide\r\n\r\nHow to begin.\r\n\r\n" + "Some words.\r\n" * 60 + "The Müller invoice of 4711 is due.\r\n"
)


async def project_named(api: OrgApi, name: str) -> str:
    return str((await api.post("/projects", {"name": name}))["id"])


async def put(api: OrgApi, project: str, name: str, content: str) -> Json:
    made: Json = await api.post(f"/projects/{project}/documents", {"name": name, "content": content})
    return made


async def find(api: OrgApi, words: str, **options: Any) -> list[Json]:
    found = await api.get("/projects/search", q=words, **options)
    assert found["total_count"] == len(found["results"])
    results: list[Json] = found["results"]
    return results


def shown(finding: Json) -> list[str]:
    """The words that are marked in the passage."""
    return [finding["passage"][hit["start"] : hit["end"]] for hit in finding["hits"]]


async def test_a_document_is_found_by_words_with_its_passage(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    guide = await put(api, project, "Guide", GUIDE)
    await put(api, project, "Other", "Invoices of nobody.")
    [found] = await find(api, "muller  4711 invoi")
    assert found | {"passage": "", "hits": []} == {
        "kind": "document",
        "project_id": project,
        "project_name": "Move",
        "name": "Guide",
        "document_id": guide["id"],
        "version": 1,
        "thread_id": None,
        "passage": "",
        "line": 65,
        "hits": [],
    }
    assert shown(found) == ["Müller", "invoi", "4711"]
    assert found["passage"].startswith("… ")
    assert len(found["passage"]) < 260


@pytest.mark.parametrize(
    ("text", "words", "hits"),
    [
        ("\U0001d4b3 emoji 🎉 then budget", "budget", ["budget"]),
        ("bud budget", "bud", ["bud"]),
        ("cafe\u0301 au lait", "café", ["café"]),
        ("snake_case_word", "case", ["case"]),
        ("10 or 100", "10", ["10"]),
    ],
)
async def test_hits_are_counted_in_characters_and_are_those_of_the_index(
    api: OrgApi, text: str, words: str, hits: list[str]
) -> None:
    project = await project_named(api, new_id())
    await put(api, project, "One", text)
    [found] = await find(api, words, project_id=project)
    assert shown(found) == hits


async def test_all_words_must_be_there_in_text_or_name_and_names_come_first(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    await put(api, project, "guides/Größe of rooms", "Nothing else.")
    await put(api, project, "Text", "The größe and the rooms")
    await put(api, project, "Half", "rooms only")
    found = await find(api, "ROOMS größe")
    assert [item["name"] for item in found] == ["guides/Größe of rooms", "Text"]
    assert (found[0]["passage"], found[0]["line"], found[0]["hits"]) == ("Nothing else.", 1, [])
    assert await find(api, "rooms größe absent") == []
    for nothing in ("", "   ", "the", "a b", "%", "_", "' OR 1=1 --", '"*'):
        assert await find(api, nothing) == [], nothing
    assert "NUL" in await api.refused(400, "GET", "/projects/search", q="a\x00b")
    assert "too long" in await api.refused(400, "GET", "/projects/search", q="a" * 201)


async def test_only_the_newest_version_of_what_is_not_deleted_is_found(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    plan = await put(api, project, "Plan", "apple")
    path = f"/projects/{project}/documents/{plan['id']}"
    await api.put(path, {"content": "\n\nplum"})
    assert await find(api, "apple") == []
    assert [(item["version"], item["line"]) for item in await find(api, "plum")] == [(2, 3)]
    await api.delete(path)
    assert await find(api, "plum") == []
    await api.post(f"{path}/undelete", None)
    await api.delete(f"/projects/{project}")
    assert await find(api, "plum") == []


async def test_pages_go_through_all_that_was_found(api: OrgApi) -> None:
    project, other = await project_named(api, "Move"), await project_named(api, "Stay")
    for number in range(5):
        await put(api, project, f"Document {number}", "plum")
    await put(api, other, "Elsewhere", "plum")
    seen = []
    for skip in range(0, 6, 2):
        page = await api.get("/projects/search", q="plum", skip=skip, limit=2)
        assert (page["total_count"], page["skip"]) == (6, skip)
        seen += [item["name"] for item in page["results"]]
    assert seen == ["Elsewhere", *(f"Document {number}" for number in reversed(range(5)))]
    assert [item["name"] for item in await find(api, "plum", project_id=other)] == ["Elsewhere"]


async def test_others_find_nothing(product: Product, api: OrgApi, other: Tenant) -> None:
    project = await project_named(api, "Move")
    await put(api, project, "Plan", "plum")
    theirs = OrgApi(product.client, other.organization_id, other.headers)
    assert await find(theirs, "plum") == []
    for missing in (project, "0" * 24, "no id"):
        detail = await theirs.refused(404, "GET", "/projects/search", q="plum", project_id=missing)
        assert detail == "Project not found"
