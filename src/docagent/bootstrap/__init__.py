"""Builds everything once from the settings, group by group. Only this package knows which class is behind a port."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docagent.adapters.llm.transport import ModelTransport
from docagent.adapters.telemetry.choice import open_telemetry
from docagent.bootstrap.accounts import Accounts, build_accounts
from docagent.bootstrap.agent import Agent, build_agent
from docagent.bootstrap.documents import Documents, build_documents
from docagent.bootstrap.ground import Ground, deployment_secret, lay_ground, secret_file
from docagent.bootstrap.models import Models, build_models
from docagent.bootstrap.projects import Projects, build_projects
from docagent.bootstrap.providers import local_model, model_opener, model_timeouts
from docagent.bootstrap.starting import check_ground, make_data_folder, starting
from docagent.domain.deliveries.line import Line
from docagent.domain.egress import OutgoingHttp
from docagent.domain.ports import BlobStore
from docagent.security import Secrets
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.deliveries.bus import Bus
from docagent.services.deliveries.live_changes import LiveChanges
from docagent.services.deliveries.webhooks import DeliveryTerms, WebhookService
from docagent.services.extraction.by_schema import SchemaExtraction
from docagent.services.housekeeping import HousekeepingService
from docagent.services.jobs import JobService
from docagent.services.models.model_calls import OpenModel
from docagent.services.telemetry import TelemetryService
from docagent.services.turns.lab import OpenCopy, Tally
from docagent.services.turns.parts import Turns
from docagent.settings import Settings
from docagent.store.engine.database import Database, open_database, sync_url
from docagent.store.engine.local_line import LocalLine
from docagent.store.engine.schema import migrate

if TYPE_CHECKING:
    from docagent.store.engine.postgres_line import PostgresLine

__all__ = ["Services", "database_url", "deployment_secret", "running_services", "secret_file", "starting"]


@dataclass(frozen=True)
class Services(Accounts, Models, Documents, Projects, Agent):
    """Every use case of the product, ready to be called. The groups are its bases, so one writes `services.tags`."""

    settings: Settings
    db: Database
    blobs: BlobStore
    bus: Bus
    line: Line
    streams: OpenStreams
    http: OutgoingHttp
    """The one way out to addresses that users chose."""
    jobs: JobService
    webhooks: WebhookService
    schema_extraction: SchemaExtraction
    housekeeping: HousekeepingService
    live_changes: LiveChanges

    @property
    def conninfo(self) -> str:
        return _conninfo(database_url(self.settings))


@asynccontextmanager
async def running_services(
    settings: Settings, environment: Mapping[str, str] = os.environ, open_model: OpenModel | None = None
) -> AsyncIterator[Services]:
    """Migrate the database and build everything; close everything at the end. Raises CannotStart.

    `open_model` puts other models behind the providers.
    """
    with starting():
        make_data_folder(settings.data)
        secrets = Secrets(deployment_secret(settings))
        url = database_url(settings)
        await migrate(url)
    db = _open_database(settings, url)
    line = _open_line(settings, url)
    try:
        async with ModelTransport(model_timeouts(settings)) as transport:
            in_file = local_model(settings)
            opener = open_model or model_opener(transport, in_file)
            with starting():
                ground = lay_ground(settings, secrets, db, environment, transport, opener, line)
                services = _build(ground)
                await check_ground(ground)
            telemetry = open_telemetry(environment)
            if telemetry is not None:
                TelemetryService(db, telemetry, content=settings.telemetry.content).listen(services.bus)
            try:
                async with line.held():
                    yield services
            finally:
                await services.turn_runner.close()
                await services.mcp_servers.close()
                await services.bus.close()
                if in_file is not None:
                    await in_file.close()
                if telemetry is not None:
                    await telemetry.close()
    finally:
        await db.close()


def _open_database(settings: Settings, url: str) -> Database:
    database = settings.database
    return open_database(url, database.pool_size, all_through_sqlalchemy=database.all_through_sqlalchemy)


def _open_line(settings: Settings, url: str) -> LocalLine | PostgresLine:
    if settings.database.is_postgresql:
        # Only processes on PostgreSQL need its driver.
        from docagent.store.engine.postgres_line import PostgresLine  # noqa: PLC0415

        return PostgresLine(_conninfo(url))
    return LocalLine(settings.data / "processes")


def _conninfo(url: str) -> str:
    """The address of the database for libraries that do not take an SQLAlchemy URL."""
    return sync_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def database_url(settings: Settings) -> str:
    return settings.database.url or f"sqlite:///{settings.data.resolve() / 'docagent.db'}"


def _build(ground: Ground) -> Services:
    settings = ground.settings
    models = build_models(ground)
    documents = build_documents(ground, models)
    projects = build_projects(ground)
    webhook_terms = DeliveryTerms(settings.webhooks.attempts, timedelta(days=settings.webhooks.keep_days))
    webhooks = WebhookService(ground.db, ground.jobs, ground.secrets, ground.http, webhook_terms)
    ground.bus.record(webhooks.record)
    purge_after = timedelta(days=settings.documents.purge_after_days)
    return Services(
        **vars(build_accounts(ground)),
        **vars(models),
        **vars(documents),
        **vars(projects),
        **vars(build_agent(ground, models, documents, projects, _opener_of_copies(ground))),
        settings=settings,
        db=ground.db,
        blobs=ground.blobs,
        bus=ground.bus,
        line=ground.line,
        streams=ground.streams,
        http=ground.http,
        jobs=ground.jobs,
        webhooks=webhooks,
        schema_extraction=SchemaExtraction(
            ground.db, documents.prompts, ground.jobs, webhooks, ground.streams
        ),
        housekeeping=HousekeepingService(ground.db, ground.blobs, purge_after),
        live_changes=LiveChanges(ground.db, ground.line, partial(_hears_all, ground), ground.streams),
    )


def _hears_all(ground: Ground) -> bool:
    """Whether no process can change anything unheard. The line of SQLite carries no words."""
    settings = ground.settings
    return ground.line.is_open and (settings.database.is_postgresql or settings.worker.embedded)


def _opener_of_copies(ground: Ground) -> OpenCopy:
    @asynccontextmanager
    async def open_copy(file: Path, tally: Tally) -> AsyncIterator[Turns]:
        db = _open_database(ground.settings, f"sqlite:///{file}")
        try:
            services = _build(ground.on_copy(db, tally))
            try:
                yield services.turns
            finally:
                await services.turn_runner.close()
                await services.mcp_servers.close()
                await services.bus.close()
        finally:
            await db.close()

    return open_copy
