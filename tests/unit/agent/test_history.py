"""The fold of events into messages, case by case."""

from __future__ import annotations

import json

import pytest

from docagent.agent import turn_fold as said
from docagent.agent.history import (
    NO_ANSWER,
    join,
    message_from_json,
    message_json,
    turn_messages,
    without_calls,
)
from docagent.domain.models.llm import (
    DocumentPart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    ToolCall,
    ToolResult,
)
from docagent.domain.turns.events import (
    ApprovalDecided,
    ApprovalExpired,
    ApprovalRequested,
    AssistantMessage,
    Completed,
    Event,
    Failed,
    Grant,
    GrantKind,
    InputGiven,
    InputRequested,
    InputTimedOut,
    Limit,
    LimitReached,
    Observe,
    Plan,
    PlanDecided,
    PlanStep,
    Reason,
    ReplyPart,
    RequestedCall,
    Steered,
    Stopped,
    ToolFinished,
    ToolStarted,
    TurnStarted,
    Undone,
    UserMessage,
)
from docagent.domain.turns.turns import REJECTED_TEXT
from tests.support.tables import table

START: tuple[Event, ...] = (TurnStarted("a-model", "tools", 10), UserMessage("Go."))
GRANT = Grant(GrantKind.READ_ONLY)
ONE, TWO = ToolCall("c1", "find", '{"query": "rent"}'), ToolCall("c2", "create_tag", "{}")
THOUGHT = ThinkingPart("Hm.", "anthropic:S")


