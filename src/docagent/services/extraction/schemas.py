"""Schemas: what an extraction must look like."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import orjson

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, Kind, Noun
from docagent.domain.extraction.artefacts import Schema
from docagent.domain.listing import Found, ListQuery
from docagent.domain.shown import quoted
from docagent.jsonschema import (
    Problem,
    Profile,
    Profiled,
    SchemaValidator,
    StrictReport,
    check_strict,
    to_profile,
)
from docagent.services.extraction.checking import problems_of
from docagent.services.extraction.versions import Mark, Versions, VersionService, same_json
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction.schemas import FIELDS, SCHEMAS, dependent_prompts


class SchemaService(VersionService[Schema]):
    def __init__(self, db: Database, kept_validators: int = 128) -> None:
        super().__init__(db, Versions(Noun.SCHEMA, SCHEMAS))
        self._kept_validators = kept_validators
        self._validators: OrderedDict[str, SchemaValidator] = OrderedDict()

    async def list(self, member: Member, query: ListQuery) -> Found[Schema]:
        async with self._db.read_as(member) as tx:
            return await SCHEMAS.search(tx, query, FIELDS)

    async def users(self, member: Member, schema_id: str) -> Sequence[tuple[str, int]]:
        """Name of each prompt that uses the schema, with the version it uses."""
        async with self._db.read_as(member) as tx:
            return await dependent_prompts(tx, schema_id)

    async def create(self, member: Member, *, name: str, response_format: dict[str, Any]) -> Schema:
        """Make a new schema, or a new version of the schema with this name, regardless of case."""
        async with self._db.write_as(member) as tx:
            return await SCHEMAS.save(tx, name, {"response_format": response_format}, member.user_id)

    async def update(
        self, member: Member, schema_id: str, *, name: str | None, response_format: dict[str, Any] | None
    ) -> Schema:
        async with self._db.write_as(member) as tx:
            current = await self._versions.locked(tx, schema_id)
            new_format = current.response_format if response_format is None else response_format
            return await self._versions.replace(
                tx,
                member,
                current,
                current.name if name is None else name,
                {"response_format": new_format},
                changed=not same_json(new_format, current.response_format),
            )

    async def delete(self, member: Member, head_id: str) -> None:
        """Delete the schema with all versions. Refused while a version of a prompt uses one of them."""
        async with self._db.write_as(member) as tx:
            current = await self._versions.locked(tx, head_id)
            if users := await dependent_prompts(tx, head_id):
                listed = [{"name": name, "schema_version": version} for name, version in users]
                raise InvalidInput(
                    "Cannot delete schema because it has dependent prompts: " + orjson.dumps(listed).decode(),
                    Kind.IN_USE,
                    Noun.SCHEMA,
                )
            await self._versions.delete(tx, current)

    async def _check_unused(self, tx: OrgTx, made: Mark) -> None:
        if users := await dependent_prompts(tx, made.id):
            raise Conflict(
                f"The prompt {quoted(users[0][0])} uses the schema {quoted(made.name)} now. Undo that first."
            )

    async def validate(self, member: Member, schema_revid: str, data: Any) -> Sequence[Problem]:
        """Everything that is wrong with the data; empty if it fits the schema."""
        schema = await self.get(member, schema_revid)
        return await problems_of(lambda: self._validator(schema), data)

    async def check(self, response_format: Any) -> StrictReport:
        """The strict check: whether every provider can enforce the schema."""
        return await asyncio.to_thread(check_strict, response_format)

    async def profile(self, member: Member, schema_revid: str, profile: Profile) -> Profiled:
        """The schema as a provider accepts it, with what had to change."""
        schema = await self.get(member, schema_revid)
        return await asyncio.to_thread(to_profile, schema.json_schema, profile)

    def _validator(self, schema: Schema) -> SchemaValidator:
        """The validator of a revision. A revision never changes, so its validator is kept."""
        validator = self._validators.pop(schema.revid, None) or SchemaValidator(schema.json_schema)
        self._validators[schema.revid] = validator
        if len(self._validators) > self._kept_validators:
            self._validators.popitem(last=False)
        return validator
