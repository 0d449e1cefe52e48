"""Tools made of plain functions, for programs that embed the loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from docagent.agent.ports import Progress
from docagent.domain.errors import Conflict
from docagent.domain.llm import ToolSpec
from docagent.domain.tools import Access, BadCall, CallContext, Described, Outcome, Tool
from docagent.jsonschema import SchemaValidator

Function = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool: what the model is told of it, whether it only reads, and the function that runs."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Function
    access: Access = Access.READ_WRITE

    @property
    def facts(self) -> Tool:
        return Tool(ToolSpec(self.name, self.description, self.parameters), self.access)


class FunctionToolset:
    """A toolset of functions. Nothing can be undone, and nothing has a preview."""

    def __init__(self, tools: Sequence[FunctionTool] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def tools(self) -> Sequence[Tool]:
        return [tool.facts for tool in self._tools.values()]

    def check(self, name: str, arguments: str) -> dict[str, Any]:
        try:
            value = orjson.loads(arguments or "{}")
        except orjson.JSONDecodeError as error:
            raise BadCall(f"Invalid JSON arguments: {error}") from error
        if name not in self._tools:
            raise BadCall(f"Unknown tool: {name}")
        if not isinstance(value, dict):
            raise BadCall("The arguments must be a JSON object.")
        problems = SchemaValidator(self._tools[name].parameters).errors(value)
        if problems:
            raise BadCall("; ".join(f"{problem.path}: {problem.message}" for problem in problems))
        return value

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        del context
        return Described(f"{name} {orjson.dumps(dict(arguments)).decode()}")

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        del context, name, arguments, progress

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        del context, prepared
        return Outcome(await self._tools[name].function(arguments))

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        del context, undo
        raise Conflict(f"{name} cannot be undone.")
