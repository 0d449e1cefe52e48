"""Living documents in other projects: moved and copied with their versions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant

Json = dict[str, Any]
OF_A_VERSION = (
    "version",
    "author",
    "reason",
    "created_by",
    "created_at",
    "characters",
    "standing_instruction",
)


@pytest.fixture
async def here(api: OrgApi) -> str:
    return str((await api.post("/projects", {"name": "Here"}))["id"])


@pytest.fixture
async def there(api: OrgApi) -> str:
    return str((await api.post("/projects", {"name": "There"}))["id"])


async def plan_in(api: OrgApi, project: str) -> Json:
    made = await api.post(
        f"/projects/{project}/documents", {"name": "Plan", "content": "one", "reason": "First"}
    )
    path = f"/projects/{project}/documents/{made['id']}"
    await api.put(path, {"content": "two plums", "reason": "Second"})
    newest: Json = await api.put(path, {"standing_instruction": "Short."})
    return newest


async def names(api: OrgApi, project: str) -> list[str]:
    return [entry["name"] for entry in (await api.get(f"/projects/{project}/documents"))["documents"]]


async def history(api: OrgApi, document: Json) -> list[Json]:
    path = f"/projects/{document['project_id']}/documents/{document['id']}"
    found = (await api.get(f"{path}/versions"))["versions"]
    return [
        {name: entry[name] for name in OF_A_VERSION}
        | {"content": (await api.get(path, version=entry["version"]))["content"]}
        for entry in found
    ]


async def places(api: OrgApi, word: str) -> set[tuple[str, str, int]]:
    found = (await api.get("/projects/search", q=word))["results"]
    return {(item["project_id"], item["document_id"], item["version"]) for item in found}


async def test_a_moved_document_keeps_its_versions_and_can_go_back(
    api: OrgApi, here: str, there: str
) -> None:
    plan = await plan_in(api, here)
    before = await history(api, plan)
    moved = await api.post(f"/projects/{here}/documents/{plan['id']}/move", {"project_id": there})
    assert moved == plan | {"project_id": there}
    assert await history(api, moved) == before
    assert (await names(api, here), await names(api, there)) == ([], ["Plan"])
    assert await places(api, "plums") == {(there, plan["id"], 3)}
    await api.refused(404, "GET", f"/projects/{here}/documents/{plan['id']}")
    back = await api.post(f"/projects/{there}/documents/{plan['id']}/move", {"project_id": here})
    assert back == plan
    assert await history(api, back) == before


async def test_a_copy_has_the_versions_and_goes_its_own_way(api: OrgApi, here: str, there: str) -> None:
    plan = await plan_in(api, here)
    copy = await api.post(f"/projects/{here}/documents/{plan['id']}/copy", {"project_id": there})
    assert copy | {"id": plan["id"], "project_id": here} == plan
    assert await history(api, copy) == await history(api, plan)
    await api.put(f"/projects/{there}/documents/{copy['id']}", {"content": "three pears"})
    assert await places(api, "plums") == {(here, plan["id"], 3)}
    assert await places(api, "pears") == {(there, copy["id"], 4)}
    beside = await api.post(
        f"/projects/{here}/documents/{plan['id']}/copy", {"project_id": here, "name": "Plan B"}
    )
    assert (beside["name"], beside["version"]) == ("Plan B", 3)
    assert await names(api, here) == ["Plan", "Plan B"]


async def test_a_name_that_is_taken_is_refused_and_another_is_taken_instead(
    api: OrgApi, here: str, there: str
) -> None:
    plan = await plan_in(api, here)
    await api.post(f"/projects/{there}/documents", {"name": "plan"})
    for way in ("move", "copy"):
        path = f"/projects/{here}/documents/{plan['id']}/{way}"
        assert "already has a document named 'plan'" in await api.refused(
            400, "POST", path, {"project_id": there}
        )
        assert "empty" in await api.refused(400, "POST", path, {"project_id": there, "name": "  "})
    path = f"/projects/{here}/documents/{plan['id']}"
    assert "in this project already" in await api.refused(400, "POST", f"{path}/move", {"project_id": here})
    await api.refused(400, "POST", f"{path}/copy", {"project_id": here})
    moved = await api.post(f"{path}/move", {"project_id": there, "name": "Plan of ours"})
    assert (moved["name"], moved["version"]) == ("Plan of ours", 3)
    assert (await names(api, here), await names(api, there)) == ([], ["plan", "Plan of ours"])


async def test_what_is_not_there_is_not_found(
    product: Product, api: OrgApi, other: Tenant, here: str, there: str
) -> None:
    plan = await plan_in(api, here)
    theirs = OrgApi(product.client, other.organization_id, other.headers)
    foreign = (await theirs.post("/projects", {"name": "Theirs"}))["id"]
    for way in ("move", "copy"):
        path = f"/projects/{here}/documents/{plan['id']}/{way}"
        for missing in (foreign, "0" * 24, "no id"):
            assert await api.refused(404, "POST", path, {"project_id": missing}) == "Project not found"
        await theirs.refused(404, "POST", path, {"project_id": foreign})
        await api.refused(
            404, "POST", f"/projects/{there}/documents/{plan['id']}/{way}", {"project_id": here}
        )
    await api.delete(f"/projects/{there}")
    path = f"/projects/{here}/documents/{plan['id']}/move"
    assert await api.refused(404, "POST", path, {"project_id": there}) == "Project not found"
    assert await names(api, here) == ["Plan"]
