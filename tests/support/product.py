"""A running product, and tenants in it, for tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2

from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Credential, Member, OrganizationType, Principal, Role
from docagent.domain.ids import new_id
from docagent.services.accounts.users import create_user
from docagent.settings import Settings
from tests.support.polling import SECONDS, until

HASHING_MB = 19
"""The least that the setting allows: tests hash hundreds of passwords."""
UNREAD = {"uploaded", "ocr_processing"}


@dataclass(frozen=True, slots=True)
class Tenant:
    """An organisation, its admin, and the admin's ways to call the API."""

    organization_id: str
    user_id: str
    email: str
    headers: dict[str, str]
    """Headers with an organisation token."""
    account_headers: dict[str, str]
    """Headers with an account token."""
    token: str

    @property
    def base(self) -> str:
        return f"/v0/orgs/{self.organization_id}"

    @property
    def member(self) -> Member:
        """The admin, for calling services directly."""
        principal = Principal(self.user_id, "Ada", self.email, Role.USER, Credential.SESSION)
        return Member(principal, self.organization_id, Role.ADMIN)


@dataclass(frozen=True, slots=True)
class Product:
    settings: Settings
    services: Services
    client: httpx2.AsyncClient
    admin_id: str

    @property
    def admin(self) -> Principal:
        return Principal(self.admin_id, "Administrator", "root@example.com", Role.ADMIN, Credential.SESSION)

    async def admin_headers(self) -> dict[str, str]:
        _, secret = await self.services.tokens.create(self.admin, "root", 0)
        return {"Authorization": f"Bearer {secret}"}

    async def new_tenant(self, flags: dict[str, Any] | None = None) -> Tenant:
        """Make a tenant. Unless the flags say otherwise, it has no default prompt, so that nothing follows reading."""
        email = f"{new_id()}@example.com"
        async with self.services.db.write() as tx:
            user = await create_user(tx, email=email, name="Ada", password_hash=None, role=Role.USER)
        principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
        organization = await self.services.organizations.create(
            principal,
            name=f"Acme {new_id()}",
            type=OrganizationType.TEAM,
            flags=flags or {"default_prompt_enabled": False},
            ocr_config=None,
        )
        _, token = await self.services.tokens.create(principal, "t", 0, organization.id)
        _, account = await self.services.tokens.create(principal, "account", 0)
        return Tenant(
            organization_id=organization.id,
            user_id=user.id,
            email=email,
            headers={"Authorization": f"Bearer {token}"},
            account_headers={"Authorization": f"Bearer {account}"},
            token=token,
        )

    async def read_document(
        self, tenant: Tenant, document_id: str, seconds: float = SECONDS
    ) -> dict[str, Any]:
        """Wait until the document's text is read, or reading failed. Return what the API then says of it."""

        async def is_read() -> bool:
            return (await self.services.documents.get(tenant.member, document_id)).state not in UNREAD

        await until(is_read, seconds)
        answer = await self.client.get(
            f"{tenant.base}/documents/{document_id}",
            params={"include_content": "false"},
            headers=tenant.headers,
        )
        document: dict[str, Any] = answer.json()
        return document
