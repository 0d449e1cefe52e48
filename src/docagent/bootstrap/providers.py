"""Which models can be called, and how one is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import EntryPoint
from typing import Any, Protocol

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.factory import ProviderKind, make_local_model, make_model
from docagent.adapters.llm.local_file import LocalFile, LocalFileModel
from docagent.adapters.llm.local_servers import SERVERS, find_servers
from docagent.adapters.llm.transport import ModelTransport, Timeouts
from docagent.domain import plugins
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import Model
from docagent.domain.models.providers import (
    KNOWN_PROVIDERS,
    LOCAL,
    Connection,
    FoundModel,
    KnownProvider,
    ModelServer,
    WireKind,
    environment_keys,
)
from docagent.security import Secrets
from docagent.services.models.model_calls import OpenModel
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.settings import MEBIBYTE, Settings


class AddedProvider(Protocol):
    """A provider of models that another package adds by the entry point of its name."""

    display_name: str
    needs_key: bool
    models: Sequence[str]
    """The names of its models."""

    def open(self, connection: Connection) -> Model:
        """The way to its models. The connection has the key that an administrator entered, if any."""


@cache
def added_providers() -> Mapping[str, AddedProvider]:
    def checked(point: EntryPoint, kind: Any) -> tuple[str, AddedProvider]:
        if point.name in KNOWN_PROVIDERS:
            raise InvalidInput(f"there is already a provider named {point.name}")
        provider = kind()
        _known(point.name, provider)
        _server(provider)
        return point.name, provider

    return dict(plugins.loaded(plugins.PROVIDERS, checked))


def _known(name: str, provider: AddedProvider) -> KnownProvider:
    return KnownProvider(name, provider.display_name, WireKind.ADDED, needs_key=provider.needs_key)


def _server(provider: AddedProvider) -> ModelServer:
    return ModelServer("", tuple(map(FoundModel, provider.models)))


def provider_directory(
    settings: Settings, secrets: Secrets, environment: Mapping[str, str], transport: ModelTransport
) -> ProviderDirectory:
    models, added = settings.models, added_providers()
    servers = {name: _server(provider) for name, provider in added.items()}
    servers |= {
        name: ModelServer(
            server.base_url,
            tuple(FoundModel(model, sees_images=model in server.seeing or None) for model in server.models),
        )
        for name, server in models.endpoints.items()
    }
    ports: dict[str, int] = dict(models.local_ports.items())
    if models.local_file is not None:
        size = models.local_file.stat().st_size if models.local_file.is_file() else None
        in_file = FoundModel(models.local_file.stem, size, models.local_context, sees_images=False)
        servers[LOCAL] = ModelServer("", (in_file,), "Local file", WireKind.LOCAL_FILE, is_local=True)
    looked_for = [replace(one, port=ports.get(one.name, one.port)) for one in SERVERS]
    return ProviderDirectory(
        secrets,
        environment_keys(environment),
        servers,
        default_model=models.default,
        find_servers=partial(find_servers, transport, looked_for) if models.find_local else None,
        added=[_known(name, provider) for name, provider in added.items()],
    )


def local_model(settings: Settings) -> LocalFileModel | None:
    models = settings.models
    if models.local_file is None:
        return None
    return make_local_model(
        LocalFile(
            models.local_file,
            models.local_context,
            models.local_threads,
            models.local_memory_mb * MEBIBYTE,
            models.local_seconds,
        )
    )


def model_opener(transport: ModelTransport, in_file: Model | None = None) -> OpenModel:
    built_in = BuiltinModel()

    def open_model(connection: Connection) -> Model:
        if connection.kind is WireKind.BUILT_IN:
            return built_in
        if connection.kind is WireKind.LOCAL_FILE and in_file is not None:
            return in_file
        name = connection.provider
        if connection.kind is WireKind.ADDED:
            return added_providers()[name].open(connection)
        known = KNOWN_PROVIDERS.get(name)
        return make_model(
            ProviderKind(connection.kind.value),
            transport,
            base_url=connection.base_url,
            api_key=connection.key,
            name=name,
            label=known.display_name if known else name,
            key_place=connection.key_place,
        )

    return open_model


def model_timeouts(settings: Settings) -> Timeouts:
    models = settings.models
    return Timeouts(
        connect=models.connect_seconds,
        first_byte=models.first_byte_seconds,
        between_chunks=models.silence_seconds,
        whole=models.answer_seconds,
    )
