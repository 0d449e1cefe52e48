"""What an organisation makes to work on its documents: tags, schemas, prompts and forms."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from docagent.domain.models.catalogue import DEFAULT_MODEL

DEFAULT_COLOR = "#3B82F6"


def schema_digest(json_schema: Any) -> str:
    """Return the SHA-256 of a schema's canonical JSON, by which two schemas that say the same are known."""
    canonical = json.dumps(json_schema, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class NameTaken(Exception):
    """Another live thing of the same kind has this name."""


@dataclass(frozen=True, slots=True)
class Tag:
    id: str
    name: str
    color: str
    description: str | None
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Revision:
    """One version of a named thing: `id` stays the same over all versions, `revid` is this one's."""

    id: str
    revid: str
    version: int
    name: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class Schema(Revision):
    response_format: dict[str, Any]

    @property
    def json_schema(self) -> Any:
        return self.response_format["json_schema"]["schema"]


@dataclass(frozen=True, slots=True)
class Prompt(Revision):
    content: str
    schema_id: str | None
    schema_version: int | None
    tag_ids: list[str]
    requested_model: str | None
    kb_id: str | None
    peer_match_keys: list[str]
    include: dict[str, Any]
    effective_model: str = ""
    """Which model runs; filled in by the service, which knows the catalogue."""

    @property
    def schema_ref(self) -> tuple[str, int] | None:
        """The id and the version of the schema that it asks for; None if it asks for none."""
        if self.schema_id is None or self.schema_version is None:
            return None
        return self.schema_id, self.schema_version

    @property
    def model(self) -> str:
        """The model as clients see it: the one asked for, or the default name."""
        return self.requested_model or DEFAULT_MODEL


@dataclass(frozen=True, slots=True)
class Form(Revision):
    response_format: dict[str, Any]
    tag_ids: list[str]


@dataclass(frozen=True, slots=True)
class FormSubmission:
    id: str
    organization_id: str
    form_revid: str
    submission_data: dict[str, Any]
    submitted_by: str | None
    created_at: datetime
    updated_at: datetime
