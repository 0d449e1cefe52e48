"""Which models can be called, and how one is reached."""

from __future__ import annotations

from collections.abc import Mapping

from docagent.adapters.llm.builtin import BuiltinModel
from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.ollama import find_ollama
from docagent.adapters.llm.transport import ModelTransport, Timeouts
from docagent.domain.models.llm import Model
from docagent.domain.models.providers import KNOWN_PROVIDERS, Connection, WireKind, environment_keys
from docagent.security import Secrets
from docagent.services.models.model_calls import OpenModel
from docagent.services.models.provider_directory import ModelServer, ProviderDirectory, no_ollama
from docagent.settings import Settings


def provider_directory(
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


def model_opener(transport: ModelTransport) -> OpenModel:
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
