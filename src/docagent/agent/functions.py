"""Tools made of plain functions, for programs that embed the loop."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

import orjson
from pydantic import BaseModel, ConfigDict, Field, create_model

from docagent.agent.ports import Progress
from docagent.domain.errors import Conflict, InvalidInput
from docagent.domain.models.llm import ToolSpec
from docagent.domain.turns.tools import Access, BadCall, CallContext, Described, Outcome, Tool
from docagent.jsonschema import SchemaValidator

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)

Function = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class FunctionTool:
    """A tool: its description for the model, whether it only reads, and the function that runs."""

    name: str
    description: str
    parameters: dict[str, Any]
    function: Function
    access: Access = Access.READ_WRITE

    @classmethod
    def of(cls, function: Callable[..., Awaitable[Any]], access: Access = Access.READ_WRITE) -> FunctionTool:
        """Make a tool of a function: its name, its docstring, and its arguments by their annotations."""
        name, description = function.__name__, inspect.getdoc(function)
        if not description:
            raise InvalidInput(
                f"The function {name} needs a docstring: the model gets it as the tool's description."
            )
        taken = _arguments_of(function)

        async def call(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
            given = taken.model_validate(arguments)
            answer = await function(**{key: getattr(given, key) for key in taken.model_fields})
            return answer if isinstance(answer, Mapping) else {"result": answer}

        return cls(name, description, taken.model_json_schema(), call, access)

    @property
    def facts(self) -> Tool:
        return Tool(ToolSpec(self.name, self.description, self.parameters), self.access)


def _arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    kinds = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for key, parameter in inspect.signature(function).parameters.items():
        if key not in kinds or parameter.kind not in _BY_NAME:
            raise InvalidInput(
                f"The argument {key} of {function.__name__} needs a type and a name of its own."
            )
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[key] = (kinds[key], Field(default))
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)


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
        problems = SchemaValidator(self._tools[name].parameters).all_errors(value)
        if problems:
            raise BadCall("; ".join(map(str, problems)))
        return value

    async def describe(self, context: CallContext, name: str, arguments: Mapping[str, Any]) -> Described:
        return Described(f"{name} {orjson.dumps(dict(arguments)).decode()}")

    async def prepare(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Any:
        del context, name, arguments, progress

    async def run(
        self, context: CallContext, name: str, arguments: Mapping[str, Any], prepared: Any
    ) -> Outcome:
        return Outcome(await self._tools[name].function(arguments))

    async def undo(self, context: CallContext, name: str, undo: Mapping[str, Any]) -> str:
        raise Conflict(f"{name} cannot be undone.")
