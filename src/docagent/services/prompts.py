"""Prompts: what to ask of a document, with which schema and model, for which tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docagent.domain.accounts import Member
from docagent.domain.artefacts import Prompt
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.ids import is_id
from docagent.domain.listing import Found, ListQuery
from docagent.domain.models import DEFAULT_MODEL
from docagent.services.provider_directory import ProviderDirectory
from docagent.services.tags import check_tag_ids
from docagent.services.versions import Versions, same_json
from docagent.store import organizations, prompts
from docagent.store.engine import Database, OrgTx
from docagent.store.prompts import PROMPTS
from docagent.store.schemas import SCHEMAS

_versions = Versions("Prompt", PROMPTS)


@dataclass(frozen=True, slots=True)
class PromptConfig:
    """All that a caller decides about a prompt. A model of None leaves the choice to the organisation."""

    name: str
    content: str
    schema_id: str | None = None
    schema_version: int | None = None
    tag_ids: Sequence[str] = ()
    model: str | None = None
    kb_id: str | None = None
    peer_match_keys: Sequence[str] = ()
    include: dict[str, Any] = field(
        default_factory=lambda: {"ocr_text": True, "metadata_keys": [], "pdf": True}
    )


class PromptService:
    def __init__(self, db: Database, providers: ProviderDirectory) -> None:
        self._db = db
        self._providers = providers

    async def list(
        self,
        member: Member,
        query: ListQuery,
        *,
        tag_ids: Sequence[str] = (),
        document_id: str | None = None,
    ) -> Found[Prompt]:
        """With a document: the prompts that share a tag with it."""
        if document_id is not None and not is_id(document_id):
            raise NotFound("Document not found")
        async with self._db.read_org(member.organization_id) as tx:
            found = await prompts.search(tx, query, tag_ids=tag_ids, document_id=document_id)
            if found is None:
                raise NotFound("Document not found")
            items, total = found
            return Found(await self._with_models(tx, items), total, query.skip)

    async def get(self, member: Member, prompt_revid: str) -> Prompt:
        async with self._db.read_org(member.organization_id) as tx:
            return await self._with_model(tx, await _versions.get(tx, prompt_revid))

    async def versions(self, member: Member, prompt_id: str) -> Found[Prompt]:
        async with self._db.read_org(member.organization_id) as tx:
            found = await _versions.all_of(tx, prompt_id)
            return replace(found, items=await self._with_models(tx, found.items))

    async def create(self, member: Member, config: PromptConfig) -> Prompt:
        """A new prompt, or a new version of the one that has exactly this name."""
        async with self._db.write_org(member.organization_id) as tx:
            values = await self._checked(tx, config)
            return await self._with_model(tx, await PROMPTS.save(tx, config.name, values, member.user_id))

    async def update(self, member: Member, prompt_id: str, config: PromptConfig) -> Prompt:
        """The whole configuration is replaced: what is left out goes back to its default."""
        async with self._db.write_org(member.organization_id) as tx:
            current = await _versions.locked(tx, prompt_id)
            values = await self._checked(tx, config)
            changed = not same_json(_as_shown(values), _as_shown(_values(current)))
            new = await _versions.replace(tx, member, current, config.name, values, changed=changed)
            return await self._with_model(tx, new)

    async def delete(self, member: Member, prompt_id: str) -> None:
        async with self._db.write_org(member.organization_id) as tx:
            await _versions.delete(tx, await _versions.locked(tx, prompt_id))

    async def _checked(self, tx: OrgTx, config: PromptConfig) -> dict[str, Any]:
        """The columns of a revision, once every reference in the configuration is found to be right."""
        (await self._providers.of_organization(tx)).check(config.model)
        if config.kb_id:
            raise InvalidInput(f"Knowledge base with ID {config.kb_id[:40]} not found")
        return {
            "content": config.content,
            "schema_id": config.schema_id or None,
            "schema_version": await _schema_version(tx, config),
            "tag_ids": await check_tag_ids(tx, config.tag_ids),
            "model": config.model,
            "kb_id": None,
            "peer_match_keys": list(config.peer_match_keys),
            "include": config.include,
        }

    async def _with_model(self, tx: OrgTx, prompt: Prompt) -> Prompt:
        return (await self._with_models(tx, [prompt]))[0]

    async def _with_models(self, tx: OrgTx, found: Iterable[Prompt]) -> Sequence[Prompt]:
        catalogue = await self._providers.of_organization(tx)
        default = await organizations.default_model(tx, tx.organization_id)
        return [
            replace(prompt, effective_model=catalogue.resolve(prompt.requested_model, default).name)
            for prompt in found
        ]


async def _schema_version(tx: OrgTx, config: PromptConfig) -> int | None:
    """The version to pin: the one asked for, or the newest. The schema cannot be deleted meanwhile."""
    schema_id = config.schema_id
    if not schema_id:
        return None
    if not is_id(schema_id):
        raise InvalidInput(f"Invalid schema ID: {schema_id[:40]}")
    if not await SCHEMAS.lock(tx, schema_id, shared=True):
        raise NotFound(f"Schema with ID {schema_id} not found")
    if config.schema_version is None:
        schema = await SCHEMAS.latest(tx, schema_id)
    else:
        schema = await SCHEMAS.version(tx, schema_id, config.schema_version)
    if schema is None:
        raise NotFound(f"Schema with ID {schema_id} version {config.schema_version} not found")
    return schema.version


def _values(prompt: Prompt) -> dict[str, Any]:
    return {
        "content": prompt.content,
        "schema_id": prompt.schema_id,
        "schema_version": prompt.schema_version,
        "tag_ids": prompt.tag_ids,
        "model": prompt.requested_model,
        "kb_id": prompt.kb_id,
        "peer_match_keys": prompt.peer_match_keys,
        "include": prompt.include,
    }


def _as_shown(values: dict[str, Any]) -> dict[str, Any]:
    """As clients read it: they send back the default model's name where none was chosen."""
    return values | {"model": values["model"] or DEFAULT_MODEL}
