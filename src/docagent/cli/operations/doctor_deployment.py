"""What docagent needs beside the machine: its database, its files, the server that runs, the models."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import httpx2

from docagent.bootstrap import Services, database_url, running_services
from docagent.cli.operations.doctor_machine import Finding, Health
from docagent.cli.server.login_link import first_admin
from docagent.cli.server.running import told_address
from docagent.domain.accounts.accounts import Credential, Principal
from docagent.domain.errors import CannotStart, Unavailable
from docagent.domain.models.providers import WireKind
from docagent.settings import Settings
from docagent.store.engine.schema import applied_migration, newest_migration

SECONDS = 10


async def server(settings: Settings) -> Finding:
    address = told_address(settings.data)
    if address is None:
        says = (
            "None runs on this folder; commands start one of their own, and `docagent serve` one that stays."
        )
        return Finding("server", Health.FINE, says)
    remedy = "Look at its log; if it hangs, stop it and start it again."
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            answer = await client.get(f"{address}/ready")
    except httpx2.TransportError as error:
        return Finding("server", Health.WRONG, f"{address} does not answer: {error}", remedy)
    if answer.status_code != httpx2.codes.OK:
        return Finding("server", Health.WRONG, f"{address} is not ready: {answer.text[:300]}", remedy)
    return Finding("server", Health.FINE, f"{address} is ready.")


async def deployment(settings: Settings, *, call_models: bool) -> AsyncIterator[Finding]:
    """The database first: the rest is looked at only if it can be opened as it is."""
    database = await _database(settings)
    yield database
    if database.health is not Health.FINE or not _has_database(settings):
        return
    try:
        async with running_services(settings) as services:
            yield await _files(services)
            async for finding in _models(services, call_models=call_models):
                yield finding
    except CannotStart as error:
        yield Finding("start", Health.WRONG, error.detail)


def _has_database(settings: Settings) -> bool:
    return settings.database.is_postgresql or (settings.data / "docagent.db").is_file()


async def _database(settings: Settings) -> Finding:
    if not _has_database(settings):
        return Finding("database", Health.FINE, "There is none yet; the first start makes it.")
    if not settings.database.is_postgresql:
        damage = _damage(settings.data / "docagent.db")
        if damage is not None:
            remedy = "Stop the server and restore the newest backup."
            return Finding("database", Health.WRONG, f"The file is damaged: {damage}", remedy)
    applied, newest = await applied_migration(database_url(settings)), newest_migration()
    if applied is None:
        remedy = "Look at database.url, and whether the server of the database runs and lets docagent in."
        return Finding("database", Health.WRONG, "It does not answer, or holds no data of docagent.", remedy)
    if applied < newest:
        remedy = "docagent migrate, after a backup; the next start does it too."
        return Finding(
            "database", Health.WARNING, f"Its schema is {applied}, this version has {newest}.", remedy
        )
    if applied > newest:
        remedy = "Install the newer docagent again, or restore a backup from before."
        return Finding(
            "database",
            Health.WRONG,
            f"Its schema {applied} is of a newer docagent; this one has {newest}.",
            remedy,
        )
    kind = "PostgreSQL" if settings.database.is_postgresql else "SQLite"
    return Finding("database", Health.FINE, f"{kind}, schema {applied}, sound.")


def _damage(file: Path) -> str | None:
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
            said = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        return str(error)
    return None if said == "ok" else str(said)


async def _files(services: Services) -> Finding:
    blobs = services.settings.blobs
    where = f"the bucket {blobs.bucket}" if blobs.bucket else "the data folder"
    try:
        await services.blobs.check()
    except Unavailable as error:
        return Finding(
            "files", Health.WRONG, error.detail, "Look at the settings of blobs, and at the disk or bucket."
        )
    return Finding("files", Health.FINE, f"They are kept in {where}, which can be written.")


async def _models(services: Services, *, call_models: bool) -> AsyncIterator[Finding]:
    admin = await first_admin(services)
    principal = Principal(admin.id, admin.name, admin.email, admin.role, Credential.SESSION)
    for view in await services.providers.list(principal):
        provider = view.provider
        if provider.kind is WireKind.BUILT_IN:
            yield Finding("built-in model", Health.FINE, "It needs no key and no network.")
        elif provider.is_reachable and call_models:
            tried = await services.providers.test(principal, provider.name, None)
            health = Health.FINE if tried.ok else Health.WRONG
            says = f"{tried.model} answered in {tried.seconds:.1f} s." if tried.ok else str(tried.error)
            remedy = "" if tried.ok else "Look at its key and address in the settings of models."
            yield Finding(provider.display_name, health, says, remedy)
        elif provider.is_reachable:
            yield Finding(provider.display_name, Health.FINE, "It is set up. --call-models tries it.")
