"""Which models there are, in the shapes that all client generations read."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, BeforeValidator

from docagent.api.answers import Answer, at_path
from docagent.api.deps import AnyCaller, OrgMember, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.router import Router
from docagent.domain.errors import Unprocessable
from docagent.domain.models.catalogue import TOKENS_IN_PRICE

router = Router(tags=["models"])


class ModelNamesOut(BaseModel):
    models: list[str]


PerToken = Annotated[float, BeforeValidator(lambda price: price / TOKENS_IN_PRICE)]


class ChatModelOut(Answer):
    litellm_model: str = at_path("name")
    litellm_provider: str = at_path("provider")
    max_input_tokens: int
    max_output_tokens: int
    input_cost_per_token: PerToken = at_path("input_price")
    output_cost_per_token: PerToken = at_path("output_price")
    provider_name: str = at_path("provider")
    provider_display_name: str


class ModelOut(ChatModelOut):
    """The same under the names that older clients read."""

    id: str = at_path("name")
    name: str
    provider: str
    description: str
    max_tokens: int = at_path("max_output_tokens")
    cost_per_1m_input_tokens: float = at_path("input_price")
    cost_per_1m_output_tokens: float = at_path("output_price")


class EmbeddingModelOut(BaseModel):
    litellm_model: str
    litellm_provider: str
    max_input_tokens: int
    dimensions: int
    input_cost_per_token: float
    input_cost_per_token_batches: float


class DefaultModel(BaseModel):
    model: ShortText | None = None


class ModelsOut(Answer):
    models: list[ModelOut]
    chat_models: list[ChatModelOut]
    embedding_models: list[EmbeddingModelOut]


@router.get("/v0/orgs/{organization_id}/llm/models")
async def list_organization_models(
    member: OrgMember,
    services: ServicesDep,
    chat_only: bool = False,
    exclude_embeddings: bool = False,
) -> ModelNamesOut:
    """Names of the models that can run now. None is an embedding model; `chat_only` means the chat agent's."""
    found = await services.models.runnable(member, for_chat=chat_only)
    return ModelNamesOut(models=[model.name for model in found])


@router.get("/v0/orgs/{organization_id}/llm/default_model")
async def get_default_model(member: OrgMember, services: ServicesDep) -> DefaultModel:
    """The model for prompts and chats that name none; null leaves it to the deployment."""
    return DefaultModel(model=await services.models.default(member))


@router.put("/v0/orgs/{organization_id}/llm/default_model")
async def set_default_model(body: DefaultModel, member: OrgMember, services: ServicesDep) -> DefaultModel:
    """Choose the model for prompts and chats that name none (the organisation's admins)."""
    return DefaultModel(model=await services.models.set_default(member, body.model))


@router.get("/v0/account/llm/models")
async def list_models(
    caller: AnyCaller,
    services: ServicesDep,
    provider_name: str | None = None,
    provider_enabled: Annotated[
        bool | None, Query(description="Only providers that have a key, or only those that have none")
    ] = None,
    llm_enabled: Annotated[bool, Query(description="Only models that can run now")] = True,
    chat_agent_only: Annotated[bool, Query(description="Only models on the chat agent's lists")] = False,
    ocr_only: Annotated[bool, Query(description="Only models that see images")] = False,
) -> ModelsOut:
    """The models with their limits and prices."""
    if chat_agent_only and ocr_only:
        raise Unprocessable("chat_agent_only and ocr_only cannot both be set", ("query", "ocr_only"))
    found = await services.models.search(
        provider_name=provider_name,
        provider_enabled=provider_enabled,
        runnable_only=llm_enabled,
        for_chat=chat_agent_only,
        sees_images=ocr_only,
    )
    return ModelsOut.model_validate({"models": found, "chat_models": found, "embedding_models": []})
