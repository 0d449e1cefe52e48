# Written by `make client` from the asynchronous client: change that one.
"""Models on the server's own machine, and what a model can do. Administrators of the organisation may choose."""

from __future__ import annotations

from typing import Literal

from docagent.client import models
from docagent.client.synchronous.connection import Part

CHECK_SECONDS = 600


class LocalModels(Part):
    def list(self) -> models.LocalModels:
        """The models of Ollama, llama.cpp, LM Studio and vLLM that run beside the server now."""
        return self._ask(models.LocalModels, "GET", "llm", "local")

    def check(self, name: str) -> models.ModelCheck:
        """Try with four small calls what a model of any provider can do."""
        body = {"model": name}
        return self._ask(models.ModelCheck, "POST", "llm", "check", body=body, seconds=CHECK_SECONDS)

    def use(
        self, name: str | None, use_for: Literal["agent", "extraction", "both"] = "both"
    ) -> models.DefaultModel:
        """Make a model of any provider the organisation's default; None leaves the choice to the server."""
        body = {"model": name, "use_for": use_for}
        return self._ask(models.DefaultModel, "PUT", "llm", "default_model", body=body)
