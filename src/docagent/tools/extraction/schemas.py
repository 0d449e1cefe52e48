"""Tools for schemas."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from pydantic import Field, WithJsonSchema

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.artefacts import Schema
from docagent.domain.field_path import ROOT
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.jsonschema import Problem
from docagent.services.extraction.schemas import SchemaService
from docagent.services.extraction.versions import same_json
from docagent.tools.arguments import Arguments, ListWanted
from docagent.tools.base import Given, ReadTool, ToolServices
from docagent.tools.changes import field_names, schema_change
from docagent.tools.extraction.versioned import VersionTool, basis
from docagent.tools.parameters import (
    FiltersText,
    ResponseFormat,
    SortText,
    a_name,
    an_id,
    how_many_to_pass_over,
    how_many_to_return,
)
from docagent.tools.words import counted, list_json, moment

MOST_ERRORS = 20


class OneSchema(Arguments):
    schema_id: Annotated[
        str, an_id("The schema_id, which all versions of a schema share; from list_schemas.")
    ]


class SchemaVersion(Arguments):
    schema_revid: Annotated[
        str, an_id("The schema_revid of one version; a schema_id stands for the newest version.")
    ]


class SchemasWanted(ListWanted):
    skip: Annotated[int, how_many_to_pass_over("schemas")] = 0
    limit: Annotated[int, how_many_to_return("schemas")] = 10
    sort: SortText | None = None
    filters: FiltersText | None = None


class SchemaToCheck(Arguments):
    schema_: Annotated[
        dict[str, Any] | str,
        WithJsonSchema({"type": ["object", "string"]}),
        Field(alias="schema", description="The whole response_format, as an object or as JSON text."),
    ]


class DataToCheck(SchemaVersion):
    data: Annotated[Any, Field(description="The data, as JSON and not as a text of JSON.")]


class NewSchema(Arguments):
    name: Annotated[str, a_name("The schema's name for people, such as Invoice.")]
    response_format: ResponseFormat


class SchemaChange(OneSchema):
    name: Annotated[str | None, a_name("The new name.")] = None
    response_format: ResponseFormat | None = None


class GetSchema(ReadTool[SchemaVersion]):
    name = "get_schema"
    title = "Read a schema"
    description = (
        "Read a schema with its whole response_format. Call it before update_schema, because that replaces the "
        "response_format as a whole. list_schemas shows the ids."
    )
    example = '{"schema_revid": "66f0..."}'
    returns = "the version, with `response_format`"

    async def read(self, call: CallContext, arguments: SchemaVersion) -> dict[str, Any]:
        schema = await self._services.schemas.find(call.member, arguments.schema_revid)
        return {**_header(schema), "response_format": schema.response_format}


class ListSchemas(ReadTool[SchemasWanted]):
    name = "list_schemas"
    title = "List schemas"
    description = (
        "List the organisation's schemas, newest version of each, with ids and the names of their fields. Call it "
        "before create_schema, to see whether a schema fits already. get_schema shows one in full."
    )
    example = '{"name_search": "inv"}'
    returns = "`schemas` with the names of their fields, `total_count`, `skip`"

    async def read(self, call: CallContext, arguments: SchemasWanted) -> dict[str, Any]:
        found = await self._services.schemas.list(call.member, arguments.query)
        return list_json(
            "schemas", found, lambda one: {**_header(one), "fields": field_names(one.response_format)}
        )


class ValidateSchema(ReadTool[SchemaToCheck]):
    name = "validate_schema"
    title = "Check a schema"
    description = (
        "Check a response_format strictly, without storing it. Errors must be fixed before create_schema or "
        "update_schema accept it; warnings say what some model provider may ignore. Call it before you propose "
        "a schema. help_schemas explains the rules."
    )
    example = '{"schema": {...}}'
    returns = "`valid`, `errors`, `warnings`, each with `path` and `message`; `error` joins the errors"

    async def read(self, call: CallContext, arguments: SchemaToCheck) -> dict[str, Any]:
        schema = arguments.schema_
        if isinstance(schema, str):
            try:
                schema = orjson.loads(schema)
            except orjson.JSONDecodeError as error:
                return _report([Problem(ROOT, f"This is not JSON: {error}")], [])
        report = await self._services.schemas.check(schema)
        return _report(report.errors, report.warnings)


class ValidateAgainstSchema(ReadTool[DataToCheck]):
    name = "validate_against_schema"
    title = "Check data against a schema"
    description = (
        "Check whether data fits a stored schema. Each error names the path of the value that is wrong."
    )
    example = '{"schema_revid": "66f0...", "data": {}}'
    returns = "`valid`, and `errors`"

    async def read(self, call: CallContext, arguments: DataToCheck) -> dict[str, Any]:
        schema = await self._services.schemas.find(call.member, arguments.schema_revid)
        problems = await self._services.schemas.validate(call.member, schema.revid, arguments.data)
        return (
            {"valid": False, "errors": [item.for_docrouter() for item in problems]}
            if problems
            else {"valid": True}
        )


class _SchemaTool(VersionTool[Given, Schema]):
    noun = "schema"

    @property
    def versions(self) -> SchemaService:
        return self._services.schemas

    def _schema_written(
        self, schema: Schema, before: Schema | None, said: str, warnings: list[Problem]
    ) -> Outcome:
        content = {"warnings": [item.as_json() for item in warnings]} if warnings else {}
        return self.written(schema, before, said, {"schema_revid": schema.revid}, **content)


class CreateSchema(_SchemaTool[NewSchema]):
    name = "create_schema"
    title = "Create a schema"
    description = (
        "Store a new schema: what an extraction must return. Call help_schemas for the rules and validate_schema "
        "until it is valid, then this. If a schema of this name exists, a new version of it is made. A schema "
        "does nothing by itself: link it to a prompt with create_prompt or update_prompt."
    )
    example = '{"name": "Invoice", "response_format": {...}}'
    returns = "`schema_revid`, `schema_id`, `name`, `schema_version`, `warnings`"
    previews = (
        "`schema`: name, versions, each field as added, removed, changed or same, both response formats, "
        "errors and warnings of the strict check"
    )
    undoes = (
        "deleted again, or the former version as a new one; refused when a prompt uses it or a later version "
        "exists"
    )

    async def describe(self, call: CallContext, arguments: NewSchema) -> Described:
        name, wanted = arguments.name, arguments.response_format
        before = await self._services.schemas.named(call.member, name)
        fields = counted(len(field_names(wanted)), "field")
        summary = f"Create schema {quoted(name)} with {fields}"
        if before is not None:
            summary = f"Create version {before.version + 1} of schema {quoted(before.name)} with {fields}"
        preview = schema_change(name, before, wanted)
        return await _judged(
            self._services, wanted, Described(summary, preview, before.revid if before else None)
        )

    async def run(self, call: CallContext, arguments: NewSchema, prepared: Any) -> Outcome:
        wanted = arguments.response_format
        warnings = await _checked(self._services, self.name, wanted)
        schema = await self.versions.create(call.member, name=arguments.name, response_format=wanted)
        before, said = await self.created(call, schema)
        return self._schema_written(schema, before, said, warnings)


class UpdateSchema(_SchemaTool[SchemaChange]):
    name = "update_schema"
    title = "Change a schema"
    description = (
        "Change a schema: a new response_format makes a new version, a new name alone only renames. The "
        "response_format replaces the old one as a whole, so call get_schema first, change what is wanted and "
        "send all of it, after validate_schema. Prompts keep the version they were linked to until update_prompt "
        "gives them the schema_id again."
    )
    example = '{"schema_id": "66f0...", "name": "Bill"}'
    returns = 'as `create_schema`; `message` "No changes" when nothing differs'
    previews = "as `create_schema`"
    undoes = "the former version as a new one, or the former name"

    async def describe(self, call: CallContext, arguments: SchemaChange) -> Described:
        before = await self.head(call, arguments.schema_id)
        name = arguments.name or before.name
        wanted = before.response_format if arguments.response_format is None else arguments.response_format
        changed = not same_json(wanted, before.response_format)
        summary = f"Change schema {quoted(before.name)} to version {before.version + 1}"
        if not changed:
            summary = f"Leave schema {quoted(before.name)} as it is"
        if name != before.name:
            summary = (
                f"{summary} and rename it to {quoted(name)}"
                if changed
                else f"Rename schema {quoted(before.name)} to {quoted(name)}"
            )
        preview = schema_change(name, before, wanted, new_version=changed)
        described = Described(summary, preview, basis(before))
        return await _judged(self._services, wanted, described) if changed else described

    async def run(self, call: CallContext, arguments: SchemaChange, prepared: Any) -> Outcome:
        name, wanted = arguments.name, arguments.response_format
        if name is None and wanted is None:
            raise InvalidInput("Nothing to change: give name, response_format or both.")
        before = await self.head(call, arguments.schema_id)
        warnings = [] if wanted is None else await _checked(self._services, self.name, wanted)
        renamed = name not in (None, before.name)
        if not renamed and (wanted is None or same_json(wanted, before.response_format)):
            return self.unchanged(before)
        schema = await self.versions.update(call.member, before.id, name=name, response_format=wanted)
        return self._schema_written(schema, before, self.changed(before, schema), warnings)


class DeleteSchema(_SchemaTool[OneSchema]):
    name = "delete_schema"
    title = "Delete a schema"
    description = (
        "Delete a schema with all its versions. Refused while any version of a prompt uses it: delete or change "
        "that prompt first. Call list_schemas for the id."
    )
    example = '{"schema_id": "66f0..."}'
    returns = "`message`"
    previews = "`delete`: number of versions, prompts that use it"
    undoes = "all versions come back; refused when the name is taken meanwhile"

    async def describe(self, call: CallContext, arguments: OneSchema) -> Described:
        schema = await self.head(call, arguments.schema_id)
        users = await self._services.schemas.users(call.member, schema.id)
        in_use = [
            f"used by prompt {quoted(name)}, so it cannot be deleted"
            for name in dict.fromkeys(u[0] for u in users)
        ]
        return self.deletion(schema, in_use)

    async def run(self, call: CallContext, arguments: OneSchema, prepared: Any) -> Outcome:
        schema = await self.head(call, arguments.schema_id)
        return await self.deleted(call, schema, {"schema_revid": None})


async def _judged(services: ToolServices, wanted: dict[str, Any], described: Described) -> Described:
    """Add what the strict check says, so that nobody approves a schema that will be refused."""
    report = await services.schemas.check(wanted)
    preview = {**(described.preview or {}), **_report(report.errors, report.warnings)}
    note = f" ({counted(len(report.errors), 'error')}: it will be refused)" if report.errors else ""
    return Described(described.summary + note, preview, described.basis)


async def _checked(services: ToolServices, tool: str, response_format: dict[str, Any]) -> list[Problem]:
    """Return the warnings of the strict check. Raises InvalidInput with its errors."""
    report = await services.schemas.check(response_format)
    if report.errors:
        lines = [
            f"- {item.path or 'response_format'}: {item.message}" for item in report.errors[:MOST_ERRORS]
        ]
        raise InvalidInput(
            "This schema cannot be enforced by every model provider. Fix what is listed and call "
            f"{tool} again; help_schemas explains the rules.\n" + "\n".join(lines)
        )
    return report.warnings


def _header(schema: Schema) -> dict[str, Any]:
    return {
        "schema_id": schema.id,
        "schema_revid": schema.revid,
        "schema_version": schema.version,
        "name": schema.name,
        "created_at": moment(schema.created_at),
        "created_by": schema.created_by,
    }


def _report(errors: list[Problem], warnings: list[Problem]) -> dict[str, Any]:
    report: dict[str, Any] = {
        "valid": not errors,
        "errors": [item.as_json() for item in errors],
        "warnings": [item.as_json() for item in warnings],
    }
    if errors:
        report["error"] = "; ".join(map(str, errors))
    return report
