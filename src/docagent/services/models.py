"""Which models there are."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.domain.models import Model, ModelCatalogue


class ModelService:
    def __init__(self, models: ModelCatalogue) -> None:
        self._models = models

    def runnable(self) -> Sequence[Model]:
        """The models that a prompt or a chat can really run on now."""
        return self._models.runnable()

    def search(
        self,
        *,
        provider_name: str | None = None,
        provider_enabled: bool | None = None,
        runnable_only: bool = True,
        sees_images: bool = False,
    ) -> Sequence[Model]:
        candidates = self._models.runnable() if runnable_only else self._models.all()
        return [
            model
            for model in candidates
            if (provider_name is None or model.provider == provider_name)
            and (provider_enabled is None or self._models.is_available(model) is provider_enabled)
            and (model.sees_images or not sees_images)
        ]
