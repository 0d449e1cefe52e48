"""The loop: what a turn does next, and the events that come of it. Knows no database, network or provider.

What is named here is for programs that embed the loop (docs/embedding.md). The modules are the product's own.
"""

from __future__ import annotations

from docagent.agent.context import Block
from docagent.agent.embedding import AgentContext, AgentEvent, AgentLoop, AgentResult
from docagent.agent.functions import FunctionTool
from docagent.agent.limits import Limits
from docagent.agent.strategies.base import (
    AskModel,
    AskUser,
    Finish,
    Note,
    StartStep,
    Strategy,
    as_message,
    in_words,
)
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import Model, ModelError
from docagent.domain.turns.events import RequestedCall
from docagent.domain.turns.tools import Access

__all__ = [
    "Access",
    "AgentContext",
    "AgentEvent",
    "AgentLoop",
    "AgentResult",
    "AskModel",
    "AskUser",
    "Block",
    "Finish",
    "FunctionTool",
    "Limits",
    "Model",
    "ModelError",
    "Note",
    "Prompts",
    "RequestedCall",
    "StartStep",
    "Strategy",
    "as_message",
    "in_words",
]
