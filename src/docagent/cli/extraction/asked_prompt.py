"""What a command is to extract: the fields of a schema, or what a prompt that is there asks for."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from docagent.client import AsyncClient
from docagent.client.models import Prompt
from docagent.domain.errors import InvalidInput, NotFound

AT_ONCE = 100


async def prompt_named(client: AsyncClient, wanted: str) -> Prompt:
    """The newest version of the prompt with this name or id."""
    skip = 0
    while True:
        page = await client.prompts.list(skip=skip, limit=AT_ONCE)
        for prompt in page.prompts:
            if (
                wanted in (prompt.prompt_id, prompt.prompt_revid)
                or wanted.casefold() == prompt.name.casefold()
            ):
                return prompt
        skip += len(page.prompts)
        if not page.prompts or skip >= page.total_count:
            raise NotFound(f"There is no prompt with the name or id {wanted}.")


async def schema_asked(client: AsyncClient, wanted: str) -> dict[str, Any]:
    """A JSON Schema: of a file, of a class that is named `module:Class`, or of a schema that is there."""
    given = _read(Path(wanted)) or _class_schema(wanted)
    if given is not None:
        return given
    skip = 0
    while True:
        page = await client.schemas.list(skip=skip, limit=AT_ONCE)
        for schema in page.schemas:
            if (
                wanted in (schema.schema_id, schema.schema_revid)
                or wanted.casefold() == schema.name.casefold()
            ):
                return schema.response_format
        skip += len(page.schemas)
        if not page.schemas or skip >= page.total_count:
            raise NotFound(f"There is no file and no schema with the name or id {wanted}.")


def _read(file: Path) -> dict[str, Any] | None:
    """The schema in a file, with the file's name as its title if it has none; None if there is no such file."""
    if not file.is_file():
        return None
    try:
        given = orjson.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as JSON: {error}") from error
    if not isinstance(given, dict):
        raise InvalidInput(f"{file} holds no JSON Schema: it must be an object.")
    return {"title": file.stem, **given}


def _class_schema(wanted: str) -> dict[str, Any] | None:
    """The schema of a pydantic model or a dataclass, as Python in this folder finds it; None if none is named."""
    module, _, name = wanted.partition(":")
    if not name.isidentifier() or not module.replace(".", "_").isidentifier():
        return None
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return TypeAdapter(getattr(import_module(module), name)).json_schema()
    except ImportError as error:
        raise InvalidInput(f"The module {module} cannot be imported from this folder: {error}.") from error
    except AttributeError as error:
        raise InvalidInput(f"The module {module} has no class {name}.") from error
    except PydanticUserError as error:
        raise InvalidInput(f"{wanted} has no JSON Schema: {error.message}") from error
