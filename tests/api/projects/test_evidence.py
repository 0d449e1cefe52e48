"""What living documents cite, over HTTP."""

from __future__ import annotations

from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant


async def test_the_citations_of_a_document_and_of_a_project(
    product: Product, tenant: Tenant, api: OrgApi
) -> None:
    source = await api.add_document()
    await product.read_document(tenant, source)
    project = f"/projects/{(await api.post('/projects', {'name': 'Costs'}))['id']}"
    content = (
        f'# Plan\n\n[number](doc:{source}/page/1 "Invoice 42") and [x](doc:{source}/page/1 "Invoice 43")\n'
    )
    made = await api.post(f"{project}/documents", {"name": "Plan", "content": content})
    await api.post(f"{project}/documents", {"name": "Notes", "content": "none"})
    found = await api.get(f"{project}/documents/{made['id']}/evidence")
    current, stale = found["citations"]
    assert current == {
        "line": 3,
        "text": "number",
        "address": f"doc:{source}/page/1",
        "state": "current",
        "document_id": source,
        "document_name": "note.txt",
        "prompt_id": None,
        "path": None,
        "page": 1,
        "written_from": "Invoice 42",
        "now": None,
        "suggested": None,
    }
    assert stale["state"] == "stale"
    assert await api.get(f"{project}/evidence") == {"documents": [found]}
    await api.delete(f"/documents/{source}")
    gone = await api.get(f"{project}/documents/{made['id']}/evidence")
    assert [one["state"] for one in gone["citations"]] == ["gone", "gone"]


async def test_what_is_not_there_is_refused(api: OrgApi) -> None:
    assert await api.refused(404, "GET", f"/projects/{'0' * 24}/evidence") == "Project not found"
    project = f"/projects/{(await api.post('/projects', {'name': 'Empty'}))['id']}"
    refused = await api.refused(404, "GET", f"{project}/documents/{'0' * 24}/evidence")
    assert refused == "Document not found"
    assert await api.get(f"{project}/evidence") == {"documents": []}
