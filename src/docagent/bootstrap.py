"""Builds everything once from the settings: the only place that knows which class is behind a port."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from docagent.adapters import kill_point
from docagent.adapters.blobs.local import LocalBlobStore
from docagent.adapters.blobs.read_only import ReadOnlyBlobStore
from docagent.adapters.blobs.s3 import S3BlobStore
from docagent.adapters.egress.client import EgressLimits, GuardedHttp
from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.limits import CallLimits
from docagent.adapters.llm.ollama import find_ollama
from docagent.adapters.llm.transport import ModelTransport, Timeouts
from docagent.adapters.parse.limits import ReadLimits
from docagent.adapters.parse.reader import ChildProcessReader
from docagent.adapters.telemetry.choice import open_telemetry
from docagent.agent.limits import Limits
from docagent.agent.memory import NoKill
from docagent.agent.ports import KillPoint
from docagent.agent.strategies.prompts import Prompts
from docagent.agent.strategies.registry import Strategies, all_strategies
from docagent.domain.egress import OutgoingHttp
from docagent.domain.llm import Model
from docagent.domain.ports import BlobStore
from docagent.domain.providers import KEY_SUFFIX, KNOWN_PROVIDERS, Connection, WireKind, environment_keys
from docagent.domain.tools import Tool
from docagent.security import Passwords, Secrets, load_or_make_secret
from docagent.services.bus import Bus
from docagent.services.cloud_config import CloudConfigService
from docagent.services.credits import CreditService
from docagent.services.documents import DocumentService
from docagent.services.extraction import ExtractionService
from docagent.services.extractor import Extractor, WindowSize
from docagent.services.first_start import FirstStartService
from docagent.services.forms import FormService
from docagent.services.housekeeping import HousekeepingService
from docagent.services.identity import IdentityService, Lifetimes
from docagent.services.jobs import JobService
from docagent.services.lab import LabService, RealCredits, Tally
from docagent.services.living_documents import LivingDocumentService
from docagent.services.llm_chat import LlmChatService
from docagent.services.model_calls import ModelCalls, OpenModel, Places
from docagent.services.models import ModelService
from docagent.services.organizations import OrganizationService
from docagent.services.projects import ProjectService
from docagent.services.prompts import PromptService
from docagent.services.provider_directory import ModelServer, ProviderDirectory, no_ollama
from docagent.services.providers import ProviderService
from docagent.services.reading import ReadingService
from docagent.services.results import ResultService
from docagent.services.schemas import SchemaService
from docagent.services.set_up import SetUpService
from docagent.services.tags import TagService
from docagent.services.telemetry import TelemetryService
from docagent.services.text import TextService
from docagent.services.tokens import TokenService
from docagent.services.turns.choice import StrategyChoice
from docagent.services.turns.context import ContextSettings
from docagent.services.turns.journal import Waits
from docagent.services.turns.live import LiveTurns
from docagent.services.turns.records import TurnRecords
from docagent.services.turns.rules import RuleService
from docagent.services.turns.runner import RunnerSettings, TurnRunner
from docagent.services.turns.service import TurnDefaults, TurnService
from docagent.services.turns.threads import ThreadService
from docagent.services.users import UserService
from docagent.services.webhooks import DeliveryTerms, WebhookService
from docagent.settings import MEBIBYTE, Settings
from docagent.store.engine import Database, open_database, sync_url
from docagent.store.schema import migrate
from docagent.tools.base import ToolServices
from docagent.tools.registry import all_tools, every_tool, project_tools
from docagent.tools.toolset import toolset_factory


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
    set_up: SetUpService
    text: TextService
    extraction: ExtractionService
    results: ResultService
    tags: TagService
    schemas: SchemaService
    prompts: PromptService
    forms: FormService
    projects: ProjectService
    living_documents: LivingDocumentService
    models: ModelService
    providers: ProviderService
    credits: CreditService
    model_calls: ModelCalls
    llm_chat: LlmChatService
    housekeeping: HousekeepingService
    tools: Sequence[Tool]
    """Of a conversation about a document."""
    project_tools: Sequence[Tool]
    strategies: Strategies
    strategy_choice: StrategyChoice
    turn_runner: TurnRunner
    turns: TurnService
    threads: ThreadService
    rules: RuleService
    turn_records: TurnRecords
    bus: Bus
    http: OutgoingHttp
    """The one way out to addresses that users chose."""
    webhooks: WebhookService
    lab: LabService


@dataclass(frozen=True)
class _Real:
    """What services on a copy of the state share with those on the real one."""

    blobs: BlobStore
    places: Places
    credits: CreditService


@asynccontextmanager
async def running_services(
    settings: Settings, environment: Mapping[str, str] = os.environ, open_model: OpenModel | None = None
) -> AsyncIterator[Services]:
    """Migrate, build and, at the end, close everything. `open_model` puts other models behind the providers."""
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    url = database_url(settings)
    await migrate(url)
    db = _open_database(settings, url)
    try:
        async with ModelTransport(_timeouts(settings)) as transport:
            services = _build(settings, db, url, environment, transport, open_model or _opener(transport))
            telemetry = open_telemetry(environment)
            if telemetry is not None:
                TelemetryService(db, telemetry, content=settings.telemetry.content).listen(services.bus)
            try:
                yield services
            finally:
                await services.turn_runner.close()
                await services.bus.close()
                if telemetry is not None:
                    await telemetry.close()
    finally:
        await db.close()


def _open_database(settings: Settings, url: str) -> Database:
    database = settings.database
    return open_database(url, database.pool_size, all_through_sqlalchemy=database.all_through_sqlalchemy)


def database_url(settings: Settings) -> str:
    return settings.database.url or f"sqlite:///{settings.data.resolve() / 'docagent.db'}"


def deployment_secret(settings: Settings) -> str:
    configured = settings.auth.secret
    return configured.get_secret_value() if configured else load_or_make_secret(secret_file(settings))


def secret_file(settings: Settings) -> Path:
    return settings.data / "secret.key"


def _build(
    settings: Settings,
    db: Database,
    url: str,
    environment: Mapping[str, str],
    transport: ModelTransport,
    open_model: OpenModel,
    real: _Real | None = None,
) -> Services:
    auth = settings.auth
    secrets = Secrets(deployment_secret(settings))
    passwords = Passwords()
    real = real or _Real(
        _blob_store(settings),
        CallLimits(settings.models.calls_per_provider, settings.models.calls_per_organization),
        CreditService(db, settings.models.price_per_credit),
    )
    blobs, credits = real.blobs, real.credits
    reader = ChildProcessReader(_read_limits(settings))
    bus = Bus()
    jobs = JobService(db, settings.worker.max_attempts, timedelta(seconds=settings.worker.lease_seconds))
    documents = DocumentService(db, blobs, reader, jobs, secrets, settings.documents.upload_limit_mb, bus)
    directory = _directory(settings, secrets, environment, transport)
    model_calls = ModelCalls(
        db,
        directory,
        credits,
        open_model,
        real.places,
        longest_call=timedelta(seconds=2 * settings.models.answer_seconds),
        bus=bus,
    )
    kill = _kill_point(environment)
    window = WindowSize(settings.extraction.window_characters, settings.extraction.window_pages)
    extractor = Extractor(db, model_calls, documents, window, kill, bus)
    extraction = ExtractionService(db, jobs, extractor, bus)
    text = TextService(db)
    results = ResultService(db)
    tags = TagService(db)
    schemas = SchemaService(db)
    prompts = PromptService(db, directory)
    models = ModelService(db, directory)
    projects = ProjectService(db)
    living_documents = LivingDocumentService(db)
    tools = all_tools()
    prompt_files = Prompts(settings.agent.prompts)
    strategies = all_strategies(prompt_files)
    runner = TurnRunner(
        db,
        model_calls,
        toolset_factory(
            ToolServices(
                documents,
                text,
                extraction,
                results,
                schemas,
                prompts,
                tags,
                models,
                projects,
                living_documents,
            )
        ),
        strategies,
        LiveTurns(),
        _runner_settings(settings, prompt_files),
        kill,
        bus,
    )
    loop = settings.agent.loop
    turns = TurnService(
        db, runner, model_calls, credits, strategies, TurnDefaults(loop.strategy, loop.max_steps)
    )
    http = _outgoing_http(settings)
    webhooks = WebhookService(db, jobs, secrets, http, _delivery_terms(settings))
    bus.record(webhooks.record)

    @asynccontextmanager
    async def open_copy(file: Path, tally: Tally) -> AsyncIterator[TurnService]:
        charged = RealCredits(db, settings.models.price_per_credit, tally)
        on_copy = _Real(ReadOnlyBlobStore(blobs), real.places, charged)
        address = f"sqlite:///{file}"
        copied = _open_database(settings, address)
        try:
            services = _build(settings, copied, address, environment, transport, open_model, on_copy)
            try:
                yield services.turns
            finally:
                await services.turn_runner.close()
                await services.bus.close()
        finally:
            await copied.close()

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
        reading=ReadingService(db, blobs, reader, secrets, jobs, documents, extraction, bus),
        text=text,
        extraction=extraction,
        results=results,
        tags=tags,
        schemas=schemas,
        prompts=prompts,
        forms=FormService(db),
        projects=projects,
        living_documents=living_documents,
        models=models,
        providers=ProviderService(db, directory, open_model),
        credits=credits,
        model_calls=model_calls,
        llm_chat=LlmChatService(db, model_calls),
        housekeeping=HousekeepingService(db, blobs, timedelta(days=settings.documents.purge_after_days)),
        tools=tools,
        project_tools=project_tools(),
        strategies=strategies,
        strategy_choice=StrategyChoice(db, strategies, loop.strategy),
        turn_runner=runner,
        turns=turns,
        set_up=SetUpService(db, model_calls, turns, runner),
        threads=ThreadService(db, runner),
        rules=RuleService(db, every_tool()),
        turn_records=TurnRecords(db),
        bus=bus,
        http=http,
        webhooks=webhooks,
        lab=LabService(db, model_calls, credits, strategies, tools, settings.data / "comparisons", open_copy),
    )


def _outgoing_http(settings: Settings) -> GuardedHttp:
    egress = settings.egress
    return GuardedHttp(egress.allow_private, EgressLimits(egress.seconds, egress.answer_mb * MEBIBYTE))


def _delivery_terms(settings: Settings) -> DeliveryTerms:
    return DeliveryTerms(settings.webhooks.attempts, timedelta(days=settings.webhooks.keep_days))


def _runner_settings(settings: Settings, prompts: Prompts) -> RunnerSettings:
    agent = settings.agent
    return RunnerSettings(
        lease=timedelta(seconds=agent.lease_seconds),
        limits=Limits(agent.loop.seconds, agent.loop.tokens, agent.loop.credits),
        waits=Waits(_minutes(agent.approval_minutes), _minutes(agent.answer_minutes)),
        context=ContextSettings(
            prompts.text("system"), prompts.text("system_project"), agent.excerpt_characters
        ),
    )


def _minutes(minutes: float) -> timedelta | None:
    return timedelta(minutes=minutes) if minutes else None


def _kill_point(environment: Mapping[str, str]) -> KillPoint:
    point = environment.get(kill_point.VARIABLE)
    return kill_point.KillAt(point) if point else NoKill()


def _directory(
    settings: Settings, secrets: Secrets, environment: Mapping[str, str], transport: ModelTransport
) -> ProviderDirectory:
    async def ollama() -> ModelServer | None:
        found = await find_ollama(transport)
        return ModelServer(found.base_url, found.models) if found else None

    models = settings.models
    return ProviderDirectory(
        secrets,
        environment_keys(environment),
        {name: ModelServer(server.base_url, server.models) for name, server in models.endpoints.items()},
        default_model=models.default,
        find_ollama=ollama if models.find_ollama else no_ollama,
    )


def _opener(transport: ModelTransport) -> OpenModel:
    built_in = BuiltinModel()

    def open_model(connection: Connection) -> Model:
        if connection.kind is WireKind.BUILT_IN:
            return built_in
        name = connection.provider
        known = KNOWN_PROVIDERS.get(name)
        return make_model(
            ProviderKind(connection.kind.value),
            transport,
            base_url=connection.base_url,
            api_key=connection.key,
            name=name,
            label=known.display_name if known else name,
            key_name=name.upper() + KEY_SUFFIX,
        )

    return open_model


def _timeouts(settings: Settings) -> Timeouts:
    models = settings.models
    return Timeouts(
        connect=models.connect_seconds,
        first_byte=models.first_byte_seconds,
        between_chunks=models.silence_seconds,
        whole=models.answer_seconds,
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
