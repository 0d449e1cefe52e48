"""Whoever may read the data folder owns what is in it. Commands on its machine therefore need no token from a person:
one is made for them, and kept in the folder beside the key that seals everything."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from docagent.domain.accounts.accounts import Credential, Principal, TokenScope, User

if TYPE_CHECKING:  # a command that finds a pass need not load everything
    from docagent.bootstrap import Services

FILE = "terminal.token"
OWNER_ONLY = 0o600
NAME = "Terminal"
FOR_EVER = 0
"""As long as the key beside it. What `docagent token make` makes with it cannot outlive it."""
ORGANIZATIONS = 100


@dataclass(frozen=True, slots=True)
class OwnersPass:
    token: str
    organization_id: str


MakePass = Callable[[], Awaitable[OwnersPass]]


def kept_pass(folder: Path) -> OwnersPass | None:
    """The pass that an earlier command kept; None if there is none that can be read, or it cannot do all."""
    try:
        kept = orjson.loads((folder / FILE).read_bytes())
        owners = OwnersPass(str(kept["token"]), str(kept["organization_id"]))
        return owners if kept["scope"] == TokenScope.WRITE else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


async def make_pass(services: Services, owner: User) -> OwnersPass:
    """Make a token for the first administrator and their first organisation, and keep it."""
    principal = Principal(owner.id, owner.name, owner.email, owner.role, Credential.SESSION)
    _, secret = await services.tokens.create(principal, NAME, FOR_EVER, scope=TokenScope.WRITE)
    found = await services.organizations.list(principal, user_id=owner.id, limit=ORGANIZATIONS)
    made = OwnersPass(secret, found.items[-1].id)
    _keep(services.settings.data, made)
    return made


def _keep(folder: Path, made: OwnersPass) -> None:
    """Write the file beside its place and move it there, so that no other command reads half of it."""
    target = folder / FILE
    beside = folder / f"{FILE}.{os.getpid()}"
    kept = {"token": made.token, "organization_id": made.organization_id, "scope": TokenScope.WRITE}
    content = orjson.dumps(kept)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, OWNER_ONLY)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
    beside.replace(target)
