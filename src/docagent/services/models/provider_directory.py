"""Providers of models: put together from what we know, what was configured, and what runs here; and their models."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from docagent.domain.accounts.accounts import DefaultModels, Member
from docagent.domain.errors import InvalidInput
from docagent.domain.models.catalogue import ModelCatalogue, ModelInfo, Provider, known_models, served_model
from docagent.domain.models.llm import ModelError, ModelFailure
from docagent.domain.models.providers import (
    KNOWN_PROVIDERS,
    MASK,
    OLLAMA,
    Connection,
    FoundModel,
    KnownProvider,
    ModelServer,
    ProviderSettings,
    WireKind,
    masked,
)
from docagent.security import Secrets, SecretUnusable
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx, Tx
from docagent.store.models import providers

MOST_KEPT = 1000
"""How many ready-made providers are kept, to be used again while nothing about them changes."""
PROBE_SECONDS = 30
"""How long to wait before looking again for servers on this machine."""
Use = Literal["agent", "extraction"]
"""What a default model is for."""
AGENT: Use = "agent"
EXTRACTION: Use = "extraction"
FindServers = Callable[[], Awaitable[Mapping[str, ModelServer]]]


class ProviderDirectory:
    """All providers as they stand now. What an organisation decided wins over the deployment's settings."""

    def __init__(
        self,
        secrets: Secrets,
        environment_keys: Mapping[str, str],
        endpoints: Mapping[str, ModelServer] | None = None,
        *,
        default_model: str | None = None,
        find_servers: FindServers | None = None,
        added: Sequence[KnownProvider] = (),
    ) -> None:
        self._secrets = secrets
        self._environment_keys = dict(environment_keys)
        self._endpoints = dict(endpoints or {})
        self._default_model = default_model
        self._known = {**KNOWN_PROVIDERS, **{provider.name: provider for provider in added}}
        self._find_servers = find_servers
        self._found: Mapping[str, ModelServer] = {}
        self._probe_again_at = 0.0
        self._made = lru_cache(MOST_KEPT)(self._make)

    @property
    def looks(self) -> bool:
        """Whether the settings allow to look for servers on this machine."""
        return self._find_servers is not None

    async def look_around(self, *, now: bool = False) -> None:
        """Look for model servers on this machine, unless that was just done. Not to be called inside a transaction."""
        moment = time.monotonic()
        if self._find_servers and (now or moment >= self._probe_again_at):
            self._probe_again_at = moment + PROBE_SECONDS
            self._found = await self._find_servers()

    async def of_deployment(self, tx: Tx) -> ModelCatalogue:
        return self.catalogue(await providers.of_deployment(tx), {})

    async def of_organization(self, tx: OrgTx) -> ModelCatalogue:
        return self.catalogue(*await providers.of_both(tx))

    def connection(self, provider: Provider) -> Connection:
        """The way to the provider, with its key unsealed. Raises ModelError if it was sealed with another secret."""
        return Connection(
            provider.name, provider.kind, provider.base_url, self._key(provider), provider.key_place
        )

    def shown_key(self, provider: Provider) -> str | None:
        """The part of the key that may be shown."""
        try:
            key = self._key(provider)
        except ModelError:
            return MASK
        return masked(key) if key else None

    def seal(self, key: str) -> str:
        return self._secrets.seal(key)

    def _key(self, provider: Provider) -> str | None:
        if provider.sealed_key is None:
            return provider.environment_key
        try:
            return self._secrets.unseal(provider.sealed_key)
        except SecretUnusable as error:
            raise ModelError(
                ModelFailure.AUTHENTICATION,
                f"The stored key of {provider.display_name} cannot be opened: the deployment's secret has "
                f"changed. An administrator must enter the key again in {provider.key_place}.",
                provider=provider.name,
            ) from error

    def catalogue(
        self, deployment: Mapping[str, ProviderSettings], organization: Mapping[str, ProviderSettings]
    ) -> ModelCatalogue:
        """Build the catalogue from what the deployment and an organisation decided."""
        added = (self._endpoints.keys() | deployment.keys() | self._found.keys()) - self._known.keys()
        found = [
            self._made(name, deployment.get(name), organization.get(name), self._server(name, deployment))
            for name in (*self._known, *sorted(added))
        ]
        return ModelCatalogue(found, self._default_model)

    def _server(self, name: str, deployment: Mapping[str, ProviderSettings]) -> ModelServer | None:
        """The server of that name. One that was found gives way to one that somebody configured."""
        own, found = deployment.get(name), self._found.get(name)
        elsewhere = own and own.base_url and found and _address(own.base_url) != _address(found.base_url)
        return self._endpoints.get(name) or (None if elsewhere else found)

    def _make(
        self,
        name: str,
        of_deployment: ProviderSettings | None,
        of_organization: ProviderSettings | None,
        server: ModelServer | None,
    ) -> Provider:
        own, override = of_deployment or ProviderSettings(name), of_organization or ProviderSettings(name)
        known = self._known.get(name) or KnownProvider(
            name,
            own.display_name or (server and server.display_name) or name,
            server.kind if server else WireKind.OPENAI_COMPATIBLE,
            needs_key=False,
        )
        models = self._models(known, own, server)
        names = [model.name for model in models]
        enabled_models = _decided(override.enabled_models, own.enabled_models, names)
        with_tools = [model.name for model in models if model.calls_tools]
        chat_models = _decided(override.chat_models, own.chat_models, with_tools)
        is_there = name != OLLAMA or server is not None or own.base_url is not None
        return Provider(
            name=name,
            display_name=known.display_name,
            kind=known.kind,
            base_url=own.base_url or (server.base_url if server else known.base_url),
            needs_key=known.needs_key,
            models=models,
            enabled=(is_there if own.enabled is None else own.enabled) and override.enabled is not False,
            enabled_models=frozenset(enabled_models),
            chat_models=frozenset(chat_models) & frozenset(enabled_models),
            sealed_key=override.sealed_key or own.sealed_key,
            key_is_organizations=override.sealed_key is not None,
            environment_key=self._environment_keys.get(name),
            key_created_at=override.key_created_at or own.key_created_at,
            custom=own.custom,
            is_local=server is not None and server.is_local,
        )

    def _models(
        self, known: KnownProvider, own: ProviderSettings, server: ModelServer | None
    ) -> tuple[ModelInfo, ...]:
        """The models of the catalogue, and those that an administrator or the server itself names."""
        listed = known_models().get(known.name, ())
        seen = {model.wire_name for model in listed}
        extra = {name: FoundModel(name) for name in own.own_models}
        extra |= {model.name: model for model in (server.models if server else ())}
        served = [model for name, model in extra.items() if name not in seen]
        return (*listed, *(served_model(known.name, known.display_name, model) for model in served))


