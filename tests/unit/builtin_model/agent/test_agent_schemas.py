"""The built-in agent sets documents up and changes schemas, over tools that answer as the real ones do."""

from __future__ import annotations

import json

from docagent.domain.documents.text import Page
from tests.support.tables import table
from tests.unit.builtin_model.agent.agent_talk import Talk, Toolbox, invoice_box, prompt, schema
from tests.unit.builtin_model.documents import contract, invoice, receipt, rechnung

SET_UP = ["create_schema", "create_prompt", "run_extraction"]


def values_of(talk: Talk) -> dict[str, object]:
    found: dict[str, object] = talk.box.state["extraction"]
    return found


@table("text", ["set this up", "Please set up this document", "extract the data from this"])
async def test_set_up_makes_schema_prompt_and_extraction(text: str) -> None:
    talk = Talk()
    answer = await talk.say(text)
    assert talk.written == SET_UP
    assert talk.arguments("create_prompt")["schema_id"] == "schema-1"
    assert values_of(talk)["invoice_number"] == "NW-2024-0042"
    assert "“Invoice”" in answer
    assert "- invoice number: NW-2024-0042" in answer
    assert "- total amount: 129.60" in answer
    assert "Empty:" not in answer


@table("pages", [invoice(), rechnung(), receipt(), contract()])
async def test_every_kind_of_document_can_be_set_up(pages: list[Page]) -> None:
    talk = Talk(Toolbox(pages=pages))
    await talk.say("set this up")
    assert talk.written == SET_UP


async def test_set_up_never_makes_a_version_of_what_is_there() -> None:
    box = Toolbox(schemas=[schema("Invoice", "a")], prompts=[prompt("Invoice", 1)])
    talk = Talk(box)
    await talk.say("set this up")
    assert [one["name"] for one in box.schemas] == ["Invoice", "Invoice 2"]
    assert [one["name"] for one in box.prompts] == ["Invoice", "Invoice 2"]
    assert box.schemas[0]["schema_version"] == 1


async def test_extract_takes_the_prompt_at_hand() -> None:
    talk = Talk(invoice_box())
    await talk.say("extract the data from this")
    assert talk.called == ["run_extraction"]


async def test_without_text_no_schema_is_proposed() -> None:
    talk = Talk(Toolbox(pages=[]))
    answer = await talk.say("create a schema for this invoice")
    assert talk.calls == []
    assert "no text" in answer
    await talk.say("create a schema with the fields invoice number, total and paid as yes/no")
    assert {name: part["type"] for name, part in talk.box.fields().items()} == {
        "invoice_number": "string",
        "total": "number",
        "paid": "boolean",
    }


async def test_create_a_schema_says_its_fields() -> None:
    talk = Talk()
    answer = await talk.say("create a schema for this invoice called Supplier invoice")
    assert talk.written == ["create_schema"]
    assert talk.arguments("create_schema")["name"] == "Supplier invoice"
    assert "- `due_date`: date" in answer
    assert "- `total_amount`: number" in answer
    assert "list of rows with description" in answer


async def test_a_taken_name_is_not_taken_again() -> None:
    talk = Talk(Toolbox(schemas=[schema("Bill", "a")]))
    answer = await talk.say("create a schema for this called bill")
    assert talk.written == []
    assert "already" in answer


async def test_create_and_run_in_one_message_and_over_two() -> None:
    talk = Talk()
    await talk.say("create a schema for this invoice and run it")
    assert talk.written == SET_UP
    talk = Talk(invoice_box())
    await talk.say("create a schema for this called Bill")
    await talk.say("run it")
    assert talk.written == ["create_prompt", "run_extraction"]
    assert talk.arguments("create_prompt")["schema_id"] == "schema-2"


CHANGES = [
    (
        "add a field due date note as text",
        "due_date_note",
        {"type": "string", "description": "Due date note"},
    ),
    (
        "add delivery date",
        "delivery_date",
        {"type": "string", "format": "date", "description": "Delivery date, as YYYY-MM-DD"},
    ),
    ("add a field net amount", "net_amount", {"type": "number", "description": "Net amount"}),
    ("add is paid", "is_paid", {"type": "boolean", "description": "Is paid"}),
    (
        "Add a payment_terms field to the schema",
        "payment_terms",
        {"type": "string", "description": "Payment terms"},
    ),
    ("füge ein Feld Kostenstelle hinzu", "kostenstelle", {"type": "string", "description": "Kostenstelle"}),
    ("rename vendor to supplier", "supplier", {"type": "string", "description": "Supplier"}),
]


