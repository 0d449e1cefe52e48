"""Prompts: what to ask of a document, with which schema and model, for which tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, Kind, NotFound, Noun
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.ids import is_id
from docagent.domain.listing import Found, ListQuery
from docagent.domain.models.catalogue import DEFAULT_MODEL
from docagent.domain.shown import quoted
from docagent.services.documents.tags import check_tag_ids
from docagent.services.extraction.versions import Mark, Versions, same_json
from docagent.services.models.provider_directory import ProviderDirectory
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import prompts, results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.extraction.schemas import SCHEMAS

_versions = Versions(Noun.PROMPT, PROMPTS)


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
        """List prompts; with a document, only those that share a tag with it."""
        if document_id is not None and not is_id(document_id):
            raise NotFound("Document not found", Noun.DOCUMENT)
        async with self._db.read_as(member) as tx:
            found = await prompts.search(tx, query, tag_ids=tag_ids, document_id=document_id)
            if found is None:
                raise NotFound("Document not found", Noun.DOCUMENT)
            items, total = found
            return Found(await self._with_models(tx, items), total, query.skip)

    async def get(self, member: Member, prompt_revid: str) -> Prompt:
        async with self._db.read_as(member) as tx:
            return await self._with_model(tx, await _versions.look_at(tx, prompt_revid))

    async def find(self, member: Member, any_id: str) -> Prompt:
        """A version by its `prompt_revid`, or the newest by the `prompt_id`."""
        async with self._db.read_as(member) as tx:
            return await self._with_model(tx, await _versions.find(tx, any_id))

    async def newest(self, member: Member, prompt_id: str) -> Prompt:
        async with self._db.read_as(member) as tx:
            return await self._with_model(tx, await _versions.newest(tx, prompt_id))

    async def named(self, member: Member, name: str) -> Prompt | None:
        """The prompt that `create` would make a new version of."""
        async with self._db.read_as(member) as tx:
            return await _versions.named(tx, name)

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

    async def take_back(self, member: Member, made: Mark, former: Mark | None) -> Prompt | None:
        """Undo the change that made this version: go back to the former one, or delete the prompt. Raises Conflict."""
        async with self._db.write_as(member) as tx:
            current = await _versions.still(tx, made)
            if former is not None:
                before = await _versions.get(tx, former.revid)
                await self._still_right(tx, before)
                return await _versions.put_back(tx, member, current, former, PROMPTS.values_of(before))
            if count := await results.documents_with(tx, made.id):
                raise Conflict(
                    f"The prompt {quoted(made.name)} has results in {count} "
                    f"{'document' if count == 1 else 'documents'}. Undo or delete those first."
                )
            await _versions.delete(tx, current)
        return None

    async def undelete(self, member: Member, prompt_id: str) -> Prompt:
        """Bring back a deleted prompt. Raises Conflict if its name is taken or something it refers to is gone."""
        async with self._db.write_as(member) as tx:
            prompt = await _versions.undelete(tx, prompt_id)
            await self._still_right(tx, prompt)
            return await self._with_model(tx, prompt)

    async def _still_right(self, tx: OrgTx, prompt: Prompt) -> None:
        try:
            await check_tag_ids(tx, prompt.tag_ids)
            await _schema_version(tx, config_of(prompt))
        except (InvalidInput, NotFound) as error:
            raise Conflict(
                f"Version {prompt.version} of the prompt {quoted(prompt.name)} refers to something that is gone: "
                f"{error.detail}"
            ) from error

    async def versions(self, member: Member, prompt_id: str) -> Found[Prompt]:
        async with self._db.read_as(member) as tx:
            found = await _versions.all_of(tx, prompt_id)
            return replace(found, items=await self._with_models(tx, found.items))

    async def create(self, member: Member, config: PromptConfig) -> Prompt:
        """Make a new prompt, or a new version of the one that has exactly this name."""
        async with self._db.write_as(member) as tx:
            return await self.create_in(tx, member, config)

    async def create_in(self, tx: OrgTx, member: Member, config: PromptConfig) -> Prompt:
        """Do what `create` does, as a part of a transaction."""
        if tx.rehearsal is not None and not tx.rehearsal.headless:
            await _check_schema_is_accepted(tx, config)
        values = await self._checked(tx, config)
        return await self._with_model(tx, await PROMPTS.save(tx, config.name, values, member.user_id))

    async def update(self, member: Member, prompt_id: str, config: PromptConfig) -> Prompt:
        """Replace the whole configuration. What is left out goes back to its default."""
        async with self._db.write_as(member) as tx:
            current = await _versions.locked(tx, prompt_id)
            if not await PROMPTS.is_proposed(tx, prompt_id):
                await _check_schema_is_accepted(tx, config)
            values = await self._checked(tx, config)
            changed = not same_json(_as_shown(values), _as_shown(PROMPTS.values_of(current)))
            new = await _versions.replace(tx, member, current, config.name, values, changed=changed)
            return await self._with_model(tx, new)

    async def delete(self, member: Member, prompt_id: str) -> None:
        async with self._db.write_as(member) as tx:
            await _versions.delete(tx, await _versions.locked(tx, prompt_id))

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

    async def _with_model(self, tx: OrgTx, prompt: Prompt) -> Prompt:
        return (await self._with_models(tx, [prompt]))[0]

    async def _with_models(self, tx: OrgTx, found: Iterable[Prompt]) -> Sequence[Prompt]:
        catalogue = await self._providers.of_organization(tx)
        default = (await organizations.default_models(tx, tx.organization_id)).extraction
        return [
            replace(prompt, effective_model=catalogue.resolve(prompt.requested_model, default).name)
            for prompt in found
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
