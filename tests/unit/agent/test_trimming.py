"""Making a conversation fit."""

from __future__ import annotations

from docagent.agent.trimming import Trimmed, estimate_tokens, trim
from docagent.agent.turn_fold import GO_ON
from docagent.domain.models.llm import Message, Part, TextPart, ThinkingPart, ToolCall, ToolResult
from tests.support.tables import table

NOTE = "characters left out; call the tool again with a narrower request"


def user(*parts: Part | str) -> Message:
    return Message("user", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def assistant(*parts: Part | str) -> Message:
    return Message("assistant", tuple(TextPart(part) if isinstance(part, str) else part for part in parts))


def size(*messages: Message) -> int:
    return sum(estimate_tokens(message) for message in messages)


def call(number: int) -> Message:
    return assistant(ToolCall(f"c{number}", "find", "{}"))


def result(number: int, content: str) -> Message:
    return user(ToolResult(f"c{number}", content))


FIRST = (user("One?" * 10), call(1), result(1, "x" * 300), assistant("One."))
SECOND = (user("Two?" * 10), assistant("Two."))
CURRENT = (user("Three?"), call(3), result(3, "y" * 90))


def test_what_fits_stays() -> None:
    messages = (*FIRST, *SECOND, *CURRENT)
    assert trim(messages, size(*messages)) == Trimmed(messages, 0, 0, size(*messages))


@table("short_by", [1, size(*FIRST)])
def test_the_oldest_exchange_goes_whole(short_by: int) -> None:
    messages = (*FIRST, *SECOND, *CURRENT)
    trimmed = trim(messages, size(*messages) - short_by)
    kept = (*SECOND, *CURRENT)
    assert trimmed == Trimmed(kept, 4, size(*FIRST), size(*kept))


def test_the_current_turn_never_goes() -> None:
    assert trim((*FIRST, *SECOND, *CURRENT), 0).messages == CURRENT


def test_the_current_turn_is_told_or_found() -> None:
    steered = (*CURRENT, assistant("Three."), user("And four?"))
    assert trim((*FIRST, *steered), 0).messages == steered[-1:]
    assert trim((*FIRST, *steered), 0, current=len(steered)).messages == steered
    reasoned = (user("Three?"), assistant("I look."), user(GO_ON))
    assert trim((*FIRST, *reasoned), 0).messages == reasoned
    assert trim(reasoned, 0, current=99).messages == reasoned


LONG = (
    user("Go."),
    call(1),
    result(1, "a" * 3000),
    call(2),
    result(2, "b" * 9000),
    call(3),
    result(3, "c" * 12_000),
)


def contents(trimmed: Trimmed) -> list[str]:
    return [part.content for each in trimmed.messages for part in each.parts if isinstance(part, ToolResult)]


def test_the_longest_result_of_before_is_shortened_first() -> None:
    trimmed = trim(LONG, size(*LONG) - 100)
    assert contents(trimmed) == ["a" * 3000, f"{'b' * 400}... 8600 {NOTE}", "c" * 12_000]
    assert trimmed.dropped_messages == 0
    assert trimmed.kept_tokens == size(*trimmed.messages)
    assert trimmed.dropped_tokens == size(*LONG) - trimmed.kept_tokens


def test_the_newest_result_is_shortened_last_and_no_more_than_it_must() -> None:
    budget = size(*LONG) - 5000
    trimmed = trim(LONG, budget)
    first, second, newest = contents(trimmed)
    assert first == f"{'a' * 400}... 2600 {NOTE}"
    assert second == f"{'b' * 400}... 8600 {NOTE}"
    assert newest.startswith("c" * 7000)
    assert newest.endswith(NOTE)
    assert budget - 10 <= trimmed.kept_tokens <= budget


def test_nothing_is_left_to_shorten() -> None:
    trimmed = trim(LONG, 0)
    assert [len(content) < 500 for content in contents(trimmed)] == [True] * 3
    assert trim(trimmed.messages, 0) == Trimmed(trimmed.messages, 0, 0, trimmed.kept_tokens)


def test_short_results_are_not_made_longer() -> None:
    assert trim(CURRENT, 0).messages == CURRENT


def test_estimates_count_bytes_and_all_that_is_sent() -> None:
    assert estimate_tokens(user("a" * 300)) == 104
    assert estimate_tokens(user("書" * 300)) == 304
    assert estimate_tokens(assistant(ThinkingPart("a" * 30, "s" * 60), ToolCall("c", "find", "{}"))) == 36
