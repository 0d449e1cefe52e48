"""Errors as words for programs: events, jobs and sockets carry them beside the sentence for people."""

from __future__ import annotations

from docagent.domain.errors import DocAgentError, InsufficientCredits, Unavailable
from docagent.domain.models.llm import ModelError


def failure_code(error: DocAgentError) -> str:
    if isinstance(error, ModelError):
        return f"model_{error.failure.value}"
    if isinstance(error, InsufficientCredits):
        return "insufficient_credits"
    if isinstance(error, Unavailable):
        return "unavailable"
    name = type(error).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
