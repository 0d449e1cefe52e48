"""Models: which there are, what they cost, and the one gateway through which they are called."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from docagent.bootstrap.ground import Ground
from docagent.services.models.checking import ModelCheck
from docagent.services.models.credits import CreditService
from docagent.services.models.llm_chat import LlmChatService
from docagent.services.models.model_calls import ModelCalls
from docagent.services.models.provider_directory import ModelService
from docagent.services.models.providers import ProviderService


@dataclass(frozen=True)
class Models:
    models: ModelService
    model_check: ModelCheck
    providers: ProviderService
    credits: CreditService
    model_calls: ModelCalls
    llm_chat: LlmChatService


def build_models(ground: Ground) -> Models:
    db, directory, open_model = ground.db, ground.directory, ground.open_model
    model_calls = ModelCalls(
        db,
        directory,
        ground.credits,
        open_model,
        ground.places,
        timedelta(seconds=2 * ground.settings.models.answer_seconds),
        ground.bus,
    )
    return Models(
        models=ModelService(db, directory),
        model_check=ModelCheck(db, model_calls),
        providers=ProviderService(db, directory, open_model),
        credits=ground.credits,
        model_calls=model_calls,
        llm_chat=LlmChatService(db, model_calls),
    )
