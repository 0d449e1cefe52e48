"""`decide`: one decision about a message of an `act`, then at most one text; what follows are ordinary calls."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docagent.agent.context import fenced, unfenced
from docagent.agent.deciding.aims import AimKind
from docagent.agent.deciding.course import CREATE, DELETE, REWRITE, Course
from docagent.agent.deciding.decision import KEYS, Decision, read_decision
from docagent.agent.deciding.replies import final_reply, source_line, unreadable
from docagent.agent.shortfalls import shortfall_of
from docagent.agent.state import TurnView
from docagent.agent.strategies.base import Action, AskModel, Finish, Note, in_words
from docagent.agent.strategies.prompts import Prompts
from docagent.domain.models.llm import Message, ModelReply, OutputSchema, TextPart, ToolCall
from docagent.domain.projects.projects import MOST_REASON_CHARACTERS
from docagent.domain.shown import quoted
from docagent.domain.turns.events import AssistantMessage, Event, Reason

DECISION_TEMPERATURE = 0.5
ANSWER_TEMPERATURE = 0.7
MOST_MESSAGES = 10
ANY_OBJECT = OutputSchema("decision", None)
_FENCED = re.compile(r"\s*```(?:markdown|md)[ \t]*\r?\n(.*?)\r?\n?```\s*", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_SOURCES = re.compile(r"^#{1,6}[ \t]+(?:sources|references)\b", re.IGNORECASE | re.MULTILINE)


class DecideStrategy:
    name = "decide"
    description = "Makes one decision about a message and carries it out: the strategy of the act endpoint."
    calls_per_step = 2

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts

    def next(self, view: TurnView) -> Action:
        if view.reasoned is None:
            return self._decide()
        course = Course(view)
        if course.decision is None or course.refused is not None or course.written is not None:
            return Finish(final_reply(course))
        for call in (course.next_page, course.search, course.next_lines):
            if call is not None:
                return _calling(view, call)
        if course.has_content:
            return Finish(final_reply(course))
        return self._carry_out(view, course, course.decision)

    def read(self, ask: AskModel, reply: ModelReply, view: TurnView) -> Sequence[Event]:
        if ask.purpose == "reason":
            decision = read_decision(reply)
            if decision is None:
                return [Reason(view.step, unreadable(reply.text), {})]
            said = decision.reasoning or decision.intent_statement or ""
            return [Reason(view.step, said, decision.model_dump())]
        course = Course(view)
        if course.aim.kind is AimKind.ANSWER or shortfall_of(reply) is not None:
            return [in_words(reply, view)]
        before = course.whole.content if course.whole else ""
        text = _with_sources(_unwrapped(reply.text, before), course)
        call = _rewriting(course, text) if course.aim.kind is AimKind.EDIT else _creating(course, text)
        return [AssistantMessage(view.step, (call,), reply.model)]

    def _decide(self) -> AskModel:
        return AskModel(
            "reason",
            offers_tools=False,
            instructions=self._prompts.text("decide"),
            control_keys=KEYS,
            output=ANY_OBJECT,
            temperature=DECISION_TEMPERATURE,
            most_messages=MOST_MESSAGES,
            asks_again=False,
        )

    def _carry_out(self, view: TurnView, course: Course, decision: Decision) -> Action:
        """Everything is known and read: make the call, or ask for the text that it needs."""
        match course.aim.kind:
            case AimKind.EDIT if course.whole is not None:
                return self._write(view, course)
            case AimKind.CREATE if course.sources:
                return self._write(view, course)
            case AimKind.CREATE:
                return _calling(view, _creating(course, decision.document_content or ""))
            case AimKind.DELETE:
                assert course.aim.document is not None
                reason = _reason(decision)
                return _calling(
                    view, course.call(DELETE, {"document": course.aim.document.id, "reason": reason})
                )
            case AimKind.ANSWER if course.sources or not decision.conversational_response:
                found = self._found(course)
                return AskModel(
                    "act",
                    offers_tools=False,
                    instructions=self._prompts.render("decide_answer", found=found),
                    temperature=ANSWER_TEMPERATURE,
                    most_messages=MOST_MESSAGES,
                    asks_again=False,
                )
            case _:
                return Finish(final_reply(course))

    def _write(self, view: TurnView, course: Course) -> AskModel:
        """Ask for the whole text of the document."""
        whole, aim, decision = course.whole, course.aim, course.decision
        assert decision is not None
        name = aim.document.name if aim.document else aim.name
        parts = [f"The request: {view.question}"]
        if decision.intent_statement:
            parts.append(f"What was decided: {decision.intent_statement}")
        if decision.document_content:
            parts.append(f"A draft of what is to be in it:\n{fenced('draft', decision.document_content)}")
        instruction = whole.standing_instruction if whole else decision.standing_instruction
        if instruction:
            parts.append(
                f"Standing instruction of the document:\n{fenced('standing instruction', instruction)}"
            )
        if whole is not None:
            parts.append(f"The text as it is now:\n{fenced(f'text of {name}', whole.content)}")
        if found := self._found(course):
            parts.append(found)
        return AskModel(
            "act",
            offers_tools=False,
            messages=(Message("user", (TextPart("\n\n".join(parts)),)),),
            instructions=self._prompts.render("decide_text", document=quoted(name)),
            temperature=DECISION_TEMPERATURE,
            asks_again=False,
        )

    def _found(self, course: Course) -> str:
        if not course.sources:
            return ""
        pages = "\n\n".join(
            f"{one.title}\n{one.address}{f' ({one.published})' if one.published else ''}\n{one.excerpt}"
            for one in course.sources
        )
        return f"What a search of the web found:\n{fenced('web search', pages)}"


def _calling(view: TurnView, call: ToolCall) -> Note:
    return Note((AssistantMessage(view.step, (call,), view.started.model),))


def _rewriting(course: Course, text: str) -> ToolCall:
    whole, document = course.whole, course.aim.document
    assert whole is not None
    assert document is not None
    text = unfenced(text, whole.content)
    if whole.content.endswith("\n") and not text.endswith("\n"):
        text = f"{text}\n"
    arguments = {
        "document": document.id,
        "content": text,
        "base_version": whole.version,
        "reason": _reason(course.decision),
    }
    return course.call(REWRITE, arguments)


def _creating(course: Course, text: str) -> ToolCall:
    decision = course.decision
    arguments = {
        "name": course.aim.name,
        "content": text,
        "standing_instruction": (decision and decision.standing_instruction) or "",
        "reason": _reason(decision),
    }
    return course.call(CREATE, arguments)


def _reason(decision: Decision | None) -> str:
    said = (decision.change_summary or decision.intent_statement or "") if decision else ""
    return " ".join(said.split())[:MOST_REASON_CHARACTERS]


def _unwrapped(text: str, before: str) -> str:
    """The text without a fence around all of it, which models like to add. A document that is one block of code keeps
    its fence.
    """
    inside = _FENCED.fullmatch(text)
    return inside[1] if inside and "```" not in inside[1] and not before.lstrip().startswith("```") else text


def _with_sources(text: str, course: Course) -> str:
    """The text with the pages that it rests on under its last heading "Sources", except those that it names itself."""
    missing = [source_line(one) for one in course.sources if one.address not in text]
    if not missing:
        return text
    headings = list(_SOURCES.finditer(text))
    if not headings:
        return "\n".join([text.rstrip(), "", "## Sources", "", *missing, ""])
    next_heading = _HEADING.search(text, headings[-1].end())
    end = next_heading.start() if next_heading else len(text)
    rest = f"\n{text[end:]}" if next_heading else ""
    return "\n".join([text[:end].rstrip(), *missing, rest])
