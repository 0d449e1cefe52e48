"""The agent looks at pages: the provider gets pictures, and the log keeps only which."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ImagePart, Message, ModelReply, TextPart, ToolCall, ToolResult
from docagent.services.turns.looking import looked_at
from tests.support.agent import Desk, call, calls
from tests.support.models.seeing import pictures_in, read_all

BIG_ENOUGH = 20_000


def reads(body: dict[str, Any]) -> ModelReply:
    """An answer that only somebody can give who sees the picture."""
    return make_reply(f"I see: {read_all(body)}")


async def read_desk(desk: Desk) -> None:
    await desk.studio.product.read_document(desk.tenant, desk.document_id)


async def test_the_agent_sees_the_page_that_it_looks_at(desk: Desk) -> None:
    await read_desk(desk)
    answer = await desk.chat("What is on it?", calls(call("a", "look_at_page", page=1)), reads)
    assert "Invoice 4711" in answer["text"]
    log = json.dumps(await desk.events(answer["turn"]))
    assert "look_at_page" in log
    assert len(log) < BIG_ENOUGH
    (told,) = desk.told()
    assert (told["page"], told["region"], told["document_id"]) == (1, None, desk.document_id)
    spent = (await desk.api.get("/payments/calls", with_pictures="true"))["calls"]
    assert [one["operation"] for one in spent] == ["agent_llm"]
    assert {one["page"] for one in spent[0]["pictures"]} == {1}


async def test_a_later_message_has_the_reference_and_no_picture(desk: Desk) -> None:
    await read_desk(desk)
    look = call("a", "look_at_page", page=1, region=[0, 0, 1000, 300])
    answer = await desk.chat("Look", calls(look), reads)
    assert len(pictures_in(desk.asked())) == 1
    said = [{"role": "user", "content": "Look"}, {"role": "assistant", "content": answer["text"]}]
    await desk.chat("And now?", "Nothing.", messages=[*said, {"role": "user", "content": "And now?"}])
    assert pictures_in(desk.asked()) == []


async def test_the_agent_neither_sees_nor_reads_private_regions(own_desk: Desk) -> None:
    await read_desk(own_desk)
    region = {"page": 1, "box": [0, 0, 1, 0.5]}
    await own_desk.api.put(f"/documents/{own_desk.document_id}", {"private_regions": [region]})
    look, text = call("a", "look_at_page", page=1), call("b", "get_ocr_text")
    await own_desk.chat("What is on it?", calls(look, text), reads)
    asked = own_desk.asked()
    assert pictures_in(asked)
    assert "Acme" not in read_all(asked) + json.dumps(asked["messages"])
    assert "Total" not in json.dumps(asked["messages"])


@pytest.mark.parametrize("page", [0, -1, 10**9, 10**12])
async def test_a_page_that_no_document_has_is_an_error(desk: Desk, page: int) -> None:
    await read_desk(desk)
    await desk.chat("Look", calls(call("a", "look_at_page", page=page)), "I could not.")
    assert "error" in desk.told()[0]
    address = f"/documents/{desk.document_id}/pictures/pages/{page}"
    assert (await desk.api.call("GET", address)).status_code in (204, 422)


async def test_a_page_of_another_organisation_is_not_there(desk: Desk, own_desk: Desk) -> None:
    await read_desk(own_desk)
    look = call("a", "look_at_page", page=1, document_id=own_desk.document_id)
    await desk.chat("Look", calls(look), "I could not.")
    assert "error" in desk.told()[0]
    assert pictures_in(desk.asked()) == []
    address = f"/documents/{own_desk.document_id}/pictures/pages/1"
    assert (await desk.api.call("GET", address)).status_code == 404


async def test_what_cannot_be_looked_at_is_an_error_with_a_way_out(desk: Desk) -> None:
    await read_desk(desk)
    await desk.chat(
        "Look",
        calls(
            call("a", "look_at_page", page=9),
            call("b", "look_at_page", page=1, region=[500, 0, 100, 300]),
            call("c", "look_at_page", page=1, region=[0, 0]),
        ),
        "I could not.",
    )
    far, empty, short = desk.told()
    assert far["error"].startswith("There is no page 9: the document has 1 page")
    assert "region is empty" in empty["error"]
    assert "region" in short["error"]
    assert pictures_in(desk.asked()) == []


def test_only_whole_results_of_the_tool_itself_are_looked_at() -> None:
    whole = json.dumps({"document_id": "d", "page": 2, "region": [0, 0, 500, 1000]})
    messages = [
        Message("assistant", (ToolCall("a", "look_at_page", "{}"), ToolCall("b", "get_ocr_text", "{}"))),
        Message("user", (ToolResult("a", whole), ToolResult("b", whole))),
        Message("assistant", tuple(ToolCall(name, "look_at_page", "{}") for name in "cde")),
        Message("user", (ToolResult("c", whole[:20]), ToolResult("d", "[]"), ToolResult("e", whole, True))),
        Message("user", (TextPart(whole), ImagePart("AAAA"))),
    ]
    ((at, view),) = looked_at(messages)
    assert (at, view.document_id, view.page) == (1, "d", 2)
    assert view.region is not None
    assert (view.region.right, view.region.bottom) == (0.5, 1.0)
