"""People with passwords, browsers with cookies, and services with short lifetimes."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2

from docagent.api.app import create_app
from docagent.domain.accounts.accounts import Membership, Role
from docagent.domain.ids import new_id
from docagent.security.passwords import Passwords
from docagent.security.secrets import Secrets
from docagent.services.accounts.identity import IdentityService, Lifetimes
from docagent.services.accounts.sign_in_limits import SignInLimits
from docagent.services.accounts.users import create_user
from tests.support.product import HASHING_MB, Product, Tenant

PASSWORD = "correct horse battery"
HOUR = timedelta(hours=1)
_hashes: dict[str, str] = {}
"""Hashing is slow on purpose, so one hash serves all tests."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user who can sign in, with a session token."""

    id: str
    email: str
    headers: dict[str, str]


async def new_person(product: Product, name: str = "Grace", role: Role = Role.USER) -> Person:
    """Make a user with PASSWORD and sign them in without a cookie jar."""
    email = f"{new_id()}@Example.com"
    if PASSWORD not in _hashes:
        _hashes[PASSWORD] = await Passwords(HASHING_MB).hash(PASSWORD)
    async with product.services.db.write() as tx:
        user = await create_user(tx, email=email, name=name, password_hash=_hashes[PASSWORD], role=role)
    token = await product.services.identity.signed_token(user.id)
    return Person(user.id, email, {"Authorization": f"Bearer {token}"})


async def set_members(product: Product, tenant: Tenant, *members: Membership) -> None:
    """Let the organisation have its admin and these members, and no others."""
    await product.services.organizations.update(
        product.admin,
        tenant.organization_id,
        name=None,
        type=None,
        members=[Membership(tenant.user_id, Role.ADMIN), *members],
        flags={},
        ocr_config=None,
    )


@asynccontextmanager
async def browser(
    product: Product, base_url: str = "http://docagent.test", **replaced: Any
) -> AsyncIterator[httpx2.AsyncClient]:
    """Make a client with cookies of its own. Services may be replaced."""
    services = dataclasses.replace(product.services, **replaced)
    transport = httpx2.ASGITransport(create_app(product.settings, services))
    async with httpx2.AsyncClient(transport=transport, base_url=base_url) as client:
        yield client


def secrets_of(product: Product) -> Secrets:
    configured = product.settings.auth.secret
    assert configured is not None
    return Secrets(configured.get_secret_value())


def identity_with(
    product: Product,
    *,
    login_attempts: int = 10,
    limits: dict[str, int] | None = None,
    **lifetimes: timedelta,
) -> IdentityService:
    """Return the real service on the product's database, with lifetimes and limits that the test chooses."""
    chosen: dict[str, Any] = {"access": HOUR, "refresh": HOUR, "signed": HOUR, "login_link": HOUR} | lifetimes
    return IdentityService(
        product.services.db,
        secrets_of(product),
        Passwords(HASHING_MB),
        Lifetimes(**chosen),
        SignInLimits(by_name_and_place=login_attempts, refusal_seconds=0, **(limits or {})),
        product.services.streams,
    )
