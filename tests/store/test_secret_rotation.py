"""Giving a deployment another secret: every sealed value is resealed, or none is."""

from __future__ import annotations

import asyncio
import stat
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from docagent.domain.accounts.accounts import Role
from docagent.domain.clock import now
from docagent.domain.deliveries.webhooks import Webhook
from docagent.domain.ids import new_id
from docagent.domain.models.providers import ProviderSettings
from docagent.security.secrets import Secrets, SecretUnusable
from docagent.services.accounts.organizations import new_organization
from docagent.services.accounts.secret_rotation import check_secret, forget_unopened, rotate_secret
from docagent.services.accounts.users import create_user
from docagent.store import webhooks
from docagent.store.accounts import config, organizations
from docagent.store.accounts.sealed import SEALED_COLUMNS
from docagent.store.engine.database import Database, open_database
from docagent.store.engine.schema import migrate
from docagent.store.models import providers
from docagent.store.tables import metadata

OLD, NEW = Secrets("the old secret of this test"), Secrets("the new secret of this test")


async def seal_some(db: Database, secrets: Secrets) -> None:
    """A value in four of the five columns; documents have theirs in the tests of documents."""
    async with db.write() as tx:
        user = await create_user(
            tx, email=f"{new_id()}@example.com", name="Ada", password_hash=None, role=Role.USER
        )
        organization = new_organization(f"Acme {new_id()}", user.id)
        await organizations.insert(tx, organization)
        await config.put(tx, "aws", secrets.seal("aws keys"), now())
        await providers.save_for_deployment(
            tx, ProviderSettings("openai", sealed_key=secrets.seal("our key")), now()
        )
        await providers.save_for_organization(
            db.in_org(tx, organization.id),
            ProviderSettings("openai", sealed_key=secrets.seal("their key")),
            now(),
        )
        webhook = Webhook(
            id=new_id(),
            organization_id=organization.id,
            url="https://hooks.example/",
            sealed_secret=secrets.seal("their secret"),
            events=(),
            active=True,
            created_by=user.id,
            created_at=now(),
            updated_at=now(),
        )
        await webhooks.insert(db.in_org(tx, organization.id), webhook)


async def sealed_values(db: Database) -> list[str]:
    found: list[Any] = []
    async with db.read() as tx:
        for column in SEALED_COLUMNS:
            found += (await tx.across(sa.select(column).where(column.is_not(None)))).scalars()
    return found


def test_no_sealed_column_is_forgotten() -> None:
    named = {column for table in metadata.sorted_tables for column in table.c if "sealed" in column.name}
    assert named == set(SEALED_COLUMNS)


async def test_everything_opens_with_the_new_secret(database: Database) -> None:
    await seal_some(database, OLD)
    assert await rotate_secret(database, OLD, NEW) == 4
    opened = sorted(NEW.unseal(sealed) for sealed in await sealed_values(database))
    assert opened == ["aws keys", "our key", "their key", "their secret"]


async def test_a_wrong_old_secret_changes_nothing(database: Database) -> None:
    await seal_some(database, OLD)
    before = await sealed_values(database)
    with pytest.raises(SecretUnusable):
        await rotate_secret(database, NEW, OLD)
    assert await sealed_values(database) == before


async def docagent(*arguments: str) -> tuple[int, str]:
    """Run the command; its exit code and what it said."""
    command = Path(sys.executable).with_name("docagent")
    process = await asyncio.create_subprocess_exec(command, *arguments, stdout=PIPE, stderr=STDOUT)
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_the_command_keeps_the_new_secret_in_the_file(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    db_url = f"sqlite:///{tmp_path / 'docagent.db'}"
    await migrate(db_url)
    file = tmp_path / "secret.key"
    file.write_text("the old secret of this test\n")
    db = open_database(db_url)
    await seal_some(db, OLD)
    status, said = await docagent("rotate-secret", *data, "--new", "short")
    assert status == 1
    assert "too short" in said
    assert file.read_text() == "the old secret of this test\n"
    status, said = await docagent("rotate-secret", *data, "--new", "the new secret of this test")
    assert status == 0, said
    assert "Sealed 4 stored values" in said
    assert file.read_text() == "the new secret of this test\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    opened = {NEW.unseal(sealed) for sealed in await sealed_values(db)}
    assert opened == {"aws keys", "our key", "their key", "their secret"}
    await db.close()


async def test_the_first_process_proves_its_secret_and_another_secret_is_found_out(
    database: Database,
) -> None:
    await check_secret(database, OLD)
    await check_secret(database, OLD)
    with pytest.raises(SecretUnusable):
        await check_secret(database, NEW)
    assert await rotate_secret(database, OLD, NEW) == 1
    await check_secret(database, NEW)
    with pytest.raises(SecretUnusable):
        await check_secret(database, OLD)
    assert await forget_unopened(database, OLD) == 1
    await check_secret(database, OLD)
