"""The prompt that a command is to run: one that is there, or one made for a schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from docagent.client import AsyncClient
from docagent.client.models import Prompt, Schema
from docagent.domain.errors import InvalidInput, NotFound

AT_ONCE = 100
CONTENT = "Extract the fields of the schema from the document."


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


async def prompt_for_schema(client: AsyncClient, wanted: str, model: str | None) -> Prompt:
    """A prompt that fills the schema, which is a file of JSON or the name or id of one that is there.

    Called again with the same, it gives the same prompt, so that its results count.
    """
    given = _read(Path(wanted))
    schema = await (_schema_like(client, given) if given else _schema_named(client, wanted))
    for prompt in (await client.prompts.list(limit=AT_ONCE, name=schema.name)).prompts:
        if prompt.name != schema.name or prompt.schema_id != schema.schema_id:
            continue
        if prompt.schema_version == schema.schema_version and model in (None, prompt.model):
            return prompt
        return await client.prompts.update(
            prompt.prompt_id, prompt.name, prompt.content, schema=schema, tag_ids=prompt.tag_ids, model=model
        )
    return await client.prompts.create(schema.name, CONTENT, schema=schema, model=model)


async def _schema_named(client: AsyncClient, wanted: str) -> Schema:
    skip = 0
    while True:
        page = await client.schemas.list(skip=skip, limit=AT_ONCE)
        for schema in page.schemas:
            if (
                wanted in (schema.schema_id, schema.schema_revid)
                or wanted.casefold() == schema.name.casefold()
            ):
                return schema
        skip += len(page.schemas)
        if not page.schemas or skip >= page.total_count:
            raise NotFound(f"There is no file and no schema with the name or id {wanted}.")


async def _schema_like(client: AsyncClient, given: dict[str, Any]) -> Schema:
    """The schema of this title: made, or given a new version if it has changed."""
    name = str(given["title"])
    found = (await client.schemas.list(limit=AT_ONCE, name=name)).schemas
    same_name = next((schema for schema in found if schema.name == name), None)
    if same_name is None:
        return await client.schemas.create(name, given)
    if _inner(same_name.response_format) == _inner(given):
        return same_name
    return await client.schemas.update(same_name.schema_id, json_schema=given)


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


def _inner(schema: dict[str, Any]) -> Any:
    """The JSON Schema in what the API stores."""
    return schema["json_schema"].get("schema") if isinstance(schema.get("json_schema"), dict) else schema
