"""The pages about automations and nightly jobs: a call that is delivered, and a job that was stopped."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from docagent.client import Client
from tests.clients.mcp_connections import rest
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.made.manual import fenced
from tests.support.services.loopback import HERE, serving
from tests.support.services.server import RunningServer, running_server

AUTOMATIONS, NIGHTLY = "docs/how-to/automations.md", "docs/how-to/nightly.md"
FIELDS = {
    "type": "object",
    "properties": {"total_amount": {"type": "number"}},
    "required": ["total_amount"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def open_server() -> Iterator[RunningServer]:
    """A server that may call this machine."""
    with running_server({"DOCAGENT_EGRESS__ALLOW_PRIVATE": json.dumps([HERE])}) as running:
        yield running


@pytest.fixture(scope="module")
def workspace(open_server: RunningServer) -> Workspace:
    made = new_workspace(open_server.url)
    with Client(made.base_url, made.org_token) as client:
        schema = client.schemas.create("Invoices", FIELDS)
        client.prompts.create("Invoices", "Read the invoice.", schema=schema)
    return made


def block(page: str, language: str) -> str:
    (found,) = [text for at, text in fenced(language) if at == page]
    return found


def defined(page: str) -> dict[str, Any]:
    """What the page's Python defines. Its last lines, which start it, are not run."""
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(block(page, "python"), page, "exec"), names)
    return names


def read_invoice(workspace: Workspace) -> str:
    with Client(workspace.base_url, workspace.org_token) as client:
        document_id = client.documents.upload(pdf(["Total: 9.50 EUR"]), name="a.pdf").document_id
        client.documents.wait(document_id)
        (prompt,) = client.prompts.list(name="Invoices").prompts
        client.results.run(document_id, prompt.prompt_revid)
        return document_id


async def test_a_call_to_an_automation_is_checked_and_leads_to_the_result(workspace: Workspace) -> None:
    calls: asyncio.Queue[tuple[dict[str, str], bytes]] = asyncio.Queue()

    async def take(request: web.Request) -> web.StreamResponse:
        await calls.put(
            ({name.lower(): value for name, value in request.headers.items()}, await request.read())
        )
        return web.Response()

    async with serving(take) as automation:
        wanted = {"url": automation.url("/hook"), "events": ["extraction_completed"]}
        secret = (await asyncio.to_thread(rest, workspace, "POST", "/webhooks", json=wanted))["secret"]
        document_id = await asyncio.to_thread(read_invoice, workspace)
        event: dict[str, Any] = {"prompt_revid": "default"}
        while event["prompt_revid"] == "default":  # the summary that every document gets
            headers, body = await asyncio.wait_for(calls.get(), 60)
            event = json.loads(body)["data"]
    assert event["document_id"] == document_id
    is_genuine = defined(AUTOMATIONS)["is_genuine"]
    for given, sent, genuine in ((secret, body, True), ("other", body, False), (secret, body + b" ", False)):
        assert is_genuine(given, headers, sent.decode()) is genuine
        assert await asyncio.to_thread(_is_genuine_in_js, given, headers, sent) is genuine
    assert not is_genuine(secret, headers, body.decode(), tolerance=-1)
    place = f"/llm/result/{document_id}?prompt_revid={event['prompt_revid']}"
    found = await asyncio.to_thread(rest, workspace, "GET", place)
    assert found["llm_result"] == {"total_amount": 9.5}


def _is_genuine_in_js(secret: str, headers: dict[str, str], body: bytes) -> bool:
    given = json.dumps([secret, headers, body.decode()])
    script = f"{block(AUTOMATIONS, 'js')}\nconst [s, h, b] = {given};\nconsole.log(isGenuine(s, h, Buffer.from(b)));"
    ran = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    return ran.stdout.strip() == "true"


class Stopping:
    """The client of a job that is stopped after so many uploads."""

    def __init__(self, client: Client, uploads: int) -> None:
        self.prompts, self.results = client.prompts, client.results
        self.documents, self._documents, self._left = self, client.documents, uploads

    def upload(self, file: Path) -> Any:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        return self._documents.upload(file)

    def wait(self, document_id: str) -> Any:
        return self._documents.wait(document_id)


def test_a_nightly_job_that_was_stopped_continues(workspace: Workspace, tmp_path: Path) -> None:
    nightly = defined(NIGHTLY)["nightly"]
    for number in range(3):
        (tmp_path / f"{number}.pdf").write_bytes(pdf([f"Invoice {number}", f"Total: {number}.50 EUR"]))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 of which nothing is left")
    database = sqlite3.connect(tmp_path / "warehouse.db")
    with Client(workspace.base_url, workspace.org_token) as client:
        before = client.documents.list().total_count
        with pytest.raises(KeyboardInterrupt):
            nightly(Stopping(client, 2), tmp_path, database)
        for _ in range(2):
            nightly(client, tmp_path, database)
        assert client.documents.list().total_count == before + 4
    rows = database.execute("select file, total_amount, error is null from invoices order by file").fetchall()
    assert rows == [("0.pdf", 0.5, 1), ("1.pdf", 1.5, 1), ("2.pdf", 2.5, 1), ("broken.pdf", None, 0)]
