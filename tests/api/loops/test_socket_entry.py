"""Who may open the WebSocket, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from docagent.api.deps import TOKEN_ONLY_READS
from docagent.domain.accounts.accounts import Membership, Role, TokenScope
from docagent.domain.ids import new_id
from tests.conftest import make_settings
from tests.support.agent import Desk, add_member, running_studio
from tests.support.chat_socket import ChatClient, address, address_of, connected
from tests.support.polling import let_time_pass

REFUSED = 1008


async def refused(client: ChatClient) -> str:
    """The reason, after which the server has closed."""
    error = await client.error()
    assert error["error_type"] == "authentication"
    assert await client.closed() == REFUSED
    message: str = error["message"]
    return message


async def test_by_header(desk: Desk) -> None:
    session = await desk.services.identity.signed_token(desk.tenant.user_id)
    token = desk.tenant.token
    for headers in (
        {"Authorization": f"Bearer {token}"},
        {"Authorization": f"bearer {token}"},
        {"Authorization": f"Bearer {session}"},
        {"X-Api-Key": token},
    ):
        async with connected(desk, headers) as client:
            await client.send("agent_control", action="stop")
            assert "no turn" in (await client.error())["message"]


async def test_by_the_first_frame(desk: Desk) -> None:
    desk.script("Hello.")
    async with connected(desk, {}, ready=False) as client:
        await client.send("authenticate", token=desk.tenant.token)
        assert await client.read() == {"type": "ready"}
        await client.chat("Hi")
        await client.to_the_end()


@pytest.mark.parametrize(
    "first",
    [
        {"type": "authenticate", "token": "org_wrong"},
        {"type": "authenticate"},
        {"type": "chat", "content": "Hi"},
        {"type": "nonsense"},
    ],
    ids=str,
)
async def test_a_wrong_first_frame(desk: Desk, first: Mapping[str, Any]) -> None:
    async with connected(desk, {}, ready=False) as client:
        await client.send(**{"kind": first["type"], **{key: first[key] for key in first if key != "type"}})
        await refused(client)
    assert desk.provider.requests == []


@pytest.mark.parametrize("header", ["Bearer org_wrong", "Bearer ", "Basic abc"])
async def test_a_wrong_header(desk: Desk, header: str) -> None:
    async with connected(desk, {"Authorization": header}, ready=False) as client:
        if header.startswith("Basic"):
            await client.send("authenticate", token="org_wrong")
        await refused(client)


async def test_a_token_in_the_address_is_not_looked_at(desk: Desk) -> None:
    url = f"{address_of(desk)}?token={desk.tenant.token}&access_token={desk.tenant.token}"
    async with connected(desk, {}, url=url, ready=False) as client:
        await client.chat("Hi")
        await refused(client)


async def test_who_says_nothing_is_shown_the_door(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, server={"authenticate_seconds": 0.05})
    async with running_studio(settings) as studio:
        desk = await studio.new_desk()
        async with connected(desk, {}, ready=False) as client:
            assert "authenticate" in await refused(client)
        async with connected(desk) as client:
            await let_time_pass(0.1)  # the limit is for strangers only
            desk.script("Hello.")
            await client.chat("Hi")
            await client.to_the_end()


async def test_other_organisations_and_documents_are_closed(desk: Desk) -> None:
    other = await desk.studio.new_desk()
    base, own, theirs = desk.api.client, desk.tenant.organization_id, other.tenant.organization_id
    session = await desk.services.identity.signed_token(desk.tenant.user_id)
    for organization_id, document_id in (
        (theirs, other.document_id),
        (theirs, desk.document_id),
        (own, other.document_id),
        (own, new_id()),
        (own, "x"),
        ("x", desk.document_id),
    ):
        for headers in (desk.api.headers, {"Authorization": f"Bearer {session}"}):
            url = address(base, organization_id, f"/documents/{document_id}/chat")
            async with connected(desk, headers, url=url, ready=False) as client:
                assert other.document_id not in await refused(client)


async def test_pages_of_others_cannot_open_it(desk: Desk) -> None:
    own = str(desk.api.client.base_url).rstrip("/")
    for origin, allowed in (
        (own, True),
        ("https://evil.test", False),
        (f"{own}.evil.test", False),
        ("null", False),
    ):
        opening = connect(
            address_of(desk), additional_headers=desk.api.headers, origin=Origin(origin), proxy=None
        )
        if allowed:
            async with opening as connection:
                assert '"ready"' in str(await connection.recv())
        else:
            with pytest.raises(InvalidStatus) as error:
                await opening.__aenter__()
            assert error.value.response.status_code == 403


async def test_a_page_behind_a_proxy_may_open_it(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, server={"public_url": "https://docs.example.com/agent"})
    async with running_studio(settings) as studio:
        desk = await studio.new_desk()
        origin = Origin("https://docs.example.com")
        async with connect(
            address_of(desk), additional_headers=desk.api.headers, origin=origin, proxy=None
        ) as connection:
            assert '"ready"' in str(await connection.recv())


async def test_who_is_no_longer_a_member_is_out(desk: Desk) -> None:
    """Asked at every frame, so that a connection that stays open gives nothing away."""
    colleague = await add_member(desk)
    async with connected(colleague) as client:
        organizations = desk.services.organizations
        await organizations.update(
            desk.studio.product.admin,
            desk.tenant.organization_id,
            name=None,
            type=None,
            members=[Membership(desk.tenant.user_id, Role.ADMIN)],
            flags={},
            ocr_config=None,
        )
        await client.chat("Hi")
        await refused(client)
    assert desk.provider.requests == []


async def test_a_token_that_only_reads_begins_nothing(desk: Desk) -> None:
    _, secret = await desk.services.tokens.create(
        desk.tenant.member.principal, "dashboard", 0, desk.tenant.organization_id, TokenScope.READ
    )
    async with connected(desk, {"Authorization": f"Bearer {secret}"}, ready=False) as client:
        assert await refused(client) == TOKEN_ONLY_READS


async def test_a_newer_token_may_be_given_on_the_way(desk: Desk) -> None:
    principal = desk.tenant.member.principal
    tokens = desk.services.tokens
    token, secret = await tokens.create(principal, "short", 0, desk.tenant.organization_id)
    async with connected(desk, {"Authorization": f"Bearer {secret}"}) as client:
        await client.send("authenticate", token=desk.tenant.token)
        assert await client.read() == {"type": "ready"}
        await tokens.delete(principal, token.id, desk.tenant.organization_id)
        desk.script("Hello.")
        await client.chat("Hi")
        await client.to_the_end()
        await client.send("authenticate", token=secret)
        await refused(client)
