"""A request that asks for more than a budget allows is answered, and so is everybody else in the meantime."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import httpx2
import pytest

from docagent.jsonschema.processes import OVER_BUDGET
from tests.clients.workspace import new_workspace
from tests.support.org_api import OrgApi
from tests.support.polling import until
from tests.support.services.server import RunningServer

ANSWERS_IN_THE_MEANTIME = 20
HOSTILE_SCHEMA = {
    "type": "object",
    "properties": {"codes": {"type": "array", "items": {"type": "string", "pattern": "^(?:(?=a)a+)+$"}}},
}
HOSTILE_VALUE = {"codes": ["a" * 15 + "!"] * 2_000}
RESPONSE_FORMAT = {"type": "json_schema", "json_schema": {"name": "codes", "schema": HOSTILE_SCHEMA}}


@pytest.fixture
async def api(server: RunningServer) -> AsyncIterator[OrgApi]:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    headers = {"Authorization": f"Bearer {workspace.org_token}"}
    async with httpx2.AsyncClient(base_url=server.url, timeout=300) as client:
        yield OrgApi(client, workspace.organization_id, headers)


async def answers_during(api: OrgApi, request: Coroutine[Any, Any, Any]) -> tuple[int, Any]:
    """Ask how the server is, again and again, until the request is answered; count the answers before that."""
    running = asyncio.ensure_future(request)
    answered = 0
    while not running.done():
        assert (await api.client.get("/health")).status_code == 200
        answered += not running.done()
    return answered, running.result()


async def test_a_hostile_pattern_stops_nobody_while_a_value_is_checked(api: OrgApi) -> None:
    schema = await api.post("/schemas", {"name": "codes", "response_format": RESPONSE_FORMAT})
    answered, said = await answers_during(
        api, api.post(f"/schemas/{schema['schema_revid']}/validate", {"data": HOSTILE_VALUE})
    )
    assert said == {"valid": False, "errors": [{"path": "", "message": OVER_BUDGET, "pointer": ""}]}
    assert answered >= ANSWERS_IN_THE_MEANTIME


async def test_a_hostile_pattern_stops_nobody_while_a_result_is_stored(api: OrgApi) -> None:
    schema = await api.post("/schemas", {"name": "codes", "response_format": RESPONSE_FORMAT})
    prompt = await api.post(
        "/prompts",
        {"name": "codes", "content": "The codes", "schema_id": schema["schema_id"], "schema_version": 1},
    )
    document_id = await api.add_document()
    params = {"prompt_revid": prompt["prompt_revid"]}

    async def is_read() -> bool:
        return bool((await api.get(f"/documents/{document_id}"))["state"] != "uploaded")

    await until(is_read)
    ran = await api.call("POST", f"/llm/run/{document_id}", params=params)
    assert ran.status_code == 200, ran.text

    async def is_stored() -> bool:
        return (await api.call("GET", f"/llm/result/{document_id}", params=params)).status_code == 200

    await until(is_stored)
    body = {"updated_llm_result": HOSTILE_VALUE, "is_verified": False}
    answered, stored = await answers_during(
        api, api.call("PUT", f"/llm/result/{document_id}", params=params, json=body)
    )
    assert stored.status_code == 200, stored.text
    problems = (await api.get(f"/llm/result/{document_id}", **params))["problems"]
    assert [problem["message"] for problem in problems] == [OVER_BUDGET]
    assert answered >= ANSWERS_IN_THE_MEANTIME
