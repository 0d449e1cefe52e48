"""The tools of one turn, as the loop calls them: those for a document, or those for a project."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from docagent.agent.ports import Progress, Toolset
from docagent.domain.errors import Conflict, DocAgentError, InvalidInput, Kind, NotFound, Noun
from docagent.domain.turns.tools import CallContext, Described, Outcome, Scope, Tool
from docagent.services.models.outside_tools import OutsideTools
from docagent.tools import registry
from docagent.tools.arguments import Arguments
from docagent.tools.base import AgentTool, ToolServices, WriteTool
from docagent.tools.calls import read_arguments, unknown_tool
from docagent.tools.outside import WithOutsideTools
from docagent.tools.words import sentence

ToolFactory = Callable[[Scope], Awaitable[Toolset]]

HINTS: Mapping[tuple[Kind | None, Noun | None], str] = {
    (Kind.UNKNOWN, Noun.DOCUMENT): "Call list_documents to see the ids.",
    (Kind.UNKNOWN, Noun.LIVING_DOCUMENT): "Call list_project_documents to see the ids.",
    (Kind.UNKNOWN, Noun.SCHEMA): "Call list_schemas to see the ids.",
    (Kind.UNKNOWN, Noun.SCHEMA_VERSION): "Call list_schemas to see the ids and versions.",
    (Kind.UNKNOWN, Noun.PROMPT): "Call list_prompts to see the ids.",
    (Kind.UNKNOWN, Noun.TAG): "Call list_tags to see the ids.",
    (Kind.UNKNOWN, Noun.MODEL): "Call list_llm_models to see the names, or leave the model out.",
    (Kind.UNKNOWN, Noun.TEXT): "The document has no text yet. get_ocr_text says how far the reading is.",
    (Kind.UNKNOWN, Noun.FIELD): "Call get_extraction_result to see the fields.",
    (Kind.NAME_TAKEN, Noun.TAG): "Call list_tags to find it and use that one, or choose another name.",
    (Kind.IN_USE, Noun.SCHEMA): "Delete these prompts first, if the user wants that.",
    (Kind.IN_USE, Noun.TAG): "Take the tag off them first, with update_document or update_prompt.",
}
"""What the model can do next, by the kind and the noun of the error."""


class AgentToolset(Toolset):
    """Runs every call in the scope of the turn, whatever the call says."""

    def __init__(self, tools: Mapping[str, AgentTool[Any]], facts: Sequence[Tool], scope: Scope) -> None:
        self._scope = scope
        self._tools = tools
        self._facts = facts

    def tools(self) -> Sequence[Tool]:
        return self._facts

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        return read_arguments(type(self._tool(name)), arguments)

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        """Describe a call. If it cannot succeed, say why."""
        tool, given = self._called(name, arguments)
        try:
            with advised():
                return await tool.describe(self._held(context), given)
        except DocAgentError as error:
            refusal = {"kind": "refusal", "reason": error.detail}
            return Described(f"{tool.title}: {error.detail}", refusal, refusal=error.detail)

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        tool, given = self._called(name, arguments)
        with advised():
            return await tool.prepare(self._held(context), given, progress)

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        tool, given = self._called(name, arguments)
        with advised():
            return await tool.run(self._held(context), given, prepared)

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        tool = self._tool(name)
        if not isinstance(tool, WriteTool):
            raise Conflict(f"{name} changed nothing, so there is nothing to undo.")
        return await tool.undo(self._held(context), undo)

    def _tool(self, name: str) -> AgentTool[Any]:
        tool = self._tools.get(name)
        if tool is None:
            raise unknown_tool(name, list(self._tools))
        return tool

    def _called(self, name: str, arguments: Mapping[str, Any]) -> tuple[AgentTool[Any], Arguments]:
        """Return the tool, and the arguments, which `check` let pass, in the form that the tool takes."""
        tool = self._tool(name)
        return tool, tool.takes.model_validate(arguments)

    def _held(self, context: CallContext) -> CallContext:
        return replace(context, scope=self._scope)


def toolset_factory(services: ToolServices, outside: OutsideTools) -> ToolFactory:
    """Return a function that opens the toolset of a turn: our own tools, and in conversations those of MCP servers that
    the organisation's administrators confirmed."""
    own_toolset = own_toolsets(services)

    async def toolset(scope: Scope) -> Toolset:
        own = own_toolset(scope)
        offered = await outside.offered(scope.member.organization_id) if scope.subject is not None else ()
        return WithOutsideTools(own, offered, outside) if offered else own

    return toolset


def own_toolsets(services: ToolServices) -> Callable[[Scope], Toolset]:
    """Return a function that makes the toolset of a turn from its scope. Tools have no state, so turns share them.

    What a program calls is about no subject unless it names one; it has the tools of programs too.
    """
    searches = services.web_search is not None
    added = registry.added_tools()
    of_documents = _opened((*registry.DOCUMENT_TOOLS, *added), services)
    of_projects = _opened((*registry.PROJECT_TOOLS, *added), services)
    document_facts, project_facts = (
        registry.all_tools(web_search=searches),
        registry.project_tools(web_search=searches),
    )
    of_programs = {**of_documents, **_opened(registry.PROGRAM_TOOLS, services)}
    program_facts = (*document_facts, *registry.program_tools())

    def toolset(scope: Scope) -> AgentToolset:
        if scope.subject is None:
            return AgentToolset(of_programs, program_facts, scope)
        if scope.project_id is None:
            return AgentToolset(of_documents, document_facts, scope)
        return AgentToolset(of_projects, project_facts, scope)

    return toolset


def _opened(tools: Sequence[type[AgentTool[Any]]], services: ToolServices) -> Mapping[str, AgentTool[Any]]:
    searches = services.web_search is not None
    return {tool.name: tool(services) for tool in tools if searches or not tool.needs_web_search}


@contextmanager
def advised() -> Iterator[None]:
    """Add to an error of the block what the model can do about it."""
    try:
        yield
    except (InvalidInput, NotFound) as error:
        hint = HINTS.get((error.kind, error.noun))
        if hint is None:
            raise
        told = f"{sentence(error.detail)} {hint}"
        if isinstance(error, NotFound):
            raise NotFound(told, error.noun) from error
        raise InvalidInput(told, error.kind, error.noun) from error
