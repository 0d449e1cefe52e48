"""Providers of models: put together from what we know, what was configured, and what runs here; and their models."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from docagent.domain.accounts.accounts import Member, Role
from docagent.domain.errors import Forbidden
from docagent.domain.models.catalogue import ModelCatalogue, ModelInfo, Provider, known_models, unknown_model
from docagent.domain.models.llm import ModelError, ModelFailure
from docagent.domain.models.providers import (
    KNOWN_PROVIDERS,
    MASK,
    OLLAMA,
    Connection,
    KnownProvider,
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
"""How long to wait before asking again whether Ollama runs."""


@dataclass(frozen=True, slots=True)
class ModelServer:
    """A model server that was found, or that the settings name."""

    base_url: str
    models: tuple[str, ...]


FindOllama = Callable[[], Awaitable[ModelServer | None]]


async def no_ollama() -> ModelServer | None:
    """Finds no server, for deployments that do not look for one."""
    return None


class ProviderDirectory:
    """All providers as they stand now. What an organisation decided wins over the deployment's settings."""

    def __init__(
        self,
        secrets: Secrets,
        environment_keys: Mapping[str, str],
        endpoints: Mapping[str, ModelServer] | None = None,
        *,
        default_model: str | None = None,
        find_ollama: FindOllama = no_ollama,
        added: Sequence[KnownProvider] = (),
    ) -> None:
        self._secrets = secrets
        self._environment_keys = dict(environment_keys)
        self._endpoints = dict(endpoints or {})
        self._default_model = default_model
        self._known = {**KNOWN_PROVIDERS, **{provider.name: provider for provider in added}}
        self._find_ollama = find_ollama
        self._ollama: ModelServer | None = None
        self._probe_again_at = 0.0
        self._made = lru_cache(MOST_KEPT)(self._make)

    async def look_around(self) -> None:
        """Look for model servers on this machine, unless that was just done. Not to be called inside a transaction."""
        moment = time.monotonic()
        if moment >= self._probe_again_at:
            self._probe_again_at = moment + PROBE_SECONDS
            self._ollama = await self._find_ollama()

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
        added = (self._endpoints.keys() | deployment.keys()) - self._known.keys()
        found = [
            self._made(name, deployment.get(name), organization.get(name), self._server(name))
            for name in (*self._known, *sorted(added))
        ]
        return ModelCatalogue(found, self._default_model)

    def _server(self, name: str) -> ModelServer | None:
        return self._ollama if name == OLLAMA else self._endpoints.get(name)

    def _make(
        self,
        name: str,
        of_deployment: ProviderSettings | None,
        of_organization: ProviderSettings | None,
        server: ModelServer | None,
    ) -> Provider:
        own, override = of_deployment or ProviderSettings(name), of_organization or ProviderSettings(name)
        known = self._known.get(name) or KnownProvider(
            name, own.display_name or name, WireKind.OPENAI_COMPATIBLE, needs_key=False
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
        )

    def _models(
        self, known: KnownProvider, own: ProviderSettings, server: ModelServer | None
    ) -> tuple[ModelInfo, ...]:
        """The models of the catalogue, and those that an administrator or the server itself names."""
        listed = known_models().get(known.name, ())
        seen = {model.wire_name for model in listed}
        extra = dict.fromkeys((*own.own_models, *(server.models if server else ())))
        return (
            *listed,
            *(unknown_model(known.name, known.display_name, name) for name in extra if name not in seen),
        )


def _decided(
    override: Sequence[str] | None, own: Sequence[str] | None, otherwise: Sequence[str]
) -> Sequence[str]:
    """The first list that somebody decided on. An organisation can only narrow what the deployment allows."""
    allowed = otherwise if own is None else own
    return allowed if override is None else [name for name in override if name in set(allowed)]


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

    async def default(self, member: Member) -> str | None:
        """The model for the organisation's prompts and chats that name none, if one was chosen."""
        async with self._db.read_org(member.organization_id) as tx:
            return await organizations.default_model(tx, member.organization_id)

    async def set_default(self, member: Member, name: str | None) -> str | None:
        """Choose the organisation's default model. None leaves the choice to the deployment."""
        if member.role is not Role.ADMIN:
            raise Forbidden("You are not an admin of this organization")
        async with self._db.write_org(member.organization_id) as tx:
            (await self._directory.of_organization(tx)).check(name)
            await organizations.update(tx, member.organization_id, {"default_model": name})
        return name
