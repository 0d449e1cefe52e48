"""Writes the shapes of those answers that `docagent.client` gives, from docs/openapi.json."""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

ROOT = Path(__file__).parent.parent
DESCRIPTION = ROOT / "docs" / "openapi.json"
CALLS = ROOT / "src" / "docagent" / "client" / "asynchronous"
TARGET = CALLS.with_name("models.py")

HEAD = '''"""The API's answers. Written by `make client` from docs/openapi.json: change the API, not this file."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Answer(BaseModel):
    """Base of all answers. What a newer server adds is kept as it came."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True, protected_namespaces=())
'''
TAKEN = {"schema", "json", "copy", "dict"}
"""Names that the base class has already."""
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
WIDTH = 110
_NAMED = re.compile(r"\bmodels\.([A-Z]\w*)")


def main() -> None:
    TARGET.write_text(client_models(json.loads(DESCRIPTION.read_text())))


def client_models(description: Mapping[str, Any]) -> str:
    """The module's text."""
    schemas = description["components"]["schemas"]
    names = _python_names(schemas)
    answers = sorted(_answers(schemas, names), key=lambda name: (_depth(schemas, name), names[name]))
    return tidied(HEAD + "".join(f"\n\n{_definition(name, schemas[name], names)}\n" for name in answers))


def tidied(module: str) -> str:
    """The module's text as `make check` wants it: imports in order, lines as long as the formatter makes them."""
    for step in (["check", "--select", "I", "--fix"], ["format"]):
        command = [str(Path(sys.executable).with_name("ruff")), *step, "--quiet", "-"]
        done = subprocess.run(command, input=module, capture_output=True, text=True, check=True, cwd=ROOT)
        module = str(done.stdout)
    return module


def _answers(schemas: Mapping[str, Any], names: Mapping[str, str]) -> set[str]:
    """Names of everything that the answer to one of the client's calls may hold."""
    calls = "".join(module.read_text() for module in sorted(CALLS.glob("*.py")))
    named = set(_NAMED.findall(calls))
    waiting = [name for name in schemas if names[name] in named]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _references(schemas[name])
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _depth(schemas: Mapping[str, Any], name: str, above: tuple[str, ...] = ()) -> int:
    """How many layers of others the shape stands on, so that each is defined before it is used."""
    inner = set(_references(schemas[name])) - {name, *above}
    return 1 + max((_depth(schemas, other, (*above, name)) for other in inner), default=0)


def _python_names(schemas: Mapping[str, Any]) -> dict[str, str]:
    """`DocumentOut` is `Document` here, unless there is something else of that name."""
    return {name: short if (short := name.removesuffix("Out")) not in schemas else name for name in schemas}


def _definition(name: str, schema: Mapping[str, Any], names: Mapping[str, str]) -> str:
    python_name = names[name]
    if "enum" in schema:
        values = ", ".join(json.dumps(value) for value in schema["enum"])
        return f"{python_name} = Literal[{values}] | str"
    fields = schema.get("properties", {})
    needed = schema.get("required", [])
    lines = [_field(key, value, key in needed, names) for key, value in fields.items()]
    return f"class {python_name}(Answer):\n" + ("".join(lines) or "    pass\n").rstrip("\n")


def _field(key: str, schema: Mapping[str, Any], needed: bool, names: Mapping[str, str]) -> str:
    written = _type(schema, names)
    if not needed and "None" not in written and written != "Any":
        written += " | None"
    if key in TAKEN or keyword.iskeyword(key):
        line = f"    {key}_: {written} = Field({'' if needed else 'None, '}alias={json.dumps(key)})\n"
    else:
        line = f"    {key}: {written}{'' if needed else ' = None'}\n"
    return line + _docstring(schema.get("description"))


def _docstring(text: str | None) -> str:
    if not text:
        return ""
    return "    " + "\n    ".join(wrap(f'"""{text}"""', WIDTH - 4)) + "\n"


def _type(schema: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if "$ref" in schema:
        return names[schema["$ref"].rpartition("/")[2]]
    if choices := schema.get("anyOf", schema.get("oneOf")):
        return " | ".join(dict.fromkeys(_type(choice, names) for choice in choices))
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}] | str"
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema.get('items', {}), names)}]"
        case "object":
            values = schema.get("additionalProperties", True)
            return f"dict[str, {_type(values, names) if isinstance(values, Mapping) else 'Any'}]"
        case "string" if schema.get("format") == "date-time":
            return "datetime"
        case str(kind):
            return PLAIN[kind]
        case _:
            return "Any"


if __name__ == "__main__":
    main()
