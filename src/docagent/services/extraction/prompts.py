"""Prompts: what to ask of a document, with which schema and model, for which tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, Kind, NotFound, Noun, existing
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.ids import is_id
from docagent.domain.listing import Found, ListQuery
from docagent.domain.models.catalogue import DEFAULT_MODEL
from docagent.domain.shown import quoted
from docagent.services.documents.tags import check_tag_ids
from docagent.services.extraction.versions import Mark, Versions, VersionService, same_json
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import prompts, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS


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


def config_of(prompt: Prompt) -> PromptConfig:
    """The configuration of a prompt's version, for callers that change a part of it."""
    return PromptConfig(
        name=prompt.name,
        content=prompt.content,
        schema_id=prompt.schema_id,
        schema_version=prompt.schema_version,
        tag_ids=prompt.tag_ids,
        model=prompt.requested_model,
        kb_id=prompt.kb_id,
        peer_match_keys=prompt.peer_match_keys,
        include=prompt.include,
    )


class PromptService(VersionService[Prompt]):
    def __init__(self, db: Database, providers: ProviderDirectory) -> None:
        super().__init__(db, Versions(Noun.PROMPT, PROMPTS))
        self._providers = providers

    async def list(
        self,
        member: Member,
        query: ListQuery,
        *,
        tag_ids: Sequence[str] = (),
        document_id: str | None = None,
    ) -> Found[Prompt]:
        """List prompts; with a document, only those that share a tag with it."""
        async with self._db.read_as(member) as tx:
            found = await prompts.search(tx, query, tag_ids=tag_ids, document_id=document_id)
            found = existing(found, "Document not found", Noun.DOCUMENT)
            return replace(found, items=await self._shown(tx, found.items))

    async def check(self, member: Member, config: PromptConfig) -> tuple[int | None, str]:
        """The schema version that would be pinned, and the model that would run. Raises as `create` does."""
        async with self._db.read_as(member) as tx:
            values = await self._checked(tx, config)
            catalogue = await self._providers.of_organization(tx)
            default = (await organizations.default_models(tx, tx.organization_id)).extraction
        return values["schema_version"], catalogue.resolve(config.model, default).name

    async def documents_with_results(self, member: Member, prompt_id: str) -> int:
        async with self._db.read_as(member) as tx:
            return await results.documents_with(tx, prompt_id)

    async def _check_unused(self, tx: OrgTx, made: Mark) -> None:
        if count := await results.documents_with(tx, made.id):
            raise Conflict(
                f"The prompt {quoted(made.name)} has results in {count} "
                f"{'document' if count == 1 else 'documents'}. Undo or delete those first."
            )

    async def _check_still_right(self, tx: OrgTx, prompt: Prompt) -> None:
        try:
            await check_tag_ids(tx, prompt.tag_ids)
            await _schema_version(tx, config_of(prompt))
        except (InvalidInput, NotFound) as error:
            raise Conflict(
                f"Version {prompt.version} of the prompt {quoted(prompt.name)} refers to something that is gone: "
                f"{error.detail}"
            ) from error

    async def create(self, member: Member, config: PromptConfig) -> Prompt:
        """Make a new prompt, or a new version of the one that has exactly this name."""
        async with self._db.write_as(member) as tx:
            return await self.create_in(tx, member, config)

    async def create_in(self, tx: OrgTx, member: Member, config: PromptConfig) -> Prompt:
        """Do what `create` does, as a part of a transaction."""
        if tx.rehearsal is not None and not tx.rehearsal.headless:
            await _check_schema_is_accepted(tx, config)
        values = await self._checked(tx, config)
        return await self._one_shown(tx, await PROMPTS.save(tx, config.name, values, member.user_id))

    async def update(self, member: Member, prompt_id: str, config: PromptConfig) -> Prompt:
        """Replace the whole configuration. What is left out goes back to its default."""
        async with self._db.write_as(member) as tx:
            current = await self._versions.locked(tx, prompt_id)
            if not await PROMPTS.is_proposed(tx, prompt_id):
                await _check_schema_is_accepted(tx, config)
            values = await self._checked(tx, config)
            changed = not same_json(_as_shown(values), _as_shown(PROMPTS.values_of(current)))
            new = await self._versions.replace(tx, member, current, config.name, values, changed=changed)
            return await self._one_shown(tx, new)

    async def _checked(self, tx: OrgTx, config: PromptConfig) -> dict[str, Any]:
        """Check every reference in the configuration, and return the columns of a revision."""
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

    async def _shown(self, tx: OrgTx, items: Sequence[Prompt]) -> Sequence[Prompt]:
        catalogue = await self._providers.of_organization(tx)
        default = (await organizations.default_models(tx, tx.organization_id)).extraction
        return [
            replace(prompt, effective_model=catalogue.resolve(prompt.requested_model, default).name)
            for prompt in items
        ]


async def _check_schema_is_accepted(tx: OrgTx, config: PromptConfig) -> None:
    """Raises Conflict for a schema that may still be rejected. Only proposed prompts may use one."""
    if config.schema_id and await SCHEMAS.is_proposed(tx, config.schema_id):
        raise Conflict(
            "This schema is only proposed so far. Accept the proposal first, or change the proposed prompt."
        )


async def _schema_version(tx: OrgTx, config: PromptConfig) -> int | None:
    """The schema version to pin: the one asked for, or the newest. The schema is locked against deletion."""
    schema_id = config.schema_id
    if not schema_id:
        return None
    if not is_id(schema_id):
        raise InvalidInput(f"Invalid schema ID: {schema_id[:40]}", Kind.UNKNOWN, Noun.SCHEMA)
    if not await SCHEMAS.lock(tx, schema_id, shared=True):
        raise NotFound(f"Schema with ID {schema_id} not found", Noun.SCHEMA_VERSION)
    if config.schema_version is None:
        schema = await SCHEMAS.latest(tx, schema_id)
    else:
        schema = await SCHEMAS.version(tx, schema_id, config.schema_version)
    if schema is None:
        raise NotFound(
            f"Schema with ID {schema_id} version {config.schema_version} not found", Noun.SCHEMA_VERSION
        )
    return schema.version


def _as_shown(values: dict[str, Any]) -> dict[str, Any]:
    """The values as clients read them: they send back the default model's name if none was chosen."""
    return values | {"model": values["model"] or DEFAULT_MODEL}
