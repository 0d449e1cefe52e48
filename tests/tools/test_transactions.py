"""What a tool does and what is written about it are one commit."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from docagent.domain.clock import now
from docagent.domain.extraction.artefacts import Tag
from docagent.domain.ids import new_id
from docagent.store.documents import tags
from tests.tools.desk import INVOICE_FORMAT, WRITES, Desk


class Killed(Exception):
    pass


async def furnished(desk: Desk) -> dict[str, dict[str, Any]]:
    """Arguments of a call of each tool that writes, which would succeed."""
    schema = await desk.call("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    unused = await desk.call("create_schema", name="Unused", response_format=INVOICE_FORMAT)
    prompt = await desk.call("create_prompt", name="P", content="x", schema_id=schema["schema_id"])
    tag = await desk.call("create_tag", name="t")
    await desk.call("run_extraction")
    return {
        "run_extraction": {},
        "update_extraction_field": {"path": "total", "value": 1},
        "update_document": {"document_name": "renamed.pdf", "tag_ids": [tag["tag_id"]]},
        "delete_document": {},
        "create_schema": {"name": "New", "response_format": INVOICE_FORMAT},
        "update_schema": {"schema_id": schema["schema_id"], "name": "Renamed"},
        "delete_schema": {"schema_id": unused["schema_id"]},
        "create_prompt": {"name": "New", "content": "x"},
        "update_prompt": {"prompt_id": prompt["prompt_id"], "content": "y"},
        "delete_prompt": {"prompt_id": prompt["prompt_id"]},
        "create_tag": {"name": "new"},
        "update_tag": {"tag_id": tag["tag_id"], "name": "renamed"},
        "delete_tag": {"tag_id": tag["tag_id"]},
    }


async def snapshot(desk: Desk, prompt_revid: str | None) -> list[Any]:
    names = ("list_documents", "list_schemas", "list_prompts", "list_tags")
    lists = [await desk.call(name) for name in names]
    return [*lists, await desk.call("get_extraction_result", prompt_revid=prompt_revid)]


async def test_an_effect_and_its_record_are_rolled_back_together(invoice: Desk) -> None:
    arguments = await furnished(invoice)
    assert set(arguments) == WRITES
    toolset, member = invoice.toolset, invoice.tenant.member
    revid = invoice.state.prompt_revid
    before = await snapshot(invoice, revid)
    for name, wanted in arguments.items():
        prepared = await toolset.prepare(invoice.context(), name, wanted, invoice._tell)
        record = Tag(new_id(), f"record of {name}", "#fff", None, now(), member.user_id)
        with suppress(Killed):
            async with invoice.product.services.db.write_org(member.organization_id) as tx:
                with tx.joined():
                    outcome = await toolset.run(invoice.context(), name, wanted, prepared)
                assert outcome.undo is not None
                await tags.insert(tx, record)
                raise Killed
        assert await snapshot(invoice, revid) == before, name


async def test_a_failed_effect_leaves_the_record(desk: Desk) -> None:
    """As the journal does it: the attempt is rolled back to its savepoint, the entry is committed."""
    await desk.call("create_tag", name="a")
    tag_id = (await desk.call("create_tag", name="b"))["tag_id"]
    member = desk.tenant.member
    record = Tag(new_id(), "record", "#fff", None, now(), member.user_id)
    wanted = {"tag_id": tag_id, "name": "a"}
    async with desk.product.services.db.write_org(member.organization_id) as tx:
        with pytest.raises(Exception, match="already exists"), tx.joined():
            async with tx.savepoint():
                await desk.toolset.run(desk.context(), "update_tag", wanted, None)
        await tags.insert(tx, record)
    found = await desk.call("list_tags", sort='[{"field":"name","sort":"asc"}]')
    assert [tag["name"] for tag in found["tags"]] == ["a", "b", "record"]


async def test_every_write_can_be_undone_once_it_ran(invoice: Desk) -> None:
    arguments = await furnished(invoice)
    revid = invoice.state.prompt_revid
    for name, wanted in arguments.items():
        before = await snapshot(invoice, revid)
        await invoice.call(name, **wanted)
        done = invoice.outcomes[-1]
        assert done.summary
        assert await invoice.undo(name, done)
        after = await snapshot(invoice, revid)
        assert named(after) == named(before), name


def named(lists: list[Any]) -> Any:
    """What the lists show, without what a new version changes."""
    documents, schemas, prompts, tag_list, result = lists
    return (
        [(item["document_name"], item["tag_ids"], item["metadata"]) for item in documents["documents"]],
        [(item["name"], item["fields"]) for item in schemas["schemas"]],
        sorted((item["name"], item["content_start"]) for item in prompts["prompts"]),
        tag_list,
        result["extraction"],
    )
