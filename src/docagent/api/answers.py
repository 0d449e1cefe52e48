"""What answers are made of: models that read their fields from the attributes of the thing they show."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from docagent.domain.field_path import FieldPath

Item = TypeVar("Item")


def _written(path: object) -> object:
    return str(path) if isinstance(path, FieldPath) else path


PathOut = Annotated[str, BeforeValidator(_written)]
"""The path of a value: `lines.0.price`, or a JSON Pointer where a name has dots (`/Total incl. VAT`)."""


def at_path(path: str, description: str | None = None) -> Any:
    """Return a field that is read from this attribute of the thing: `at_path("turn.id")`."""
    return Field(validation_alias=AliasPath(*path.split(".")), description=description)


class Answer(BaseModel):
    """Made with `model_validate(thing)`. A field that the thing calls otherwise says where it is (`at_path`).

    Like a route, it is analysed at its first use.
    """

    model_config = ConfigDict(from_attributes=True, populate_by_name=True, defer_build=True)


class Page(Answer, Generic[Item]):
    """A part of a list, made of what was found. Each list gives `items` the name that it has in the answer."""

    items: list[Item]
    total_count: int = Field(validation_alias="total")
    skip: int
