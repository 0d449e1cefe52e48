"""The use cases without HTTP and without a worker, and a member who uses them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from docagent.bootstrap import Services, running_services
from docagent.domain.accounts.accounts import Credential, Member, Principal, Role
from docagent.domain.ids import new_id
from docagent.services.accounts.users import create_user
from docagent.settings import Settings
from docagent.store.accounts import organizations
from tests.conftest import make_settings
from tests.support.services.databases import Databases


@asynccontextmanager
async def services_with_member(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[tuple[Settings, Services, Member]]:
    """On the database that the fixture's parameter names. Nothing is extracted by itself."""
    databases: Databases = request.getfixturevalue("databases")
    url = await databases.new(request.param)
    settings = make_settings(tmp_path, url)
    async with running_services(settings, environment={}) as services:
        async with services.db.write() as tx:
            user = await create_user(
                tx, email=f"{new_id()}@example.com", name="Ada", password_hash=None, role=Role.USER
            )
            (organization_id,) = await organizations.of_user(tx, user.id)
            await organizations.update(tx, organization_id, {"default_prompt_enabled": False})
        principal = Principal(user.id, user.name, user.email, user.role, Credential.SESSION)
        yield settings, services, Member(principal, organization_id, Role.ADMIN)
