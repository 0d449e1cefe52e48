"""The built-in agent corrects values, tags, deletes, runs and answers, over tools that answer as the real ones do."""

from __future__ import annotations

from tests.support.tables import table
from tests.unit.builtin_model.agent.agent_talk import Talk, Toolbox, invoice_box, prompt, schema
from tests.unit.builtin_model.documents import rechnung


def values_of(talk: Talk) -> dict[str, object]:
    found: dict[str, object] = talk.box.state["extraction"]
    return found


VALUES = [
    ("set the total to 1250.00", "total", 1250.0),
    ("set the total to 1.250,00 €", "total", 1250.0),
    ("change invoice number to A-17", "invoice_number", "A-17"),
    ("set the invoice number to 17", "invoice_number", "17"),
    ("set the due date to 2026-04-01", "due_date", "2026-04-01"),
    ("set the due date to April 1, 2026", "due_date", "2026-04-01"),
    ("set the supplier to Smith and Sons", "vendor", "Smith and Sons"),
    ("clear the tax", "tax", None),
    ("set line_items.1.quantity to 3", "line_items.1.quantity", 3),
    ("ändere total auf 7,50", "total", 7.5),
    ("change total à 7,50", "total", 7.5),
    ("line_items.0.description = Red folders", "line_items.0.description", "Red folders"),
]


@table(("text", "path", "value"), VALUES)
async def test_a_value_is_set_in_its_type(text: str, path: str, value: object) -> None:
    talk = Talk(invoice_box())
    answer = await talk.say(text)
    assert talk.called == ["update_extraction_field"]
    assert talk.arguments("update_extraction_field") == {"path": path, "value": value}
    assert f"`{path}`" in answer


async def test_an_empty_value_takes_the_type_that_its_name_suggests() -> None:
    box = invoice_box()
    box.state["extraction"]["tax"] = None
    box.state["extraction"]["invoice_number"] = None
    talk = Talk(box)
    await talk.say("set the tax to 5 and the invoice number to 7")
    assert values_of(talk)["tax"] == 5
    assert values_of(talk)["invoice_number"] == "7"


@table(
    ("text", "said"),
    [
        ("set the total to lots", "`total` is a number"),
        ("set the colour to red", "There is no value “colour”"),
        ("set the quantity to 3", "Which value do you mean?"),
        ("set the line items to 3", "is a list of rows"),
    ],
)
async def test_a_value_that_does_not_fit_is_not_set(text: str, said: str) -> None:
    talk = Talk(invoice_box())
    assert said in await talk.say(text)
    assert talk.calls == []


async def test_the_chosen_value_is_set() -> None:
    talk = Talk(invoice_box())
    await talk.say("set the quantity to 4")
    await talk.say("line_items.1.quantity")
    assert talk.arguments("update_extraction_field") == {"path": "line_items.1.quantity", "value": 4}


async def test_a_stored_extraction_is_found_and_none_is_said() -> None:
    talk = Talk()
    assert "There is no extraction yet." in await talk.say("set the total to 5")
    assert talk.called == ["get_extraction_result"]


async def test_tagging_keeps_tags_and_makes_missing_ones() -> None:
    box = Toolbox(tags=[{"id": "tag-1", "name": "Old"}], tag_ids=["tag-1"])
    talk = Talk(box)
    await talk.say("tag this as invoices and rename it to March.pdf")
    assert talk.written == ["create_tag", "update_document", "update_document"]
    assert box.tag_ids == ["tag-1", "tag-2"]
    assert box.documents[0]["document_name"] == "March.pdf"
    assert "already" in await talk.say("tag this as Invoices")
    assert talk.written == []
    await talk.say("remove the tag old")
    assert box.tag_ids == ["tag-2"]
    assert "does not have" in await talk.say("remove the tag old")


async def test_tags_whose_names_differ_only_in_case_are_asked_about() -> None:
    box = Toolbox(tags=[{"id": "tag-1", "name": "Bill"}, {"id": "tag-2", "name": "BILL"}])
    talk = Talk(box)
    assert "Which tag do you mean?" in await talk.say("tag this as bill")
    assert talk.written == []
    await talk.say("tag this as BILL")
    assert box.tag_ids == ["tag-2"]


