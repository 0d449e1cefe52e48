"""Turns the JSON text that a model wrote into arguments that a tool can take."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

import orjson

from docagent.domain.turns.tools import BadCall
from docagent.jsonschema import SchemaValidator
from docagent.tools.base import AgentTool

MOST_PROBLEMS = 10
LARGEST_INTEGER = 2**63 - 1


def read_arguments(tool: type[AgentTool[Any]], written: str) -> dict[str, Any]:
    """Read and check the arguments of a call. Raises BadCall with words that say how to fix the call."""
    arguments = _without_empty(tool, read_object(written, _parameters(tool)))
    if problems := _problems(tool, arguments):
        raise BadCall(f"{tool.name}: {'; '.join(problems[:MOST_PROBLEMS])}. {_parameters(tool)}")
    return arguments


def read_object(written: str, hint: str = "") -> dict[str, Any]:
    """Read the arguments of any tool. Raises BadCall."""
    try:
        arguments = orjson.loads(written.strip() or "{}")
    except orjson.JSONDecodeError as error:
        raise BadCall(f"Invalid JSON arguments: {error}. Send one JSON object.") from error
    if not isinstance(arguments, dict):
        raise BadCall(f"Invalid JSON arguments: send a JSON object. {hint}".strip())
    return arguments


def check_values(name: str, validator: SchemaValidator, arguments: dict[str, Any]) -> None:
    """Check the arguments of a tool that is not ours against the schema that its server gave. Raises BadCall.

    A check that may take long is left to the server.
    """
    unstorable = _unstorable(arguments)
    problems = [unstorable] if unstorable else [str(one) for one in validator.errors_here(arguments) or ()]
    if problems:
        raise BadCall(f"{name}: {'; '.join(problems[:MOST_PROBLEMS])}.")


def unknown_tool(name: str, known: list[str]) -> BadCall:
    near = get_close_matches(name, known, 1)
    return BadCall(f"Unknown tool: {name[:100]}" + (f". Did you mean {near[0]}?" if near else ""))


def no_parameter(name: str, known: Mapping[str, str]) -> str:
    """Say that there is no such parameter. `known` has the names, each with the spelling that is shown."""
    near = get_close_matches(name, known, 1)
    return f"there is no parameter {name[:100]}" + (f", did you mean {known[near[0]]}?" if near else "")


def _without_empty(tool: type[AgentTool[Any]], arguments: dict[str, Any]) -> dict[str, Any]:
    """Drop the nulls that models send for optional arguments which they leave out."""
    properties, required = tool.parameters["properties"], tool.parameters.get("required", ())
    return {
        name: value
        for name, value in arguments.items()
        if value is not None
        or name in required
        or name not in properties
        or "null" in properties[name].get("type", "null")
    }


def _problems(tool: type[AgentTool[Any]], arguments: dict[str, Any]) -> list[str]:
    properties = {name: name for name in tool.parameters["properties"]}
    missing = [name for name in tool.parameters.get("required", ()) if name not in arguments]
    problems = [f"{name} is missing" for name in missing]
    problems += [no_parameter(name, properties) for name in arguments if name not in properties]
    if problems:
        return problems
    if unstorable := _unstorable(arguments):
        return [unstorable]
    return [str(problem) for problem in _validator(tool).all_errors(arguments)]


@cache
def _validator(tool: type[AgentTool[Any]]) -> SchemaValidator:
    return SchemaValidator(tool.parameters)


def _unstorable(value: Any) -> str | None:
    """Return what is wrong with a value that no database can store; None for all others."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, dict):
            waiting += [*current, *current.values()]
        elif isinstance(current, list):
            waiting += current
        elif isinstance(current, str) and "\x00" in current:
            return "NUL characters cannot be stored; remove them"
        elif isinstance(current, int) and abs(current) > LARGEST_INTEGER:
            return "an integer is too large; the limit is 64 bits"
    return None


def _parameters(tool: type[AgentTool[Any]]) -> str:
    required = tool.parameters.get("required", ())
    names = [f"{name} (required)" if name in required else name for name in tool.parameters["properties"]]
    return f"Parameters: {', '.join(names)}." if names else f"{tool.name} takes no parameters."
