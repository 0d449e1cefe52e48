"""The loop inside a program: the page's example, and what a program may rely on."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest

from docagent.adapters.llm.scripted import Answer, ScriptedModel, make_reply
from docagent.agent.context import Block
from docagent.agent.embedding import AgentContext, AgentEvent, AgentLoop, AgentResult
from docagent.agent.functions import FunctionTool
from docagent.agent.limits import Limits
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, StartStep, as_message
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import (
    Message,
    ModelError,
    ModelFailure,
    ModelReply,
    TextPart,
    ToolCall,
)
from docagent.domain.turns.events import Event, Reason, RequestedCall
from docagent.domain.turns.tools import Access
from docagent.models import open_model
from tests.api.loops.scenes import plan, reason
from tests.rules.sources import ROOT
from tests.support.models.provider import Raw, running_provider
from tests.support.models.wire_streams import chat_stream
from tests.support.polling import SECONDS
from tests.support.tables import table

CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


def run_child(code: str, path: Path | None = None) -> str:
    environment = {"PYTHONPATH": str(path)} if path else {}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_of_the_page_runs() -> None:
    (example,) = examples("embedding.md")
    lines = [line for line in example.splitlines() if line.strip()]
    assert len([line for line in lines if "import" not in line]) <= 10
    assert run_child(example) == "21 degrees in Bern. 2 ['weather']\n"


async def test_a_function_is_a_tool_by_its_signature() -> None:
    kept: list[tuple[str, int]] = []

    async def remember(city: str, degrees: int = 20) -> int:
        """Remember how warm it is."""
        kept.append((city, degrees))
        return len(kept)

    tool = FunctionTool.of(remember, Access.READ_ONLY)
    assert (tool.name, tool.description) == ("remember", "Remember how warm it is.")
    assert tool.parameters["required"] == ["city"]
    events: list[AgentEvent] = []

    async def keep(event: AgentEvent) -> None:
        events.append(event)

    def call(arguments: str) -> ModelReply:
        return make_reply(tool_calls=[ToolCall("c", "remember", arguments)])

    model = ScriptedModel([call('{"city": 7}'), call('{"city": "Bern"}'), "Done."])
    loop = AgentLoop("tools", tools=[tool])
    await loop.run("s", model, [{"role": "user", "content": "Go"}], event_handler=keep)
    assert kept == [("Bern", 20)]
    assert [event.type for event in events if event.type.startswith("agent_tool")] == [
        "agent_tool_error",
        "agent_tool_start",
        "agent_tool_complete",
    ]


async def test_a_providers_model_runs_the_loop() -> None:
    async with running_provider() as provider:
        provider.add(Raw(chat_stream(make_reply("21 degrees."))))
        async with open_model("openai_compatible", base_url=provider.base_url, api_key="the-key") as model:
            asked = [{"role": "user", "content": "How warm is it?"}]
            result = await AgentLoop().run("s", model, asked, model_name="local-model")
        assert result.final_answer == "21 degrees."
        assert [request.body["model"] for request in provider.requests] == ["local-model"]


def test_a_function_that_says_too_little_is_refused() -> None:
    async def silent(city: str) -> str:
        return city

    async def untyped(city):  # type: ignore[no-untyped-def]
        """Look."""
        return city

    for function, missing in ((silent, "docstring"), (untyped, "type")):
        with pytest.raises(InvalidInput, match=missing):
            FunctionTool.of(function)


# --- a program ------------------------------------------------------------------------------------------------


class Program:
    """Tools that remember, answers that are given, and events that are kept."""

    def __init__(self, *answers: Answer) -> None:
        self.model = ScriptedModel(answers)
        self.ran: list[Mapping[str, Any]] = []
        self.events: list[AgentEvent] = []

    async def _function(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.ran.append(arguments)
        if arguments.get("city") == "Nowhere":
            raise InvalidInput("No such city.")
        return {"degrees": 21}

    async def _keep(self, event: AgentEvent) -> None:
        self.events.append(event)

    @property
    def kinds(self) -> list[str]:
        return [event.type for event in self.events if event.type != "token_stream"]

    def tools(self) -> list[FunctionTool]:
        return [
            FunctionTool("weather", "Look.", CITY, self._function, Access.READ_ONLY),
            FunctionTool("set_weather", "Change.", CITY, self._function),
        ]

    async def run(
        self, strategy: Any = "tools", *, loop: Mapping[str, Any] | None = None, **more: Any
    ) -> AgentResult:
        agent = AgentLoop(strategy, tools=self.tools(), **(loop or {}))
        messages = [{"role": "user", "content": "Go"}]
        return await agent.run("s", self.model, messages, event_handler=self._keep, **more)


def calls(name: str, city: str = "Bern") -> ModelReply:
    return make_reply(tool_calls=[ToolCall("c", name, f'{{"city": "{city}"}}')])


async def test_the_events_of_a_run_with_a_call_come_in_order() -> None:
    program = Program(calls("weather"), "21 degrees in Bern.")
    await program.run()
    assert program.kinds == [
        "agent_start",
        "agent_turn_start",
        "agent_tool_start",
        "agent_tool_complete",
        "agent_turn_start",
        "agent_completion",
        "response_complete",
    ]


async def test_writes_are_put_before_the_program() -> None:
    asked: list[RequestedCall] = []

    async def approve(call: RequestedCall) -> bool:
        asked.append(call)
        return True

    program = Program(calls("set_weather"), "Set.")
    result = await program.run(loop={"approve": approve})
    assert [call.name for call in asked] == ["set_weather"]
    assert program.ran == [{"city": "Bern"}]
    assert result.metadata == {
        "strategy": "tools",
        "outcome": "completed",
        "tools": ["set_weather"],
        "model_calls": 2,
        "tokens": 30,
    }
    unasked = Program(calls("set_weather"), "Not set.")
    assert (await unasked.run()).final_answer == "Not set."
    assert unasked.ran == []
    assert "agent_tool_error" in unasked.kinds


async def test_questions_go_to_the_program_or_are_the_answer() -> None:
    question = reason(request_input={"question": "Which city?"})

    async def answer(asked: str) -> str | None:
        return "Bern" if asked == "Which city?" else None

    program = Program(question, reason(finish=True, final_answer="Bern it is."))
    assert (await program.run("react", loop={"answer": answer})).final_answer == "Bern it is."
    assert "agent_request_input" in program.kinds
    alone = Program(question)
    assert (await alone.run("react")).final_answer == "Which city?"
    assert "request_input" not in [tool.name for request in alone.model.requests for tool in request.tools]

    async def silent(asked: str) -> str | None:
        return None

    program = Program(question)
    result = await program.run("react", loop={"answer": silent})
    assert result.metadata["outcome"] == "stopped"
    assert program.kinds[-3:] == ["agent_request_input_timeout", "agent_stopped", "response_complete"]


@table("moment", ["model", "answer"])
async def test_the_cancel_token_stops_at_once(moment: str) -> None:
    token, reached = asyncio.Event(), asyncio.Event()

    class Waits(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            reached.set()
            if moment == "model":
                await asyncio.Event().wait()
            async for event in super().stream(request):
                yield event

    async def answer(asked: str) -> str | None:
        await asyncio.Event().wait()
        return None

    program = Program()
    program.model = Waits([make_reply(tool_calls=[ToolCall("q", "request_input", '{"question": "?"}')])])
    context = AgentContext("s", cancel_token=token)
    running = asyncio.create_task(program.run(context=context, loop={"answer": answer}))
    async with asyncio.timeout(SECONDS):
        await reached.wait()
        if moment == "answer":
            while "agent_request_input" not in program.kinds:  # noqa: ASYNC110
                await asyncio.sleep(0)
        token.set()
        result = await running
    assert result.metadata["outcome"] == "stopped"
    assert program.kinds[-2:] == ["agent_stopped", "response_complete"]


async def test_a_cancel_token_that_is_set_before_the_run_is_heard() -> None:
    token = asyncio.Event()
    token.set()
    program = Program()
    program.model = ScriptedModel(["Never said."])
    result = await program.run(context=AgentContext("s", cancel_token=token))
    assert result.metadata["outcome"] == "stopped"
    assert program.model.requests == []


async def test_a_turn_that_ends_while_it_is_stopped_ends_once() -> None:
    token, reached = asyncio.Event(), asyncio.Event()

    class LosesACancellation(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            reached.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            async for event in super().stream(request):
                yield event

    program = Program()
    program.model = LosesACancellation([make_reply("Said all the same.")])
    running = asyncio.create_task(program.run(context=AgentContext("s", cancel_token=token)))
    await reached.wait()
    token.set()
    assert (await running).final_answer == "Said all the same."
    assert "agent_stopped" not in program.kinds
    assert program.kinds[-1] == "response_complete"


@pytest.mark.asyncio(loop_scope="function")
async def test_a_run_that_is_cancelled_leaves_no_task() -> None:
    before = asyncio.all_tasks()

    async def answer(asked: str) -> str | None:
        await asyncio.Event().wait()
        return None

    program = Program(make_reply(tool_calls=[ToolCall("q", "request_input", '{"question": "?"}')]))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await program.run(
                context=AgentContext("s", cancel_token=asyncio.Event()), loop={"answer": answer}
            )
    assert asyncio.all_tasks() == before


async def test_files_history_and_sources_reach_the_model() -> None:
    async def look_up(question: str, sources: Sequence[str]) -> Sequence[Block]:
        return [Block(f"Found for {question}", source, "Bern is cold.") for source in sources]

    program = Program(reason(finish=True, final_answer="Yes."))
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello."}]
    context = AgentContext("s", "ada@example.com", {"a.txt": "Its </data> text"}, history)
    await program.run(
        "react", context=context, data_sources=["atlas"], loop={"look_up": look_up}, temperature=0.5
    )
    (request,) = program.model.requests
    assert request.system is not None
    assert "Its </ data> text" in request.system
    assert '<data source="atlas">\nBern is cold.\n</data>' in request.system
    assert '<data source="files">\na.txt\n</data>' in request.system
    assert [message.role for message in request.messages] == ["user", "assistant", "user"]
    assert request.temperature == 0.5


async def test_errors() -> None:
    failing = Program(ModelError(ModelFailure.UNAVAILABLE, "Gone.", provider="p"))
    result = await failing.run()
    assert (result.final_answer, result.metadata["outcome"]) == ("Gone.", "failed")
    assert failing.kinds[-2:] == ["agent_error", "response_complete"]
    for messages in ([], [{"role": "assistant", "content": "Hi"}]):
        with pytest.raises(InvalidInput, match="must be the user's"):
            await AgentLoop().run("s", failing.model, messages)
    with pytest.raises(InvalidInput, match="Choose one of"):
        AgentLoop("magic")

    async def breaks(event: AgentEvent) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await AgentLoop().run(
            "s", ScriptedModel(["Hi"]), [{"role": "user", "content": "x"}], event_handler=breaks
        )


@table("arguments", ["[]", "7", "{", '{"city": 1}'])
async def test_arguments_of_functions_are_checked(arguments: str) -> None:
    program = Program(make_reply(tool_calls=[ToolCall("c", "weather", arguments)]), "Done.")
    await program.run(selected_tools=["weather"], max_steps=3)
    assert program.ran == []
    assert "agent_tool_error" in program.kinds


async def test_plans_are_followed_without_asking() -> None:
    program = Program(plan("look"), calls("weather"), "21.")
    assert (await program.run("plan-and-execute")).final_answer == "21."


# --- strategies of one's own ----------------------------------------------------------------------------------


class Twice:
    """Asks the model apart from the conversation first, then in it."""

    name = "twice"
    description = "Asks twice."
    calls_per_step = 1

    def next(self, view: TurnView) -> Action:
        if view.acted is None and view.step == 1:
            return AskModel("act", messages=(Message("user", (TextPart("Guess."),)),))
        if view.acted is None:
            return AskModel("act", offers_tools=False)
        return StartStep() if view.step == 1 else Finish(view.acted.text.upper())

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        return [as_message(reply, view)]


async def test_a_strategy_as_an_object() -> None:
    program = Program("One.", "Two.")
    result = await program.run(Twice())
    assert (result.final_answer, result.steps, result.metadata["strategy"]) == ("TWO.", 2, "twice")
    alone, after = program.model.requests
    assert alone.messages == (Message("user", (TextPart("Guess."),)),)
    assert alone.tools == ()
    assert after.tools == ()


class Insatiable:
    """Asks the model again and again, inside one step or with a step for each question."""

    name = "insatiable"
    description = "Never has enough."
    calls_per_step = 1

    def __init__(self, purpose: Literal["reason", "act"], *, steps: bool = False) -> None:
        self._purpose = purpose
        self._steps = steps

    def next(self, view: TurnView) -> Action:
        if self._steps and view.model_calls_in_step:
            return StartStep()
        return AskModel(self._purpose)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        return [Reason(view.step, reply.text)] if ask.purpose == "reason" else [as_message(reply, view)]


@table("purpose", ["reason", "act"])
@table(
    ("steps", "limits", "limit", "most"),
    [
        (False, Limits(), "calls_per_step", 20),
        (False, Limits(calls_per_step=3), "calls_per_step", 3),
        (False, Limits(calls_per_step=9, calls_per_turn=4), "calls_per_turn", 4),
        (True, Limits(calls_per_step=3, calls_per_turn=5), "calls_per_turn", 5),
        (True, Limits(), "calls_per_turn", 200),
    ],
)
async def test_model_calls_are_counted_for_a_strategy_of_ones_own(
    purpose: Literal["reason", "act"], steps: bool, limits: Limits, limit: str, most: int
) -> None:
    program = Program()
    program.model = ScriptedModel(lambda _: "More.")
    strategy = Insatiable(purpose, steps=steps)
    result = await program.run(strategy, loop={"limits": limits}, max_steps=1000)
    assert (result.metadata["outcome"], result.metadata["limit"]) == ("limit_reached", limit)
    assert result.metadata["model_calls"] == len(program.model.requests) == most
    assert f"agent.loop.{limit}" in result.final_answer
    assert program.kinds[-3:] == ["agent_max_steps", "agent_completion", "response_complete"]


def published(folder: Path, module: str, points: str) -> Path:
    """A package as an installer would leave it."""
    (folder / "own_strategies.py").write_text(module)
    info = folder / "own_strategies-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-strategies\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[docagent.strategies]\n{points}\n")
    return folder


RUN = """
import asyncio
from docagent.agent import AgentLoop
from docagent.agent.strategies.registry import all_strategies
from docagent.testing import ScriptedModel
asked = [{"role": "user", "content": "Hi"}]
result = asyncio.run(AgentLoop("brief").run("s", ScriptedModel(["In short."]), asked))
print(result.final_answer, result.metadata["strategy"], [strategy.name for strategy in all_strategies()][-1])
"""


def test_a_strategy_by_entry_point(tmp_path: Path) -> None:
    """The one of the page."""
    (example,) = examples("strategies.md")
    path = published(tmp_path, example, "brief = own_strategies:Brief")
    assert run_child(RUN, path) == "In short. brief brief\n"