@table(("text", "name", "part"), CHANGES)
async def test_a_schema_is_changed_and_its_prompt_follows(text: str, name: str, part: dict[str, str]) -> None:
    talk = Talk(invoice_box())
    answer = await talk.say(text)
    assert talk.written == ["update_schema", "update_prompt"]
    assert talk.box.fields()[name] == part
    assert talk.box.prompts[0]["schema_version"] == 2
    assert "Say “run it” to extract again." in answer
    await talk.say("run it")
    assert name in values_of(talk)


async def test_several_fields_go_and_come() -> None:
    talk = Talk(invoice_box())
    await talk.say("remove the tax field")
    assert "tax" not in talk.box.fields()
    await talk.say("remove vendor and due date")
    assert list(talk.box.fields()) == ["invoice_number", "total", "line_items"]
    await talk.say("add vendor vat id and iban as text")
    assert list(talk.box.fields())[-2:] == ["vendor_vat_id", "iban"]


async def test_someone_elses_change_is_not_lost() -> None:
    box = invoice_box()
    format_of_two = json.loads(json.dumps(box.schemas[0]["response_format"]))
    inner = format_of_two["json_schema"]["schema"]
    inner["properties"]["iban"] = {"type": "string", "description": "IBAN"}
    inner["required"].append("iban")
    box.update_schema("schema-1", response_format=format_of_two)
    box.state["schema_revid"] = "schema-1-1"
    talk = Talk(box)
    await talk.say("add a field order number")
    assert {"iban", "order_number"} <= set(box.fields())


async def test_what_cannot_be_changed_is_said() -> None:
    talk = Talk(invoice_box())
    for text, said in (
        ("add a field total", "There is a field `total` already."),
        ("remove the colour field", "There is no field “colour” in this schema."),
        ("rename vendor to total", "There is a field `total` already."),
    ):
        assert said in await talk.say(text)
        assert talk.written == []


async def test_which_schema_is_asked_and_the_answer_is_taken_up() -> None:
    talk = Talk(Toolbox(schemas=[schema("Invoice", "a"), schema("Order", "b", number=2)]))
    answer = await talk.say("add a field due date")
    assert talk.written == []
    assert answer == "Which schema do you mean?\n\n- Invoice\n- Order"
    answer = await talk.say("the order one, please")
    assert talk.written == []
    answer = await talk.say("add a field due date")
    answer = await talk.say("order")
    assert talk.written == ["update_schema"]
    assert list(talk.box.fields(2)) == ["b", "due_date"]


async def test_a_schema_is_found_by_name_by_mention_by_prompt_or_as_the_only_one() -> None:
    two = [schema("Invoice", "a"), schema("Order", "b", number=2)]
    talk = Talk(Toolbox(schemas=two))
    await talk.say("add a field due date to the schema order")
    assert "due_date" in talk.box.fields(2)
    talk = Talk(Toolbox(schemas=two), mentions=({"type": "schema", "id": "schema-1-1", "name": "Invoice"},))
    await talk.say("add a field iban to @Invoice")
    assert "iban" in talk.box.fields(1)
    box = Toolbox(schemas=two, prompts=[prompt("P", 2)], state={"prompt_revid": "prompt-1-1"})
    await Talk(box).say("add a field bic")
    assert "bic" in box.fields(2)
    box = Toolbox(schemas=[schema("Only", "x")])
    await Talk(box).say("add a field bic")
    assert "bic" in box.fields()
    assert "There is no schema yet." in await Talk(Toolbox()).say("add a field bic")


async def test_several_prompts_are_left_to_the_user() -> None:
    box = Toolbox(schemas=[schema("Invoice", "a")], prompts=[prompt("One", 1), prompt("Two", 1, number=2)])
    talk = Talk(box)
    answer = await talk.say("add a field total")
    assert talk.written == ["update_schema"]
    assert "- One\n- Two" in answer
    assert [one["schema_version"] for one in box.prompts] == [1, 1]


async def test_fields_are_shown() -> None:
    talk = Talk(invoice_box())
    for text in ("what fields does it have?", "show me the schema Invoice"):
        answer = await talk.say(text)
        assert "- `total`: number" in answer
        assert talk.written == []
