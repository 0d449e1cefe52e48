"""Tools for documents and their text."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from docagent.domain.clock import now
from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.store.documents import documents
from docagent.tools.documents.documents import MOST_CHARACTERS
from tests.tools.desk import Desk, Stage, open_desk, upload


async def test_the_text_is_read_page_by_page(stage: Stage) -> None:
    desk = await open_desk(stage, ["First page"], ["Second page"], ["Third page"])
    whole = await desk.call("get_ocr_text")
    assert (whole["pages"], whole["page"], whole["last_page"], whole["next_page"]) == (3, 1, 3, None)
    assert [line.strip() for line in whole["text"].splitlines() if line.strip()] == [
        "First page",
        "Second page",
        "Third page",
    ]
    second = await desk.call("get_ocr_text", page_num=2)
    assert (second["text"].strip(), second["page"], second["next_page"]) == ("Second page", 2, 3)
    assert "Third" in (await desk.call("get_ocr_text", from_page=2))["text"]
    with pytest.raises(NotFound, match="There is no page 4: the document has 3 pages"):
        await desk.call("get_ocr_text", page_num=4)


async def test_a_long_text_is_paged_without_loss(stage: Stage) -> None:
    """Also the text of a kind of file that the contract serves no text of."""
    tenant = await stage.product.new_tenant()
    lines = [f"line {number} of a long file" for number in range(4000)]
    document_id = await upload(stage.product, tenant, "\n".join(lines).encode(), "long.txt")
    desk = Desk(stage.product, tenant, document_id)
    parts: list[str] = []
    following: dict[str, Any] = {}
    while True:
        part = await desk.call("get_ocr_text", **following)
        assert len(part["text"]) <= MOST_CHARACTERS
        # A new page begins on a new line.
        parts.append(part["text"] if part["next_offset"] else part["text"] + "\n")
        if part["next_page"] is None:
            break
        following = {"from_page": part["next_page"], "offset": part["next_offset"]}
    assert len(parts) > 3
    assert [line for line in "".join(parts).splitlines() if line.strip()] == lines


async def test_a_text_that_is_not_there_yet_is_said(desk: Desk) -> None:
    async with desk.product.services.db.write_org(desk.tenant.organization_id) as tx:
        await documents.change(tx, desk.document_id or "", {"text_run_id": None, "state": "ocr_processing"})
    waiting = await desk.call("get_ocr_text")
    assert waiting["text"] == ""
    assert waiting["message"].startswith("The document is still being read")


async def test_a_file_that_cannot_be_read_is_said_with_the_reason(stage: Stage) -> None:
    tenant = await stage.product.new_tenant()
    document_id = await upload(stage.product, tenant, b"no pdf at all", "broken.pdf")
    found = await Desk(stage.product, tenant, document_id).call("get_ocr_text")
    assert (found["text"], found["state"]) == ("", "ocr_failed")
    assert found["message"].startswith("The document could not be read: ")


async def test_documents_are_listed(desk: Desk) -> None:
    await upload(
        desk.product,
        desk.tenant,
        b"x",
        "other.txt",
        read=False,
        metadata={"customer": "A=B, C", "year": "2026"},
    )
    found = await desk.call("list_documents")
    assert (found["total_count"], found["skip"], len(found["documents"])) == (2, 0, 2)
    assert set(found["documents"][0]) == {
        "id", "document_name", "upload_date", "uploaded_by", "state", "tag_ids", "metadata",
    }  # fmt: skip
    only = await desk.call("list_documents", metadata_search={"customer": "A=B, C"})
    assert [item["document_name"] for item in only["documents"]] == ["other.txt"]
    assert (await desk.call("list_documents", name_search="NOTE", limit=1))["total_count"] == 1


async def test_a_change_names_tags_and_is_undone(desk: Desk) -> None:
    first = (await desk.call("create_tag", name="invoices"))["tag_id"]
    second = (await desk.call("create_tag", name="2026"))["tag_id"]
    wanted = {"document_name": "new.txt", "tag_ids": [first, second], "metadata": {"customer": "ACME"}}
    described = await desk.describe("update_document", **wanted)
    assert described.summary == (
        "Change document “note.txt”: rename it to “new.txt”, tag it with “invoices” and “2026”, "
        "set its metadata (“customer”)"
    )
    assert described.preview == {
        "kind": "document",
        "before": {"document_name": "note.txt", "tags": [], "metadata": {}},
        "after": {"document_name": "new.txt", "tags": ["invoices", "2026"], "metadata": {"customer": "ACME"}},
    }
    done = await desk.call("update_document", **wanted)
    assert done == {
        "message": "Document updated successfully",
        "document_id": desk.document_id,
        "document_name": "new.txt",
        "tag_ids": [first, second],
        "metadata": {"customer": "ACME"},
    }
    change = desk.outcomes[-1]
    assert await desk.basis("update_document", **wanted) != described.basis
    await desk.call("update_document", metadata={})
    with pytest.raises(Conflict, match="has changed since"):
        await desk.undo("update_document", change)
    assert await desk.undo("update_document") == "Document “new.txt” is as it was"
    assert await desk.undo("update_document", change) == "Document “note.txt” is as it was"
    found = (await desk.call("list_documents"))["documents"][0]
    assert (found["document_name"], found["tag_ids"], found["metadata"]) == ("note.txt", [], {})
    assert (await desk.call("list_documents", tag_ids=[first]))["total_count"] == 0


async def test_a_change_of_nothing(desk: Desk) -> None:
    assert (await desk.call("update_document"))["message"] == "No updates provided"
    assert desk.outcomes[-1].undo is None


async def test_wrong_changes_are_refused(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match=r"Invalid tag IDs: .*Call list_tags"):
        await desk.call("update_document", tag_ids=["nonsense"])
    with pytest.raises(InvalidInput, match="Unsupported file extension"):
        await desk.call("update_document", document_name="note.exe")
    for tool in ("update_document", "delete_document"):
        with pytest.raises(NotFound, match=r"^Document not found\. Call list_documents to see the ids\.$"):
            await desk.call(tool, document_id="0" * 24)


async def test_delete_and_bring_back(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    await desk.call("update_document", tag_ids=[tag_id])
    described = await desk.describe("delete_document")
    assert described.summary == "Delete document “note.txt”"
    assert described.preview is not None
    assert described.preview["removes"][0] == "the file"
    assert await desk.call("delete_document") == {
        "message": "Document deleted successfully",
        "document_id": desk.document_id,
    }
    deleted = desk.outcomes[-1]
    with pytest.raises(NotFound):
        await desk.call("get_ocr_text")
    assert await desk.undo("delete_document", deleted) == "Document “note.txt” is back"
    assert (await desk.call("list_documents", tag_ids=[tag_id]))["total_count"] == 1
    with pytest.raises(Conflict, match="no longer deleted"):
        await desk.undo("delete_document", deleted)


async def test_a_document_comes_back_without_a_tag_that_is_gone(desk: Desk) -> None:
    tag_id = (await desk.call("create_tag", name="invoices"))["tag_id"]
    await desk.call("update_document", tag_ids=[tag_id])
    await desk.call("delete_document")
    deleted = desk.outcomes[-1]
    await desk.call("delete_tag", tag_id=tag_id)
    await desk.undo("delete_document", deleted)
    assert (await desk.call("list_documents"))["documents"][0]["tag_ids"] == []


async def test_a_document_that_was_removed_for_good_does_not_come_back(desk: Desk) -> None:
    await desk.call("delete_document")
    async with desk.product.services.db.write() as tx:
        await documents.purge(tx, now() + timedelta(days=1), now())
    with pytest.raises(Conflict, match="removed permanently"):
        await desk.undo("delete_document")


async def test_without_a_document_one_must_be_named(desk: Desk) -> None:
    nowhere = Desk(desk.product, desk.tenant, None)
    with pytest.raises(InvalidInput, match="No document is open here"):
        await nowhere.call("get_ocr_text")
    assert (await nowhere.call("update_document", document_id=desk.document_id))[
        "document_name"
    ] == "note.txt"
