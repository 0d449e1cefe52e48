"""Conversations with each strategy, as tables: what the model says, what the person does, what must happen.

A scene is played over REST with server-sent events and over the WebSocket; both must show `events`, in this order.
`usage` events are left out of the list: `calls` names the purpose of each model call instead.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docagent.agent.shortfalls import NOTES
from docagent.domain.ids import new_id
from docagent.domain.models.llm import ModelReply
from docagent.domain.turns.events import Shortfall
from tests.support.agent import call, calls
from tests.support.models.provider import Answer

STRATEGIES = ["tools", "react", "think-act", "plan-and-execute", "tool-first", "llm-only"]

BEGIN = "turn_started user_message step_started"
LOOKED = "assistant_message tool_started tool_result"
ASKED = "assistant_message approval_requested"
RAN = "approval_decided tool_started tool_result"
PLANNED = "plan plan_decided"


@dataclass(frozen=True)
class Scene:
    name: str
    strategy: str
    replies: tuple[Answer, ...]
    events: str
    calls: str
    does: tuple[Mapping[str, Any], ...] = ()
    """What the person does at each pause."""
    options: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None
    """The answer that the turn ends with."""
    failed_calls: int = 0

    def __str__(self) -> str:
        return f"{self.strategy}: {self.name}"


def block(said: str, **decision: Any) -> str:
    return f"{said}\n\n```json\n{json.dumps(decision)}\n```"


def reason(plan: str = "look", **more: Any) -> str:
    return block("I think.", **{"plan": plan, "tools_to_consider": ["list_tags"], "finish": False, **more})


def observe(goes_on: bool, final: str = "") -> str:
    return block("I see.", observation="seen", should_continue=goes_on, final_answer=final)


def think(**more: Any) -> str:
    return block("I think.", **{"finish": False, "next_action_hint": "look", **more})


def plan(*steps: str) -> str:
    return block("My plan.", steps=list(steps))


def control(name: str, /, **decision: Any) -> ModelReply:
    return calls(call(f"d{new_id()}", name, **decision))


def look(id: str = "r1") -> ModelReply:
    return calls(call(id, "list_tags"))


def fail(id: str = "r1") -> ModelReply:
    return calls(call(id, "get_tag", tag_id="ffffffffffffffffffffffff"))


def make(id: str = "w1") -> ModelReply:
    return calls(call(id, "create_tag", name=f"tag {new_id()}"))


def ask(id: str = "q1") -> ModelReply:
    return calls(call(id, "request_input", question="Which one?", choices=["A", "B"]))


YES = {"approve": "w1"}
NO = {"reject": "w1"}
ANSWER = {"answer": "B"}
PLAN_YES: Mapping[str, Any] = {"plan": True}

TOOLS_SCENES = [
    Scene("happy", "tools", (look(), "Two tags."), f"{BEGIN} {LOOKED} step_started assistant_message completed",
          "act act", text="Two tags."),
    Scene("no tools", "tools", ("No tools here.",), f"{BEGIN} assistant_message completed", "act",
          options={"selected_tools": []}),
    Scene("tool that is not selected", "tools", (look(), "Then not."),
          f"{BEGIN} assistant_message tool_result step_started assistant_message completed", "act act",
          options={"selected_tools": []}, failed_calls=1),
    Scene("tool error", "tools", (fail(), "There is none."),
          f"{BEGIN} {LOOKED} step_started assistant_message completed", "act act", failed_calls=1),
    Scene("approved", "tools", (make(), "Made."),
          f"{BEGIN} {ASKED} {RAN} step_started assistant_message completed", "act act", does=(YES,)),
    Scene("rejected", "tools", (make(), "Not made."),
          f"{BEGIN} {ASKED} approval_decided tool_result step_started assistant_message completed", "act act",
          does=(NO,), failed_calls=1),
    Scene("limit", "tools", (look("a"), look("b"), "So far."),
          f"{BEGIN} {LOOKED} step_started {LOOKED} assistant_message limit_reached", "act act answer",
          options={"max_steps": 2}, text="So far.\n\n(Max tool rounds reached.)"),
    Scene("question", "tools", (ask(), "B it is."),
          f"{BEGIN} assistant_message tool_started input_requested input_given tool_result step_started "
          "assistant_message completed", "act act", does=(ANSWER,)),
    Scene("two questions at once", "tools",
          (calls(*ask("q1").tool_calls, *ask("q2").tool_calls), "B it is."),
          f"{BEGIN} assistant_message tool_started input_requested tool_result input_given tool_result step_started "
          "assistant_message completed", "act act", does=(ANSWER,), failed_calls=1),
]  # fmt: skip

REACT_SCENES = [
    Scene("happy", "react", (reason(), look(), observe(False, "Two tags.")),
          f"{BEGIN} reason {LOOKED} observe completed", "reason act observe", text="Two tags."),
    Scene("two steps", "react", (reason(), look("a"), observe(True), reason(), look("b"), observe(False, "Done.")),
          f"{BEGIN} reason {LOOKED} observe step_started reason {LOOKED} observe completed",
          "reason act observe reason act observe", text="Done."),
    Scene("finished while it reasons", "react", (reason(finish=True, final_answer="Nothing to do."),),
          f"{BEGIN} reason completed", "reason", text="Nothing to do."),
    Scene("no tools", "react", (reason(), "In words.", observe(False)),
          f"{BEGIN} reason assistant_message observe completed", "reason act observe",
          options={"selected_tools": []}, text="In words."),
    Scene("malformed blocks", "react",
          ("I think {so", look(), "Well, {\"should", reason(), "That is it.", observe(False)),
          f"{BEGIN} reason {LOOKED} observe step_started reason assistant_message observe completed",
          "reason act observe reason act observe", text="That is it."),
    Scene("no block after words", "react", (reason(), "I will look.", "Nothing was done yet.", reason(), look(),
                                            observe(False, "Two tags.")),
          f"{BEGIN} reason assistant_message observe step_started reason {LOOKED} observe completed",
          "reason act observe reason act observe", text="Two tags."),
    Scene("no block at all", "react", ("Hm.", "Two tags.", "Good.", "Hm.", "Two tags, as I said.", "Good."),
          f"{BEGIN} reason assistant_message observe step_started reason assistant_message observe completed",
          "reason act observe reason act observe", text="Two tags, as I said."),
    Scene("control calls", "react",
          (control("agent_decide_next", plan="look", finish=False), look(),
           control("agent_observe_decide", should_continue=False, final_answer="Two.")),
          f"{BEGIN} reason {LOOKED} observe completed", "reason act observe", text="Two."),
    Scene("tool error", "react", (reason(), fail(), observe(False, "There is none.")),
          f"{BEGIN} reason {LOOKED} observe completed", "reason act observe", failed_calls=1),
    Scene("approved", "react", (reason(), make(), observe(False, "Made.")),
          f"{BEGIN} reason {ASKED} {RAN} observe completed", "reason act observe", does=(YES,), text="Made."),
    Scene("rejected", "react", (reason(), make(), observe(False, "Not made.")),
          f"{BEGIN} reason {ASKED} approval_decided tool_result observe completed", "reason act observe",
          does=(NO,), failed_calls=1),
    Scene("limit", "react", (reason(), look(), observe(True), "So far."),
          f"{BEGIN} reason {LOOKED} observe assistant_message limit_reached", "reason act observe answer",
          options={"max_steps": 1}, text="So far.\n\n(Max tool rounds reached.)"),
    Scene("question in the reasoning", "react",
          (reason(request_input={"question": "Which one?"}), reason(finish=True, final_answer="B it is.")),
          f"{BEGIN} reason input_requested input_given step_started reason completed", "reason reason",
          does=(ANSWER,), text="B it is."),
    Scene("question in the act", "react", (reason(), ask(), observe(False, "B it is.")),
          f"{BEGIN} reason assistant_message tool_started input_requested input_given tool_result observe completed",
          "reason act observe", does=(ANSWER,), text="B it is."),
]  # fmt: skip

THINK_SCENES = [
    Scene("happy", "think-act", (think(), look(), think(finish=True, final_answer="Two tags.")),
          f"{BEGIN} reason {LOOKED} step_started reason completed", "reason act reason", text="Two tags."),
    Scene("answered in words", "think-act", (think(), "Two tags."),
          f"{BEGIN} reason assistant_message completed", "reason act", text="Two tags."),
    Scene("no tools", "think-act", (think(), "In words."), f"{BEGIN} reason assistant_message completed",
          "reason act", options={"selected_tools": []}),
    Scene("malformed block", "think-act", ("Hm {", look(), "Hm }", "Done."),
          f"{BEGIN} reason {LOOKED} step_started reason assistant_message completed", "reason act reason act"),
    Scene("call instead of a thought", "think-act", (look(), "Done."), f"{BEGIN} reason assistant_message completed",
          "reason act"),
    Scene("tool error", "think-act", (think(), fail(), think(finish=True, final_answer="None.")),
          f"{BEGIN} reason {LOOKED} step_started reason completed", "reason act reason", failed_calls=1),
    Scene("approved", "think-act", (think(), make(), think(finish=True, final_answer="Made.")),
          f"{BEGIN} reason {ASKED} {RAN} step_started reason completed", "reason act reason", does=(YES,)),
    Scene("rejected", "think-act", (think(), make(), think(finish=True, final_answer="Not made.")),
          f"{BEGIN} reason {ASKED} approval_decided tool_result step_started reason completed",
          "reason act reason", does=(NO,), failed_calls=1),
    Scene("limit", "think-act", (think(), look(), "So far."),
          f"{BEGIN} reason {LOOKED} assistant_message limit_reached", "reason act answer",
          options={"max_steps": 1}),
    Scene("question", "think-act", (think(), ask(), think(finish=True, final_answer="B it is.")),
          f"{BEGIN} reason assistant_message tool_started input_requested input_given tool_result step_started "
          "reason completed", "reason act reason", does=(ANSWER,)),
]  # fmt: skip

PLAN_SCENES = [
    Scene("happy", "plan-and-execute", (plan("look", "tell"), look(), "Looked.", "Told.", "All done."),
          f"{BEGIN} {PLANNED} {LOOKED} step_started assistant_message plan step_started assistant_message plan "
          "assistant_message completed", "plan act act act answer", does=(PLAN_YES,), text="All done."),
    Scene("one step, nobody asked", "plan-and-execute", (plan("look"), look(), "Two tags."),
          f"{BEGIN} plan {LOOKED} step_started assistant_message completed", "plan act act",
          options={"auto_approve": True}, text="Two tags."),
    Scene("changed by the user", "plan-and-execute", (plan("look"), "Told.", "Told again.", "All told."),
          f"{BEGIN} {PLANNED} plan assistant_message plan step_started assistant_message plan assistant_message "
          "completed", "plan act act answer", does=({"plan": True, "steps": ["tell", "tell again"]},)),
    Scene("rejected", "plan-and-execute", (plan("erase everything"),), f"{BEGIN} {PLANNED} completed", "plan",
          does=({"plan": False},),
          text="The plan was not approved, so nothing was done. Tell me what to do differently."),
    Scene("rejected with a reason", "plan-and-execute", (plan("erase"), plan("look"), "Two tags."),
          f"{BEGIN} {PLANNED} {PLANNED} assistant_message completed", "plan plan act",
          does=({"plan": False, "reason": "Only look"}, PLAN_YES), text="Two tags."),
    Scene("no tools", "plan-and-execute", (plan("tell"), "In words."),
          f"{BEGIN} {PLANNED} assistant_message completed", "plan act", does=(PLAN_YES,),
          options={"selected_tools": []}),
    Scene("malformed block", "plan-and-execute", ("I will {\"steps", "In words."),
          f"{BEGIN} {PLANNED} assistant_message completed", "plan act", does=(PLAN_YES,)),
    Scene("a list in words", "plan-and-execute", ("1. tell\n2) tell again", "Told.", "Told again.", "All told."),
          f"{BEGIN} {PLANNED} assistant_message plan step_started assistant_message plan assistant_message completed",
          "plan act act answer", does=(PLAN_YES,)),
    Scene("tool error, replanned", "plan-and-execute", (plan("fetch"), fail(), plan("tell"), "There is none."),
          f"{BEGIN} {PLANNED} {LOOKED} {PLANNED} step_started assistant_message completed", "plan act plan act",
          does=(PLAN_YES, PLAN_YES), failed_calls=1),
    Scene("approved", "plan-and-execute", (plan("make"), make(), "Made."),
          f"{BEGIN} {PLANNED} {ASKED} {RAN} step_started assistant_message completed", "plan act act",
          does=(PLAN_YES, YES)),
    Scene("call rejected, replanned, and not continued", "plan-and-execute", (plan("make"), make(), plan("tell")),
          f"{BEGIN} {PLANNED} {ASKED} approval_decided tool_result {PLANNED} completed", "plan act plan",
          does=(PLAN_YES, NO, {"plan": False}), failed_calls=1),
    Scene("limit", "plan-and-execute", (plan("look"), look(), "So far."),
          f"{BEGIN} {PLANNED} {LOOKED} assistant_message limit_reached", "plan act answer", does=(PLAN_YES,),
          options={"max_steps": 1}),
    Scene("question", "plan-and-execute", (plan("ask"), ask(), "B it is."),
          f"{BEGIN} {PLANNED} assistant_message tool_started input_requested input_given tool_result step_started "
          "assistant_message completed", "plan act act", does=(PLAN_YES, ANSWER)),
]  # fmt: skip

OTHER_SCENES = [
    Scene("happy", "tool-first", (look(), "Two tags."), f"{BEGIN} {LOOKED} assistant_message completed",
          "act answer", text="Two tags."),
    Scene("no call needed", "tool-first", ("Hello.",), f"{BEGIN} assistant_message completed", "act"),
    Scene("no tools", "tool-first", ("In words.",), f"{BEGIN} assistant_message completed", "act",
          options={"selected_tools": []}),
    Scene("call where an answer was wanted", "tool-first", (look(), look("r2")),
          f"{BEGIN} {LOOKED} assistant_message completed", "act answer", text=NOTES[Shortfall.EMPTY]),
    Scene("tool error", "tool-first", (fail(), "There is none."), f"{BEGIN} {LOOKED} assistant_message completed",
          "act answer", failed_calls=1),
    Scene("approved", "tool-first", (make(), "Made."), f"{BEGIN} {ASKED} {RAN} assistant_message completed",
          "act answer", does=(YES,)),
    Scene("rejected", "tool-first", (make(), "Not made."),
          f"{BEGIN} {ASKED} approval_decided tool_result assistant_message completed", "act answer", does=(NO,),
          failed_calls=1),
    Scene("question", "tool-first", (ask(), "B it is."),
          f"{BEGIN} assistant_message tool_started input_requested input_given tool_result assistant_message completed",
          "act answer", does=(ANSWER,)),
    Scene("happy", "llm-only", ("Hello.",), f"{BEGIN} assistant_message completed", "act", text="Hello."),
    Scene("call where there are no tools", "llm-only", (look(),), f"{BEGIN} assistant_message completed", "act",
          text=NOTES[Shortfall.EMPTY]),
    Scene("no tools", "llm-only", ("Hello.",), f"{BEGIN} assistant_message completed", "act",
          options={"selected_tools": []}),
]  # fmt: skip

SCENES = [*TOOLS_SCENES, *REACT_SCENES, *THINK_SCENES, *PLAN_SCENES, *OTHER_SCENES]


@dataclass(frozen=True)
class Halt:
    """A stop while the model is asked for something, or while the turn waits."""

    phase: str
    strategy: str
    replies: tuple[Answer, ...]
    """What the model says before; the next request is never answered."""
    events: str
    does: tuple[Mapping[str, Any], ...] = ()
    waits: bool = False

    def __str__(self) -> str:
        return f"{self.strategy}: {self.phase}"


HALTS = [
    Halt("act", "tools", (), f"{BEGIN} stopped"),
    Halt("second act", "tools", (look(),), f"{BEGIN} {LOOKED} step_started stopped"),
    Halt("approval", "tools", (make(),), f"{BEGIN} {ASKED} stopped", waits=True),
    Halt("question", "tools", (ask(),), f"{BEGIN} assistant_message tool_started input_requested stopped", waits=True),
    Halt("after approval", "tools", (make(),), f"{BEGIN} {ASKED} {RAN} step_started stopped", does=(YES,)),
    Halt("reason", "react", (), f"{BEGIN} stopped"),
    Halt("act", "react", (reason(),), f"{BEGIN} reason stopped"),
    Halt("observe", "react", (reason(), look()), f"{BEGIN} reason {LOOKED} stopped"),
    Halt("approval", "react", (reason(), make()), f"{BEGIN} reason {ASKED} stopped", waits=True),
    Halt("question", "react", (reason(request_input={"question": "Which?"}),),
         f"{BEGIN} reason input_requested stopped", waits=True),
    Halt("think", "think-act", (), f"{BEGIN} stopped"),
    Halt("act", "think-act", (think(),), f"{BEGIN} reason stopped"),
    Halt("plan", "plan-and-execute", (), f"{BEGIN} stopped"),
    Halt("verdict on the plan", "plan-and-execute", (plan("a"),), f"{BEGIN} plan stopped", waits=True),
    Halt("act", "plan-and-execute", (plan("a"),), f"{BEGIN} {PLANNED} stopped", does=(PLAN_YES,)),
    Halt("replanning", "plan-and-execute", (plan("a"), fail()), f"{BEGIN} {PLANNED} {LOOKED} stopped",
         does=(PLAN_YES,)),
    Halt("answer", "plan-and-execute", (plan("a", "b"), "A.", "B."),
         f"{BEGIN} {PLANNED} assistant_message plan step_started assistant_message plan stopped", does=(PLAN_YES,)),
    Halt("act", "tool-first", (), f"{BEGIN} stopped"),
    Halt("answer", "tool-first", (look(),), f"{BEGIN} {LOOKED} stopped"),
    Halt("act", "llm-only", (), f"{BEGIN} stopped"),
]  # fmt: skip

TIMEOUTS: dict[str, tuple[Answer, ...]] = {
    "tools": (ask(),),
    "react": (reason(request_input={"question": "Which one?"}),),
    "think-act": (think(), ask()),
    "plan-and-execute": (plan("a"), ask()),
    "tool-first": (ask(),),
}

FRAMES: dict[str, list[str]] = {
    "turn_started": ["agent_start"],
    "user_message": [],
    "step_started": ["agent_turn_start"],
    "reason": ["agent_reason"],
    "observe": ["agent_observe"],
    "assistant_message": [],
    "plan": ["agent_plan"],
    "plan_decided": [],
    "approval_requested": ["tool_approval_request"],
    "approval_decided": ["tool_approval_decided"],
    "tool_started": ["tool_start"],
    "tool_progress": ["tool_progress"],
    "steered": ["agent_steered"],
    "input_requested": ["agent_request_input"],
    "input_given": [],
    "input_timed_out": ["agent_request_input_timeout"],
    "usage": [],
    "completed": ["agent_completion", "response_complete"],
    "stopped": ["agent_stopped", "response_complete"],
    "limit_reached": ["agent_max_steps", "agent_completion", "response_complete"],
    "failed": ["agent_error", "response_complete"],
}
"""What the WebSocket says for each event, beside the pieces of text."""


def frames_of(events: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """The frames that a log must have been shown as."""
    shown = []
    for event in events:
        kinds = FRAMES.get(event["type"], [])
        if event["type"] == "tool_result":
            kinds = ["tool_error" if event["is_error"] else "tool_complete"]
        if event.get("shortfall") and event["type"] == "completed":
            kinds = ["warning", *kinds]
        shown += [(event["seq"], kind) for kind in kinds]
    return shown
