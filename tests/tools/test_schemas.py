"""Tools for schemas."""

from __future__ import annotations

from typing import Any

import pytest

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from tests.tools.desk import INVOICE_FORMAT, NUMBER, TOTAL, Desk, schema_of

WITH_DATE = schema_of(
    {"number": {**NUMBER, "description": "Another text"}, "date": {"type": "string", "description": "Date"}}
)


async def make(desk: Desk, name: str = "Invoice", wanted: dict[str, Any] = INVOICE_FORMAT) -> Any:
    return await desk.call("create_schema", name=name, response_format=wanted)


async def test_create_read_list(desk: Desk) -> None:
    described = await desk.describe("create_schema", name="Invoice", response_format=INVOICE_FORMAT)
    assert described.summary == "Create schema “Invoice” with 2 fields"
    assert described.basis is None
    assert described.preview is not None
    assert described.preview["kind"] == "schema"
    assert (described.preview["version_from"], described.preview["version_to"]) == (None, 1)
    assert described.preview["fields"] == [
        {"path": "number", "change": "added", "before": None, "after": NUMBER},
        {"path": "total", "change": "added", "before": None, "after": TOTAL},
    ]
    assert (described.preview["before"], described.preview["after"]) == (None, INVOICE_FORMAT)
    made = await make(desk)
    assert (made["name"], made["schema_version"]) == ("Invoice", 1)
    assert desk.state.schema_revid == made["schema_revid"]
    read = await desk.call("get_schema", schema_revid=made["schema_revid"])
    assert (read["name"], read["schema_id"], read["response_format"]) == (
        "Invoice",
        made["schema_id"],
        INVOICE_FORMAT,
    )
    assert await desk.call("get_schema", schema_revid=made["schema_id"]) == read
    found = await desk.call("list_schemas", name_search="inv")
    assert (found["total_count"], found["schemas"][0]["fields"]) == (1, ["number", "total"])


async def test_a_name_that_exists_gets_a_new_version_and_says_so(desk: Desk) -> None:
    first = await make(desk)
    described = await desk.describe("create_schema", name="INVOICE", response_format=WITH_DATE)
    assert described.summary == "Create version 2 of schema “Invoice” with 2 fields"
    assert described.basis == first["schema_revid"]
    assert described.preview is not None
    assert (described.preview["version_from"], described.preview["version_to"]) == (1, 2)
    assert {change["path"]: change["change"] for change in described.preview["fields"]} == {
        "number": "changed",
        "date": "added",
        "total": "removed",
    }
    second = await make(desk, "INVOICE", WITH_DATE)
    assert (second["schema_id"], second["schema_version"]) == (first["schema_id"], 2)
    assert await desk.undo("create_schema") == "Schema “Invoice” is as it was, as version 3"
    newest = await desk.call("get_schema", schema_revid=first["schema_id"])
    assert (newest["schema_version"], newest["response_format"]) == (3, INVOICE_FORMAT)


async def test_a_schema_that_providers_cannot_enforce_is_refused_with_all_errors(desk: Desk) -> None:
    wrong = schema_of({"number": {"type": "string"}, "lines": {"type": "object"}})
    del wrong["json_schema"]["strict"]
    described = await desk.describe("create_schema", name="Invoice", response_format=wrong)
    assert described.summary.endswith("(4 errors: it will be refused)")
    with pytest.raises(InvalidInput) as refused:
        await make(desk, "Invoice", wrong)
    lines = refused.value.detail.splitlines()
    assert "call create_schema again" in lines[0]
    assert "- json_schema.strict: Set 'strict' to true" in lines
    assert any("properties.lines.required" in line for line in lines)
    assert (await desk.call("list_schemas"))["total_count"] == 0
    schema_id = (await make(desk))["schema_id"]
    with pytest.raises(InvalidInput, match="call update_schema again"):
        await desk.call("update_schema", schema_id=schema_id, response_format=wrong)


async def test_warnings_come_with_the_result(desk: Desk) -> None:
    made = await make(desk, wanted=schema_of({"n": {"type": "string", "pattern": "a", "description": "d"}}))
    assert [item["path"] for item in made["warnings"]] == ["json_schema.schema.properties.n.pattern"]


async def test_change_rename_and_no_change(desk: Desk) -> None:
    made = await make(desk)
    schema_id = made["schema_id"]
    same = await desk.call(
        "update_schema", schema_id=schema_id, response_format=INVOICE_FORMAT, name="Invoice"
    )
    assert same == {
        "schema_revid": made["schema_revid"],
        "schema_id": schema_id,
        "name": "Invoice",
        "message": "No changes",
    }
    described = await desk.describe("update_schema", schema_id=schema_id, response_format=WITH_DATE)
    assert described.summary == "Change schema “Invoice” to version 2"
    changed = await desk.call("update_schema", schema_id=schema_id, response_format=WITH_DATE)
    assert changed["schema_version"] == 2
    assert desk.state.schema_revid == changed["schema_revid"]
    change = desk.outcomes[-1]
    assert await desk.basis("update_schema", schema_id=schema_id, name="Bill") != described.basis
    described = await desk.describe("update_schema", schema_id=schema_id, name="Bill")
    assert described.summary == "Rename schema “Invoice” to “Bill”"
    renamed = await desk.call("update_schema", schema_id=schema_id, name="Bill")
    assert (renamed["schema_revid"], renamed["name"]) == (changed["schema_revid"], "Bill")
    assert await desk.basis("update_schema", schema_id=schema_id, name="Bill") != described.basis
    rename = desk.outcomes[-1]
    with pytest.raises(Conflict, match="renamed to “Bill” since"):
        await desk.undo("update_schema", change)
    assert await desk.undo("update_schema", rename) == "Schema “Bill” is named “Invoice” again"
    assert await desk.undo("update_schema", change) == "Schema “Invoice” is as it was, as version 3"
    with pytest.raises(Conflict, match="version 3 is newer"):
        await desk.undo("update_schema", change)


