"""The API as one member of one organisation sees it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx


@dataclass(frozen=True)
class OrgApi:
    """Calls paths below `/v0/orgs/{organization}`."""

    client: httpx.AsyncClient
    organization_id: str
    headers: dict[str, str]

    async def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        url = f"/v0/orgs/{self.organization_id}{path}"
        return await self.client.request(method, url, headers=self.headers, **options)

    async def get(self, path: str, **params: Any) -> Any:
        return _body(await self.call("GET", path, params=params))

    async def post(self, path: str, body: Any) -> Any:
        return _body(await self.call("POST", path, json=body))

    async def put(self, path: str, body: Any) -> Any:
        return _body(await self.call("PUT", path, json=body))

    async def delete(self, path: str, **params: Any) -> Any:
        return _body(await self.call("DELETE", path, params=params))

    async def post_text(self, path: str, text: str) -> httpx.Response:
        """Post JSON text exactly as given, even if no encoder would write it."""
        headers = self.headers | {"Content-Type": "application/json"}
        url = f"/v0/orgs/{self.organization_id}{path}"
        return await self.client.post(url, headers=headers, content=text)

    async def add_document(self, tag_ids: Sequence[str] = ()) -> str:
        """Upload a small text file and return its id."""
        content = base64.b64encode(b"Invoice 42").decode()
        document = {"name": "note.txt", "content": content, "tag_ids": list(tag_ids)}
        body = await self.post("/documents", {"documents": [document]})
        document_id: str = body["documents"][0]["document_id"]
        return document_id

    async def refused(self, status: int, method: str, path: str, body: Any = None, **params: Any) -> Any:
        """Make a call that must be answered with this status, and return the detail."""
        options: dict[str, Any] = {"params": params} if params else {}
        if body is not None:
            options["json"] = body
        response = await self.call(method, path, **options)
        assert response.status_code == status, response.text
        return response.json()["detail"]


def _body(response: httpx.Response) -> Any:
    assert response.status_code in (200, 201), response.text
    return response.json()
