"""What an answer lacks, as programs and people read it: in the answer, the stream, the log, the thread, the socket."""

from __future__ import annotations

import pytest

from docagent.adapters.llm.scripted import make_reply
from docagent.agent.shortfalls import NOTES
from docagent.domain.models.llm import FinishReason
from docagent.domain.turns.events import Shortfall
from tests.support.agent import Desk
from tests.support.chat_socket import connected, spoken
from tests.support.models.provider import Answer

EMPTY = make_reply("")
REPLIES: dict[Shortfall, list[Answer]] = {
    Shortfall.EMPTY: [EMPTY, EMPTY],
    Shortfall.CUT_OFF: [make_reply("The total is", finish_reason=FinishReason.LENGTH)],
    Shortfall.FILTERED: [make_reply("", finish_reason=FinishReason.REFUSED)],
}
EACH = pytest.mark.parametrize("shortfall", Shortfall)


@EACH
async def test_over_rest(desk: Desk, shortfall: Shortfall) -> None:
    note = NOTES[shortfall]
    text = "The total is" if shortfall is Shortfall.CUT_OFF else note
    thread = (await desk.api.post(f"{desk.path}/threads", {}))["thread_id"]
    body = await desk.chat("Go", *REPLIES[shortfall], thread_id=thread)
    assert (body["state"], body["text"]) == ("completed", text)
    assert (body["shortfall"], body["note"]) == (shortfall, note)
    end = (await desk.events(body["turn"]))[-1]
    assert (end["type"], end["shortfall"], end["note"]) == ("completed", shortfall, note)
    kept = await desk.api.get(f"{desk.path}/threads/{thread}")
    told = kept["messages"][-1]
    assert (told["content"], told["shortfall"], told["note"]) == (text, shortfall, note)


@EACH
async def test_over_the_stream(desk: Desk, shortfall: Shortfall) -> None:
    events = await desk.stream("Go", *REPLIES[shortfall])
    done = next(event for event in events if event["type"] == "assistant_text_done")
    result = events[-1]["result"]
    for told in (done, result):
        assert (told["shortfall"], told["note"]) == (shortfall, NOTES[shortfall])
    assert done["full_text"] == result["text"] != ""


@EACH
@pytest.mark.parametrize("agent_mode", [True, False])
async def test_over_the_socket(desk: Desk, shortfall: Shortfall, agent_mode: bool) -> None:
    desk.script(*REPLIES[shortfall])
    async with connected(desk) as client:
        await client.chat("Go", agent_mode=agent_mode)
        await client.until("response_complete")
    warnings = [(frame["code"], frame["message"]) for frame in client.frames if frame["type"] == "warning"]
    assert warnings[-1] == (shortfall, NOTES[shortfall])
    assert [code for code, _ in warnings[:-1]] == ["asked_again"] * (len(REPLIES[shortfall]) - 1)
    assert all(text.strip() for text in spoken(client.frames))


async def test_an_empty_reply_is_paid_for_and_asked_for_once_more(desk: Desk) -> None:
    body = await desk.chat("Go", EMPTY, "Two.")
    assert (body["text"], "shortfall" in body) == ("Two.", False)
    events = await desk.events(body["turn"])
    assert [event["shortfall"] for event in events if event["type"] == "usage"] == ["empty", None]
    assert [event["purpose"] for event in events if event["type"] == "asked_again"] == ["act"]