def user(*parts: Part | str) -> Message:
    return Message("user", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def assistant(*parts: Part | str) -> Message:
    return Message("assistant", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def reply(*parts: ReplyPart | str) -> AssistantMessage:
    return AssistantMessage(
        1, tuple(TextPart(part) if isinstance(part, str) else part for part in parts), "a-model"
    )


def finished(call: ToolCall, content: str = '{"ok": true}', is_error: bool = False) -> ToolFinished:
    return ToolFinished(call.id, call.name, content, is_error)


def asks(*calls: ToolCall) -> ApprovalRequested:
    return ApprovalRequested(
        tuple(RequestedCall(call.id, call.name, call.arguments, "Does it.") for call in calls)
    )


def fold(*events: Event) -> tuple[Message, ...]:
    return turn_messages((*START, *events))


def test_calls_and_their_results_in_the_order_of_the_calls() -> None:
    messages = fold(reply(THOUGHT, "I look.", ONE, TWO), finished(TWO, "2"), finished(ONE, "1", True))
    assert messages == (
        user("Go."),
        assistant(THOUGHT, "I look.", ONE, TWO),
        user(ToolResult("c1", "1", is_error=True), ToolResult("c2", "2")),
    )


@table(
    ("events", "why"),
    [
        ([], said.NOT_RUN),
        ([asks(ONE)], said.WAITS),
        ([asks(ONE), ApprovalDecided("c1", True, "u1")], said.NOT_YET),
        (
            [asks(ONE), ApprovalDecided("c1", True, "u1"), ToolStarted("c1", "find", "{}", GRANT)],
            said.INTERRUPTED,
        ),
        ([asks(ONE), ApprovalDecided("c1", False, "u1")], REJECTED_TEXT),
        ([asks(ONE), ApprovalDecided("c1", False, "u1", reason="Not now.")], f"{REJECTED_TEXT} Not now."),
        ([asks(ONE), ApprovalExpired(("c1",))], said.EXPIRED),
        ([asks(ONE), Stopped("user")], said.STOPPED),
        ([asks(ONE), ApprovalDecided("c1", False, "u1"), Stopped("user")], REJECTED_TEXT),
        ([asks(ONE), ApprovalExpired(("c1",)), Stopped("approval_expired")], said.EXPIRED),
        ([ToolStarted("c1", "find", "{}", GRANT), Failed("Broke.", "unavailable")], said.INTERRUPTED),
        ([Failed("Broke.", "unavailable")], said.FAILED),
        ([LimitReached(Limit.STEPS, "(Max.)")], said.NOT_RUN),
        ([InputRequested("Which?", "c1")], said.UNANSWERED),
        ([InputRequested("Which?", "c1"), InputTimedOut("Which?")], said.ANSWER_TOO_LATE),
    ],
)
def test_a_call_without_result_gets_one_that_says_what_happened(events: list[Event], why: str) -> None:
    messages = fold(reply(ONE), *events)
    assert messages[2] == user(ToolResult("c1", json.dumps({"error": why}), is_error=True))


def test_an_answer_is_the_result_of_its_question() -> None:
    asked = (reply(ONE), InputRequested("Which?", "c1"), InputGiven("Zürich", "u1"))
    assert fold(*asked)[2] == user(ToolResult("c1", '{"answer": "Zürich"}'))
    assert fold(*asked, finished(ONE, '{"given": 1}'))[2] == user(ToolResult("c1", '{"given": 1}'))


def test_a_question_without_a_call_is_said_and_answered() -> None:
    messages = fold(InputRequested("Which?", None, ("A", "B")), InputGiven("A", "u1"))
    assert messages == (user("Go."), assistant("Which?\n- A\n- B"), user("A"))
    assert fold(InputRequested("Which?"), InputTimedOut("Which?"))[2] == user("(No answer came in time.)")


def test_steering_stands_after_the_results_of_the_round_in_which_it_came() -> None:
    messages = fold(
        reply(ONE), Steered("Only 2024!", "u1"), finished(ONE, "1"), Steered(" ", "u1"), reply("Yes.")
    )
    assert messages == (
        user("Go."),
        assistant(ONE),
        user(ToolResult("c1", "1"), "Only 2024!"),
        assistant("Yes."),
    )


def test_one_id_for_several_calls() -> None:
    again = ToolCall("c1", "find", "{}")
    messages = fold(
        reply(ONE, again), finished(ONE, "1"), finished(again, "2"), reply(again), finished(again, "3")
    )
    assert messages[2] == user(ToolResult("c1", "1"), ToolResult("c1", "2"))
    assert messages[4] == user(ToolResult("c1", "3"))


def test_replies_without_content_are_left_out() -> None:
    assert fold(reply(), reply(" \n"), reply(THOUGHT), reply(ThinkingPart("Lost"))) == (user("Go."),)


def test_unsigned_thinking_and_thinking_at_the_end_never_go_back() -> None:
    redacted = ThinkingPart("", redacted="anthropic:R")
    messages = fold(reply(ThinkingPart("Lost"), redacted, "Yes.", THOUGHT))
    assert messages == (user("Go."), assistant(redacted, "Yes."))


def test_phases_are_text_while_the_turn_runs() -> None:
    reasoned = (Reason(1, "I should look."), reply(THOUGHT, ONE), finished(ONE, "1"))
    assert fold(Reason(1, "I should look."), Reason(1, "")) == (
        user("Go."),
        assistant("I should look."),
        user(said.GO_ON),
    )
    assert fold(*reasoned, Observe(1, "Found it."), Reason(2, "Now I answer.")) == (
        user("Go."),
        assistant("I should look."),
        user(said.GO_ON),
        assistant(THOUGHT, ONE),
        user(ToolResult("c1", "1")),
        assistant("Found it.\n\nNow I answer."),
        user(said.GO_ON),
    )


def test_phases_thinking_and_signatures_are_gone_when_the_turn_is_over() -> None:
    signed = ToolCall("c1", "find", "{}", "gemini:C")
    events = (
        Reason(1, "I should look."),
        reply(THOUGHT, signed),
        finished(ONE, "1"),
        Observe(1, "Found it."),
    )
    assert fold(*events, Completed("It is 900.", 1)) == (
        user("Go."),
        assistant(ToolCall("c1", "find", "{}")),
        user(ToolResult("c1", "1")),
        assistant("It is 900."),
    )


def test_plans() -> None:
    plan = Plan(1, (PlanStep("Read.", done=True), PlanStep("Tag.")))
    shown = assistant("My plan:\n1. Read. (done)\n2. Tag.")
    assert fold(plan) == (user("Go."), shown, user(said.GO_ON))
    approved = PlanDecided(1, True, "u1")
    assert fold(plan, approved)[1:] == (shown, user("I approve the plan."))
    changed = PlanDecided(1, True, "u1", steps=("Read.",))
    assert fold(plan, changed)[2] == user("Follow this plan instead:\n1. Read.")
    rejected = PlanDecided(1, False, "u1", reason="Too long.")
    assert fold(plan, rejected)[2] == user("I do not approve the plan. Too long.")
    assert fold(plan, reply("Done."), Completed("Done.", 1)) == (user("Go."), assistant("Done."))
    assert fold(plan, approved, reply("Done."), Completed("Done.", 1))[1] == shown


def test_what_was_said_before_a_stop_or_an_error_stays_and_is_marked() -> None:
    assert fold(Stopped("user", text="The rent is "))[1] == assistant(
        "The rent is\n\n(The user stopped this here.)"
    )
    assert fold(reply("Yes."), Stopped("approval_expired"))[1] == assistant(
        "Yes.\n\n(Stopped here: the approval was not given in time.)"
    )
    assert fold(Failed("Broke.", "unavailable"))[1] == assistant("(Interrupted here by an error.)")


def test_the_text_of_the_end_is_not_doubled() -> None:
    assert fold(reply("Done."), Completed("Done.", 1)) == (user("Go."), assistant("Done."))
    closing = fold(
        reply(ONE), finished(ONE, "1"), reply("So far."), LimitReached(Limit.STEPS, "So far. (Max.)")
    )
    assert closing[-1] == assistant("So far.")
    assert fold(LimitReached(Limit.STEPS, "(Max.)"))[-1] == assistant("(Max.)")


def test_what_was_undone_is_told() -> None:
    messages = fold(reply("Done."), Completed("Done.", 1), Undone("c1", "u1", "Tag removed."))
    assert messages[-1] == user("(The user undid a change: Tag removed.)")


def test_empty_message_and_empty_result() -> None:
    events: tuple[Event, ...] = (UserMessage(" "), reply(ONE), finished(ONE, "", True))
    assert turn_messages(events) == (
        user(said.EMPTY_MESSAGE),
        assistant(ONE),
        user(ToolResult("c1", said.NO_CONTENT, is_error=True)),
    )
    assert turn_messages(()) == ()


# Turns together


def test_join_separates_turns_and_drops_old_thinking() -> None:
    unfinished = (user("One."), assistant(THOUGHT, ONE), user(ToolResult("c1", "1")))
    unanswered = (user("Two."),)
    assert join([unfinished, unanswered], (user("Three."), assistant(THOUGHT, TWO))) == (
        user("One."),
        assistant(ONE),
        user(ToolResult("c1", "1")),
        assistant(NO_ANSWER),
        user("Two.", "Three."),
        assistant(THOUGHT, TWO),
    )


def test_join_begins_with_the_user() -> None:
    assert join([(assistant("Hello."),)], (user("Go."),)) == (user("Go."),)


def test_without_calls() -> None:
    messages = (user("Go."), assistant(THOUGHT, ONE), user(ToolResult("c1", "900"), "Hurry."))
    assert without_calls(messages) == (
        user("Go."),
        assistant('(I called find with {"query": "rent"}.)'),
        user("(Result of find: 900)", "Hurry."),
    )


def test_stored_form() -> None:
    signed = ToolCall("c1", "find", "{}", "gemini:C")
    for message in (
        user("Zürich", ToolResult("c1", "1", is_error=True), ToolResult("c2", "")),
        assistant(THOUGHT, ThinkingPart("", redacted="anthropic:R"), "Yes.", signed, TWO),
    ):
        assert message_from_json(json.loads(json.dumps(message_json(message)))) == message
    assert message_json(user("Go.")) == ["u", "Go."]
    with pytest.raises(TypeError, match="document"):
        message_json(user(DocumentPart("a.pdf", [])))
