"""Tools that return manuals, which are files of this package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from docagent.domain.turns.tools import CallContext
from docagent.tools.arguments import Arguments
from docagent.tools.base import ReadTool

MANUALS = Path(__file__).with_name("manuals")


@cache
def manual(name: str) -> str:
    return (MANUALS / f"{name}.md").read_text(encoding="utf-8")


class HelpSchemas(ReadTool[Arguments]):
    name = "help_schemas"
    title = "Read the manual on schemas"
    description = (
        "The manual on schemas: the shape of response_format, the strict rules, types, lists, descriptions, "
        "examples, usual mistakes. Read it once before the first create_schema or update_schema of a conversation."
    )
    example = "{}"
    returns = "`content`: the manual on schemas"

    async def read(self, call: CallContext, arguments: Arguments) -> dict[str, Any]:
        return {"content": manual("schemas")}


class HelpPrompts(ReadTool[Arguments]):
    name = "help_prompts"
    title = "Read the manual on prompts"
    description = (
        "The manual on prompts: what to write, linking a schema, models, tags, versions, peer documents, usual "
        "mistakes. Read it once before the first create_prompt or update_prompt of a conversation."
    )
    example = "{}"
    returns = "`content`: the manual on prompts"

    async def read(self, call: CallContext, arguments: Arguments) -> dict[str, Any]:
        return {"content": manual("prompts")}
