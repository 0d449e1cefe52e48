"""The tools that a model may call, grouped by noun; registry.py lists them.

Packages that add tools import these names.
"""

from __future__ import annotations

from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.tools.arguments import Arguments
from docagent.tools.base import ReadTool, WriteTool

__all__ = ["Arguments", "CallContext", "Described", "Outcome", "ReadTool", "WriteTool"]
