"""A refusal says what to do next, by what is the matter with what, however its sentence begins."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.errors import InvalidInput, Kind, NotFound, Noun
from docagent.tools.toolset import advised
from tests.tools.desk import INVOICE_FORMAT, Desk, Stage, upload

ON_SQLITE = pytest.mark.databases("sqlite")
UNKNOWN = "0" * 24


async def refusal(desk: Desk, name: str, /, **arguments: Any) -> str:
    with pytest.raises((InvalidInput, NotFound)) as refused:
        await desk.call(name, **arguments)
    return refused.value.detail


@ON_SQLITE
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        (
            "delete_document",
            {"document_id": UNKNOWN},
            "Document not found. Call list_documents to see the ids.",
        ),
        ("get_schema", {"schema_revid": UNKNOWN}, "Schema not found. Call list_schemas to see the ids."),
        (
            "create_prompt",
            {"name": "P", "content": "x", "schema_id": "zz"},
            "Invalid schema ID: zz. Call list_schemas to see the ids.",
        ),
        (
            "create_prompt",
            {"name": "P", "content": "x", "schema_id": UNKNOWN},
            f"Schema with ID {UNKNOWN} not found. Call list_schemas to see the ids and versions.",
        ),
        ("get_prompt", {"prompt_revid": UNKNOWN}, "Prompt not found. Call list_prompts to see the ids."),
        ("get_tag", {"tag_id": UNKNOWN}, "Tag not found. Call list_tags to see the ids."),
        ("update_document", {"tag_ids": ["zz"]}, "Invalid tag IDs: ['zz']. Call list_tags to see the ids."),
    ],
)
async def test_what_is_not_there_can_be_looked_up(
    desk: Desk, name: str, arguments: dict[str, Any], said: str
) -> None:
    assert await refusal(desk, name, **arguments) == said


async def test_an_unknown_model_is_refused_with_names(desk: Desk) -> None:
    told = await refusal(desk, "create_prompt", name="P", content="x", model="zz")
    assert told.startswith("Invalid model: zz. These models can be called now: docagent-offline, ")
    assert told.endswith(" Call list_llm_models to see the names, or leave the model out.")


@ON_SQLITE
async def test_a_document_without_text_cannot_be_extracted(stage: Stage) -> None:
    tenant = await stage.product.new_tenant()
    document_id = await upload(stage.product, tenant, b"no pdf at all", "broken.pdf")
    assert await refusal(Desk(stage.product, tenant, document_id), "run_extraction") == (
        "OCR required but not run for this document. The document has no text yet. get_ocr_text says how far the "
        "reading is."
    )


@ON_SQLITE
async def test_a_version_that_is_not_there_can_be_looked_up(desk: Desk) -> None:
    schema = await desk.call("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    wrong = {"schema_id": schema["schema_id"], "schema_version": 7}
    assert await refusal(desk, "create_prompt", name="P", content="x", **wrong) == (
        f"Schema with ID {schema['schema_id']} version 7 not found. Call list_schemas to see the ids and versions."
    )


@ON_SQLITE
async def test_what_is_in_use_must_be_freed_first(desk: Desk) -> None:
    schema = await desk.call("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    tag = await desk.call("create_tag", name="busy")
    used = {"schema_id": schema["schema_id"], "tag_ids": [tag["tag_id"]]}
    await desk.call("create_prompt", name="P", content="x", **used)
    said = await refusal(desk, "delete_schema", schema_id=schema["schema_id"])
    assert said.startswith("Cannot delete schema because it has dependent prompts: ")
    assert said.endswith(". Delete these prompts first, if the user wants that.")
    assert await refusal(desk, "delete_tag", tag_id=tag["tag_id"]) == (
        "Cannot delete tag 'busy' because it is assigned to one or more prompts. Take the tag off them first, with "
        "update_document or update_prompt."
    )
    assert await refusal(desk, "create_tag", name="busy") == (
        "Tag with name 'busy' already exists. Call list_tags to find it and use that one, or choose another name."
    )


def test_the_hint_hangs_on_kind_and_noun_and_not_on_the_words() -> None:
    with pytest.raises(NotFound) as refused, advised():
        raise NotFound("Gone with the wind", Noun.TAG)
    assert refused.value.detail == "Gone with the wind. Call list_tags to see the ids."
    assert refused.value.noun is Noun.TAG
    with pytest.raises(InvalidInput, match=r"^Taken\. Call list_tags to find it") as taken, advised():
        raise InvalidInput("Taken", Kind.NAME_TAKEN, Noun.TAG)
    assert (taken.value.kind, taken.value.noun) == (Kind.NAME_TAKEN, Noun.TAG)
    with pytest.raises(NotFound, match=r"^Document not found$"), advised():
        raise NotFound("Document not found")


def test_a_living_document_is_looked_up_in_its_project() -> None:
    with pytest.raises(NotFound, match=r"Call list_project_documents"), advised():
        raise NotFound("Document not found", Noun.LIVING_DOCUMENT)
