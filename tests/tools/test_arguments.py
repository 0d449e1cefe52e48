"""What a tool takes is declared once: the schema that models are shown and the typed value are the same."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from docagent.tools.arguments import Arguments
from docagent.tools.base import AgentTool
from docagent.tools.calls import read_arguments
from docagent.tools.documents.tags import TagChange
from docagent.tools.parameters import a_text, an_id
from docagent.tools.registry import DOCUMENT_TOOLS, PROGRAM_TOOLS, PROJECT_TOOLS

TOOLS = pytest.mark.parametrize(
    "tool", [*DOCUMENT_TOOLS, *PROJECT_TOOLS, *PROGRAM_TOOLS], ids=lambda tool: f"{tool.__name__}"
)
LETTERS = st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=("Cf", "Zl", "Zp"))
"""Names are stored without what cannot be seen."""
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(LETTERS, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(LETTERS, max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


class Inner(Arguments):
    """Not shown."""

    text: Annotated[str | None, a_text("A text, or null.", or_null=True)] = None


class Outer(Arguments):
    """Not shown either."""

    some_id: Annotated[str, an_id("An id.")]
    count: Annotated[int, Field(description="A number.")] = 7
    parts: Annotated[list[Inner] | None, Field(description="Parts.")] = None


def test_the_schema_has_what_helps_a_model_and_nothing_else() -> None:
    assert Outer.parameters() == {
        "type": "object",
        "properties": {
            "some_id": {"type": "string", "description": "An id.", "maxLength": 255},
            "count": {"type": "integer", "description": "A number."},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "text": {
                            "type": ["string", "null"],
                            "description": "A text, or null.",
                            "maxLength": 1_000_000,
                        }
                    },
                    "additionalProperties": False,
                },
                "description": "Parts.",
            },
        },
        "additionalProperties": False,
        "required": ["some_id"],
    }


@TOOLS
@settings(max_examples=25)
@given(data=st.data())
def test_every_call_that_the_schema_allows_arrives_as_it_was_written(
    tool: type[AgentTool[Any]], data: st.DataObject
) -> None:
    written = data.draw(values(tool.parameters))
    checked = read_arguments(tool, json.dumps(written))
    assert checked == written
    typed = tool.takes.model_validate(checked)
    assert typed.model_dump(by_alias=True, exclude_unset=True) == written


@TOOLS
def test_the_example_of_the_manual_is_a_call(tool: type[AgentTool[Any]]) -> None:
    tool.takes.model_validate(read_arguments(tool, tool.example.replace("{...}", "{}")))


def test_null_and_left_out_are_told_apart() -> None:
    assert "description" in TagChange.model_validate({"tag_id": "1", "description": None}).model_fields_set
    assert "description" not in TagChange.model_validate({"tag_id": "1"}).model_fields_set


def test_arguments_are_closed_and_stay_as_they_are() -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        TagChange.model_validate({"tag_id": "1", "nonsense": 1})
    with pytest.raises(ValidationError, match="frozen"):
        TagChange(tag_id="1").tag_id = "2"  # type: ignore[misc]


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema of ours allows, its limits included."""
    kinds = schema.get("type", "anything")
    return st.one_of(*(_of_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)))


def _of_kind(kind: str, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    match kind:
        case "null":
            return st.none()
        case "string":
            least, most = schema.get("minLength", 0), schema.get("maxLength", 10)
            longest = st.just("x" * most) if most <= 1000 else st.nothing()
            return st.text(LETTERS, min_size=least, max_size=min(most, 10)) | longest
        case "boolean":
            return st.booleans()
        case "integer":
            whole = st.integers(schema["minimum"], schema["maximum"])
            return whole | whole.map(float)
        case "array":
            least = schema.get("minItems", 0)
            most = min(schema["maxItems"], max(least, 3))
            return st.lists(values(schema["items"]), min_size=least, max_size=most)
        case "object":
            return _objects(schema)
        case _:
            return ANYTHING


def _objects(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        return st.dictionaries(st.text(LETTERS, max_size=5), values(others), max_size=3)
    parts = {name: values(member) for name, member in schema.get("properties", {}).items()}
    required = schema.get("required", ())
    return st.fixed_dictionaries(
        {name: part for name, part in parts.items() if name in required},
        optional={name: part for name, part in parts.items() if name not in required},
    )
