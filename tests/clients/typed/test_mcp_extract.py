"""The tool `extract` with the official MCP client: the caller's own schema in, the object with its evidence out."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from docagent.api.mcp.contract import SETS
from tests.clients.mcp_connections import Person, bridged, done, over_http, over_stdio, rest, text_of
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.services.server import RunningServer


class Invoice(BaseModel):
    invoice_number: str
    total: float


FILE = pdf(["ACME Ltd", "Invoice", "Invoice number: INV-7", "Total: 90.50 EUR"])
SCHEMA = Invoice.model_json_schema()
ASKED = {"json_schema": SCHEMA, "wait_seconds": 60}
SENT = {**ASKED, "name": "bill.pdf", "content": base64.b64encode(FILE).decode()}
WANTED = Invoice(invoice_number="INV-7", total=90.5)
APPROVED = {"X-Docagent-Approve": "extract"}


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


def check(found: dict[str, Any]) -> None:
    assert (found["state"], Invoice.model_validate(found["data"])) == ("done", WANTED)
    (total,) = [one for one in found["evidence"] if one["path"] == "total"]
    assert (total["state"], total["page"], len(total["box"])) == ("proven", 1, 4)
    assert [word["text"] for word in total["words"]] == ["90.50"]
    assert found["unproven"] == found["problems"] == []


async def test_a_file_and_a_schema_give_an_object_with_evidence(workspace: Workspace) -> None:
    async with over_http(workspace, headers=APPROVED) as client:
        assert "extract" in [tool.name for tool in (await client.list_tools()).tools]
        found = done(await client.call_tool("extract", SENT))
        check(found)
        document = {"json_schema": SCHEMA, "document_id": found["document_id"]}
        assert done(await client.call_tool("extract", document))["data"] == found["data"]
        again = done(await client.call_tool("extract", SENT))
        assert (again["document_id"], again["job_id"]) == (found["document_id"], None)
    documents = await asyncio.to_thread(rest, workspace, "GET", "/documents")
    assert documents["total_count"] == 1


async def test_a_client_need_not_wait_for_the_result(workspace: Workspace) -> None:
    async with over_http(workspace, headers=APPROVED) as client:
        asked = {"json_schema": SCHEMA, "name": "b.pdf", "content": base64.b64encode(FILE + b"\n").decode()}
        begun = done(await client.call_tool("extract", {**asked, "wait_seconds": 0}))
        assert (begun["state"], begun["data"]) == ("running", None)
        assert "same json_schema" in begun["message"]
        later = {"json_schema": SCHEMA, "document_id": begun["document_id"], "waitSeconds": 60}
        check(done(await client.call_tool("extract", later)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_person_at_the_client_is_asked_first(workspace: Workspace, mode: str) -> None:
    person = Person("accept")
    async with over_http(workspace, mode=mode, person=person) as client:
        check(done(await client.call_tool("extract", SENT)))
    assert "Extract data from bill.pdf" in person.asked[0]
    async with over_http(workspace, mode=mode, person=Person("decline")) as client:
        assert text_of(await client.call_tool("extract", SENT)) == "User rejected this action."
    async with over_http(workspace, mode=mode) as client:
        refused = await client.call_tool("extract", SENT)
        assert refused.is_error
        assert "--approve extract" in text_of(refused)
    async with over_http(workspace, headers={"X-Docagent-Read-Only": "true"}) as client:
        assert "may only read" in text_of(await client.call_tool("extract", SENT))


async def test_a_file_of_this_machine_over_stdio(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "bill.pdf"
    file.write_bytes(FILE)
    asked = {**ASKED, "path": str(file)}
    async with over_stdio(bridged(workspace, "--approve", "extract")) as client:
        check(done(await client.call_tool("extract", asked)))
    alone = ["--data", str(tmp_path / "data"), "--approve", "extract"]
    async with over_stdio(alone) as client:
        check(done(await client.call_tool("extract", asked)))


async def test_what_is_wrong_with_a_call_is_said_in_a_sentence(workspace: Workspace) -> None:
    broken = base64.b64encode(b"%PDF-1.7 and nothing else").decode()
    async with over_http(workspace, headers=APPROVED) as client:
        for changed, said in (
            ({"json_schema": None}, "extract needs json_schema"),
            ({"json_schema": {"type": "string"}}, "must describe an object"),
            ({"document_id": "x"}, "Name one document"),
            ({"content": None}, "Name one document"),
            ({"name": None, "content": None, "path": "/etc/hostname"}, "reads no files of its machine"),
            ({"callback_url": "https://example.com"}, "no parameter callback_url"),
            ({"schema": {}}, "did you mean json_schema?"),
            ({"wait_seconds": -1}, "wait_seconds is a number from 0 to 3600."),
            ({"content": broken, "wait_seconds": 20}, "PDF"),
            ({"model": "gpt-unknown"}, "gpt-unknown"),
        ):
            refused = await client.call_tool("extract", {**SENT, **changed})
            assert refused.is_error, changed
            assert said in text_of(refused), changed
    assert "extract" in SETS["extract"]
