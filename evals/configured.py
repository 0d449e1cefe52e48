"""A model by its name, with this machine's keys and settings, to score a provider instead of the built-in model."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

from docagent.bootstrap import running_services
from docagent.domain.accounts.accounts import Credential, Principal
from docagent.domain.models.credits import Operation
from docagent.domain.models.llm import ModelEvent, ModelRequest
from docagent.services.models.model_calls import ModelCall
from docagent.settings import Settings


class ConfiguredModel:
    """Calls the model as the product does: through the same gateway and the same adapters."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        with tempfile.TemporaryDirectory(prefix="docagent-eval-") as folder:
            settings = Settings().model_copy(update={"data": Path(folder)})
            async with running_services(settings) as services:
                admin = await services.first_start.ensure_admin("eval@example.com", None)
                principal = Principal(admin.id, admin.name, admin.email, admin.role, Credential.SESSION)
                found = await services.organizations.list(
                    principal,
                    user_id=None,
                    organization_id=None,
                    name_search=None,
                    member_search=None,
                    skip=0,
                    limit=1,
                )
                organization_id = found.items[0].id
                chosen = await services.model_calls.choose(organization_id, self._name, strict=True)
                call = ModelCall(
                    organization_id,
                    admin.id,
                    Operation.DOCUMENT_LLM,
                    chosen,
                    replace(request, model=chosen.name),
                )
                async for event in services.model_calls.stream(call):
                    yield event