async def test_a_change_of_nothing_and_a_wrong_id_are_refused(desk: Desk) -> None:
    made = await make(desk)
    with pytest.raises(InvalidInput, match="Nothing to change"):
        await desk.call("update_schema", schema_id=made["schema_id"])
    for tool in ("update_schema", "delete_schema"):
        more = {"name": "x"} if tool == "update_schema" else {}
        with pytest.raises(InvalidInput, match=f"is a schema_revid. Use the schema_id {made['schema_id']}"):
            await desk.call(tool, schema_id=made["schema_revid"], **more)
        with pytest.raises(NotFound, match=r"^Schema not found\. Call list_schemas to see the ids\.$"):
            await desk.call(tool, schema_id="nonsense", **more)
    with pytest.raises(NotFound, match="Call list_schemas"):
        await desk.call("get_schema", schema_revid="nonsense")
    with pytest.raises(NotFound, match="Call list_schemas"):
        await desk.call("validate_against_schema", schema_revid="nonsense", data={})


async def test_a_rename_is_not_undone_over_another_of_the_old_name(desk: Desk) -> None:
    schema_id = (await make(desk))["schema_id"]
    await desk.call("update_schema", schema_id=schema_id, name="Bill")
    rename = desk.outcomes[-1]
    await make(desk)
    with pytest.raises(Conflict, match="Another schema is named “Invoice” now"):
        await desk.undo("update_schema", rename)


async def test_a_schema_in_use_stays(desk: Desk) -> None:
    schema_id = (await make(desk))["schema_id"]
    created = desk.outcomes[-1]
    await desk.call("create_prompt", name="Extract", content="x", schema_id=schema_id)
    assert (await desk.preview("delete_schema", schema_id=schema_id))["removes"] == [
        "1 version",
        "used by prompt “Extract”, so it cannot be deleted",
    ]
    with pytest.raises(InvalidInput, match=r"^Cannot delete schema because it has dependent prompts:"):
        await desk.call("delete_schema", schema_id=schema_id)
    with pytest.raises(Conflict, match="The prompt “Extract” uses the schema “Invoice” now"):
        await desk.undo("create_schema", created)


async def test_delete_and_bring_back(desk: Desk) -> None:
    made = await make(desk)
    created = desk.outcomes[-1]
    described = await desk.describe("delete_schema", schema_id=made["schema_id"])
    assert described.summary == "Delete schema “Invoice”"
    assert await desk.call("delete_schema", schema_id=made["schema_id"]) == {
        "message": "Schema deleted successfully"
    }
    assert desk.state.schema_revid is None
    deleted = desk.outcomes[-1]
    with pytest.raises(Conflict, match="was deleted since"):
        await desk.undo("create_schema", created)
    assert await desk.undo("delete_schema", deleted) == "Schema “Invoice” is back with 1 version"
    with pytest.raises(Conflict, match="no longer deleted"):
        await desk.undo("delete_schema", deleted)
    assert (await desk.call("get_schema", schema_revid=made["schema_revid"]))["name"] == "Invoice"
    await desk.call("delete_schema", schema_id=made["schema_id"])
    await make(desk, "invoice")
    with pytest.raises(Conflict, match="Another schema is named “Invoice” now"):
        await desk.undo("delete_schema", deleted)
    assert await desk.undo("create_schema") == "Schema “invoice” is deleted again"


async def test_the_strict_check(desk: Desk) -> None:
    assert await desk.call("validate_schema", schema=INVOICE_FORMAT) == {
        "valid": True,
        "errors": [],
        "warnings": [],
    }
    found = await desk.call("validate_schema", schema='{"type": "object"}')
    assert found["valid"] is False
    assert [item["path"] for item in found["errors"]] == ["type", "json_schema"]
    assert "json_schema: Add 'json_schema'" in found["error"]
    broken = await desk.call("validate_schema", schema="{")
    assert broken["errors"][0]["message"].startswith("This is not JSON")


async def test_data_is_checked_against_a_schema(desk: Desk) -> None:
    revid = (await make(desk))["schema_revid"]
    good = {"number": "1", "total": None}
    assert await desk.call("validate_against_schema", schema_revid=revid, data=good) == {"valid": True}
    found = await desk.call("validate_against_schema", schema_revid=revid, data={**good, "total": "1"})
    assert found["valid"] is False
    assert [error["path"] for error in found["errors"]] == ["total"]
    assert found["errors"][0]["message"].startswith("'1' is not of type")


async def test_fields_inside_objects_and_lists_are_compared_too(desk: Desk) -> None:
    def with_rows(kind: str) -> dict[str, Any]:
        row = schema_of({"price": {"type": kind, "description": "Price"}})["json_schema"]["schema"]
        return schema_of(
            {
                "rows": {"type": "array", "description": "Rows", "items": row},
                "words": {"type": "array", "description": "Words", "items": {"type": kind}},
            }
        )

    schema_id = (await make(desk, wanted=with_rows("string")))["schema_id"]
    preview = await desk.preview("update_schema", schema_id=schema_id, response_format=with_rows("number"))
    assert {change["path"]: change["change"] for change in preview["fields"]} == {
        "rows": "same",
        "rows[].price": "changed",
        "words": "same",
        "words[]": "changed",
    }
