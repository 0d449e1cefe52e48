"""Providers of models, as administrators see and configure them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

from docagent.domain.accounts.accounts import Member, Principal
from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput
from docagent.domain.models.catalogue import ModelCatalogue, ModelInfo, Provider
from docagent.domain.models.llm import Message, ModelError, ModelReply, ModelRequest, TextPart
from docagent.domain.models.providers import BUILT_IN_PROVIDER, ProviderSettings
from docagent.services.models.model_calls import OpenModel
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.engine.database import Database
from docagent.store.models import providers

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_MODEL_NAME = re.compile(r"\S{1,200}")
TEST_TOKENS = 16
PROVIDERS = "providers"
"""Changes to providers take turns over this, so that none undoes another."""


@dataclass(frozen=True, slots=True)
class ProviderView:
    """A provider, and the part of its key that may be shown."""

    provider: Provider
    shown_key: str | None


@dataclass(frozen=True, slots=True)
class ProviderChange:
    """What an administrator changes. None leaves a field as it is; an empty key or address removes it."""

    enabled: bool | None = None
    key: str | None = None
    enabled_models: Sequence[str] | None = None
    chat_models: Sequence[str] | None = None
    base_url: str | None = None
    own_models: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class ConnectionTest:
    """How a small real call went."""

    ok: bool
    model: str
    seconds: float
    answer: str | None = None
    error: str | None = None


class ProviderService:
    def __init__(self, db: Database, directory: ProviderDirectory, open_model: OpenModel) -> None:
        self._db = db
        self._directory = directory
        self._open_model = open_model

    async def list(self, principal: Principal) -> Sequence[ProviderView]:
        """The providers of the deployment, by display name."""
        principal.require_system_admin()
        await self._directory.look_around()
        async with self._db.read() as tx:
            return self._views(await self._directory.of_deployment(tx))

    async def list_for_organization(self, member: Member) -> Sequence[ProviderView]:
        """The providers of the organisation. Keys of the deployment are not shown."""
        member.require_admin()
        await self._directory.look_around()
        async with self._db.read_org(member.organization_id) as tx:
            catalogue = await self._directory.of_organization(tx)
            own = await providers.of_organization(tx)
        return [
            view
            if (settings := own.get(view.provider.name)) and settings.sealed_key
            else replace(view, shown_key=None)
            for view in self._views(catalogue)
        ]

    async def update(self, principal: Principal, name: str, change: ProviderChange) -> None:
        """Change a provider for the whole deployment."""
        principal.require_system_admin()
        async with self._db.write() as tx:
            await tx.take_turns(PROVIDERS)
            stored = (await providers.of_deployment(tx)).get(name) or ProviderSettings(name)
            provider = _existing(await self._directory.of_deployment(tx), name)
            changed = self._changed(stored, provider, change)
            if change.base_url is not None:
                changed = replace(changed, base_url=_checked_address(change.base_url) or None)
                if changed.base_url != stored.base_url and stored.sealed_key and change.key is None:
                    raise InvalidInput(
                        "Send the key again with a new base_url: a key is sent only to the address it was entered for."
                    )
            if change.own_models is not None:
                changed = replace(changed, own_models=_checked_models(change.own_models))
            await providers.save_for_deployment(tx, changed, now())

    async def update_for_organization(self, member: Member, name: str, change: ProviderChange) -> None:
        """Change an organisation's own key and choice of models."""
        member.require_admin()
        if change.base_url is not None or change.own_models is not None:
            raise InvalidInput("Only a system administrator can set a provider's address and add models.")
        async with self._db.write_org(member.organization_id) as tx:
            await tx.take_turns(f"{PROVIDERS} of {member.organization_id}")
            stored = (await providers.of_organization(tx)).get(name) or ProviderSettings(name)
            provider = _existing(await self._directory.of_organization(tx), name)
            await providers.save_for_organization(tx, self._changed(stored, provider, change), now())

    async def add(
        self,
        principal: Principal,
        *,
        name: str,
        display_name: str | None,
        base_url: str,
        key: str | None,
        models: Sequence[str],
    ) -> None:
        """Add a model server that speaks OpenAI's format."""
        principal.require_system_admin()
        if not _NAME.fullmatch(name):
            raise InvalidInput("Use 1 to 40 lowercase letters, digits, - and _ for the name of a provider.")
        moment = now()
        new = ProviderSettings(
            name,
            sealed_key=self._directory.seal(key) if key else None,
            key_created_at=moment if key else None,
            display_name=display_name or name,
            base_url=_checked_address(base_url),
            own_models=_checked_models(models),
            custom=True,
        )
        async with self._db.write() as tx:
            await tx.take_turns(PROVIDERS)
            if name in (await self._directory.of_deployment(tx)).providers:
                raise Conflict(f"Provider '{name}' already exists")
            await providers.save_for_deployment(tx, new, moment)

    async def remove(self, principal: Principal, name: str) -> None:
        principal.require_system_admin()
        async with self._db.write() as tx:
            if not _NAME.fullmatch(name) or not await providers.delete_custom(tx, name):
                raise InvalidInput(f"Provider '{name[:40]}' not found among those that were added")

    async def test(self, principal: Principal, name: str, model_name: str | None) -> ConnectionTest:
        """Make a tiny real call with the configured key."""
        principal.require_system_admin()
        await self._directory.look_around()
        async with self._db.read() as tx:
            provider = _existing(await self._directory.of_deployment(tx), name)
        model = _model_to_test(provider, model_name)
        request = ModelRequest(
            model.wire_name,
            (Message("user", (TextPart("Answer with the word: ready"),)),),
            max_output_tokens=TEST_TOKENS,
        )
        started = time.perf_counter()
        answer = error = None
        try:
            connection = self._directory.connection(provider)
            async with aclosing(self._open_model(connection).stream(request)) as events:
                async for event in events:
                    if isinstance(event, ModelReply):
                        answer = event.text[:200]
        except (ModelError, InvalidInput) as failure:
            error = failure.detail
        return ConnectionTest(error is None, model.name, time.perf_counter() - started, answer, error)

    def _views(self, catalogue: ModelCatalogue) -> Sequence[ProviderView]:
        ordered = sorted(catalogue.providers.values(), key=lambda provider: provider.display_name.casefold())
        return [ProviderView(provider, self._directory.shown_key(provider)) for provider in ordered]

    def _changed(
        self, stored: ProviderSettings, provider: Provider, change: ProviderChange
    ) -> ProviderSettings:
        if provider.name == BUILT_IN_PROVIDER and (
            change.enabled is False or change.key or change.enabled_models is not None
        ):
            raise InvalidInput("The built-in model is always there and takes no key.")
        changed = stored
        if change.enabled is not None:
            changed = replace(changed, enabled=change.enabled)
        if change.enabled_models is not None:
            changed = replace(changed, enabled_models=_of_provider(provider, change.enabled_models))
        if change.chat_models is not None:
            changed = replace(changed, chat_models=_of_provider(provider, change.chat_models))
        if change.key is not None:
            changed = self._with_key(changed, change.key.strip(), now())
        return changed

    def _with_key(self, settings: ProviderSettings, key: str, moment: datetime) -> ProviderSettings:
        if not key:
            return replace(settings, sealed_key=None, key_created_at=None)
        return replace(settings, sealed_key=self._directory.seal(key), key_created_at=moment)


