"""What can be asked of a document: the default prompt, or a revision of one of the organisation's prompts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.documents.documents import Document
from docagent.domain.errors import NotFound, Noun, existing
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.extraction.instructions import DEFAULT_CONTENT, DEFAULT_SCHEMA
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.extraction.seeing import Pictures
from docagent.store.accounts import organizations
from docagent.store.engine.database import OrgTx
from docagent.store.extraction import prompts
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import asked_by


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a document."""

    prompt_revid: str
    prompt_id: str
    prompt_version: int
    name: str
    content: str
    schema_name: str
    schema: dict[str, Any] | None
    model: str | None
    peer_match_keys: Sequence[str] = ()
    metadata_keys: Sequence[str] = ()
    pictures: Pictures | None = None
    """What the prompt says of pictures; None leaves it to the organisation."""


async def find_task(tx: OrgTx, prompt_revid: str) -> Task:
    if prompt_revid == DEFAULT_PROMPT:
        return _default_task()
    prompt = await PROMPTS.get(tx, prompt_revid)
    return await prompt_task(tx, existing(prompt, "Prompt not found", Noun.PROMPT))


async def newest_task(tx: OrgTx, prompt_id: str) -> Task:
    """What the newest version of a prompt, or the default prompt, asks."""
    if prompt_id == DEFAULT_PROMPT:
        return _default_task()
    newest = await PROMPTS.latest(tx, prompt_id)
    return await prompt_task(tx, existing(newest, "Prompt not found", Noun.PROMPT))


async def automatic_tasks(tx: OrgTx, document: Document) -> list[Task]:
    """The default prompt if the organisation has it on, then the newest version of each prompt that shares a tag."""
    organization = await organizations.get(tx, document.organization_id)
    tasks = [_default_task()] if organization is not None and organization.default_prompt_enabled else []
    if document.tag_ids:
        tasks += [await prompt_task(tx, prompt) for prompt in await prompts.with_tags(tx, document.tag_ids)]
    return tasks


def _default_task() -> Task:
    return Task(
        prompt_revid=DEFAULT_PROMPT,
        prompt_id=DEFAULT_PROMPT,
        prompt_version=1,
        name="default",
        content=DEFAULT_CONTENT,
        schema_name="document_summary",
        schema=DEFAULT_SCHEMA,
        model=None,
    )


async def prompt_task(tx: OrgTx, prompt: Prompt) -> Task:
    schema = await asked_by(tx, prompt)
    if schema is None and prompt.schema_ref is not None:
        raise NotFound(f"The schema of the prompt {prompt.name} is gone: link the prompt to another schema.")
    return Task(
        prompt_revid=prompt.revid,
        prompt_id=prompt.id,
        prompt_version=prompt.version,
        name=prompt.name,
        content=prompt.content,
        schema_name=schema.response_format["json_schema"]["name"] if schema else "extraction",
        schema=schema.json_schema if schema else None,
        model=prompt.requested_model,
        peer_match_keys=prompt.peer_match_keys,
        metadata_keys=prompt.include.get("metadata_keys", []),
        pictures=_pictures(prompt.include),
    )


def _pictures(include: dict[str, Any]) -> Pictures | None:
    """DocRouter's `pdf: false` sends nothing but text."""
    if not include.get("pdf", True):
        return Pictures.NEVER
    said = include.get("pictures")
    return Pictures(said) if said else None
