"""What all groups of services are built on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from docagent.adapters import kill_point
from docagent.adapters.blobs.local import LocalBlobStore
from docagent.adapters.blobs.read_only import ReadOnlyBlobStore
from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.adapters.llm.limits import CallLimits
from docagent.adapters.llm.transport import ModelTransport
from docagent.adapters.web_search.engines import BraveSearch, SearxngSearch, TavilySearch
from docagent.agent.memory import NoKill
from docagent.agent.ports import KillPoint
from docagent.bootstrap.providers import provider_directory
from docagent.domain.deliveries.line import AloneOnTheLine, Line
from docagent.domain.egress import EgressRefused, OutgoingHttp
from docagent.domain.errors import CannotStart
from docagent.domain.ports import BlobStore
from docagent.domain.turns.web_search import WebSearch
from docagent.security import Secrets, load_or_make_secret
from docagent.services.accounts.open_streams import OpenStreams
from docagent.services.deliveries.bus import Bus
from docagent.services.jobs import JobService
from docagent.services.models.credits import CreditService
from docagent.services.models.model_calls import OpenModel, Places
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.services.turns.lab import RealCredits, Tally
from docagent.settings import MEBIBYTE, SearchSettings, Settings
from docagent.store.engine.database import Database


@dataclass(frozen=True)
class Ground:
    settings: Settings
    secrets: Secrets
    directory: ProviderDirectory
    open_model: OpenModel
    places: Places
    kill: KillPoint
    http: OutgoingHttp
    web_search: WebSearch | None
    db: Database
    blobs: BlobStore
    credits: CreditService
    jobs: JobService
    bus: Bus
    line: Line
    streams: OpenStreams

    def on_copy(self, db: Database, tally: Tally) -> Ground:
        """Return the same ground over a copy of the database. Files are only read, but credits are really spent."""
        line = AloneOnTheLine()
        return replace(
            self,
            db=db,
            blobs=ReadOnlyBlobStore(self.blobs),
            credits=RealCredits(self.db, self.settings.models.price_per_credit, tally),
            jobs=_jobs(self.settings, db, AloneOnTheLine()),
            bus=Bus(),
            line=line,
            streams=OpenStreams(db, line),
        )


def lay_ground(
    settings: Settings,
    secrets: Secrets,
    db: Database,
    environment: Mapping[str, str],
    transport: ModelTransport,
    open_model: OpenModel,
    line: Line,
) -> Ground:
    models, egress = settings.models, settings.egress
    http = GuardedHttp(egress.allow_private, EgressLimits(egress.seconds, egress.answer_mb * MEBIBYTE))
    return Ground(
        settings=settings,
        secrets=secrets,
        directory=provider_directory(settings, secrets, environment, transport),
        open_model=open_model,
        places=CallLimits(models.calls_per_provider, models.calls_per_organization),
        kill=_kill_point(environment),
        http=http,
        web_search=open_web_search(settings.search, http),
        db=db,
        blobs=_blob_store(settings),
        credits=CreditService(db, models.price_per_credit),
        jobs=_jobs(settings, db, line),
        bus=Bus(),
        line=line,
        streams=OpenStreams(db, line),
    )


def deployment_secret(settings: Settings) -> str:
    """The secret of the settings, else that of the data folder, which only the processes of one machine share."""
    configured = settings.auth.secret
    if configured is not None:
        return configured.get_secret_value()
    file = secret_file(settings)
    shared = "PostgreSQL" if settings.database.is_postgresql else "S3" if settings.blobs.bucket else None
    if shared is not None:
        found = f" The one that was used so far is in {file}." if file.is_file() else ""
        raise CannotStart(
            f"Set DOCAGENT_AUTH__SECRET, to the same value in every process: with {shared} each would otherwise make "
            f"its own secret, and sessions and keys of one would be invalid on the others.{found}"
        )
    return load_or_make_secret(file)


def secret_file(settings: Settings) -> Path:
    return settings.data / "secret.key"


def _jobs(settings: Settings, db: Database, line: Line) -> JobService:
    worker = settings.worker
    return JobService(db, worker.max_attempts, timedelta(seconds=worker.lease_seconds), line)


def _kill_point(environment: Mapping[str, str]) -> KillPoint:
    point = environment.get(kill_point.VARIABLE)
    return kill_point.KillAt(point) if point else NoKill()


def _blob_store(settings: Settings) -> BlobStore:
    blobs = settings.blobs
    if blobs.bucket is None:
        return LocalBlobStore(settings.data / "blobs")
    # Loaded only where files are kept there.
    from docagent.adapters.blobs.s3 import S3BlobStore  # noqa: PLC0415

    secret_key = blobs.secret_access_key
    return S3BlobStore(
        blobs.bucket,
        endpoint=blobs.endpoint,
        region=blobs.region,
        access_key_id=blobs.access_key_id,
        secret_access_key=secret_key.get_secret_value() if secret_key else None,
        prefix=blobs.prefix,
    )


def open_web_search(search: SearchSettings, http: OutgoingHttp) -> WebSearch | None:
    """None if the search is off. Raises CannotStart if its address may not be called as it is written."""
    if search.url is not None:
        try:
            http.check(search.url)
        except EgressRefused as error:
            raise CannotStart(f"The setting search.url cannot be used. {error.detail}") from error
    key = search.key.get_secret_value() if search.key else ""
    match search.provider:
        case None:
            return None
        case "searxng":
            assert search.url is not None  # the settings see to it
            return SearxngSearch(http, search.url, key or None)
        case "tavily":
            return TavilySearch(http, key, search.url)
        case "brave":
            return BraveSearch(http, key, search.url)
