"""Providers of models: what there is, keys, which models are on; for the deployment and for one organisation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import AccountCaller, OrgMember, ServicesDep
from docagent.api.fields import Name, ShortText, Text
from docagent.api.messages import MessageOut
from docagent.api.router import Router
from docagent.domain.errors import InvalidInput
from docagent.services.models.providers import ProviderChange, ProviderView

router = Router(tags=["providers"])

UPDATED = "LLM provider config updated successfully"
Key = Annotated[Text, Field(max_length=10_000)]
ModelNames = Annotated[list[ShortText], Field(max_length=2000)]


class ProviderOut(BaseModel):
    name: str
    display_name: str
    litellm_provider: str
    litellm_models_available: list[str]
    litellm_models_enabled: list[str]
    litellm_models_chat_agent: list[str]
    enabled: bool
    token: str | None = Field(description="The beginning of the key, or null when there is none")
    token_created_at: datetime | None
    kind: str = Field(description="The manner in which it is spoken to")
    base_url: str | None
    needs_token: bool
    usable: bool = Field(description="Switched on, and nothing is missing")
    custom: bool = Field(description="Added by an administrator")


class ProvidersOut(BaseModel):
    providers: list[ProviderOut]


class OrganizationProviderIn(BaseModel):
    litellm_models_enabled: ModelNames | None = None
    litellm_models_chat_agent: ModelNames | None = None
    enabled: bool | None = None
    token: Key | None = Field(None, description="The key; an empty text removes it")


class ProviderIn(OrganizationProviderIn):
    base_url: Annotated[ShortText | None, Field(description="Another address; an empty text removes it")] = (
        None
    )
    models: ModelNames | None = Field(None, description="Models that the catalogue does not know")


class NewProviderIn(BaseModel):
    name: Name
    display_name: ShortText | None = None
    base_url: Annotated[ShortText, Field(description="Such as http://127.0.0.1:8000/v1")]
    token: Key | None = None
    models: Annotated[ModelNames, Field(min_length=1)]


class ProviderTestIn(BaseModel):
    model: ShortText | None = Field(None, description="The cheapest of the provider's models if left out")


class ProviderTestOut(Answer):
    ok: bool
    model: str
    latency_ms: Annotated[int, BeforeValidator(lambda seconds: round(seconds * 1000))] = at_path("seconds")
    answer: str | None
    error: str | None


class EmbeddingTestIn(BaseModel):
    model: ShortText
    input: Text


@router.get("/v0/account/llm/providers")
async def list_providers(caller: AccountCaller, services: ServicesDep) -> ProvidersOut:
    """All providers of the deployment (system administrators)."""
    return _providers_out(await services.providers.list(caller))


@router.post("/v0/account/llm/providers")
async def add_provider(body: NewProviderIn, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Add a model server that speaks OpenAI's format (system administrators)."""
    await services.providers.add(
        caller,
        name=body.name,
        display_name=body.display_name,
        base_url=body.base_url,
        key=body.token,
        models=body.models,
    )
    return MessageOut(message="LLM provider added successfully")


@router.put("/v0/account/llm/provider/{provider}")
async def update_provider(
    provider: str, body: ProviderIn, caller: AccountCaller, services: ServicesDep
) -> MessageOut:
    """Change a provider for the whole deployment (system administrators). What is left out stays."""
    await services.providers.update(caller, provider, _change(body))
    return MessageOut(message=UPDATED)


@router.delete("/v0/account/llm/provider/{provider}")
async def remove_provider(provider: str, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Remove a provider that was added (system administrators)."""
    await services.providers.remove(caller, provider)
    return MessageOut(message="LLM provider removed successfully")


@router.post("/v0/account/llm/provider/{provider}/test")
async def try_provider(
    provider: str, caller: AccountCaller, services: ServicesDep, body: ProviderTestIn | None = None
) -> ProviderTestOut:
    """Make a tiny real call and tell how it went (system administrators)."""
    result = await services.providers.test(caller, provider, body.model if body else None)
    return ProviderTestOut.model_validate(result)


@router.post("/v0/account/llm/test/embedding")
async def try_embedding(body: EmbeddingTestIn, caller: AccountCaller) -> MessageOut:
    """Always refused: there are no embedding models."""
    raise InvalidInput("There are no embedding models. Documents are searched by their words.")


@router.get("/v0/orgs/{organization_id}/llm/providers")
async def list_organization_providers(member: OrgMember, services: ServicesDep) -> ProvidersOut:
    """The providers as they stand for the organisation (its admins). Keys of the deployment are not shown."""
    return _providers_out(await services.providers.list_for_organization(member))


@router.put("/v0/orgs/{organization_id}/llm/provider/{provider}")
async def update_organization_provider(
    provider: str, body: OrganizationProviderIn, member: OrgMember, services: ServicesDep
) -> MessageOut:
    """The organisation's own key and choice of models (its admins). What is left out stays."""
    await services.providers.update_for_organization(member, provider, _change(body))
    return MessageOut(message=UPDATED)


def _change(body: OrganizationProviderIn) -> ProviderChange:
    return ProviderChange(
        enabled=body.enabled,
        key=body.token,
        enabled_models=body.litellm_models_enabled,
        chat_models=body.litellm_models_chat_agent,
        base_url=body.base_url if isinstance(body, ProviderIn) else None,
        own_models=body.models if isinstance(body, ProviderIn) else None,
    )


def _providers_out(views: Sequence[ProviderView]) -> ProvidersOut:
    return ProvidersOut(providers=[_provider_out(view) for view in views])


def _provider_out(view: ProviderView) -> ProviderOut:
    provider = view.provider
    names = [model.name for model in provider.models]
    return ProviderOut(
        name=provider.name,
        display_name=provider.display_name,
        litellm_provider=provider.name,
        litellm_models_available=names,
        litellm_models_enabled=[name for name in names if name in provider.enabled_models],
        litellm_models_chat_agent=[name for name in names if name in provider.chat_models],
        enabled=provider.enabled,
        token=view.shown_key,
        token_created_at=provider.key_created_at if view.shown_key else None,
        kind=provider.kind,
        base_url=provider.base_url,
        needs_token=provider.needs_key,
        usable=provider.is_reachable,
        custom=provider.custom,
    )
