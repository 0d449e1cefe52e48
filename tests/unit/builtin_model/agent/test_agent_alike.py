"""The built-in agent uses what is there for documents like this one, and goes on with them by a tag."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

from docagent.builtin_model import propose_schema
from docagent.domain.documents.text import Page
from tests.support.tables import table
from tests.unit.builtin_model.agent.agent_talk import READING, Talk, Toolbox, invoice_box, prompt, schema
from tests.unit.builtin_model.documents import facture, receipt, rechnung

Paper = Callable[[], list[Page]]
ALONE = [
    *READING,
    "create_schema",
    "update_schema",
    "create_prompt",
    "update_prompt",
    "run_extraction",
]
"""What a turn is offered that nobody watches."""
TASK = "Create a schema for this document, create a prompt for it, and run the extraction."


@cache
def proposed_for(paper: Paper) -> dict[str, Any]:
    return propose_schema(paper())


def made_for(paper: Paper, name: str, number: int = 1) -> dict[str, Any]:
    return schema(name, number=number) | {"response_format": deepcopy(proposed_for(paper))}


def shelf(**more: Any) -> Toolbox:
    """An organisation with schemas for receipts and for invoices, the latter under an unlikely name."""
    schemas = [made_for(receipt, "Invoice"), made_for(rechnung, "Papers of suppliers", 2)]
    prompts = [prompt("Tills", 1), prompt("Bills", 2, number=2)]
    return Toolbox(schemas=schemas, prompts=prompts, **more)


@table("text", ["set this up", "extract the data from this", TASK])
async def test_what_fits_is_used_instead_of_a_second_one(text: str) -> None:
    talk = Talk(shelf(pages=facture()))
    answer = await talk.say(text)
    assert talk.written == ["run_extraction"]
    assert talk.arguments("run_extraction") == {"prompt_revid": "prompt-2-1"}
    assert (
        "The schema “Papers of suppliers” fits this document: 10 of its 13 fields are found here." in answer
    )
    assert "its prompt “Bills” instead of making a second one" in answer
    assert "- total amount: 66.00" in answer


async def test_a_schema_that_fits_and_has_no_prompt_gets_one() -> None:
    box = shelf(pages=facture())
    box.prompts = []
    talk = Talk(box)
    answer = await talk.say("set this up")
    assert talk.written == ["create_prompt", "run_extraction"]
    assert talk.arguments("create_prompt")["schema_id"] == "schema-2"
    assert "instead of a second schema" in answer


async def test_nothing_fits_by_its_name() -> None:
    box = Toolbox(schemas=[made_for(receipt, "Invoice")], prompts=[prompt("Invoice", 1)])
    talk = Talk(box)
    await talk.say("set this up")
    assert [one["name"] for one in box.schemas] == ["Invoice", "Invoice 2"]


async def test_whoever_names_a_schema_gets_a_new_one() -> None:
    talk = Talk(shelf(pages=facture()))
    await talk.say("set this up as French invoice")
    assert talk.written == ["create_schema", "create_prompt", "run_extraction"]
    await talk.say("create a schema for this invoice called Another")
    assert talk.written == ["create_schema"]


async def test_create_a_schema_says_what_is_there() -> None:
    talk = Talk(shelf(pages=facture()))
    answer = await talk.say("create a schema for this document")
    assert talk.written == []
    assert "I made no second one. Say “run the prompt Bills”" in answer
    await talk.say("run the prompt Bills")
    assert talk.arguments("run_extraction") == {"prompt_revid": "prompt-2-1"}


async def test_a_schema_that_is_gone_meanwhile_is_passed_over() -> None:
    box = shelf(pages=facture())
    box.failing = {"get_schema": "Schema not found"}
    talk = Talk(box)
    await talk.say("set this up")
    assert talk.written == ["create_schema", "create_prompt", "run_extraction"]


@table("yes", ["yes, tag them invoice", "yes", "tag all documents like this one as invoice"])
async def test_a_tag_goes_on_with_documents_like_this_one(yes: str) -> None:
    talk = Talk()
    answer = await talk.say("set this up")
    assert "Shall I do the same with all documents like this one? Say “yes, tag them invoice”" in answer
    answer = await talk.say(yes)
    assert talk.written == ["create_tag", "update_prompt", "update_document"]
    assert talk.box.tags == [{"id": "tag-1", "name": "invoice"}]
    assert talk.box.prompts[0]["tag_ids"] == ["tag-1"]
    assert talk.box.tag_ids == ["tag-1"]
    assert "From now on documents with the tag “invoice” are read with the prompt “Invoice”." in answer


async def test_the_prompt_and_the_document_keep_their_tags() -> None:
    box = invoice_box(tags=[{"id": "t1", "name": "old"}, {"id": "t2", "name": "Bills"}], tag_ids=["t1"])
    box.prompts[0]["tag_ids"] = ["t1"]
    talk = Talk(box)
    await talk.say("tag them bills")
    assert talk.written == ["update_prompt", "update_document"]
    assert box.prompts[0]["tag_ids"] == ["t1", "t2"]
    assert box.tag_ids == ["t1", "t2"]


async def test_the_tag_of_a_prompt_is_offered_and_not_asked_for_twice() -> None:
    box = shelf(pages=facture(), tags=[{"id": "t1", "name": "Suppliers"}])
    box.prompts[1]["tag_ids"] = ["t1"]
    talk = Talk(box)
    assert "“yes, tag them Suppliers”" in await talk.say("set this up")
    await talk.say("yes")
    assert talk.written == ["update_document"]
    assert "Shall I" not in await talk.say("set this up")


async def test_without_a_prompt_nothing_is_tagged() -> None:
    talk = Talk()
    answer = await talk.say("tag them invoice")
    assert talk.calls == []
    assert "no prompt at hand" in answer


async def test_a_rejected_tag_leaves_everything_as_it_is() -> None:
    talk = Talk()
    await talk.say("set this up")
    talk.verdict = lambda _: ""
    answer = await talk.say("yes")
    assert talk.written == ["create_tag"]
    assert "I did not create the tag" in answer


@table("box", [Toolbox(), shelf(pages=facture())])
async def test_nothing_is_asked_where_nobody_is(box: Toolbox) -> None:
    talk = Talk(box, tools=ALONE)
    answer = await talk.say(TASK)
    assert talk.written[-1] == "run_extraction"
    assert "?" not in answer
    assert "Say “" not in answer
