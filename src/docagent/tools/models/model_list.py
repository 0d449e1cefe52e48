"""Tools for models."""

from __future__ import annotations

from typing import Any

from docagent.domain.turns.tools import CallContext
from docagent.tools.arguments import Arguments
from docagent.tools.base import ReadTool


class ListLlmModels(ReadTool[Arguments]):
    name = "list_llm_models"
    title = "List models"
    description = (
        "List the models that a prompt can run on now, with limits and prices in US dollars per million tokens. "
        "Call it before you name a model in create_prompt or update_prompt. Prefer leaving the model out, or a "
        "cheap and fast one; the dearest only when the user asks for it."
    )
    example = "{}"
    returns = "`models` with limits and prices, `default_model`"

    async def read(self, call: CallContext, arguments: Arguments) -> dict[str, Any]:
        found = await self._services.models.runnable(call.member)
        models = [
            {
                "name": model.name,
                "provider": model.provider,
                "description": model.description,
                "max_input_tokens": model.max_input_tokens,
                "max_output_tokens": model.max_output_tokens,
                "input_price": model.input_price,
                "output_price": model.output_price,
                "reads_pdf": model.reads_pdf,
            }
            for model in found
        ]
        return {
            "models": models,
            "default_model": (await self._services.models.defaults(call.member)).extraction,
        }
