"""How a command reaches a server: the one that is named, else the one that runs on the data folder, else one of its
own. Whichever it is, it is called through the client that everybody's programs use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from docagent.api.server.logs import configure_logging
from docagent.cli.launching import settings_of
from docagent.cli.server.pass_of_owner import MakePass, OwnersPass, kept_pass
from docagent.cli.server.running import told_address
from docagent.client import AsyncClient, ClientError, SignInNeeded
from docagent.domain.errors import CannotStart, DocAgentError, NotFound
from docagent.domain.ids import is_id
from docagent.settings import Settings

AT_ONCE = 100
OF_ORGANIZATION = "org_"


@dataclass(frozen=True, slots=True)
class Where:
    """What the command line says about the server."""

    url: str | None = None
    token: str | None = None
    organization: str | None = None
    data: Path | None = None


@asynccontextmanager
async def reached(where: Where) -> AsyncIterator[AsyncClient]:
    """A client of the server, in the organisation that is wanted. What the server refuses ends the command."""
    with client_errors_end():
        async with _client_of(where) as client:
            yield client


@contextmanager
def client_errors_end() -> Iterator[None]:
    """End the command with what the server refused, or with why it cannot be reached."""
    try:
        yield
    except ClientError as error:
        raise DocAgentError(error.detail) from error


@asynccontextmanager
async def _client_of(where: Where) -> AsyncIterator[AsyncClient]:
    if where.url is not None:
        async with await _named(where.url, where) as client:
            yield client
        return
    settings = quietly(settings_of(where.data))
    address = told_address(settings.data)
    if address is None and where.token is not None:
        raise CannotStart(
            "There is a token, but no server: none is named by --url or DOCAGENT_URL, and none runs on the "
            f"folder {settings.data}. Name one, or leave the token out."
        )
    if address is not None and where.token is not None:
        async with await _named(address, where) as client:
            yield client
        return
    # Most commands find a server that runs, and need not wait until everything is loaded that one consists of.
    from docagent.cli.server.embedded import embedded_server, pass_beside

    if address is not None:
        async with await _as_owner(address, where, settings, partial(pass_beside, settings)) as client:
            yield client
        return
    async with (
        embedded_server(settings) as (own, make_pass),
        await _as_owner(own, where, settings, make_pass) as client,
    ):
        yield client


def quietly(settings: Settings) -> Settings:
    """The settings of a command that runs a server: its log is not what the command was called for."""
    if "level" not in settings.log.model_fields_set:
        settings = settings.model_copy(update={"log": settings.log.model_copy(update={"level": "error"})})
        configure_logging(settings.log)
    return settings


async def _named(address: str, where: Where) -> AsyncClient:
    if where.token is None:
        raise CannotStart(
            "A server that is named needs a token: --token or DOCAGENT_TOKEN. Create one on the settings "
            "page of an organisation."
        )
    return AsyncClient(
        address, where.token, await organization_named(address, where.token, where.organization)
    )


async def _as_owner(address: str, where: Where, settings: Settings, make_pass: MakePass) -> AsyncClient:
    """A client with the pass of the folder's owner; a new one if the kept one has ended or was revoked."""
    owners = kept_pass(settings.data)
    if owners is None or not await _opens(address, owners):
        owners = await make_pass()
    organization_id = owners.organization_id
    if where.organization is not None:
        organization_id = await _found(address, owners.token, where.organization)
    return AsyncClient(address, owners.token, organization_id)


async def _opens(address: str, owners: OwnersPass) -> bool:
    async with AsyncClient(address, owners.token) as client:
        try:
            await client.account.organizations(limit=1)
        except SignInNeeded:
            return False
    return True


async def organization_named(
    address: str, token: str, wanted: str | None, transport: Any = None
) -> str | None:
    """The id of the organisation with this id or name; None where none is wanted."""
    if wanted is None or is_id(wanted):
        return wanted
    if token.startswith(OF_ORGANIZATION):
        raise CannotStart(
            "This token opens one organisation only and cannot look up names. Leave --org out, or give its id."
        )
    return await _found(address, token, wanted, transport)


async def _found(address: str, token: str, wanted: str, transport: Any = None) -> str:
    async with AsyncClient(address, token, transport=transport) as client:
        skip = 0
        while True:
            page = await client.account.organizations(skip=skip, limit=AT_ONCE)
            for organization in page.organizations:
                if wanted in (organization.id, organization.name):
                    return organization.id
            skip += len(page.organizations)
            if not page.organizations or skip >= page.total_count:
                raise NotFound(f"There is no organisation with the id or name {wanted}.")
