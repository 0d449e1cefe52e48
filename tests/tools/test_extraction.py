"""Tools that run prompts on the document, and correct what came of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.models.llm import ModelError, ModelFailure
from docagent.domain.turns.turns import WorkingState
from tests.tools.desk import INVOICE_FORMAT, NUMBER, TOTAL, Desk, Stage, open_desk, schema_of

GOOD = {"number": "INV-2041", "total": 1617.3}
ROWS = schema_of(
    {
        "number": NUMBER,
        "vendor": {
            **schema_of({"name": {"type": ["string", "null"]}, "city": {"type": ["string", "null"]}})[
                "json_schema"
            ]["schema"],
            "type": ["object", "null"],
        },
        "rows": {
            "type": "array",
            "items": schema_of({"price": TOTAL, "note": {"type": ["string", "null"]}})["json_schema"][
                "schema"
            ],
        },
    }
)


async def set_up(desk: Desk, wanted: dict[str, Any] = INVOICE_FORMAT, **more: Any) -> Any:
    schema = await desk.call("create_schema", name="Invoice", response_format=wanted)
    return await desk.call(
        "create_prompt", name="Extract", content="Read it.", schema_id=schema["schema_id"], **more
    )


async def test_a_prompt_is_run_and_its_result_read(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    described = await invoice.describe("run_extraction")
    assert described.summary == "Run prompt “Extract” on “invoice.pdf”"
    assert described.preview == {
        "kind": "extraction",
        "prompt": "Extract",
        "schema": "made",
        "model": "docagent-offline",
        "document": "invoice.pdf",
        "pages": 1,
        "replaces": False,
    }
    done = await invoice.call("run_extraction")
    assert (done["prompt_revid"], done["extraction"]) == (prompt["prompt_revid"], GOOD)
    assert invoice.progress == [(0, 1, "Reading the document")]
    assert invoice.state.prompt_revid == prompt["prompt_revid"]
    assert invoice.state.extraction == GOOD
    found = await invoice.call("get_extraction_result")
    assert (found["extraction"], found["prompt_revid"]) == (GOOD, prompt["prompt_revid"])
    again = await invoice.describe("run_extraction")
    assert again.basis != described.basis
    assert again.preview is not None
    assert again.preview["replaces"] is True


async def test_without_any_prompt_the_default_one_runs(invoice: Desk) -> None:
    assert (
        await invoice.describe("run_extraction")
    ).summary == "Run prompt “Document Summary” on “invoice.pdf”"
    done = await invoice.call("run_extraction")
    assert (done["prompt_revid"], done["extraction"]["document_type"]) == ("default", "invoice")
    assert (await invoice.call("get_extraction_result"))["prompt_revid"] == "default"


async def test_refusals_say_what_to_do(invoice: Desk, desk: Desk) -> None:
    with pytest.raises(NotFound, match=r"^Prompt not found\. Call list_prompts"):
        await invoice.call("run_extraction", prompt_revid="nonsense")
    with pytest.raises(NotFound, match=r"The document has no results\. Call run_extraction"):
        await invoice.call("get_extraction_result")
    with pytest.raises(NotFound, match="Call run_extraction"):
        await invoice.call("update_extraction_field", path="total", value=1)
    prompt = await set_up(invoice)
    await invoice.call("run_extraction", prompt_revid=prompt["prompt_id"])
    with pytest.raises(
        NotFound, match=f"There are results of: “Extract” .prompt_revid {prompt['prompt_revid']}"
    ):
        await invoice.call("get_extraction_result", prompt_revid="default")


async def test_the_result_of_an_older_version_counts_until_there_is_a_newer_one(invoice: Desk) -> None:
    first = await set_up(invoice)
    await invoice.call("run_extraction")
    second = await invoice.call("update_prompt", prompt_id=first["prompt_id"], content="Read it well.")
    found = await invoice.call("get_extraction_result")
    assert found["prompt_revid"] == first["prompt_revid"]
    await invoice.call("run_extraction")
    assert (await invoice.call("get_extraction_result"))["prompt_revid"] == second["prompt_revid"]


async def test_the_stored_result_counts_with_what_people_edited(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    await invoice.call("run_extraction")
    await invoice.product.services.results.edit(
        invoice.tenant.member, invoice.document_id or "", prompt["prompt_revid"], "total", 1.0
    )
    found = await invoice.call("get_extraction_result")
    assert (found["extraction"]["total"], found["is_edited"]) == (1.0, True)


async def test_working_state_stands_in_when_nothing_is_stored(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    invoice.state = WorkingState(None, prompt["prompt_revid"], {"number": "1"})
    assert await invoice.call("get_extraction_result") == {
        "extraction": {"number": "1"},
        "prompt_revid": prompt["prompt_revid"],
        "is_stored": False,
    }


async def test_a_value_is_corrected_and_the_correction_undone(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    await invoice.call("run_extraction")
    described = await invoice.describe("update_extraction_field", path="total", value=1250.5)
    assert described.summary == "Set “total” of “invoice.pdf” from 1617.3 to 1250.5"
    assert described.preview == {
        "kind": "value",
        "path": "total",
        "before": 1617.3,
        "after": 1250.5,
        "document": "invoice.pdf",
        "prompt": "Extract",
    }
    number = await invoice.basis("update_extraction_field", path="number", value="1")
    done = await invoice.call("update_extraction_field", path="TOTAL", value=1250.5)
    assert done == {"extraction": {**GOOD, "total": 1250.5}, "prompt_revid": prompt["prompt_revid"]}
    assert invoice.state.extraction == {**GOOD, "total": 1250.5}
    assert await invoice.basis("update_extraction_field", path="total", value=1250.5) != described.basis
    assert await invoice.basis("update_extraction_field", path="number", value="1") == number
    stored = await invoice.product.services.results.get(
        invoice.tenant.member, invoice.document_id or "", prompt_revid=prompt["prompt_revid"]
    )
    assert (stored.is_edited, stored.is_verified, stored.model_data) == (True, False, GOOD)
    edit = invoice.outcomes[-1]
    await invoice.call("update_extraction_field", path="number", value="X")
    with pytest.raises(Conflict, match="revision 3 is newer"):
        await invoice.undo("update_extraction_field", edit)
    await invoice.undo("update_extraction_field")
    assert (await invoice.call("get_extraction_result"))["extraction"] == {**GOOD, "total": 1250.5}


async def test_paths_reach_into_lists_and_through_null(stage: Stage) -> None:
    desk = await open_desk(stage)
    stage.answer = lambda asked: json.dumps(
        {"number": "1", "vendor": None, "rows": [{"price": 1, "note": None}]}
    )
    await set_up(desk, ROWS, model="gpt-4o-mini")
    await desk.call("run_extraction")
    done = await desk.call("update_extraction_field", path="rows.0.price", value=2)
    assert done["extraction"]["rows"] == [{"price": 2, "note": None}]
    done = await desk.call("update_extraction_field", path="vendor.city", value="Bonn")
    assert done["extraction"]["vendor"] == {"city": "Bonn"}
    done = await desk.call("update_extraction_field", path="rows.1", value={"price": 3, "note": "new"})
    assert len(done["extraction"]["rows"]) == 2
    with pytest.raises(InvalidInput, match=r"Several fields are named price: rows\.0\.price, rows\.1\.price"):
        await desk.call("update_extraction_field", path="price", value=1)
    done = await desk.call("update_extraction_field", path="city", value="Köln")
    assert done["extraction"]["vendor"] == {"city": "Köln"}
    with pytest.raises(InvalidInput, match="the list there has 2 items"):
        await desk.call("update_extraction_field", path="rows.7.price", value=1)


async def test_a_value_that_the_schema_does_not_allow_is_refused(invoice: Desk) -> None:
    await set_up(invoice)
    await invoice.call("run_extraction")
    with pytest.raises(InvalidInput, match=r"total: '1250\.00' is not of type"):
        await invoice.call("update_extraction_field", path="total", value="1250.00")
    with pytest.raises(InvalidInput, match="'due_date' was unexpected"):
        await invoice.call("update_extraction_field", path="due_date", value="2026-01-01")
    invoice.state = WorkingState()
    await invoice.call("run_extraction", prompt_revid="default")
    with pytest.raises(
        InvalidInput, match=r"There is no field nonsense in this result\. Call get_extraction"
    ):
        await invoice.call("update_extraction_field", path="nonsense", value=1)


async def test_the_only_result_is_meant_when_none_is_named(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    await invoice.call("run_extraction")
    invoice.state = WorkingState()
    done = await invoice.call("update_extraction_field", path="total", value=5)
    assert done["prompt_revid"] == prompt["prompt_revid"]


async def test_an_edit_made_meanwhile_is_not_lost(invoice: Desk) -> None:
    """Between `prepare` and `run` somebody else corrects another field."""
    prompt = await set_up(invoice)
    await invoice.call("run_extraction")
    toolset, context = invoice.toolset, invoice.context()
    arguments = {"path": "total", "value": 5}
    prepared = await toolset.prepare(context, "update_extraction_field", arguments, invoice._tell)
    await invoice.product.services.results.edit(
        invoice.tenant.member, invoice.document_id or "", prompt["prompt_revid"], "number", "Z"
    )
    outcome = await toolset.run(context, "update_extraction_field", arguments, prepared)
    assert outcome.content["extraction"] == {"number": "Z", "total": 5}


async def test_a_run_is_undone(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    created = invoice.outcomes[-1]
    await invoice.call("run_extraction")
    first = invoice.outcomes[-1]
    await invoice.call("update_extraction_field", path="total", value=5)
    await invoice.call("run_extraction")
    second = invoice.outcomes[-1]
    with pytest.raises(Conflict, match="revision 3 is newer"):
        await invoice.undo("run_extraction", first)
    assert await invoice.undo("run_extraction", second) == "The former result is back, as a new revision"
    found = await invoice.call("get_extraction_result")
    assert (found["extraction"]["total"], found["is_edited"]) == (5, True)
    with pytest.raises(Conflict, match="has results in 1 document"):
        await invoice.undo("create_prompt", created)
    assert (await invoice.preview("delete_prompt", prompt_id=prompt["prompt_id"]))["removes"] == [
        "1 version",
        "its results in 1 document stay",
    ]
    assert "the result of prompt “Extract”" in (await invoice.preview("delete_document"))["removes"]


async def test_the_first_run_is_undone_by_removing_its_result(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    created = invoice.outcomes[-1]
    await invoice.call("run_extraction")
    assert await invoice.undo("run_extraction") == "The result is removed again"
    with pytest.raises(Conflict, match="deleted since"):
        await invoice.undo("run_extraction")
    assert await invoice.undo("create_prompt", created) == "Prompt “Extract” is deleted again"
    with pytest.raises(NotFound):
        await invoice.call("get_prompt", prompt_revid=prompt["prompt_revid"])


async def test_a_repeated_run_pays_for_no_reply_twice(stage: Stage) -> None:
    """The process dies after `prepare`, or in the middle of it: the replies that came are found again."""
    desk = await open_desk(stage, ["Row one 1.00"], ["Row two 2.00"], ["Row three 3.00"])
    rows = schema_of({"rows": {"type": "array", "items": {"type": "string"}, "description": "Rows"}})
    await set_up(desk, rows, model="gpt-4o-mini")
    stage.model.requests.clear()

    def answer(asked: Any) -> Any:
        number = len(stage.model.requests)
        if number == 3:
            raise KeyboardInterrupt
        return json.dumps({"rows": [f"row {number}"]})

    stage.answer = answer
    toolset, context = desk.toolset, desk.context("toolu_" + "x" * 80)
    with pytest.raises(KeyboardInterrupt):
        await toolset.prepare(context, "run_extraction", {}, desk._tell)
    assert desk.progress == [
        (0, 3, "Reading part 1 of 3"),
        (1, 3, "Reading part 2 of 3"),
        (2, 3, "Reading part 3 of 3"),
    ]
    assert await charged(desk) == 2
    await toolset.prepare(context, "run_extraction", {}, desk._tell)
    prepared = await toolset.prepare(context, "run_extraction", {}, desk._tell)
    assert len(stage.model.requests) == 4
    assert await charged(desk) == 3
    outcome = await toolset.run(context, "run_extraction", {}, prepared)
    assert outcome.content["extraction"] == {"rows": ["row 1", "row 2", "row 4"]}
    other = replace(context, call_id="another call")
    stage.answer = lambda asked: '{"rows": ["other"]}'
    await toolset.prepare(other, "run_extraction", {}, desk._tell)
    assert await charged(desk) == 6


async def test_a_model_that_fails_changes_nothing(stage: Stage, invoice: Desk) -> None:
    await set_up(invoice, model="gpt-4o-mini")
    stage.answer = lambda asked: ModelError(
        ModelFailure.UNAVAILABLE, "The provider is down. Try again later."
    )
    with pytest.raises(ModelError, match="The provider is down"):
        await invoice.call("run_extraction")
    with pytest.raises(NotFound):
        await invoice.call("get_extraction_result")


async def test_what_stays_wrong_is_told(stage: Stage, invoice: Desk) -> None:
    await set_up(invoice, model="gpt-4o-mini")
    stage.answer = lambda asked: '{"number": 7, "total": null}'
    done = await invoice.call("run_extraction")
    assert [problem["path"] for problem in done["problems"]] == ["number"]


async def charged(desk: Desk) -> int:
    usage = await desk.product.client.get(f"{desk.tenant.base}/payments/usage", headers=desk.tenant.headers)
    used: int = usage.json()["data"]["granted_credits_used"]
    return used


async def test_a_new_version_of_the_prompt_has_no_extraction_in_working_state(invoice: Desk) -> None:
    prompt = await set_up(invoice)
    await invoice.call("run_extraction")
    await invoice.call("update_prompt", prompt_id=prompt["prompt_id"], name="Renamed")
    assert invoice.state.extraction == GOOD
    await invoice.call("create_prompt", name="Another", content="x")
    assert invoice.state.extraction is None
    with pytest.raises(NotFound, match="There are results of: “Renamed”"):
        await invoice.call("get_extraction_result")
