"""Work on a real provider's wire format: client, server process and model server, all over sockets."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from docrouter_sdk import DocRouterClient
from docrouter_sdk.models.llm import LLMRunResponse

from docagent.domain.ids import new_id
from tests.clients.test_npm_sdk import run_js_file
from tests.clients.test_python_sdk import in_base64
from tests.clients.workspace import Workspace, new_workspace, two_page_pdf
from tests.support.models.provider import Raw, Then, running_provider
from tests.support.polling import SECONDS
from tests.support.services.server import RunningServer, running_server

SCHEMA = {
    "type": "object",
    "properties": {"number": {"type": "string"}, "total": {"type": "number"}},
    "required": ["number", "total"],
    "additionalProperties": False,
}
SUMMARY = {"document_type": "invoice", "document_date": None, "summary": "An invoice over 1,250.00 EUR."}
FOUND = {"number": "2026-117", "total": 1250.0}


async def test_the_python_client_runs_a_prompt_on_a_model_server(workspace: Workspace) -> None:
    async with running_provider() as provider:
        provider.add('{"number": "2026-117", "total": "see below"}', json.dumps(FOUND))
        name = f"made-{new_id()}"
        result = await asyncio.to_thread(_run, workspace, name, provider.base_url)
        assert result.result == FOUND
        assert len(provider.requests) == 2, "the first answer broke the schema and was to be repaired"


async def test_the_npm_client_works_with_results_of_a_model_server(
    server: RunningServer, tmp_path: Path
) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    pdf_path = tmp_path / "invoice.pdf"
    pdf_path.write_bytes(two_page_pdf())
    async with running_provider() as provider:
        provider.add(*[json.dumps(SUMMARY)] * 5)
        name = f"made-{new_id()}"
        await asyncio.to_thread(choose_provider, workspace, name, provider.base_url)
        await asyncio.to_thread(run_js_file, "extraction.test.js", workspace, pdf_path)
        assert len(provider.requests) >= 1


async def test_npm_clients_abort_streams(server: RunningServer, tmp_path: Path) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    pdf_path = tmp_path / "invoice.pdf"
    pdf_path.write_bytes(two_page_pdf())
    async with running_provider() as provider:
        talk = Raw([b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'], Then.HANG)
        provider.add(*[talk] * 5)
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        await asyncio.to_thread(_summarise_nothing, workspace)  # summaries would take the answers
        await asyncio.to_thread(run_js_file, "aborting.js", workspace, pdf_path)
        async with asyncio.timeout(SECONDS):
            await provider.left_early.wait()  # the model is not left talking


async def test_the_typescript_client_of_mcp_waits_for_a_slow_model(
    server: RunningServer, tmp_path: Path
) -> None:
    """The model answers once the client has heard of its call for longer than it waits for a silent one."""
    await _ask_a_slow_model(server, tmp_path)


@pytest.mark.release
async def test_the_typescript_client_of_mcp_waits_eighty_seconds(tmp_path: Path) -> None:
    """With the client's own 60 s, and a server as people start it."""
    with running_server() as server:
        await _ask_a_slow_model(server, tmp_path, timeout_ms="60000", reply_ms="80000")


async def _ask_a_slow_model(server: RunningServer, folder: Path, **more: str) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    pdf_path = folder / "invoice.pdf"
    pdf_path.write_bytes(two_page_pdf())
    async with running_provider() as provider:
        provider.hold = asyncio.Event()
        provider.add(*["It is an invoice."] * 2)
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        await asyncio.to_thread(_summarise_nothing, workspace)
        release = f"{provider.base_url}/release"
        await asyncio.to_thread(
            run_js_file, "slow_model.js", workspace, pdf_path, release_url=release, **more
        )


def _add_provider(workspace: Workspace, provider: str, base_url: str) -> None:
    admin = DocRouterClient(workspace.base_url, workspace.admin_token)
    admin.request(
        "POST",
        "/v0/account/llm/providers",
        json={"name": provider, "base_url": base_url, "models": ["tiny"]},
    )


def choose_provider(workspace: Workspace, provider: str, base_url: str) -> None:
    """Prompts that name no model, the default prompt among them, run on this provider from now on."""
    _add_provider(workspace, provider, base_url)
    member = DocRouterClient(workspace.base_url, workspace.account_token)
    path = f"/v0/orgs/{workspace.organization_id}/llm/default_model"
    member.request("PUT", path, json={"model": f"{provider}/tiny"})


def _summarise_nothing(workspace: Workspace) -> None:
    member = DocRouterClient(workspace.base_url, workspace.account_token)
    path = f"/v0/account/organizations/{workspace.organization_id}"
    member.request("PUT", path, json={"default_prompt_enabled": False})


def _run(workspace: Workspace, provider: str, base_url: str) -> LLMRunResponse:
    _add_provider(workspace, provider, base_url)
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
    changed = {**ran.result, "total": 1.0}
    updated = sdk.llm.update_result(org, document_id, changed, prompt.prompt_revid)
    assert (updated.updated_llm_result, updated.llm_result) == (changed, ran.result)
    assert sdk.llm.delete_result(org, document_id, prompt.prompt_revid)["status"] == "success"
    return ran
