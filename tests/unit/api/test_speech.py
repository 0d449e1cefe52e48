"""What a turn says, for protocols of others: everything once, whether it was heard in pieces or not."""

from __future__ import annotations

from docagent.api.speech import Speech
from docagent.domain.clock import now
from docagent.domain.models.llm import TextPart, ThinkingPart
from docagent.domain.turns.events import (
    AssistantMessage,
    Completed,
    Delta,
    Event,
    Limit,
    LimitReached,
    Observe,
    Recorded,
    StepStarted,
)
from docagent.services.turns.live import Item


def recorded(*events: Event) -> list[Recorded]:
    return [Recorded(seq, now(), event) for seq, event in enumerate(events, 1)]


def reply(text: str, thinking: str = "", step: int = 1) -> AssistantMessage:
    thought = (ThinkingPart(thinking),) if thinking else ()
    return AssistantMessage(step, (*thought, TextPart(text)), "model")


def told(speech: Speech, *items: Item) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for item in items for piece in speech.pieces(item)]


def test_what_was_heard_in_pieces_is_not_told_again() -> None:
    pieces = (Delta("thinking", "Hm", 1), Delta("text", "A", 1), Delta("text", "B", 1))
    assert told(Speech(), *pieces, *recorded(reply("AB", "Hm"), Completed("AB", 1))) == [
        ("thinking", "Hm"),
        ("text", "A"),
        ("text", "B"),
    ]


def test_what_was_not_heard_is_told_whole() -> None:
    log = recorded(StepStarted(1), reply("AB", "Hm"), Completed("AB", 1))
    assert told(Speech(), *log) == [("thinking", "Hm"), ("text", "AB")]


def test_calls_and_phases_are_not_said_to_the_user() -> None:
    pieces = (Delta("call", "{}", 1, begins="list_tags"), Delta("text", "I see", 1, "observe"))
    assert told(Speech(), *pieces, *recorded(Observe(1, "I see"))) == [("thinking", "I see")]


def test_an_answer_that_no_reply_gave_is_told_without_what_was_said() -> None:
    assert told(Speech(), *recorded(reply("A."), Completed("A.\n\nAnd B.", 1))) == [
        ("text", "A."),
        ("text", "And B."),
    ]
    ended = recorded(reply("A."), LimitReached(Limit.STEPS, "Enough."))
    assert told(Speech(), *ended) == [("text", "A."), ("text", "Enough.")]


def test_what_was_told_before_a_pause_is_not_told_after_it() -> None:
    before = recorded(reply("A."))
    assert told(Speech(before), *recorded(Completed("A.", 1))) == []


def test_pieces_of_one_reply_have_one_name() -> None:
    speech = Speech()
    items: list[Item] = [
        Delta("text", "A", 1),
        Delta("text", "B", 1),
        *recorded(reply("AB")),
        Delta("text", "C", 2),
    ]
    assert [piece.reply for item in items for piece in speech.pieces(item)] == [
        "1-act-text",
        "1-act-text",
        "2-act-text",
    ]
