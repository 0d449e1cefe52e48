"""Extraction through a real provider's wire format: client, server process and model server, all over sockets."""

from __future__ import annotations

import asyncio
import json
import time

import pytest
from docrouter_sdk import DocRouterClient
from docrouter_sdk.models.llm import LLMRunResponse

from docagent.domain.ids import new_id
from tests.clients.test_python_sdk import in_base64
from tests.clients.workspace import Workspace, two_page_pdf
from tests.support.provider import running_provider

pytestmark = pytest.mark.xdist_group("clients")

SCHEMA = {
    "type": "object",
    "properties": {"number": {"type": "string"}, "total": {"type": "number"}},
    "required": ["number", "total"],
    "additionalProperties": False,
}
FOUND = {"number": "2026-117", "total": 1250.0}


async def test_the_python_client_runs_a_prompt_on_a_model_server(workspace: Workspace) -> None:
    async with running_provider() as provider:
        provider.add('{"number": "2026-117", "total": "1,250.00"}', json.dumps(FOUND))
        name = f"made-{new_id()}"
        result = await asyncio.to_thread(_run, workspace, name, provider.base_url)
        assert result.result == FOUND
        assert len(provider.requests) == 2, "the first answer broke the schema and was to be repaired"


def _run(workspace: Workspace, provider: str, base_url: str) -> LLMRunResponse:
    admin = DocRouterClient(workspace.base_url, workspace.admin_token)
    admin.request(
        "POST",
        "/v0/account/llm/providers",
        json={"name": provider, "base_url": base_url, "models": ["tiny"]},
    )
    sdk, org = DocRouterClient(workspace.base_url, workspace.org_token), workspace.organization_id
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "made", "schema": SCHEMA, "strict": True},
    }
    schema = sdk.schemas.create(org, {"name": provider, "response_format": response_format})
    prompt = sdk.prompts.create(
        org,
        {"name": provider, "content": "Extract", "schema_id": schema.schema_id, "model": f"{provider}/tiny"},
    )
    document = {"name": "invoice.pdf", "content": in_base64(two_page_pdf())}
    document_id = sdk.documents.upload(org, [document])["documents"][0]["document_id"]
    while sdk.documents.get(org, document_id).state in ("uploaded", "ocr_processing"):
        time.sleep(0.1)
    ran = sdk.llm.run(org, document_id, prompt.prompt_revid)
    assert sdk.llm.get_result(org, document_id, prompt.prompt_revid).llm_result == ran.result
    return ran
