"""The arguments of a tool as a pydantic model, from which the JSON schema is made that models see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from docagent.domain.listing import ListQuery, list_query
from docagent.domain.shown import without_hidden
from docagent.tools.parameters import NameSearch, last


class Arguments(BaseModel):
    """The arguments of a call. A name that is not declared is refused. None means that the call leaves it out."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=last("required"))

    @field_validator("name", check_fields=False)
    @classmethod
    def _seen(cls, name: str | None) -> str | None:
        if name and not (seen := without_hidden(name)):
            raise ValueError("The name holds nothing that can be seen")
        return name and seen

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return the JSON schema of a call."""
        return cls.model_json_schema(schema_generator=_ShownToModels)


class ListWanted(Arguments):
    """The arguments of a tool that lists something. Subclasses say of what, and may add `sort` and `filters`."""

    skip: int = 0
    limit: int = 10
    name_search: NameSearch | None = None

    @property
    def query(self) -> ListQuery:
        return list_query(**self.model_dump(include={"skip", "limit", "name_search", "sort", "filters"}))


class _ShownToModels(GenerateJsonSchema):
    """Makes a schema with only the keywords that help a model, in the order in which they are declared.

    It has no titles, no defaults, no references, and no null that only means that an argument is left out.
    """

    def generate(self, schema: CoreSchema, mode: Any = "validation") -> JsonSchemaValue:
        made = super().generate(schema, mode)
        definitions = made.pop("$defs", {})
        shown: JsonSchemaValue = _without_references(made, definitions)
        return shown

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        return value

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        made = super().model_schema(schema)
        return {key: value for key, value in made.items() if key not in ("title", "description")}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _without_references(value: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(value, list):
        return [_without_references(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _without_references(definitions[value["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: _without_references(item, definitions) for key, item in value.items()}
