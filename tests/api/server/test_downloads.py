"""Downloads end with the credential that began them, and nobody takes a part for the whole."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import httpx2
import pytest

from docagent.api.app import create_app
from docagent.api.downloads import Download
from tests.support.org_api import OrgApi
from tests.support.product import Product, Tenant
from tests.support.proposals import upload

BASE = "/v0/orgs/{organization_id}"
DOWNLOADS = {
    f"{BASE}/documents/{{document_id}}/file": "GET",
    f"{BASE}/documents/download": "POST",
    f"{BASE}/ocr/download/json/{{document_id}}": "GET",
    f"{BASE}/ocr/download/blocks/{{document_id}}": "GET",
    f"{BASE}/projects/{{project_id}}/export": "GET",
    f"{BASE}/sheets/{{prompt_id}}/export": "GET",
    "/v1/files/{file_id}/content": "GET",
}


def test_the_list_of_downloads_is_whole(product: Product) -> None:
    app = create_app(product.settings, product.services)
    routes = [route for route in app.routes if getattr(route, "response_class", None) is Download]
    assert {getattr(route, "path", "") for route in routes} == set(DOWNLOADS)


@pytest.fixture
async def ids(api: OrgApi, product: Product, tenant: Tenant) -> dict[str, str]:
    document_id = await upload(api, auto_create=False)
    await product.read_document(tenant, document_id)
    project = await api.post("/projects", {"name": "Letters"})
    await api.post(f"/projects/{project['id']}/documents", {"name": "Start", "content": "# Start"})
    prompt = await api.post("/prompts", {"name": "Bill", "content": "Read it."})
    return {
        "organization_id": tenant.organization_id,
        "document_id": document_id,
        "file_id": document_id,
        "project_id": project["id"],
        "prompt_id": prompt["prompt_id"],
    }


@pytest.mark.parametrize("path", DOWNLOADS)
async def test_a_download_breaks_off_when_its_token_is_revoked(
    api: OrgApi, ids: dict[str, str], product: Product, path: str
) -> None:
    made = await api.post("/access_tokens", {"name": "t", "lifetime": 0})
    app = create_app(product.settings, product.services)
    headers = {"Authorization": f"Bearer {made['token']}"}
    asked = httpx2.Request(
        DOWNLOADS[path],
        f"http://docagent.test{path.format(**ids)}",
        headers=headers,
        json={"document_ids": [ids["document_id"]]} if DOWNLOADS[path] == "POST" else None,
    )
    stopped: dict[str, Any] = {}
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        """The client's side of the connection, which is slow enough for a revocation in between."""
        sent.append(message)
        if message.get("body") and not stopped:
            stopped.update((await api.delete(f"/access_tokens/{made['id']}"))["stopped"])

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": asked.read(), "more_body": False}

    await app(_scope(asked), receive, send)
    assert [message.get("more_body") for message in sent] == [None, True], (
        "nothing came after, not even the end"
    )
    assert stopped == {"turns": 0, "streams": 1}


def _scope(asked: httpx2.Request) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.url.path,
        "raw_path": asked.url.path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in asked.headers.items()],
        "client": ("192.0.2.7", 40000),
        "server": ("docagent.test", 80),
    }
