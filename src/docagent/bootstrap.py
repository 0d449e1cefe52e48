"""Builds everything once from the settings: the only place that knows which class is behind a port."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from docagent.adapters.blobs.local import LocalBlobStore
from docagent.adapters.blobs.s3 import S3BlobStore
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.adapters.security.passwords import Passwords
from docagent.adapters.security.secrets import Secrets, load_or_make_secret
from docagent.domain.models import ModelCatalogue
from docagent.domain.ports import BlobStore
from docagent.services.cloud_config import CloudConfigService
from docagent.services.documents import DocumentService
from docagent.services.first_start import FirstStartService
from docagent.services.forms import FormService
from docagent.services.housekeeping import HousekeepingService
from docagent.services.identity import IdentityService, Lifetimes
from docagent.services.jobs import JobService
from docagent.services.models import ModelService
from docagent.services.organizations import OrganizationService
from docagent.services.prompts import PromptService
from docagent.services.reading import ReadingService
from docagent.services.schemas import SchemaService
from docagent.services.tags import TagService
from docagent.services.text import TextService
from docagent.services.tokens import TokenService
from docagent.services.users import UserService
from docagent.settings import MEBIBYTE, Settings
from docagent.store.engine import Database, open_database, sync_url
from docagent.store.schema import migrate

PROVIDER_KEY_SUFFIX = "_API_KEY"


@dataclass(frozen=True)
class Services:
    """Every use case of the product, ready to be called."""

    settings: Settings
    db: Database
    blobs: BlobStore
    conninfo: str
    """Address of the database for libraries that take no SQLAlchemy URL."""
    first_start: FirstStartService
    identity: IdentityService
    tokens: TokenService
    users: UserService
    organizations: OrganizationService
    cloud_config: CloudConfigService
    jobs: JobService
    documents: DocumentService
    reading: ReadingService
    text: TextService
    tags: TagService
    schemas: SchemaService
    prompts: PromptService
    forms: FormService
    models: ModelService
    housekeeping: HousekeepingService


@asynccontextmanager
async def running_services(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> AsyncIterator[Services]:
    """Migrate, build and, at the end, close everything."""
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    url = database_url(settings)
    await migrate(url)
    db = open_database(url, settings.database.pool_size)
    try:
        yield _build(settings, db, url, environment)
    finally:
        await db.close()


def database_url(settings: Settings) -> str:
    return settings.database.url or f"sqlite:///{settings.data.resolve() / 'docagent.db'}"


def available_providers(environment: Mapping[str, str]) -> set[str]:
    """Providers whose key is in the environment, such as `OPENAI_API_KEY`."""
    return {
        name.removesuffix(PROVIDER_KEY_SUFFIX).lower()
        for name, value in environment.items()
        if name.endswith(PROVIDER_KEY_SUFFIX) and value
    }


def _build(settings: Settings, db: Database, url: str, environment: Mapping[str, str]) -> Services:
    auth = settings.auth
    secret = (
        auth.secret.get_secret_value() if auth.secret else load_or_make_secret(settings.data / "secret.key")
    )
    secrets = Secrets(secret)
    passwords = Passwords()
    blobs = _blob_store(settings)
    reader = ChildProcessReader(_read_limits(settings))
    jobs = JobService(db, settings.worker.max_attempts, timedelta(seconds=settings.worker.lease_seconds))
    documents = DocumentService(db, blobs, reader, jobs, secrets, settings.documents.upload_limit_mb)
    models = ModelCatalogue(available_providers(environment))
    return Services(
        settings=settings,
        db=db,
        blobs=blobs,
        conninfo=sync_url(url).set(drivername="postgresql").render_as_string(hide_password=False),
        first_start=FirstStartService(db, passwords),
        identity=IdentityService(db, secrets, passwords, _lifetimes(settings), auth.login_attempts),
        tokens=TokenService(db),
        users=UserService(db, passwords),
        organizations=OrganizationService(db),
        cloud_config=CloudConfigService(db, secrets),
        jobs=jobs,
        documents=documents,
        reading=ReadingService(db, blobs, reader, secrets, jobs, documents),
        text=TextService(db),
        tags=TagService(db),
        schemas=SchemaService(db),
        prompts=PromptService(db, models),
        forms=FormService(db),
        models=ModelService(models),
        housekeeping=HousekeepingService(db, blobs, timedelta(days=settings.documents.purge_after_days)),
    )


def _lifetimes(settings: Settings) -> Lifetimes:
    auth = settings.auth
    return Lifetimes(
        access=timedelta(minutes=auth.access_minutes),
        refresh=timedelta(days=auth.refresh_days),
        signed=timedelta(hours=auth.signed_token_hours),
        login_link=timedelta(hours=auth.login_link_hours),
    )


def _read_limits(settings: Settings) -> ReadLimits:
    reader = settings.reader
    return ReadLimits(
        seconds_per_file=reader.seconds_per_file,
        seconds_per_page=reader.seconds_per_page,
        memory_bytes=reader.memory_mb * MEBIBYTE,
        max_pages=reader.max_pages,
        max_pixels=reader.max_megapixels * 1_000_000,
    )


def _blob_store(settings: Settings) -> BlobStore:
    blobs = settings.blobs
    if blobs.bucket is None:
        return LocalBlobStore(settings.data / "blobs")
    secret_key = blobs.secret_access_key
    return S3BlobStore(
        blobs.bucket,
        endpoint=blobs.endpoint,
        region=blobs.region,
        access_key_id=blobs.access_key_id,
        secret_access_key=secret_key.get_secret_value() if secret_key else None,
        prefix=blobs.prefix,
    )
