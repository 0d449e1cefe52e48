"""What was deleted by hand: listed with its last day, brought back as it was, and removed for good after that."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.services.housekeeping import HousekeepingService
from docagent.store.tables import living_document_revisions
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.services.databases import on_each_database

pytestmark = on_each_database

Json = dict[str, Any]


async def project_named(api: OrgApi, name: str) -> str:
    return f"/projects/{(await api.post('/projects', {'name': name}))['id']}"


async def document_in(api: OrgApi, project: str, name: str = "Plan", content: str = "one") -> str:
    made = await api.post(f"{project}/documents", {"name": name, "content": content})
    return f"{project}/documents/{made['id']}"


async def deleted(api: OrgApi, path: str) -> list[Json]:
    listed: list[Json] = (await api.get(f"{path}/deleted"))["deleted"]
    return listed


async def sweep(product: Product) -> None:
    """Clean up as if the days in which things can be brought back were over."""
    await HousekeepingService(product.services.db, product.services.blobs, timedelta(0)).sweep()


async def test_a_deleted_document_is_listed_and_brought_back_whole(product: Product, api: OrgApi) -> None:
    project = await project_named(api, "Move")
    assert await deleted(api, project) == []
    document = await document_in(api, project)
    newest = await api.put(document, {"content": "two"})
    await api.delete(document)
    await api.delete(await document_in(api, project, "Later"))
    later, plan = await deleted(api, project)
    assert (later["name"], plan["name"], plan["id"]) == ("Later", "Plan", newest["id"])
    kept = datetime.fromisoformat(plan["removed_at"]) - datetime.fromisoformat(plan["deleted_at"])
    assert kept == timedelta(days=product.services.settings.documents.purge_after_days)
    assert await api.post(f"{document}/undelete", None) == newest
    assert await api.get(document) == newest
    assert [item["name"] for item in await deleted(api, project)] == ["Later"]


async def test_a_deleted_project_is_listed_and_brought_back_with_its_documents(api: OrgApi) -> None:
    assert await deleted(api, "/projects") == []
    project = await project_named(api, "Move")
    document = await document_in(api, project)
    before = await api.get(project)
    await api.delete(project)
    assert [item["name"] for item in await deleted(api, "/projects")] == ["Move"]
    await api.refused(404, "GET", f"{project}/deleted")
    await api.refused(404, "POST", f"{document}/undelete")
    assert await api.post(f"{project}/undelete", None) == before
    assert (await api.get(document))["content"] == "one"
    assert await deleted(api, "/projects") == []


async def test_bringing_back_twice_is_bringing_back_once(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    document = await document_in(api, project)
    await api.delete(document)
    first = await api.post(f"{document}/undelete", None)
    assert await api.post(f"{document}/undelete", None) == first
    await api.delete(project)
    await api.post(f"{project}/undelete", None)
    assert (await api.post(f"{project}/undelete", None))["document_count"] == 1


async def test_what_lost_its_name_meanwhile_is_not_brought_back(api: OrgApi) -> None:
    project = await project_named(api, "Move")
    document = await document_in(api, project)
    await api.delete(document)
    await document_in(api, project, "PLAN", "another")
    told = await api.refused(409, "POST", f"{document}/undelete")
    assert told == "Another document of the project is named “Plan” now. Rename or delete that one first."
    assert [item["name"] for item in await deleted(api, project)] == ["Plan"]
    await api.delete(project)
    await project_named(api, "move")
    told = await api.refused(409, "POST", f"{project}/undelete")
    assert told == "Another project is named “Move” now. Rename or delete that one first."
    assert [item["name"] for item in await deleted(api, "/projects")] == ["Move"]


async def test_what_another_organisation_deleted_is_not_seen_and_not_brought_back(
    api: OrgApi, stranger: OrgApi
) -> None:
    project = await project_named(api, "Move")
    document = await document_in(api, project)
    await api.delete(document)
    own = await project_named(stranger, "Own")
    assert await stranger.refused(404, "GET", f"{project}/deleted") == "Project not found"
    assert await stranger.refused(404, "POST", f"{document}/undelete") == "Project not found"
    moved = f"{own}/documents/{document.rsplit('/', 1)[1]}"
    assert await stranger.refused(404, "POST", f"{moved}/undelete") == "Document not found"
    await api.delete(project)
    assert await deleted(stranger, "/projects") == []
    assert await stranger.refused(404, "POST", f"{project}/undelete") == "Project not found"
    assert [item["name"] for item in await deleted(api, "/projects")] == ["Move"]


@pytest.mark.parametrize("odd", ["0123456789abcdef01234567", "zz", "x" * 300])
async def test_odd_ids_are_not_found(api: OrgApi, odd: str) -> None:
    project = await project_named(api, "Move")
    assert await api.refused(404, "POST", f"/projects/{odd}/undelete") == "Project not found"
    assert await api.refused(404, "POST", f"{project}/documents/{odd}/undelete") == "Document not found"


async def test_a_deleted_document_is_removed_for_good_with_its_versions(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    project = await project_named(api, "Move")
    kept, gone = await document_in(api, project, "Kept"), await document_in(api, project, "Gone")
    await api.put(gone, {"content": "two"})
    await api.delete(gone)
    await product.services.housekeeping.sweep()
    assert [item["name"] for item in await deleted(api, project)] == ["Gone"], "its days are not over"
    await sweep(product)
    assert await deleted(api, project) == []
    assert await api.refused(404, "POST", f"{gone}/undelete") == "Document not found"
    assert (await api.get(kept))["content"] == "one"
    async with product.services.db.read_org(tenant.organization_id) as tx:
        left = await tx.rows(sa.select(living_document_revisions.c.head_id))
    assert [row.head_id for row in left] == [kept.rsplit("/", 1)[1]]
