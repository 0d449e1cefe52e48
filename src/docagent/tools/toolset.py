"""The tools of one turn about a document, as the loop calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from docagent.agent.ports import Progress, Toolset
from docagent.domain.errors import Conflict, DocAgentError, InvalidInput, NotFound
from docagent.domain.tools import CallContext, Described, Outcome, Scope, Tool
from docagent.tools.base import DocumentTool, ToolServices, WriteTool
from docagent.tools.calls import read_arguments, unknown_tool
from docagent.tools.registry import DOCUMENT_TOOLS, all_tools
from docagent.tools.words import sentence

ToolFactory = Callable[[Scope], Toolset]

HINTS = {
    "Document not found": "Call list_documents to see the ids.",
    "Schema not found": "Call list_schemas to see the ids.",
    "Schema with ID": "Call list_schemas to see the ids and versions.",
    "Invalid schema ID": "Call list_schemas to see the ids.",
    "Prompt not found": "Call list_prompts to see the ids.",
    "Tag not found": "Call list_tags to see the ids.",
    "Invalid tag IDs": "Call list_tags to see the ids.",
    "Invalid model": "Call list_llm_models to see the names, or leave the model out.",
    "Tag with name": "Call list_tags to find it and use that one, or choose another name.",
    "OCR required but not run": "The document has no text yet. get_ocr_text says how far the reading is.",
    "There is no field": "Call get_extraction_result to see the fields.",
    "Cannot delete schema": "Delete these prompts first, if the user wants that.",
    "Cannot delete tag": "Take the tag off them first, with update_document or update_prompt.",
}
"""What to do next, by how the refusal of a use case begins."""


class DocumentToolset(Toolset):
    """All that is called runs in the scope, whatever the call says."""

    def __init__(self, services: ToolServices, scope: Scope) -> None:
        self._scope = scope
        self._tools: dict[str, DocumentTool] = {tool.name: tool(services) for tool in DOCUMENT_TOOLS}

    def tools(self) -> Sequence[Tool]:
        return all_tools()

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        return read_arguments(type(self._tool(name)), arguments)

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        """A call that cannot succeed is described with the reason."""
        tool = self._tool(name)
        try:
            with advised():
                return await tool.describe(self._held(context), arguments)
        except DocAgentError as error:
            return Described(f"{tool.title}: {error.detail}", {"kind": "refusal", "reason": error.detail})

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        with advised():
            return await self._tool(name).prepare(self._held(context), arguments, progress)

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        with advised():
            return await self._tool(name).run(self._held(context), arguments, prepared)

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        tool = self._tool(name)
        if not isinstance(tool, WriteTool):
            raise Conflict(f"{name} changed nothing, so there is nothing to undo.")
        return await tool.undo(self._held(context), undo)

    def _tool(self, name: str) -> DocumentTool:
        tool = self._tools.get(name)
        if tool is None:
            raise unknown_tool(name, list(self._tools))
        return tool

    def _held(self, context: CallContext) -> CallContext:
        return replace(context, scope=self._scope)


def toolset_factory(services: ToolServices) -> ToolFactory:
    """For bootstrap: makes the toolset of a turn from its scope."""
    return lambda scope: DocumentToolset(services, scope)


@contextmanager
def advised() -> Iterator[None]:
    """Adds to a refusal what the model can do about it."""
    try:
        yield
    except (InvalidInput, NotFound) as error:
        hint = next((text for start, text in HINTS.items() if error.detail.startswith(start)), None)
        if hint is None:
            raise
        kind = NotFound if isinstance(error, NotFound) else InvalidInput
        raise kind(f"{sentence(error.detail)} {hint}") from error
