"""Events as a server tells them, also one that is newer than the client."""

from __future__ import annotations

from docagent.client.events import (
    ApprovalRequested,
    Completed,
    Delta,
    EventReader,
    Plan,
    UnknownEvent,
    item_of,
    settles,
)


def test_lines_that_are_no_data_say_nothing_and_numbers_are_remembered() -> None:
    reader = EventReader()
    assert [reader.read(line) for line in (": still here", "", "id: 7")] == [None, None, None]
    assert reader.read('data: {"seq": 7, "type": "step_started", "step": 2}') is not None
    assert reader.read('data: {"type": "text_delta", "text": "a", "step": 2}') is not None
    assert reader.last_seq == 7


def test_a_piece_of_a_reply() -> None:
    said = {"type": "call_delta", "text": "{", "step": 1, "phase": "act", "call": 1, "begins": "create_tag"}
    assert item_of(said) == Delta("call", "{", 1, "act", 1, "create_tag")


def test_a_newer_server_is_understood_as_far_as_possible() -> None:
    assert item_of({"type": "sang", "song": "x"}) == UnknownEvent("sang", {"type": "sang", "song": "x"})
    call = {"id": "c", "name": "create_tag", "arguments": "{}", "summary": "Make a tag", "mood": "good"}
    asked = item_of({"seq": 1, "at": "now", "type": "approval_requested", "calls": [call], "colour": "red"})
    assert isinstance(asked, ApprovalRequested)
    assert asked.calls[0].summary == "Make a tag"


def test_a_turn_settles_when_it_ends_or_waits() -> None:
    assert settles(Completed("Done", 1)) == Completed("Done", 1)
    assert settles(Plan(1, (), waits=True)) is not None
    assert settles(Plan(1, ())) is None
    assert settles(Delta("text", "a", 1)) is None
