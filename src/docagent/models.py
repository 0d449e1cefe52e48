"""Models of providers, for programs that embed the loop; and what a provider in another package is made of.

async with open_model("anthropic", api_key=key) as model:
    result = await loop.run("session", model, messages, model_name="claude-sonnet-4-5")
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.transport import ModelTransport
from docagent.domain.models.llm import (
    CallDelta,
    FinishReason,
    Model,
    ModelError,
    ModelFailure,
    ModelReply,
    ModelRequest,
    TextDelta,
    TextPart,
    ThinkingDelta,
    ToolCall,
    Usage,
    text_of,
)

__all__ = [
    "CallDelta",
    "FinishReason",
    "Model",
    "ModelError",
    "ModelFailure",
    "ModelReply",
    "ModelRequest",
    "ProviderKind",
    "TextDelta",
    "TextPart",
    "ThinkingDelta",
    "ToolCall",
    "Usage",
    "open_model",
    "text_of",
]


@asynccontextmanager
async def open_model(
    kind: ProviderKind | str, *, base_url: str | None = None, api_key: str | None = None
) -> AsyncIterator[Model]:
    """Open a model behind a provider's API. The name of the model is told to the loop's `run`."""
    async with ModelTransport() as transport:
        yield make_model(ProviderKind(kind), transport, base_url=base_url, api_key=api_key)
