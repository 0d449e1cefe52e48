"""What people see of a turn: pieces of text once and only once, rounds, and messages of a thread."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from docagent.api.rest.turns.docrouter_chat import ChatStream, tool_result
from docagent.api.stream import merged
from docagent.domain.models.llm import TextPart, ToolCall
from docagent.domain.turns.events import (
    ApprovalDecided,
    ApprovalExpired,
    ApprovalRequested,
    AssistantMessage,
    Completed,
    Delta,
    Event,
    InputGiven,
    InputRequested,
    Recorded,
    RequestedCall,
    Steered,
    Stopped,
    ToolFinished,
    ToolStarted,
    Undone,
    UserMessage,
)
from docagent.domain.turns.turns import WorkingState
from docagent.services.turns.live import LiveTurns
from docagent.services.turns.views.turn_views import segments, thread_messages
from docagent.services.turns.watching import _in_order
from tests.support.models.agent_fakes import Rig
from tests.support.polling import SECONDS
from tests.support.tables import table

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def said(text: str, *calls: ToolCall, step: int = 1) -> AssistantMessage:
    return AssistantMessage(step, (TextPart(text), *calls), "m")


def recorded(*events: Event, after: int = 0) -> list[Recorded]:
    return [Recorded(after + number, NOW, event) for number, event in enumerate(events, 1)]


def words(text: str) -> list[Delta]:
    return [Delta("text", word, 1) for word in text.split(" ")]


async def test_pieces_of_a_reply_that_was_read_whole_from_the_log_are_not_shown_again() -> None:
    """A viewer comes while a reply is said; by the time it has read the log, the reply is in it."""
    live = LiveTurns()
    live.begins("t", 3)
    first, second, third = words("one two three")
    live.publish("t", first)
    with live.watching("t") as watcher:
        live.publish("t", second)
        early, seen = _in_order(await watcher.take(1), 4)
        live.publish("t", third)
        live.publish("t", Recorded(4, NOW, said("onetwothree")))
        live.publish("t", Delta("text", "next", 2))
        late, seen = _in_order(await watcher.take(1), seen)
    assert early == []
    assert late == [Delta("text", "next", 2)]
    assert seen == 4


async def test_a_late_viewer_gets_the_text_so_far_in_one_piece_and_then_the_rest() -> None:
    live = LiveTurns()
    live.begins("t", 3)
    for delta in words("one two"):
        live.publish("t", delta)
    with live.watching("t") as watcher:
        assert live.watched("t") == 1
        assert _in_order(await watcher.take(1), 3) == ([Delta("text", "onetwo", 1)], 3)
        live.publish("t", Delta("text", "three", 1))
        assert _in_order(await watcher.take(1), 3) == ([Delta("text", "three", 1)], 3)
        waiting = asyncio.create_task(watcher.take(60))
        await asyncio.sleep(0)
        live.paused("t")
        assert await asyncio.wait_for(waiting, SECONDS) == []
    assert live.is_quiet()


async def test_a_viewer_who_leaves_takes_nothing_with_them() -> None:
    live = LiveTurns()
    live.begins("t", 3)
    with live.watching("t"):
        pass
    assert not live.is_quiet()
    live.publish("t", Delta("text", "one", 1))
    with live.watching("t") as watcher:
        assert _in_order(await watcher.take(1), 3) == ([Delta("text", "one", 1)], 3)
    live.paused("t")
    live.publish("t", Recorded(4, NOW, said("one")))
    assert live.is_quiet(), (
        "what happens in a turn that nobody runs or watches is in the log and nowhere else"
    )


def test_neighbouring_pieces_are_one() -> None:
    thinking = Delta("thinking", "hm", 1)
    assert merged([*words("a b"), thinking, *words("c")]) == [
        Delta("text", "ab", 1),
        thinking,
        Delta("text", "c", 1),
    ]


def test_a_text_that_nobody_streamed_is_one_chunk() -> None:
    stream = ChatStream()
    (message,) = recorded(said("whole"))
    assert [item["type"] for item in stream.items(message)] == ["assistant_text_chunk"]
    assert [item["chunk"] for item in stream.items(words("a")[0])] == ["a"]
    assert list(stream.items(Recorded(2, NOW, said("a", step=2)))) == []


def test_a_long_result_is_cut_for_the_preview_and_an_error_is_named() -> None:
    body = tool_result(ToolFinished("c", "look", "x" * 201, is_error=True, summary="No."), 0)
    assert body["preview"] == "x" * 200 + "…"
    assert (body["success"], body["error"]) == (False, "No.")
    assert tool_result(ToolFinished("c", "look", "x" * 200), 0)["preview"] == "x" * 200


CALL = ToolCall("c", "write", "{}")
PAUSED = (
    UserMessage("Go"),
    said("creating", CALL),
    ApprovalRequested((RequestedCall("c", "write", "{}", "s"),)),
)
STARTED = ToolStarted("c", "write", "{}", None)  # type: ignore[arg-type]  # the grant does not matter here
RAN = (STARTED, ToolFinished("c", "write", "{}"))


def test_a_turn_is_cut_at_its_pauses() -> None:
    paused, ended = segments(
        [*PAUSED, ApprovalDecided("c", True, "u"), *RAN, said("Done."), Completed("Done.", 2)]
    )
    assert (paused.text, paused.pending, paused.rounds) == ("creating", (CALL,), [])
    assert (ended.text, len(ended.rounds), list(ended.decisions)) == ("Done.", 1, ["c"])


def test_messages_of_a_thread() -> None:
    log = recorded(*PAUSED, ApprovalDecided("c", False, "u", reason="No"), Stopped("user", "u"))
    messages = thread_messages("t", log)
    assert [(item["role"], item["content"]) for item in messages] == [
        ("user", "Go"),
        ("assistant", "creating"),
        ("assistant", ""),
    ]
    assert messages[-1]["note"] == "stopped"
    assert {item["turn_id"] for item in messages} == {"t"}


@table(
    ("then", "approved"),
    [
        ((), None),
        ((ApprovalDecided("c", True, "u"),), True),
        ((ApprovalDecided("c", False, "u"), ToolFinished("c", "write", "{}", ran=False)), False),
        ((ApprovalDecided("c", True, "u"), Stopped("user", "u")), True),
        ((ApprovalExpired(("c",)), Stopped("approval_expired")), False),
        ((Stopped("user", "u"),), False),
        (RAN, True),
        ((ToolFinished("c", "write", "{}", ran=False),), False),
    ],
)
def test_a_call_in_a_thread_says_whether_it_was_allowed(
    then: tuple[Event, ...], approved: bool | None
) -> None:
    messages = thread_messages("t", recorded(*PAUSED, *then))
    told = [
        call["approved"]
        for message in messages
        for calls in (
            message["tool_calls"] or (),
            *(r["tool_calls"] for r in message.get("executed_rounds") or ()),
        )
        for call in calls
    ]
    assert set(told) == {approved}


def test_what_the_user_says_meanwhile_stands_where_it_was_said() -> None:
    call = ToolCall("c1", "list_tags", "{}")
    log = recorded(
        UserMessage("Begin"),
        said("Looking", call),
        ToolFinished("c1", "list_tags", "{}"),
        Steered("And hurry", "u"),
        said("Which one?", step=2),
        InputRequested("Which one?"),
        InputGiven("The first", "u"),
        said("Done", step=3),
        Completed("Done", 3),
    )
    assert [(message["role"], message["content"]) for message in thread_messages("t", log)] == [
        ("user", "Begin"),
        ("assistant", "Looking"),
        ("user", "And hurry"),
        ("assistant", "Which one?"),
        ("user", "The first"),
        ("assistant", "Done"),
    ]


def test_what_was_undone_is_no_longer_the_working_state() -> None:
    rig = Rig([])
    first = ToolFinished("a", "w", "{}", state={"schema_revid": "s1", "prompt_revid": "p1"})
    second = ToolFinished("b", "w", "{}", state={"schema_revid": "s2"})
    rig.journal.append(first, second)
    assert rig.view.state == WorkingState("s2", "p1")
    assert rig.view.state_without("a", rig.view.state) == WorkingState("s2")
    rig.journal.append(Undone("b", "u", "back"))
    assert rig.view.state == WorkingState("s1", "p1")
    rig.journal.append(Undone("a", "u", "back"), Undone("zz", "u", "nothing"))
    assert rig.view.state == WorkingState()
