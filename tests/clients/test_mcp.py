"""The official MCP client against a running server: tools, permission, resources, prompts, over both transports."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from typer.testing import CliRunner

from docagent.cli.main import app
from docagent.client import Client as OurClient
from docagent.domain.ids import new_id
from docagent.services.accounts.first_start import FIRST_ORGANIZATION
from tests.clients.mcp_connections import ALLOWED, Person, bridged, done, over_http, over_stdio, rest, text_of
from tests.clients.test_scripted_provider import choose_provider
from tests.clients.workspace import Workspace, new_workspace
from tests.support.made.documents import pdf
from tests.support.models.provider import Raw, Then, running_provider
from tests.support.polling import SECONDS, until
from tests.support.services.server import RunningServer

LINES = ["ACME Ltd", "Invoice", "Invoice number: 4711", "Total: 99.50 EUR"]
WAYS = [(transport, mode) for transport in ("http", "stdio") for mode in ("legacy", "auto")]
EVERY_WAY = pytest.mark.parametrize(("transport", "mode"), WAYS, ids=[" ".join(way) for way in WAYS])


@pytest.fixture(scope="module")
def workspace(server: RunningServer) -> Workspace:
    return new_workspace(server.url)


@pytest.fixture(scope="module")
def document_id(workspace: Workspace) -> str:
    return read_document(workspace)


def read_document(workspace: Workspace) -> str:
    """A document about which no model is asked any more."""
    with OurClient(workspace.base_url, workspace.org_token) as client:
        uploaded = client.documents.upload(pdf(LINES), name="invoice.pdf", auto_create=False)
        client.documents.wait(uploaded.document_id)
        return uploaded.document_id


def connected(
    workspace: Workspace, transport: str, mode: str, person: Person | None = None
) -> AbstractAsyncContextManager[Client]:
    if transport == "http":
        return over_http(workspace, mode=mode, person=person)
    return over_stdio(bridged(workspace), mode=mode, person=person)


def tags_named(workspace: Workspace, name: str) -> int:
    found: int = rest(workspace, "GET", "/tags", params={"name_search": name})["total_count"]
    return found


def waiting(workspace: Workspace) -> list[str]:
    return [item["turn_id"] for item in rest(workspace, "GET", "/approvals")["approvals"]]


@EVERY_WAY
async def test_tools_resources_and_prompts_over_every_way(
    workspace: Workspace, document_id: str, transport: str, mode: str
) -> None:
    async with connected(workspace, transport, mode) as client:
        assert (
            done(await client.call_tool("get_organization"))["organization_id"] == workspace.organization_id
        )
        text = await client.call_tool("get_ocr_text", {"documentId": document_id, "pageNum": 1})
        assert "Invoice number: 4711" in text_of(text)
        found = done(await client.call_tool("list_documents", {"nameSearch": "invoice", "limit": 5}))
        assert document_id in [item["id"] for item in found["documents"]]
        same = done(await client.call_tool("list_documents", {"name_search": "invoice", "limit": 5}))
        assert same == found
        address = f"docagent://documents/{document_id}/text"
        assert address in [str(item.uri) for item in (await client.list_resources()).resources]
        content = (await client.read_resource(address)).contents[0]
        assert isinstance(content, types.TextResourceContents)
        assert "ACME Ltd" in content.text
        asked = await client.get_prompt("about_document", {"document_id": document_id, "question": "Whose?"})
        assert isinstance(asked.messages[0].content, types.TextContent)
        assert asked.messages[0].content.text.startswith("Whose?")
        assert isinstance(asked.messages[1].content, types.EmbeddedResource)


@EVERY_WAY
async def test_a_yes_at_the_client_is_a_yes_with_the_summary_and_the_difference(
    workspace: Workspace, transport: str, mode: str
) -> None:
    name = f"yes {secrets.token_hex(4)}"
    person = Person("accept", reason="it is needed")
    async with connected(workspace, transport, mode, person) as client:
        made = done(await client.call_tool("create_tag", {"tag": {"name": name, "color": "#123456"}}))
    assert made["name"] == name
    assert made["color"] == "#123456"
    assert tags_named(workspace, name) == 1
    assert len(person.asked) == 1
    assert f"Create tag “{name}”" in person.asked[0]
    assert '+  "color": "#123456"' in person.asked[0]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_no_at_the_client_is_a_no_and_silence_leaves_it_in_the_inbox(
    workspace: Workspace, mode: str
) -> None:
    name = f"no {secrets.token_hex(4)}"
    async with over_http(workspace, mode=mode, person=Person("decline")) as client:
        refused = await client.call_tool("create_tag", {"tag": {"name": name}})
        assert refused.is_error
        assert text_of(refused) == "User rejected this action."
    async with over_http(workspace, mode=mode, person=Person("cancel")) as client:
        left = done(await client.call_tool("create_tag", {"tag": {"name": name}}))
        assert left["state"] == "awaiting_approval"
        assert left["turn_id"] in waiting(workspace)
        own_yes = {"turn_id": left["turn_id"], "approved": True}
        still = done(await client.call_tool("agent_approve", own_yes))
        assert still["state"] == "awaiting_approval", "where a person can be asked, a model cannot say yes"
    assert tags_named(workspace, name) == 0
    async with over_http(workspace, mode=mode, person=Person("accept")) as client:
        assert done(await client.call_tool("agent_approve", own_yes))["state"] == "completed"
    assert tags_named(workspace, name) == 1


async def test_a_write_that_nobody_allowed_waits_and_runs_once_when_it_is_approved(
    workspace: Workspace,
) -> None:
    name = f"later {secrets.token_hex(4)}"
    async with over_http(workspace) as client:
        pending = done(await client.call_tool("create_tag", {"tag": {"name": name}}))
        turn_id = pending["turn_id"]
        assert pending["state"] == pending["status"] == "awaiting_approval"
        assert pending["calls"][0]["summary"] == f"Create tag “{name}”"
        assert turn_id in waiting(workspace)
        assert tags_named(workspace, name) == 0
        approved = done(await client.call_tool("agent_approve", {"turn_id": turn_id, "approved": True}))
        assert approved["state"] == "completed"
        again = await client.call_tool("agent_approve", {"turn_id": turn_id, "approved": True})
        assert again.is_error
        log = done(await client.call_tool("agent_events", {"turn_id": turn_id}))
    assert tags_named(workspace, name) == 1
    assert turn_id not in waiting(workspace)
    assert log["state"] == "completed"
    types_seen = [event["type"] for event in log["events"]]
    assert types_seen.count("tool_result") == 1
    assert "approval_decided" in types_seen
    rest(workspace, "POST", f"/turns/{turn_id}/undo", json={"call_id": "call"})
    assert tags_named(workspace, name) == 0


async def test_the_inbox_decides_about_a_call_over_mcp(workspace: Workspace) -> None:
    name = f"inbox {secrets.token_hex(4)}"
    async with over_http(workspace) as client:
        turn_id = done(await client.call_tool("create_tag", {"tag": {"name": name}}))["turn_id"]
    found = rest(workspace, "GET", "/approvals")["approvals"]
    shown = next(item for item in found if item["turn_id"] == turn_id)
    assert shown["document_id"] is None
    assert shown["project_id"] is None
    assert shown["calls"][0]["preview"] == {
        "kind": "tag",
        "before": None,
        "after": {"name": name, "color": "#3B82F6", "description": None},
    }
    everywhere = {"call_id": "call", "approved": True, "always_allow": "document"}
    with pytest.raises(httpx2.HTTPStatusError, match="400"):
        rest(workspace, "POST", f"/turns/{turn_id}/decide", json={"approvals": [everywhere]})
    yes = {"call_id": "call", "approved": True}
    rest(workspace, "POST", f"/turns/{turn_id}/decide", json={"approvals": [yes]})

    async def is_made() -> bool:
        return tags_named(workspace, name) == 1

    await until(is_made)
    assert turn_id not in waiting(workspace)
    with pytest.raises(httpx2.HTTPStatusError, match="409"):
        rest(workspace, "POST", f"/turns/{turn_id}/decide", json={"approvals": [yes]})
    with pytest.raises(httpx2.HTTPStatusError, match="409"):
        rest(workspace, "POST", f"/turns/{turn_id}/steer", json={"text": "hello"})


async def test_rules_allow_and_policy_has_the_last_word(workspace: Workspace) -> None:
    async with over_http(workspace) as client:
        rule = rest(workspace, "POST", "/agent/rules", json={"tool": "create_tag", "effect": "allow"})
        made = done(await client.call_tool("create_tag", {"tag": {"name": f"ruled {secrets.token_hex(4)}"}}))
        assert "id" in made
        rest(workspace, "DELETE", f"/agent/rules/{rule['id']}")
    policies = [
        rest(workspace, "POST", "/agent/rules", json={"tool": tool, "effect": "deny", "scope": "everyone"})
        for tool in ("create_tag", "list_tags")
    ]
    async with over_http(workspace, headers=ALLOWED) as client:
        for name, arguments in (("create_tag", {"tag": {"name": "denied"}}), ("list_tags", {})):
            refused = await client.call_tool(name, arguments)
            assert refused.is_error
            assert f"does not allow {name}" in text_of(refused)
    for policy in policies:
        rest(workspace, "DELETE", f"/agent/rules/{policy['id']}")
    assert tags_named(workspace, "denied") == 0


async def test_a_connection_that_may_only_read(workspace: Workspace) -> None:
    wanted = {**ALLOWED, "X-Docagent-Read-Only": "true", "X-Docagent-Tools": "all"}
    async with over_http(workspace, headers=wanted) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "list_tags" in names
        assert not names & {"create_tag", "upload_documents", "agent_approve"}
        refused = await client.call_tool("create_tag", {"tag": {"name": "never"}})
        assert text_of(refused) == "This connection may only read, and create_tag writes."


async def test_what_a_token_may_is_what_the_connection_may(workspace: Workspace) -> None:
    with OurClient(workspace.base_url, workspace.session_token, workspace.organization_id) as ours:
        reading = ours.tokens.create("dashboard", scope="read").token
        writing = ours.tokens.create("robot", scope="write").token
    async with over_http(workspace, token=reading, headers=ALLOWED, path="/mcp?tools=all") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert "list_tags" in names
        assert not names & {"create_tag", "agent_chat", "agent_approve"}
        done(await client.call_tool("list_tags"))
        refused = await client.call_tool("agent_chat", {"message": "create a tag named never"})
        assert text_of(refused) == "This connection may only read, and agent_chat writes."
    async with over_http(workspace, token=writing) as client:
        done(await client.call_tool("create_tag", {"tag": {"name": "by a robot"}}))
    assert tags_named(workspace, "by a robot") == 1


async def test_progress_is_told_and_the_agent_answers(workspace: Workspace, document_id: str) -> None:
    told: list[str] = []

    async def telling(progress: float, total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with over_http(workspace, headers=ALLOWED) as client:
        answered = await client.call_tool(
            "agent_chat",
            {"message": "create a tag named freight", "document_id": document_id},
            progress_callback=telling,
        )
        content = done(answered)
        assert content["state"] == "completed"
        assert content["text"]
        assert told
        log = done(await client.call_tool("agent_events", {"turn_id": content["turn_id"]}))
        assert log["events"][0]["type"] == "turn_started"
    assert tags_named(workspace, "freight") == 1


async def test_the_agent_asks_the_person_at_the_client(workspace: Workspace, document_id: str) -> None:
    person = Person("accept")
    async with over_http(workspace, person=person) as client:
        content = done(
            await client.call_tool(
                "agent_chat", {"message": "create a tag named parcels", "documentId": document_id}
            )
        )
    assert content["state"] == "completed"
    assert len(person.asked) == 1
    assert tags_named(workspace, "parcels") == 1


@EVERY_WAY
async def test_a_call_shows_life_while_a_model_writes_and_names_its_turn_at_once(
    server: RunningServer, transport: str, mode: str
) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    document_id = await asyncio.to_thread(read_document, workspace)
    told: list[tuple[float, str]] = []
    async with running_provider() as provider:
        provider.hold = asyncio.Event()
        provider.add("It is an invoice.")
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)

        async def telling(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, message or ""))
            if len(told) == 4 and provider.hold is not None:
                provider.hold.set()  # the model says nothing before the client has heard of its call

        async with connected(workspace, transport, mode) as client:
            arguments = {"message": "What is it?", "document_id": document_id}
            content = done(await client.call_tool("agent_chat", arguments, progress_callback=telling))
    assert content["text"] == "It is an invoice."
    assert [number for number, _ in told] == sorted({number for number, _ in told})
    assert told[0][1] == f"Turn {content['turn_id']} has begun."
    assert told[1][1] == "Still working."


async def test_a_client_that_asks_for_no_progress_gets_an_answer_before_it_gives_up(
    server: RunningServer,
) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    document_id = await asyncio.to_thread(read_document, workspace)
    async with running_provider() as provider:
        provider.hold = asyncio.Event()
        provider.add("It is an invoice.", '{"document_type": "invoice"}')
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        async with over_http(workspace, headers=ALLOWED) as client:
            asked = {"message": "What is it?", "document_id": document_id, "wait_seconds": 0}
            at_once = done(await client.call_tool("agent_chat", asked))
            del asked["wait_seconds"]
            later = done(await client.call_tool("agent_chat", asked))
            ran = done(await client.call_tool("run_llm", {"documentId": document_id, "force": True}))
            assert at_once["state"] == later["state"] == ran["state"] == "running"
            assert "agent_events" in later["text"]
            provider.hold.set()
            for turn in (at_once, later, ran):
                named = {"turn_id": turn["turn_id"], "wait_seconds": 600}
                assert done(await client.call_tool("agent_events", named))["state"] == "completed"


@EVERY_WAY
async def test_a_call_that_is_cancelled_stops_its_turn(
    server: RunningServer, transport: str, mode: str
) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    document_id = await asyncio.to_thread(read_document, workspace)
    async with running_provider() as provider:
        provider.add(Raw([b'data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}\n\n'], Then.HANG))
        await asyncio.to_thread(choose_provider, workspace, f"made-{new_id()}", provider.base_url)
        async with connected(workspace, transport, mode) as client:
            async with anyio.create_task_group() as group:

                async def asked() -> bool:
                    return bool(provider.requests)

                async def ask() -> None:
                    arguments = {"message": "What is it?", "document_id": document_id}
                    await client.call_tool("agent_chat", arguments)

                group.start_soon(ask)
                await until(asked)
                group.cancel_scope.cancel()
            async with asyncio.timeout(SECONDS):
                await provider.left_early.wait()


async def test_another_organisation_is_as_if_it_were_not_there(
    workspace: Workspace, server: RunningServer, document_id: str
) -> None:
    async with over_http(workspace) as client:
        turn_id = done(await client.call_tool("create_tag", {"tag": {"name": "mine alone"}}))["turn_id"]
    other = await asyncio.to_thread(new_workspace, server.url)
    async with over_http(other, headers=ALLOWED) as client:
        for name, arguments in (
            ("get_document", {"documentId": document_id}),
            ("get_ocr_text", {"documentId": document_id}),
            ("delete_document", {"documentId": document_id}),
            ("run_llm", {"documentId": document_id, "promptRevId": "default"}),
            ("get_extraction_result", {"document_id": document_id}),
            ("agent_chat", {"message": "hello", "document_id": document_id}),
            ("agent_approve", {"turn_id": turn_id, "approved": True}),
            ("agent_events", {"turn_id": turn_id}),
        ):
            refused = await client.call_tool(name, arguments)
            assert refused.is_error, name
            assert "not found" in text_of(refused).lower(), name
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource(f"docagent://documents/{document_id}/text")
    foreign = f"/v0/orgs/{workspace.organization_id}/mcp"
    assert _status(other, "POST", foreign) == 401
    assert _status(other, "POST", foreign, token=other.account_token) == 403
    assert _status(workspace, "POST", foreign, token=workspace.account_token) != 403


async def test_who_shows_no_token_is_refused_before_a_byte_is_read(workspace: Workspace) -> None:
    assert _status(workspace, "POST", "/mcp", token="") == 401
    assert _status(workspace, "GET", "/mcp", token="org_unknown") == 401
    assert _status(workspace, "POST", "/mcp", headers={"Origin": "http://evil.example"}) == 403
    large = b"x" * (9 * 1024 * 1024)
    assert _status(workspace, "POST", "/mcp", content=large) == 413
    assert _status(workspace, "POST", "/mcp", content=large, token="org_unknown") == 401


def _status(
    workspace: Workspace,
    method: str,
    path: str,
    *,
    token: str | None = None,
    headers: dict[str, str] | None = None,
    content: bytes = b"{}",
) -> int:
    shown = workspace.org_token if token is None else token
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= ({"Authorization": f"Bearer {shown}"} if shown else {}) | (headers or {})
    options: dict[str, Any] = {"content": content} if method == "POST" else {}
    return httpx2.request(method, workspace.base_url + path, headers=sent, **options).status_code


async def test_who_was_removed_goes_no_further(server: RunningServer) -> None:
    workspace = await asyncio.to_thread(new_workspace, server.url)
    async with over_http(workspace, mode="legacy") as client:
        turn_id = done(await client.call_tool("create_tag", {"tag": {"name": "too late"}}))["turn_id"]
        account = {"Authorization": f"Bearer {workspace.admin_token}"}
        me = httpx2.get(
            f"{workspace.base_url}/v0/account/users", headers=account, params={"search_name": "root"}
        )
        members = [{"user_id": me.json()["users"][0]["id"], "role": "admin"}]
        httpx2.put(
            f"{workspace.base_url}/v0/account/organizations/{workspace.organization_id}",
            headers=account,
            json={"type": "team", "members": members},
        ).raise_for_status()
        with pytest.raises(MCPError):
            await client.call_tool("agent_approve", {"turn_id": turn_id, "approved": True})
    assert _status(workspace, "POST", "/mcp") == 401


async def test_a_session_belongs_to_who_began_it(workspace: Workspace, server: RunningServer) -> None:
    other = await asyncio.to_thread(new_workspace, server.url)
    began = _begin(workspace)
    session = {"Mcp-Session-Id": began}
    assert _status(workspace, "DELETE", "/mcp", token=other.org_token, headers=session) == 404
    assert _status(workspace, "DELETE", "/mcp", headers=session) == 200


def _begin(workspace: Workspace) -> str:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    answer = httpx2.post(
        f"{workspace.base_url}/mcp",
        json=hello,
        headers={
            "Authorization": f"Bearer {workspace.org_token}",
            "Accept": "application/json, text/event-stream",
        },
    )
    session: str = answer.headers["mcp-session-id"]
    return session


async def test_the_data_folder_without_a_server(tmp_path: Path) -> None:
    """`docagent mcp` alone: the product runs in its process, and reads a file by its path."""
    file = tmp_path / "letter.pdf"
    file.write_bytes(pdf(["Dear Ada"]))
    arguments = ["--data", str(tmp_path / "data"), "--approve", "upload_documents"]
    async with over_stdio(arguments) as client:
        uploaded = done(await client.call_tool("upload_documents", {"documents": [{"path": str(file)}]}))
        document_id = uploaded["documents"][0]["document_id"]

        async def is_read() -> bool:
            return not (await client.call_tool("get_ocr_text", {"documentId": document_id})).is_error

        await until(is_read)
        text = await client.call_tool("get_ocr_text", {"documentId": document_id})
        assert "Dear Ada" in text_of(text)
        pending = done(await client.call_tool("create_tag", {"tag": {"name": "letters"}}))
        assert pending["state"] == "awaiting_approval"


async def test_an_organisation_is_named_by_id_or_name(workspace: Workspace, tmp_path: Path) -> None:
    """Of a server, and of the data folder."""
    server = ["--url", workspace.base_url, "--token", workspace.account_token]
    folder = ["--data", str(tmp_path / "data")]
    for arguments, name in ((server, workspace.organization_name), (folder, FIRST_ORGANIZATION)):
        async with over_stdio([*arguments, "--org", name]) as client:
            found = done(await client.call_tool("get_organization", {}))
        assert found["organization_name"] == name
        async with over_stdio([*arguments, "--org", found["organization_id"]]) as client:
            assert done(await client.call_tool("get_organization", {})) == found
    async with over_stdio([*folder, "--org", "Nobody"]) as client:
        with pytest.raises(MCPError, match="no organisation with the id or name Nobody"):
            await client.call_tool("get_organization", {})
    asked = ["mcp", *server, "--org", "Nobody"]
    refused = await asyncio.to_thread(CliRunner().invoke, app, asked)
    assert (refused.exit_code, "no organisation with the id or name Nobody" in refused.stderr) == (1, True)


async def test_a_server_that_cannot_be_reached_is_named(workspace: Workspace) -> None:
    nowhere = ["--url", "http://127.0.0.1:9", "--token", "org_x"]
    assert "cannot be reached" in await _refusal_of(nowhere)
    unknown = ["--url", workspace.base_url, "--token", "org_x"]
    assert "Invalid authentication credentials" in await _refusal_of(unknown)


async def _refusal_of(arguments: list[str]) -> str:
    """What the client is told when it wants to begin. Its task groups wrap the error."""
    with pytest.raises(ExceptionGroup) as caught:
        async with over_stdio(arguments, mode="legacy"):
            pass
    error: BaseException = caught.value
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error)
