"""What a program needs to test what it built on docagent: a model that says what it was told to, a log in memory."""

from __future__ import annotations

from docagent.adapters.llm.scripted import ScriptedModel, make_reply
from docagent.agent.memory import MemoryJournal
from docagent.domain.models.llm import ToolCall, Usage

__all__ = ["MemoryJournal", "ScriptedModel", "ToolCall", "Usage", "make_reply"]
