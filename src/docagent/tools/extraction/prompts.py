"""Tools for prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.artefacts import Prompt
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.services.extraction.prompts import PromptConfig, PromptService, config_of
from docagent.tools.arguments import Arguments, ListWanted
from docagent.tools.base import Given, ReadTool, ToolServices
from docagent.tools.changes import prompt_change
from docagent.tools.extraction.versioned import VersionTool, basis
from docagent.tools.parameters import (
    Id,
    a_name,
    a_number,
    a_text,
    an_id,
    how_many_to_pass_over,
    how_many_to_return,
    ids,
)
from docagent.tools.words import counted, list_json, listed, moment

START_LENGTH = 200
_NO_PROMPT = {"prompt_revid": None, "extraction": None}
_MODEL = "Name of a model from list_llm_models."
_CONTENT = (
    "The instruction to the model: what to extract, and how. The document and the schema are added to it."
)
_TAG_IDS = "Tags whose documents this prompt runs on, by id."


class OnePrompt(Arguments):
    prompt_id: Annotated[
        str, an_id("The prompt_id, which all versions of a prompt share; from list_prompts.")
    ]


class PromptVersion(Arguments):
    prompt_revid: Annotated[
        str, an_id("The prompt_revid of one version; a prompt_id stands for the newest version.")
    ]


class PromptsWanted(ListWanted):
    skip: Annotated[int, how_many_to_pass_over("prompts")] = 0
    limit: Annotated[int, how_many_to_return("prompts")] = 10
    document_id: Annotated[str | None, an_id("Only prompts that share a tag with this document.")] = None
    tag_ids: Annotated[list[Id] | None, ids("Only prompts that carry all of these tags.")] = None


class NewPrompt(Arguments):
    name: Annotated[str, a_name("The prompt's name for people, such as Invoice extraction.")]
    content: Annotated[str, a_text(_CONTENT)]
    schema_id: Annotated[
        str | None,
        an_id("The schema that results must fit, by schema_id from list_schemas or create_schema."),
    ] = None
    schema_version: Annotated[int | None, a_number("Version of the schema; the newest when left out.", 1)] = (
        None
    )
    model: Annotated[str | None, an_id(f"{_MODEL} The organisation's default when left out.")] = None
    tag_ids: Annotated[list[Id] | None, ids(_TAG_IDS)] = None


class PromptChange(OnePrompt):
    name: Annotated[str | None, a_name("The new name.")] = None
    content: Annotated[str | None, a_text(f"{_CONTENT} Replaces the old content.")] = None
    schema_id: Annotated[
        str | None, an_id("The schema to link, at its newest version; null links none.", or_null=True)
    ] = None
    schema_version: Annotated[int | None, a_number("Another version of the schema than the newest.", 1)] = (
        None
    )
    tag_ids: Annotated[list[Id] | None, ids(f"{_TAG_IDS} Replaces all tags that the prompt has.")] = None
    model: Annotated[str | None, an_id(f"{_MODEL} Null means the organisation's default.", or_null=True)] = (
        None
    )


class GetPrompt(ReadTool[PromptVersion]):
    name = "get_prompt"
    title = "Read a prompt"
    description = (
        "Read a prompt with its whole content. Call it before update_prompt. list_prompts shows the ids."
    )
    example = '{"prompt_revid": "66f0..."}'
    returns = "the version in full"

    async def read(self, call: CallContext, arguments: PromptVersion) -> dict[str, Any]:
        prompt = await self._services.prompts.find(call.member, arguments.prompt_revid)
        return {
            **_header(prompt),
            "content": prompt.content,
            "kb_id": prompt.kb_id,
            "peer_match_keys": prompt.peer_match_keys,
            "include": prompt.include,
        }


class ListPrompts(ReadTool[PromptsWanted]):
    name = "list_prompts"
    title = "List prompts"
    description = (
        "List the organisation's prompts, newest version of each, with ids, model, schema and tags. With "
        "document_id only those that share a tag with the document. get_prompt shows one in full."
    )
    example = '{"document_id": "66f0..."}'
    returns = "`prompts` with the beginning of their content, `total_count`, `skip`"

    async def read(self, call: CallContext, arguments: PromptsWanted) -> dict[str, Any]:
        found = await self._services.prompts.list(
            call.member,
            arguments.query,
            tag_ids=arguments.tag_ids or (),
            document_id=arguments.document_id,
        )
        return list_json(
            "prompts", found, lambda one: {**_header(one), "content_start": one.content[:START_LENGTH]}
        )


class _PromptTool(VersionTool[Given, Prompt]):
    noun = "prompt"

    @property
    def versions(self) -> PromptService:
        return self._services.prompts

    def _prompt_written(self, prompt: Prompt, before: Prompt | None, said: str) -> Outcome:
        # The extraction in the working state belongs to the prompt there, and a new version has none yet.
        kept = before is not None and before.revid == prompt.revid
        state = {} if kept else {"prompt_revid": prompt.revid, "extraction": None}
        models = {"model": prompt.requested_model, "effective_model": prompt.effective_model}
        return self.written(prompt, before, said, state, **models)


class CreatePrompt(_PromptTool[NewPrompt]):
    name = "create_prompt"
    title = "Create a prompt"
    description = (
        "Store a prompt: an instruction with a schema, a model and tags. Call help_prompts for how to write one; "
        "create the schema first and give its schema_id. Leave the model out unless the user wants a certain one. "
        "If a prompt of exactly this name exists, a new version of it is made. To run it, call run_extraction."
    )
    example = '{"name": "Invoices", "content": "...", "schema_id": "66f0..."}'
    returns = "`prompt_revid`, `prompt_id`, `name`, `prompt_version`, `model`, `effective_model`"
    previews = (
        "`prompt`: name, versions, content, schema, model and tags in words where they differ, before and "
        "after"
    )
    undoes = (
        "deleted again, or the former version as a new one; refused when it has results or a later version "
        "exists"
    )

    async def describe(self, call: CallContext, arguments: NewPrompt) -> Described:
        before = await self._services.prompts.named(call.member, arguments.name)
        config = _new(arguments)
        after = await _texts(self._services, call, config, checked=True)
        former = await _texts(self._services, call, config_of(before)) if before else {}
        version = before.version if before else None
        summary = f"Create prompt {quoted(config.name)}"
        if before is not None:
            summary = f"Create version {before.version + 1} of prompt {quoted(before.name)}"
        if after["schema"]:
            summary += f" for schema {after['schema']}"
        preview = prompt_change(config.name, (version, (version or 0) + 1), former, after)
        return Described(summary, preview, before.revid if before else None)

    async def run(self, call: CallContext, arguments: NewPrompt, prepared: Any) -> Outcome:
        before = await self._services.prompts.named(call.member, arguments.name)
        config = _new(arguments)
        if before is not None:
            config = replace(config, peer_match_keys=before.peer_match_keys, include=before.include)
        prompt = await self.versions.create(call.member, config)
        before, said = await self.created(call, prompt)
        return self._prompt_written(prompt, before, said)


class UpdatePrompt(_PromptTool[PromptChange]):
    name = "update_prompt"
    title = "Change a prompt"
    description = (
        "Change a prompt: only what you give changes, and a new version is made. Give the schema_id again to move "
        "the prompt to the newest version of its schema. tag_ids replaces all tags. Call get_prompt first."
    )
    example = '{"prompt_id": "66f0...", "content": "..."}'
    returns = 'as `create_prompt`; `message` "No changes" when nothing differs'
    previews = "as `create_prompt`"
    undoes = "the former version as a new one, or the former name; refused when what it refers to is gone"

    async def describe(self, call: CallContext, arguments: PromptChange) -> Described:
        before = await self.head(call, arguments.prompt_id)
        config = _changed(before, arguments)
        former = await _texts(self._services, call, config_of(before))
        after = await _texts(self._services, call, config, checked=True)
        former["name"], after["name"] = before.name, config.name
        fields = [field for field in after if former[field] != after[field]]
        only_renamed = fields == ["name"]
        summary = f"Change prompt {quoted(before.name)} to version {before.version + 1}: {', '.join(fields)}"
        if only_renamed:
            summary = f"Rename prompt {quoted(before.name)} to {quoted(config.name)}"
        elif not fields:
            summary = f"Leave prompt {quoted(before.name)} as it is"
        version_to = before.version + (1 if fields and not only_renamed else 0)
        preview = prompt_change(config.name, (before.version, version_to), former, after)
        return Described(summary, preview, basis(before))

    async def run(self, call: CallContext, arguments: PromptChange, prepared: Any) -> Outcome:
        if arguments.model_fields_set == {"prompt_id"}:
            raise InvalidInput("Nothing to change: give name, content, schema_id, tag_ids or model.")
        before = await self.head(call, arguments.prompt_id)
        config = _changed(before, arguments)
        version, _ = await self._services.prompts.check(call.member, config)
        if replace(config, schema_version=version) == config_of(before):
            return self.unchanged(before)
        prompt = await self.versions.update(call.member, before.id, config)
        return self._prompt_written(prompt, before, self.changed(before, prompt))


class DeletePrompt(_PromptTool[OnePrompt]):
    name = "delete_prompt"
    title = "Delete a prompt"
    description = (
        "Delete a prompt with all its versions. Results that it made stay with their documents. Call list_prompts "
        "for the id."
    )
    example = '{"prompt_id": "66f0..."}'
    returns = "`message`"
    previews = "`delete`: number of versions, results that stay"
    undoes = "all versions come back; refused when the name is taken or its schema or tags are gone"

    async def describe(self, call: CallContext, arguments: OnePrompt) -> Described:
        prompt = await self.head(call, arguments.prompt_id)
        count = await self._services.prompts.documents_with_results(call.member, prompt.id)
        return self.deletion(prompt, [f"its results in {counted(count, 'document')} stay"] if count else [])

    async def run(self, call: CallContext, arguments: OnePrompt, prepared: Any) -> Outcome:
        return await self.deleted(call, await self.head(call, arguments.prompt_id), _NO_PROMPT)


def _new(prompt: NewPrompt) -> PromptConfig:
    if prompt.schema_version is not None and not prompt.schema_id:
        raise InvalidInput("schema_version needs a schema_id.")
    return PromptConfig(**prompt.model_dump(exclude_none=True))


def _changed(before: Prompt, change: PromptChange) -> PromptConfig:
    changes = change.model_dump(exclude={"prompt_id"}, exclude_unset=True)
    if "schema_id" in changes and "schema_version" not in changes:
        changes["schema_version"] = None
    return replace(config_of(before), **changes)


async def _texts(
    services: ToolServices, call: CallContext, config: PromptConfig, *, checked: bool = False
) -> dict[str, str | None]:
    """Return a configuration as people read it, with names for ids.

    With `checked`, raise the error that `create` would raise.
    """
    version = config.schema_version
    if checked:
        version, _ = await services.prompts.check(call.member, config)
    schema = None
    if config.schema_id:
        found = await services.schemas.newest(call.member, config.schema_id)
        schema = f"{quoted(found.name)} version {version}"
    return {
        "content": config.content,
        "schema": schema,
        "model": config.model or "default",
        "tags": listed(list(await services.tags.names(call.member, config.tag_ids))),
    }


def _header(prompt: Prompt) -> Mapping[str, Any]:
    return {
        "prompt_id": prompt.id,
        "prompt_revid": prompt.revid,
        "prompt_version": prompt.version,
        "name": prompt.name,
        "schema_id": prompt.schema_id,
        "schema_version": prompt.schema_version,
        "model": prompt.requested_model,
        "effective_model": prompt.effective_model,
        "tag_ids": prompt.tag_ids,
        "created_at": moment(prompt.created_at),
        "created_by": prompt.created_by,
    }
