"""Tools that only programs call: forms, what is filled in, and results as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docagent.domain.errors import Conflict, NotFound
from docagent.domain.listing import list_query
from docagent.domain.turns.tools import BadCall
from tests.tools.desk import Desk

FIELD = {"type": "textfield", "key": "number", "label": "Number"}
FORMAT: dict[str, Any] = {"json_formio": [FIELD], "json_formio_mapping": None}


@pytest.fixture
def program(desk: Desk) -> Desk:
    """A program, whose calls are about nothing unless they say so."""
    return replace(desk, document_id=None, outcomes=[])


async def forms_named(program: Desk) -> list[str]:
    found = await program.product.services.forms.list(program.tenant.member, list_query())
    return [form.name for form in found.items]


async def test_a_conversation_has_none_of_them(desk: Desk) -> None:
    with pytest.raises(BadCall, match="Unknown tool: create_form"):
        await desk.call("create_form", name="Check", response_format=FORMAT)


async def test_a_form_is_made_changed_and_taken_back(program: Desk) -> None:
    described = await program.describe("create_form", name="Check", response_format=FORMAT)
    assert described.summary == "Create form “Check”"
    made = await program.call("create_form", name="Check", response_format=FORMAT)
    assert made["form_version"] == 1
    described = await program.describe("update_form", form_id=made["form_id"], name="Checked")
    assert described.preview is not None
    assert described.preview["before"]["name"] == "Check"
    assert described.preview["after"]["name"] == "Checked"
    await program.call("update_form", form_id=made["form_id"], name="Checked")
    assert await forms_named(program) == ["Checked"]
    assert await program.undo("update_form") == "Form “Check” is as it was"
    assert await forms_named(program) == ["Check"]
    assert await program.undo("create_form", program.outcomes[0]) == "Form “Check” is deleted again"
    assert await forms_named(program) == []


async def test_a_form_that_changed_since_is_not_taken_back(program: Desk) -> None:
    made = await program.call("create_form", name="Check", response_format=FORMAT)
    described = await program.describe("create_form", name="check", response_format={"json_formio": []})
    assert described.summary == "Make a new version of form “check”"
    await program.call("create_form", name="check", response_format={"json_formio": []})
    with pytest.raises(Conflict, match="has changed since"):
        await program.undo("create_form", program.outcomes[0])
    described = await program.describe("delete_form", form_id=made["form_id"])
    assert described.preview is not None
    assert described.preview["removes"][0] == "2 versions of the form"
    await program.call("delete_form", form_id=made["form_id"])
    with pytest.raises(Conflict, match="cannot be restored"):
        await program.undo("delete_form")


async def test_what_is_filled_in_is_replaced_deleted_and_brought_back(program: Desk, desk: Desk) -> None:
    form = await program.call("create_form", name="Check", response_format=FORMAT)
    place = {"document_id": desk.document_id, "form_revid": form["form_revid"]}
    await program.call("submit_form", **place, submission_data={"number": "17"})
    described = await program.describe("submit_form", **place, submission_data={"number": "18"})
    assert described.preview == {
        "kind": "submission",
        "before": {"number": "17"},
        "after": {"number": "18"},
    }
    await program.call("submit_form", **place, submission_data={"number": "18"})
    assert await program.undo("submit_form") == "What was filled in before is there again"
    described = await program.describe("delete_form_submission", **place)
    assert described.preview is not None
    assert described.preview["removes"] == ["number"]
    await program.call("delete_form_submission", **place)
    assert await program.undo("delete_form_submission") == "What was filled in before is there again"
    assert await program.undo("submit_form", program.outcomes[1]) == "Nothing is filled in again"
    with pytest.raises(NotFound):
        await program.call("delete_form_submission", **place)


async def test_a_result_is_replaced_as_a_whole_and_deleted(program: Desk, desk: Desk) -> None:
    place = {"document_id": desk.document_id, "prompt_revid": "default"}
    with pytest.raises(NotFound, match="LLM result not found"):
        await program.call("delete_llm_result", **place)
    ran = await desk.call("run_extraction", prompt_revid="default")
    changed = {**ran["extraction"], "summary": "By hand"}
    described = await program.describe("update_llm_result", **place, updated_llm_result=changed)
    assert described.preview is not None
    assert described.preview["after"]["summary"] == "By hand"
    await program.call("update_llm_result", **place, updated_llm_result=changed)
    assert (await desk.call("get_extraction_result"))["extraction"]["summary"] == "By hand"
    assert await program.undo("update_llm_result") == "The former result is back, as a new revision"
    assert (await desk.call("get_extraction_result"))["extraction"] == ran["extraction"]
    described = await program.describe("delete_llm_result", **place)
    assert described.summary.startswith("Delete the result of")
    await program.call("delete_llm_result", **place)
    with pytest.raises(Conflict, match="Run the extraction again"):
        await program.undo("delete_llm_result")