def _address(base_url: str) -> str:
    return base_url.rstrip("/").replace("//localhost:", "//127.0.0.1:")


def _decided(
    override: Sequence[str] | None, own: Sequence[str] | None, otherwise: Sequence[str]
) -> Sequence[str]:
    """The first list that somebody decided on. An organisation can only narrow what the deployment allows."""
    allowed = otherwise if own is None else own
    return allowed if override is None else [name for name in override if name in set(allowed)]


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine, whether the agent may use it, and for what it is the default."""

    info: ModelInfo
    for_agent: bool
    default_for: Sequence[Use]


@dataclass(frozen=True, slots=True)
class LocalModels:
    looks: bool
    """Whether the settings allow to look for servers."""
    models: Sequence[LocalModel]


class ModelService:
    def __init__(self, db: Database, directory: ProviderDirectory) -> None:
        self._db = db
        self._directory = directory

    async def runnable(self, member: Member, *, for_chat: bool = False) -> Sequence[ModelInfo]:
        """The models that a prompt or a chat of the organisation can really run on now."""
        await self._directory.look_around()
        async with self._db.read_org(member.organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
        return catalogue.for_chat_agent() if for_chat else catalogue.runnable()

    async def search(
        self,
        *,
        provider_name: str | None = None,
        provider_enabled: bool | None = None,
        runnable_only: bool = True,
        for_chat: bool = False,
        sees_images: bool = False,
    ) -> Sequence[ModelInfo]:
        """The deployment's models, without those that single organisations added."""
        await self._directory.look_around()
        async with self._db.read() as tx:
            catalogue = await self._directory.of_deployment(tx)
        candidates = catalogue.runnable() if runnable_only else catalogue.all()
        return [
            model
            for model in candidates
            if (provider_name is None or model.provider == provider_name)
            and (
                provider_enabled is None
                or catalogue.providers[model.provider].is_reachable is provider_enabled
            )
            and (not for_chat or model.name in catalogue.providers[model.provider].chat_models)
            and (model.sees_images or not sees_images)
        ]

    async def local(self, member: Member) -> LocalModels:
        """The models on this machine that the organisation may use, as they are now."""
        await self._directory.look_around(now=True)
        async with self._db.read_org(member.organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
            chosen = await organizations.default_models(tx, member.organization_id)
        agent = catalogue.resolve(None, chosen.agent, for_chat=True)
        extraction = catalogue.resolve(None, chosen.extraction)
        models = [
            LocalModel(
                model,
                catalogue.chats(model),
                [use for use, usual in ((AGENT, agent), (EXTRACTION, extraction)) if usual is model],
            )
            for model in catalogue.local()
        ]
        return LocalModels(self._directory.looks, models)

    async def defaults(self, member: Member) -> DefaultModels:
        """The models for the organisation's prompts and chats that name none, if they were chosen."""
        async with self._db.read_org(member.organization_id) as tx:
            return await organizations.default_models(tx, member.organization_id)

    async def set_default(
        self, member: Member, name: str | None, uses: Sequence[Use] = (EXTRACTION, AGENT)
    ) -> DefaultModels:
        """Choose a default model of the organisation. None leaves the choice to the deployment."""
        member.require_admin()
        columns: dict[Use, str] = {EXTRACTION: "default_model", AGENT: "default_agent_model"}
        await self._directory.look_around()
        async with self._db.write_org(member.organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
            catalogue.check(name)
            model = catalogue.find(name) if name else None
            if model is not None and uses == (AGENT,) and not catalogue.chats(model):
                raise InvalidInput(catalogue.why_not(model, for_chat=True))
            await organizations.update(tx, member.organization_id, {columns[use]: name for use in uses})
            return await organizations.default_models(tx, member.organization_id)
