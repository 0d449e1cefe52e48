"""Tools for prompts and models."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.services.extraction.prompts import PromptConfig
from tests.tools.desk import INVOICE_FORMAT, NUMBER, Desk, schema_of


async def make_schema(desk: Desk) -> str:
    made = await desk.call("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    schema_id: str = made["schema_id"]
    return schema_id


async def make(desk: Desk, **more: Any) -> Any:
    return await desk.call("create_prompt", **{"name": "Extract", "content": "Read it.", **more})


async def test_create_read_list(desk: Desk) -> None:
    schema_id = await make_schema(desk)
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    wanted = {"name": "Extract", "content": "Read it.", "schema_id": schema_id, "tag_ids": [tag_id]}
    described = await desk.describe("create_prompt", **wanted)
    assert described.summary == "Create prompt “Extract” for schema “Invoice” version 1"
    assert described.basis is None
    assert described.preview == {
        "kind": "prompt",
        "name": "Extract",
        "version_from": None,
        "version_to": 1,
        "fields": [
            {"field": "content", "before": None, "after": "Read it."},
            {"field": "schema", "before": None, "after": "“Invoice” version 1"},
            {"field": "model", "before": None, "after": "default"},
            {"field": "tags", "before": None, "after": "“invoices”"},
        ],
    }
    made = await desk.call("create_prompt", **wanted)
    assert (made["name"], made["model"], made["effective_model"]) == ("Extract", None, "docagent-offline")
    assert desk.state.prompt_revid == made["prompt_revid"]
    read = await desk.call("get_prompt", prompt_revid=made["prompt_revid"])
    assert (read["content"], read["schema_id"], read["schema_version"], read["tag_ids"]) == (
        "Read it.",
        schema_id,
        1,
        [tag_id],
    )
    assert await desk.call("get_prompt", prompt_revid=made["prompt_id"]) == read
    await make(desk, name="Other")
    found = await desk.call("list_prompts", tag_ids=[tag_id])
    assert [(item["name"], item["content_start"]) for item in found["prompts"]] == [("Extract", "Read it.")]
    assert (await desk.call("list_prompts", document_id=desk.document_id))["total_count"] == 0
    await desk.call("update_document", tag_ids=[tag_id])
    assert (await desk.call("list_prompts", document_id=desk.document_id))["total_count"] == 1


async def test_a_name_that_exists_gets_a_new_version_and_says_so(desk: Desk) -> None:
    first = await make(desk)
    described = await desk.describe("create_prompt", name="Extract", content="Read it well.")
    assert described.summary == "Create version 2 of prompt “Extract”"
    assert described.basis == first["prompt_revid"]
    assert described.preview is not None
    assert described.preview["fields"] == [
        {"field": "content", "before": "Read it.", "after": "Read it well."}
    ]
    second = await make(desk, content="Read it well.")
    assert (second["prompt_id"], second["prompt_version"]) == (first["prompt_id"], 2)
    assert await desk.undo("create_prompt") == "Prompt “Extract” is as it was, as version 3"
    newest = await desk.call("get_prompt", prompt_revid=first["prompt_id"])
    assert (newest["content"], newest["prompt_version"]) == ("Read it.", 3)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"model": "gpt-9000"}, "Invalid model: gpt-9000. These models can be called now: "),
        ({"schema_id": "nonsense"}, "Invalid schema ID: nonsense. Call list_schemas"),
        ({"schema_id": "0" * 24}, f"Schema with ID {'0' * 24} not found. Call list_schemas"),
        ({"tag_ids": ["0" * 24]}, "Invalid tag IDs:"),
        ({"schema_version": 1}, "schema_version needs a schema_id"),
    ],
)
async def test_what_a_prompt_names_must_exist(desk: Desk, wrong: dict[str, Any], words: str) -> None:
    assert words in (await desk.describe("create_prompt", name="Extract", content="x", **wrong)).summary
    with pytest.raises((InvalidInput, NotFound), match=words.replace("[", "\\[")):
        await make(desk, **wrong)
    assert (await desk.call("list_prompts"))["total_count"] == 0


async def test_a_change_in_part_keeps_the_rest(desk: Desk) -> None:
    schema_id = await make_schema(desk)
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    config = PromptConfig(
        "Extract", "Read it.", schema_id, 1, [tag_id], "gpt-4o-mini", None, ["customer"], {"pdf": False}
    )
    prompt = await desk.product.services.prompts.create(desk.tenant.member, config)
    await desk.call("update_schema", schema_id=schema_id, response_format=schema_of({"number": NUMBER}))
    described = await desk.describe("update_prompt", prompt_id=prompt.id, content="Better.")
    assert described.summary == "Change prompt “Extract” to version 2: content"
    await desk.call("update_prompt", prompt_id=prompt.id, content="Better.")
    first = desk.outcomes[-1]
    read = await desk.call("get_prompt", prompt_revid=prompt.id)
    assert (read["content"], read["schema_version"], read["model"], read["tag_ids"]) == (
        "Better.",
        1,
        "gpt-4o-mini",
        [tag_id],
    )
    assert (read["peer_match_keys"], read["include"]) == (["customer"], {"pdf": False})
    described = await desk.describe("update_prompt", prompt_id=prompt.id, schema_id=schema_id)
    assert described.preview is not None
    assert described.preview["fields"] == [
        {"field": "schema", "before": "“Invoice” version 1", "after": "“Invoice” version 2"}
    ]
    moved = await desk.call("update_prompt", prompt_id=prompt.id, schema_id=schema_id)
    assert moved["prompt_version"] == 3
    with pytest.raises(Conflict, match="version 3 is newer"):
        await desk.undo("update_prompt", first)
    await desk.call("update_prompt", prompt_id=prompt.id, schema_id=None, model=None, tag_ids=[])
    read = await desk.call("get_prompt", prompt_revid=prompt.id)
    assert (read["schema_id"], read["schema_version"], read["model"], read["tag_ids"]) == (
        None,
        None,
        None,
        [],
    )
    assert (
        await desk.undo("update_prompt", desk.outcomes[-2]) == "Prompt “Extract” is as it was, as version 5"
    )
    read = await desk.call("get_prompt", prompt_revid=prompt.id)
    assert (read["schema_version"], read["model"], read["tag_ids"]) == (2, "gpt-4o-mini", [tag_id])


async def test_rename_and_no_change(desk: Desk) -> None:
    made = await make(desk)
    same = await desk.call("update_prompt", prompt_id=made["prompt_id"], content="Read it.")
    assert (same["message"], same["prompt_revid"]) == ("No changes", made["prompt_revid"])
    described = await desk.describe("update_prompt", prompt_id=made["prompt_id"], name="Read")
    assert described.summary == "Rename prompt “Extract” to “Read”"
    assert described.preview is not None
    assert described.preview["version_to"] == 1
    renamed = await desk.call("update_prompt", prompt_id=made["prompt_id"], name="Read")
    assert (renamed["name"], renamed["prompt_revid"]) == ("Read", made["prompt_revid"])
    assert await desk.basis("update_prompt", prompt_id=made["prompt_id"], name="Read") != described.basis
    assert await desk.undo("update_prompt") == "Prompt “Read” is named “Extract” again"
    with pytest.raises(InvalidInput, match="Nothing to change"):
        await desk.call("update_prompt", prompt_id=made["prompt_id"])


async def test_wrong_ids_are_refused(desk: Desk) -> None:
    made = await make(desk)
    for tool, more in (("update_prompt", {"content": "x"}), ("delete_prompt", {})):
        with pytest.raises(InvalidInput, match=f"is a prompt_revid. Use the prompt_id {made['prompt_id']}"):
            await desk.call(tool, prompt_id=made["prompt_revid"], **more)
        with pytest.raises(NotFound, match=r"^Prompt not found\. Call list_prompts to see the ids\.$"):
            await desk.call(tool, prompt_id="nonsense", **more)
    with pytest.raises(NotFound, match="Call list_prompts"):
        await desk.call("get_prompt", prompt_revid="nonsense")


async def test_a_former_version_does_not_come_back_when_its_tag_is_gone(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    made = await make(desk, tag_ids=[tag_id])
    await desk.call("update_prompt", prompt_id=made["prompt_id"], tag_ids=[])
    change = desk.outcomes[-1]
    await desk.call("delete_tag", tag_id=tag_id)
    with pytest.raises(Conflict, match="refers to something that is gone: Invalid tag IDs"):
        await desk.undo("update_prompt", change)


async def test_delete_and_bring_back(desk: Desk) -> None:
    schema_id = await make_schema(desk)
    made = await make(desk, schema_id=schema_id)
    created = desk.outcomes[-1]
    described = await desk.describe("delete_prompt", prompt_id=made["prompt_id"])
    assert (described.summary, described.preview) == (
        "Delete prompt “Extract”",
        {"kind": "delete", "noun": "prompt", "name": "Extract", "removes": ["1 version"]},
    )
    assert await desk.call("delete_prompt", prompt_id=made["prompt_id"]) == {
        "message": "Prompt deleted successfully"
    }
    assert desk.state.prompt_revid is None
    deleted = desk.outcomes[-1]
    assert await desk.undo("delete_prompt", deleted) == "Prompt “Extract” is back with 1 version"
    assert (await desk.call("get_prompt", prompt_revid=made["prompt_revid"]))["schema_id"] == schema_id
    assert await desk.undo("create_prompt", created) == "Prompt “Extract” is deleted again"
    await desk.call("delete_schema", schema_id=schema_id)
    with pytest.raises(Conflict, match="refers to something that is gone: Schema with ID"):
        await desk.undo("delete_prompt", deleted)
    with pytest.raises(NotFound):
        await desk.call("get_prompt", prompt_revid=made["prompt_revid"])
    await make(desk)
    with pytest.raises(Conflict, match="Another prompt is named “Extract” now"):
        await desk.undo("delete_prompt", deleted)


async def test_the_models_that_can_run_are_listed(desk: Desk) -> None:
    found = await desk.call("list_llm_models")
    by_name = {model["name"]: model for model in found["models"]}
    assert by_name["docagent-offline"]["input_price"] == 0
    assert by_name["gpt-4o-mini"]["provider"] == "openai"
    assert found["default_model"] is None