def _existing(catalogue: ModelCatalogue, name: str) -> Provider:
    provider = catalogue.providers.get(name)
    if provider is None:
        raise InvalidInput(f"Provider '{name[:40]}' not found")
    return provider


def _of_provider(provider: Provider, names: Sequence[str]) -> tuple[str, ...]:
    available = {model.name for model in provider.models}
    for name in names:
        if name not in available:
            raise InvalidInput(f"Model '{name[:100]}' is not available for provider '{provider.name}'")
    return tuple(dict.fromkeys(names))


def _model_to_test(provider: Provider, name: str | None) -> ModelInfo:
    """The model that was asked for, else the cheapest."""
    if name is not None:
        _of_provider(provider, [name])
        return next(model for model in provider.models if model.name == name)
    if not provider.models:
        raise InvalidInput(f"{provider.display_name} has no models to test. Add the name of one first.")
    return min(provider.models, key=lambda model: model.input_price + model.output_price)


def _checked_address(base_url: str) -> str:
    parts = urlsplit(base_url.strip())
    if base_url.strip() and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise InvalidInput("The base_url must be an address such as http://127.0.0.1:8000/v1")
    return base_url.strip().rstrip("/")


def _checked_models(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if not _MODEL_NAME.fullmatch(name):
            raise InvalidInput(f"Not the name of a model: '{name[:100]}'")
    return tuple(dict.fromkeys(names))
