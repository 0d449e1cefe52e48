"""Arguments of calls: camelCase as in the contract, or snake_case as in the API; both mean the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import mcp_types as types
import orjson

from docagent.api.mcp.contract import ContractTool
from docagent.domain.turns.tools import BadCall
from docagent.tools.calls import no_parameter

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLACE = re.compile(r"{(\w+)}")


def snake(name: str) -> str:
    """The name as the API writes it: `promptRevId` is `prompt_revid`."""
    return _HUMP.sub("_", name).lower().replace("_rev_id", "_revid")


def camel(name: str) -> str:
    """The name as the contract writes it."""
    first, *others = name.replace("_revid", "_rev_id").split("_")
    return first + "".join(part.capitalize() for part in others)


def places(path: str) -> list[str]:
    return _PLACE.findall(path)


def read_arguments(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments by their names in the API. Only names change; what people wrote stays as it is."""
    return {snake(name): value for name, value in (given or {}).items()}


def check_names(tool: types.Tool, contract: ContractTool | None, arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that the tool does not have. Raises BadCall, which names the nearest that it has."""
    properties = tool.input_schema["properties"]
    shown = {snake(name): name for name in properties}
    if contract is not None:
        inside = properties[contract.inside]["properties"] if contract.inside else {}
        shown |= {name: name for name in (*inside, *contract.left_out, *contract.renamed)}
    if unknown := [no_parameter(name, shown) for name in arguments if name not in shown]:
        raise BadCall(f"{tool.name}: {'; '.join(unknown)}.")


def for_the_api(tool: ContractTool, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The arguments of a tool of the contract, by their names in the API. Raises BadCall."""
    arguments = read_arguments(given)
    if tool.inside is not None and isinstance(arguments.get(tool.inside), dict):
        arguments |= read_arguments(arguments.pop(tool.inside))
    for name, contract_name in tool.renamed.items():
        if contract_name in arguments:
            arguments.setdefault(name, arguments.pop(contract_name))
    if tool.name == "validate_schema" and isinstance(arguments.get("response_format"), str):
        arguments["response_format"] = _parsed(arguments["response_format"], "schema")
    missing = [name for name in places(tool.path) if not arguments.get(name)]
    if missing:
        wanted = ", ".join(camel(tool.renamed.get(name, name)) for name in missing)
        raise BadCall(f"{tool.name} needs {wanted}.")
    return {name: value for name, value in arguments.items() if value is not None}


def json_argument(value: Any, name: str) -> Any:
    """An argument that the contract sends as JSON text, and that may also be sent as it is."""
    return _parsed(value, name) if isinstance(value, str) else value


def _parsed(text: str, name: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise BadCall(f"{name} is not valid JSON: {error}.") from error
