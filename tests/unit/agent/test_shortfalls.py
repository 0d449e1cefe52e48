"""Replies that are empty, cut off or filtered: asked for once more, or told about, under every strategy and wire."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from docagent.adapters.llm.factory import ProviderKind, make_model
from docagent.adapters.llm.retries import Retries
from docagent.adapters.llm.scripted import Answer, ScriptedModel, make_reply
from docagent.adapters.llm.transport import ModelTransport
from docagent.agent.embedding import AgentEvent, AgentLoop, AgentResult
from docagent.agent.history import turn_messages
from docagent.agent.shortfalls import NOTES
from docagent.domain.models.llm import FinishReason, Model, ModelReply, TextPart
from docagent.domain.turns.events import AskedAgain, Completed, Shortfall, UsageCounted
from tests.api.loops.scenes import observe, plan, reason, think
from tests.support.models.agent_fakes import Rig, of_type
from tests.support.models.provider import running_provider
from tests.support.tables import table

EMPTY = make_reply("")
BLANK = make_reply(" \n")
THOUGHT = make_reply("", thinking="Hm.")
CUT = make_reply("The total is", finish_reason=FinishReason.LENGTH)
CUT_WHILE_THINKING = make_reply("", thinking="Hm.", finish_reason=FinishReason.LENGTH)
FILTERED = make_reply("The total", finish_reason=FinishReason.REFUSED)
HELD_BACK = make_reply("", finish_reason=FinishReason.REFUSED)

BEFORE_THE_ANSWER: dict[str, Sequence[Answer]] = {
    "tools": (),
    "react": (reason(),),
    "think-act": (think(),),
    "plan-and-execute": (plan("tell"),),
    "tool-first": (),
    "llm-only": (),
}
AFTER_THE_ANSWER: dict[str, Sequence[Answer]] = {"react": ('{"should_continue": false}',)}
EVERY_STRATEGY = pytest.mark.parametrize("strategy", BEFORE_THE_ANSWER)


async def run(model: Model, strategy: str = "tools") -> tuple[AgentResult, list[AgentEvent]]:
    events: list[AgentEvent] = []

    async def keep(event: AgentEvent) -> None:
        events.append(event)

    asked = [{"role": "user", "content": "Go"}]
    return await AgentLoop(strategy).run("s", model, asked, event_handler=keep), events


@EVERY_STRATEGY
@pytest.mark.parametrize(
    ("replies", "shortfall", "text"),
    [
        ((EMPTY, EMPTY), "empty", NOTES[Shortfall.EMPTY]),
        ((BLANK, THOUGHT), "empty", NOTES[Shortfall.EMPTY]),
        ((EMPTY, "Two."), None, "Two."),
        ((CUT,), "cut_off", "The total is"),
        ((CUT_WHILE_THINKING, CUT_WHILE_THINKING), "cut_off", NOTES[Shortfall.CUT_OFF]),
        ((FILTERED,), "filtered", "The total"),
        ((HELD_BACK,), "filtered", NOTES[Shortfall.FILTERED]),
    ],
)
async def test_every_strategy_says_what_the_answer_lacks(
    strategy: str, replies: Sequence[Answer], shortfall: str | None, text: str
) -> None:
    script = [*BEFORE_THE_ANSWER[strategy], *replies, *AFTER_THE_ANSWER.get(strategy, ())]
    model = ScriptedModel(script)
    result, events = await run(model, strategy)
    assert result.metadata["outcome"] == "completed"
    assert result.metadata.get("shortfall") == shortfall
    assert result.final_answer == text
    assert len(model.requests) == len(script)
    warnings = [event.payload for event in events if event.type == "warning"]
    again = [warning for warning in warnings if warning["code"] == "asked_again"]
    assert len(again) == len(replies) - 1
    ends = [warning for warning in warnings if warning["code"] == shortfall]
    assert [warning["message"] for warning in ends] == ([result.metadata["note"]] if shortfall else [])


@table(
    "kind",
    [ProviderKind.OPENAI, ProviderKind.OPENAI_RESPONSES, ProviderKind.ANTHROPIC, ProviderKind.GEMINI],
)
@table(
    ("replies", "shortfall"),
    [
        ((EMPTY, EMPTY), "empty"),
        ((EMPTY, make_reply("Two.")), None),
        ((CUT,), "cut_off"),
        ((CUT_WHILE_THINKING, CUT_WHILE_THINKING), "cut_off"),
        ((FILTERED,), "filtered"),
        ((HELD_BACK,), "filtered"),
    ],
)
async def test_every_wire_says_what_the_answer_lacks(
    kind: ProviderKind, replies: Sequence[ModelReply], shortfall: str | None
) -> None:
    async with running_provider() as provider, ModelTransport(use_environment_proxy=False) as transport:
        provider.add(*replies)
        model = make_model(kind, transport, base_url=provider.base_url, api_key="k", retries=Retries(most=0))
        result, _ = await run(model)
        assert len(provider.requests) == len(replies)
    assert result.metadata["outcome"] == "completed"
    assert result.metadata.get("shortfall") == shortfall
    assert result.final_answer.strip()


async def test_a_phase_that_stays_empty_does_not_spoil_the_answer() -> None:
    model = ScriptedModel([EMPTY, EMPTY, "Two tags.", EMPTY, observe(False)])
    result, _ = await run(model, "react")
    assert result.final_answer == "Two tags."
    assert "shortfall" not in result.metadata


async def test_an_answer_from_before_a_cut_observation_is_whole() -> None:
    cut = make_reply(observe(False), finish_reason=FinishReason.LENGTH)
    result, _ = await run(ScriptedModel([reason(), "Two tags.", cut]), "react")
    assert result.final_answer == "Two tags."
    assert "shortfall" not in result.metadata
    result, _ = await run(ScriptedModel([reason(), CUT, observe(False)]), "react")
    assert result.metadata["shortfall"] == "cut_off"


async def test_being_asked_again_is_in_the_log_and_survives_a_death_at_every_event() -> None:
    """Once more in all, not once more after each restart."""
    kinds: list[str] = []
    for most in range(20):
        rig = Rig([])
        rig.model = ScriptedModel([EMPTY, EMPTY])
        view = await rig.run(most=most or None)
        if view.end is None:
            view = await rig.run()
        assert view.end == Completed(NOTES[Shortfall.EMPTY], 1, Shortfall.EMPTY, NOTES[Shortfall.EMPTY])
        assert of_type(rig.log, AskedAgain) == [AskedAgain(1, "act")]
        assert [usage.shortfall for usage in of_type(rig.log, UsageCounted)] == [Shortfall.EMPTY] * 2
        kinds = kinds or [event.type for event in rig.log]
        assert [event.type for event in rig.log] == kinds


async def test_the_next_turn_knows_that_the_answer_was_not_whole() -> None:
    rig = Rig([CUT])
    await rig.run()
    last = turn_messages(rig.log)[-1]
    assert last.role == "assistant"
    (said,) = [part.text for part in last.parts if isinstance(part, TextPart)]
    assert said == f"The total is\n\n({NOTES[Shortfall.CUT_OFF]})"


@EVERY_STRATEGY
async def test_a_model_that_answers_nothing_is_not_asked_for_all_steps(strategy: str) -> None:
    model = ScriptedModel(lambda _: EMPTY)
    result, _ = await run(model, strategy)
    assert result.metadata["shortfall"] == "empty"
    assert len(model.requests) <= 12, "two steps of three calls, each asked once more"
