"""A server of the command's own, for as long as the command lasts: the whole product with nothing started before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from docagent.bootstrap import Services, running_services
from docagent.cli.server.login_link import first_admin
from docagent.cli.server.pass_of_owner import MakePass, OwnersPass, make_pass
from docagent.cli.server.serving import listen, served_on
from docagent.settings import Settings

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def embedded_server(settings: Settings) -> AsyncIterator[tuple[str, MakePass]]:
    """The address of a server that only this process knows, and what creates a token for it.

    What a command leaves undone there waits for the next server, whoever starts it.
    """
    with listen(LOOPBACK, 0) as listener:
        async with running_services(settings) as services, served_on(listener, services):
            yield f"http://{LOOPBACK}:{listener.getsockname()[1]}", partial(_pass, services)


async def pass_beside(settings: Settings) -> OwnersPass:
    """A new pass, made beside a server that runs already."""
    async with running_services(settings) as services:
        return await _pass(services)


async def _pass(services: Services) -> OwnersPass:
    return await make_pass(services, await first_admin(services))
