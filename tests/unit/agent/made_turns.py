"""Random logs of turns, as the loop could have written them, for the tests of the history."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from docagent.domain.models.llm import TextPart, ThinkingPart, ToolCall, ToolSpec
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
    StepStarted,
    Stopped,
    ToolFinished,
    ToolProgress,
    ToolStarted,
    TurnStarted,
    Undone,
    UsageCounted,
    UserMessage,
)

TOOLS = (
    ToolSpec("find", "Finds passages.", {"type": "object", "properties": {"query": {"type": "string"}}}),
    ToolSpec("create_tag", "Makes a tag.", {"type": "object", "properties": {}}),
    ToolSpec("request_input", "Asks the user.", {"type": "object", "properties": {}}),
)
GRANT = Grant(GrantKind.USER, user_id="u1")

texts = st.one_of(
    st.sampled_from(["", " \n", "Sí, naïve 書類 🧾", 'quote " and \\ back', "</document>", "x" * 900]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
)
ids = st.one_of(
    st.sampled_from(
        ["call_0", "call_1", "functions.find:0", "c" * 70, "id with space", "日本", "toolu_01Ab-_"]
    ),
    st.text("abc0189_-", min_size=1, max_size=12),
)
names = st.sampled_from(["find", "create_tag", "find", "no such tool", "", "2nd", "n" * 90, "naïve.tool"])
arguments = st.sampled_from(
    [
        "{}",
        "",
        '{"query": "rent"}',
        '{"query": ',
        "[1, 2]",
        "null",
        "not json",
        '{"a": NaN}',
        '{"a": ' + "[" * 300 + "]" * 300 + "}",
        '{"broken_arguments": 1}',
        '{"naïve": "書類 🧾"}',
    ]
)


@dataclass
class MadeTurn:
    events: list[Event] = field(default_factory=list)
    thinking: dict[str, list[list[dict[str, Any]]]] = field(default_factory=dict)
    """Per wire, what its provider signed in each reply, as it wants it back."""


class _Author:
    """Writes one turn, asking hypothesis at every fork."""

    def __init__(self, draw: st.DrawFn, number: int) -> None:
        self._draw = draw
        self._number = number
        self._signed = 0
        self.made = MadeTurn()
        self._wire: str | None = draw(st.sampled_from(["anthropic", "gemini", "openai_responses", None]))

    def _chance(self, percent: int = 50) -> bool:
        return self._draw(st.integers(0, 99)) < percent

    def _add(self, *events: Event) -> None:
        self.made.events += events

    def turn(self) -> MadeTurn:
        self._add(TurnStarted("a-model", "tools", 10), UserMessage(self._draw(texts)))
        for step in range(1, self._draw(st.integers(1, 4)) + 1):
            self._before_reply(step)
            calls = self._reply(step)
            if calls:
                self._batch(calls)
                if self._chance(20):
                    self._add(Observe(step, self._draw(texts)))
            elif self._chance(70):
                break
            else:
                self._add(Steered(self._draw(texts), "u1"))
        self._ending()
        return self.made

    def _before_reply(self, step: int) -> None:
        self._add(StepStarted(step))
        if self._chance(20):
            self._add(Steered(self._draw(texts), "u1"))
        if self._chance(20):
            self._add(Reason(step, self._draw(texts)))
        if self._chance(15):
            self._add(Plan(step, (PlanStep("Read it.", done=True), PlanStep("Tag it."))))
            if self._chance():
                steps = ("Only read.",) if self._chance() else None
                self._add(PlanDecided(step, self._chance(), "u1", steps, self._draw(st.none() | texts)))
        if self._chance(10):
            self._add(InputRequested("Which one?", None, ("A", "B")))
            self._add(InputGiven(self._draw(texts), "u1") if self._chance() else InputTimedOut("Which one?"))

    def _reply(self, step: int) -> list[ToolCall]:
        parts: list[ReplyPart] = []
        signed: list[dict[str, Any]] = []
        if self._chance(40):
            parts.append(ThinkingPart(self._draw(texts)))
        if self._wire is not None and self._wire != "gemini":
            thoughts = [self._thought(self._wire, signed) for _ in range(self._draw(st.integers(0, 2)))]
            parts += thoughts
        if self._chance(60):
            parts.append(TextPart(self._draw(texts)))
        calls = [self._call(place, signed) for place in range(self._draw(st.integers(0, 3)))]
        parts += calls
        if not calls and self._wire == "gemini" and self._chance():
            parts.append(ThinkingPart("", f"gemini:{self._signature()}"))
            signed.append({"thoughtSignature": self._last_signature()})
        self._add(AssistantMessage(step, tuple(parts), "a-model"), UsageCounted("a-model", "act", 1, 1))
        if self._wire is not None:
            self.made.thinking.setdefault(self._wire, []).append(signed)
        return calls

    def _thought(self, wire: str, signed: list[dict[str, Any]]) -> ThinkingPart:
        text = self._draw(texts)
        if wire == "openai_responses":
            name = self._signature()
            summary = [{"type": "summary_text", "text": text}] if text else []
            signed.append({"type": "reasoning", "id": name, "encrypted_content": "E", "summary": summary})
            return ThinkingPart(text, f'openai_responses:{{"id":"{name}","encrypted_content":"E"}}')
        if self._chance(25):
            signed.append({"type": "redacted_thinking", "data": self._signature()})
            return ThinkingPart("", redacted=f"anthropic:{self._last_signature()}")
        signed.append({"type": "thinking", "thinking": text, "signature": self._signature()})
        return ThinkingPart(text, f"anthropic:{self._last_signature()}")

    def _call(self, place: int, signed: list[dict[str, Any]]) -> ToolCall:
        signature = None
        if self._wire == "gemini" and place == 0:
            signed.append({"thoughtSignature": self._signature()})
            signature = f"gemini:{self._last_signature()}"
        return ToolCall(self._draw(ids), self._draw(names), self._draw(arguments), signature)

    def _signature(self) -> str:
        self._signed += 1
        return self._last_signature()

    def _last_signature(self) -> str:
        return f"s{self._number}x{self._signed}"

    def _batch(self, calls: list[ToolCall]) -> None:
        """Verdicts and results in any order, some never."""
        if self._chance(60):
            requested = (RequestedCall(call.id, call.name, call.arguments, "Does it.") for call in calls)
            self._add(ApprovalRequested(tuple(requested)))
            if self._chance(10):
                self._add(ApprovalExpired(tuple(call.id for call in calls)))
        for call in self._draw(st.permutations(calls)):
            if self._chance(15):
                self._add(Steered(self._draw(texts), "u1"))
            fate = self._draw(st.sampled_from(["run", "edit", "reject", "ask", "lost", "started"]))
            if fate == "lost":
                continue
            if fate == "reject":
                self._add(ApprovalDecided(call.id, False, "u1", reason=self._draw(st.none() | texts)))
                if self._chance(80):
                    self._add(ToolFinished(call.id, call.name, '{"error": "no"}', True, ran=False))
                continue
            if fate == "ask":
                self._add(InputRequested("Which?", call.id))
                self._add(
                    InputGiven(self._draw(texts), "u1") if self._chance(70) else InputTimedOut("Which?")
                )
            edited = '{"query": "less"}' if fate == "edit" else None
            self._add(ApprovalDecided(call.id, True, "u1", edited))
            self._add(ToolStarted(call.id, call.name, edited or call.arguments, GRANT))
            self._add(ToolProgress(call.id, 1, 2))
            if fate != "started":
                self._add(ToolFinished(call.id, call.name, self._draw(texts), self._chance(30)))

    def _ending(self) -> None:
        text = self._draw(texts)
        ending = self._draw(st.sampled_from(["completed", "stopped", "failed", "limit", "none"]))
        if ending == "completed":
            self._add(Completed(text, 1))
        elif ending == "stopped":
            self._add(Stopped(self._draw(st.sampled_from(["user", "approval_expired"])), "u1", (), text))
        elif ending == "failed":
            self._add(Failed("It broke.", "unavailable", text))
        elif ending == "limit":
            if self._chance():
                self._add(AssistantMessage(9, (TextPart("So far."),), "a-model", closing=True))
            self._add(LimitReached(Limit.STEPS, text))
        if ending != "none" and self._chance(20):
            self._add(Undone("call_0", "u1", "The tag is gone."))


@st.composite
def made_turns(draw: st.DrawFn, number: int = 0) -> MadeTurn:
    """A turn, cut off after any event."""
    made = _Author(draw, number).turn()
    if draw(st.booleans()):
        made.events = made.events[: draw(st.integers(2, len(made.events)))]
    return made


client_lists = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "assistant", "tool", "tool", "system", "robot"])},
        optional={
            "content": st.none() | texts,
            "tool_call_id": st.sampled_from(["a", "b", "", "c" * 70]),
            "tool_calls": st.none()
            | st.lists(
                st.one_of(
                    st.fixed_dictionaries(
                        {"id": st.sampled_from(["a", "b"]), "name": names, "arguments": arguments}
                    ),
                    st.fixed_dictionaries(
                        {
                            "id": st.sampled_from(["a", "b", "c" * 70]),
                            "type": st.just("function"),
                            "function": st.fixed_dictionaries({"name": names, "arguments": arguments}),
                        }
                    ),
                ),
                max_size=2,
            ),
        },
    ),
    max_size=8,
)
