"""Which models there are, in the shapes that all client generations read."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import AnyCaller, OrgMember, ServicesDep
from docagent.api.fields import ShortText
from docagent.api.router import Router
from docagent.domain.errors import Unprocessable
from docagent.domain.models.catalogue import TOKENS_IN_PRICE
from docagent.services.models.provider_directory import AGENT, EXTRACTION

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


class DefaultModelIn(BaseModel):
    model: ShortText | None = None
    use_for: Literal["agent", "extraction", "both"] = Field("both", description="What it is the default of")


class DefaultModel(Answer):
    model: str | None = at_path("extraction")
    agent_model: str | None = at_path("agent")


class LocalModelOut(Answer):
    name: str = at_path("info.name")
    server: str = at_path("info.provider_display_name")
    size_bytes: int | None = at_path("info.served.size_bytes")
    max_input_tokens: int = at_path("info.max_input_tokens")
    calls_tools: bool | None = at_path("info.served.calls_tools")
    sees_images: bool | None = at_path("info.served.sees_images")
    for_agent: bool = Field(description="On the list of models for the agent")
    default_for: list[Literal["agent", "extraction"]]


class LocalModelsOut(Answer):
    looks: bool = Field(description="Whether the settings allow to look for servers on this machine")
    models: list[LocalModelOut]


class ModelCheckIn(BaseModel):
    model: ShortText


Milliseconds = Annotated[int, BeforeValidator(lambda seconds: round(seconds * 1000))]


class ModelTickOut(Answer):
    ability: Literal["speaks", "calls_tools", "keeps_schema", "sees_pictures"]
    ok: bool
    latency_ms: Milliseconds = at_path("seconds")


class ModelCheckOut(Answer):
    model: str
    ticks: list[ModelTickOut]
    latency_ms: Milliseconds = at_path("seconds")
    error: str | None


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
    """The models for prompts and for chats that name none; null leaves it to the deployment."""
    return DefaultModel.model_validate(await services.models.defaults(member))


@router.put("/v0/orgs/{organization_id}/llm/default_model")
async def set_default_model(body: DefaultModelIn, member: OrgMember, services: ServicesDep) -> DefaultModel:
    """Choose the model for prompts, for chats, or for both, that name none (the organisation's admins)."""
    uses = (EXTRACTION, AGENT) if body.use_for == "both" else (body.use_for,)
    return DefaultModel.model_validate(await services.models.set_default(member, body.model, uses))


@router.get("/v0/orgs/{organization_id}/llm/local")
async def list_local_models(member: OrgMember, services: ServicesDep) -> LocalModelsOut:
    """The models of servers that run on this machine now: Ollama, llama.cpp, LM Studio, vLLM."""
    return LocalModelsOut.model_validate(await services.models.local(member))


@router.post("/v0/orgs/{organization_id}/llm/check")
async def check_model(body: ModelCheckIn, member: OrgMember, services: ServicesDep) -> ModelCheckOut:
    """Try with four small calls whether a model speaks, calls tools, keeps a schema and sees pictures (admins)."""
    return ModelCheckOut.model_validate(await services.model_check.check(member, body.model))


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
