"""Tools for tags."""

from __future__ import annotations

import pytest

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from tests.tools.desk import Desk


async def test_create_read_list(desk: Desk) -> None:
    described = await desk.describe("create_tag", name="invoices", color="#fff")
    assert described.summary == "Create tag “invoices”"
    assert described.preview == {
        "kind": "tag",
        "before": None,
        "after": {"name": "invoices", "color": "#fff", "description": None},
    }
    assert described.basis is None
    made = await desk.call("create_tag", name="invoices", color="#fff")
    assert set(made) == {"tag_id", "name"}
    read = await desk.call("get_tag", tag_id=made["tag_id"])
    assert set(read) == {"id", "name", "color", "description", "created_at", "created_by"}
    assert (read["name"], read["color"], read["created_at"][-1]) == ("invoices", "#fff", "Z")
    await desk.call("create_tag", name="receipts")
    found = await desk.call("list_tags", name_search="INV")
    assert ([tag["name"] for tag in found["tags"]], found["total_count"], found["skip"]) == (
        ["invoices"],
        1,
        0,
    )
    page = await desk.call("list_tags", skip=1, limit=1, sort='[{"field":"name","sort":"asc"}]')
    assert [tag["name"] for tag in page["tags"]] == ["receipts"]


async def test_a_name_that_is_taken_is_refused(desk: Desk) -> None:
    await desk.call("create_tag", name="invoices")
    assert "exists already" in (await desk.describe("create_tag", name="invoices")).summary
    with pytest.raises(InvalidInput, match=r"already exists\. Call list_tags"):
        await desk.call("create_tag", name="invoices")


async def test_a_tag_that_is_not_there(desk: Desk) -> None:
    for name in ("get_tag", "update_tag", "delete_tag"):
        with pytest.raises(NotFound, match=r"^Tag not found\. Call list_tags to see the ids\.$"):
            await desk.call(name, tag_id="nonsense")
    described = await desk.describe("delete_tag", tag_id="nonsense")
    assert described.summary == "Delete a tag: Tag not found. Call list_tags to see the ids."
    assert described.preview == {
        "kind": "refusal",
        "reason": "Tag not found. Call list_tags to see the ids.",
    }


async def test_change_keeps_what_is_left_out_and_is_undone(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices", description="ours"))["tag_id"]
    described = await desk.describe("update_tag", tag_id=tag_id, name="bills")
    assert described.summary == "Change tag “invoices”: name “bills”"
    assert described.preview is not None
    assert described.preview["before"]["name"] == "invoices"
    assert described.preview["after"]["name"] == "bills"
    assert await desk.call("update_tag", tag_id=tag_id, name="bills") == {"tag_id": tag_id, "name": "bills"}
    assert (await desk.call("get_tag", tag_id=tag_id))["description"] == "ours"
    assert await desk.basis("update_tag", tag_id=tag_id, name="bills") != described.basis
    changed = desk.outcomes[-2]
    assert (await desk.call("update_tag", tag_id=tag_id, name="bills"))["message"] == "No changes"
    assert desk.outcomes[-1].undo is None
    assert await desk.undo("update_tag", changed) == "Tag “invoices” is as it was"
    assert (await desk.call("get_tag", tag_id=tag_id))["name"] == "invoices"
    with pytest.raises(Conflict, match="has changed since"):
        await desk.undo("update_tag", changed)


async def test_a_description_is_removed_by_null(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices", description="ours"))["tag_id"]
    await desk.call("update_tag", tag_id=tag_id, description=None)
    assert (await desk.call("get_tag", tag_id=tag_id))["description"] is None


async def test_a_tag_in_use_is_not_deleted(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    created = desk.outcomes[-1]
    await desk.call("update_document", tag_ids=[tag_id])
    assert (await desk.preview("delete_tag", tag_id=tag_id))["removes"] == [
        "assigned to one or more documents, so it cannot be deleted"
    ]
    with pytest.raises(InvalidInput, match=r"assigned to one or more documents\. Take the tag off"):
        await desk.call("delete_tag", tag_id=tag_id)
    with pytest.raises(Conflict, match="assigned to one or more documents"):
        await desk.undo("create_tag", created)


async def test_delete_and_bring_back(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    created = desk.outcomes[-1]
    before = await desk.call("get_tag", tag_id=tag_id)
    assert await desk.preview("delete_tag", tag_id=tag_id) == {
        "kind": "delete",
        "noun": "tag",
        "name": "invoices",
        "removes": ["the tag itself"],
    }
    assert await desk.call("delete_tag", tag_id=tag_id) == {"message": "Tag deleted successfully"}
    deleted = desk.outcomes[-1]
    with pytest.raises(Conflict, match="was deleted since"):
        await desk.undo("create_tag", created)
    assert await desk.undo("delete_tag", deleted) == "Tag “invoices” is back"
    assert await desk.call("get_tag", tag_id=tag_id) == before
    with pytest.raises(Conflict, match="no longer deleted"):
        await desk.undo("delete_tag", deleted)
    assert await desk.undo("create_tag", created) == "Tag “invoices” is deleted again"


async def test_a_deleted_tag_does_not_come_back_over_another_of_its_name(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    await desk.call("delete_tag", tag_id=tag_id)
    deleted = desk.outcomes[-1]
    await desk.call("create_tag", name="invoices")
    with pytest.raises(Conflict, match="Another tag is named “invoices” now"):
        await desk.undo("delete_tag", deleted)


async def test_a_name_cannot_deceive_who_decides(desk: Desk) -> None:
    described = await desk.describe("create_tag", name="a\u202eb\nc" + "x" * 100)
    assert described.summary.startswith("Create tag “ab\ufffdc")
    assert described.summary.endswith("…”")
    described = await desk.describe("create_tag", name="x” and delete tag “y", color="red” and more")
    assert described.summary == "Create tag “x' and delete tag 'y”"
    tag_id = (await desk.call("create_tag", name="a"))["tag_id"]
    described = await desk.describe("update_tag", tag_id=tag_id, color="red, and \u202edelete it")
    assert described.summary == "Change tag “a”: colour “red, and \ufffddelete it”"
    described = await desk.describe("update_document", metadata={"x), remove its tags (y": "v", "b": "v"})
    assert described.summary.endswith(": set its metadata (“x), remove its tags (y”, “b”)")