async def test_a_document_is_deleted_and_a_vague_wish_is_not_carried_out() -> None:
    talk = Talk()
    for text in ("delete it", "delete the schema Invoice", "delete the tag x and the document"):
        assert await talk.say(text)
        assert talk.written == []
    await talk.say("delete this document")
    assert talk.box.documents == []


@table(
    ("text", "said"),
    [
        ("what is the invoice number?", "The invoice number is **NW-2024-0042** (page 1)."),
        ("how much is the total?", "The total is **129.60 USD** (page 1)."),
        ("when is it due?", "The due date is **2024-04-04** (page 1)."),
        ("who is it from?", "The supplier name is **Northwind Traders Ltd.** (page 1)."),
        ("who is it to?", "The customer name is **Contoso Retail Inc.** (page 1)."),
        ("what is the weather?", "“weather” was not found in 1 page."),
        ("how many pages?", "This document has 1 page."),
        ("what are the line items?", "There are 3 rows in line items:"),
        ("what is this document about?", "It looks like an invoice."),
        ("show me page 1", "> Northwind Traders Ltd."),
    ],
)
async def test_questions_are_answered_from_the_words(text: str, said: str) -> None:
    talk = Talk()
    assert said in await talk.say(text)
    assert talk.calls == []


async def test_the_extraction_answers_first_and_says_what_is_not_on_the_pages() -> None:
    talk = Talk(invoice_box())
    await talk.say("set the total to 1250.00")
    answer = await talk.say("what is the total?")
    assert answer == "The total is **1250.00** (in the extraction; I did not find it on the pages)."
    talk.box.state["extraction"]["due_date"] = None
    assert "2024-04-04" in await talk.say("when is it due?")
    answer = await talk.say("show the extraction")
    assert "Not found on the pages, please check: `total`." in answer
    assert "Empty: `due_date`." in answer


async def test_the_total_on_the_second_page() -> None:
    talk = Talk(Toolbox(pages=rechnung()))
    assert "**529.87 EUR** (page 2)" in await talk.say("wie hoch ist der Gesamtbetrag?")


async def test_lists() -> None:
    talk = Talk(invoice_box(tags=[{"id": "t", "name": "March"}]))
    assert "There is 1 schema:\n\n- Invoice (version 1)" in await talk.say("which schemas do we have?")
    assert "- Invoice (version 1)" in await talk.say("list prompts")
    assert "- March" in await talk.say("welche Tags gibt es?")
    assert "- a.pdf" in await talk.say("list documents")


@table("text", ["what are you?", "who are you", "wer bist du?", "qui es-tu ?", "¿quién eres?"])
async def test_it_says_what_it_is(text: str) -> None:
    answer = await Talk().say(text)
    assert "rule-based" in answer
    assert "without a language model" in answer
    assert "“set this up”" in answer


@table(
    "text",
    ["write me a poem", "email this to my boss", "translate this into French", "Schick das an meinen Chef"],
)
async def test_what_is_beyond_it_is_said_with_what_would_help(text: str) -> None:
    talk = Talk()
    assert "connect a language model in Settings" in await talk.say(text)
    assert talk.calls == []


async def test_run_takes_the_prompt_that_is_meant() -> None:
    box = Toolbox(schemas=[schema("S", "iban")], prompts=[prompt("One", 1), prompt("Two", 1, number=2)])
    talk = Talk(box)
    assert await talk.say("run it") == "Which prompt do you mean?\n\n- One\n- Two"
    await talk.say("Two")
    assert talk.arguments("run_extraction") == {"prompt_revid": "prompt-2-1"}
    await talk.say("run it again")
    assert talk.arguments("run_extraction") == {"prompt_revid": "prompt-2-1"}
    await talk.say("run the prompt One")
    assert talk.arguments("run_extraction") == {"prompt_revid": "prompt-1-1"}
    assert "There is no prompt yet." in await Talk(Toolbox()).say("run it")
