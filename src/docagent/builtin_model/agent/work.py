"""A plan's view of the turn: what is at hand, and the calls it makes.

A plan is a generator. It yields calls and receives their results; its return value is said to the user.
Nothing is remembered between two requests. So a plan starts from the beginning each time and receives the
results of the calls already made, which means that it must make the same calls again. For this reason the
properties below give what was at hand at that point of the plan, not what is at hand now.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from docagent.builtin_model.agent.conversation import Conversation, Step
from docagent.builtin_model.agent.known import Known, by_name
from docagent.builtin_model.agent.understanding import understand
from docagent.domain.documents.text import Page
from docagent.domain.models.llm import Situation

MOST_CHOICES = 8
MOST_LISTED = 50
_SCHEMA_SETTERS = frozenset({"create_schema", "update_schema"})
_PROMPT_SETTERS = frozenset({"create_prompt", "update_prompt", "run_extraction"})
_EXTRACTION_SETTERS = frozenset({"run_extraction", "update_extraction_field", "get_extraction_result"})


@dataclass(frozen=True, slots=True)
class Call:
    """A call to make. `note` is said together with it."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


Calls = tuple[Call, ...]
Steps = tuple[Step, ...]
Plan = Generator[Calls, Steps, str]


@dataclass(eq=False)
class GiveUp(Exception):
    """The plan cannot go on. The text says why, or asks a question."""

    text: str
    was_refused: bool = False
    """Whether the user refused a call: then nothing is said of the rest."""


@dataclass(eq=False)
class Wanted(Exception):
    """The next calls have no results yet."""

    calls: Calls
    text: str = ""
    """What is said together with them."""


class Lost(Exception):
    """The calls that were made are not those that the plan would make."""


@dataclass(eq=False)
class Work:
    """One turn: the situation, the tools offered, and the calls made so far."""

    conversation: Conversation
    situation: Situation
    _offered: frozenset[str] | None
    chosen: str = ""
    """What the user chose from the list that the last answer ended with."""
    _cursor: int = field(default=0, init=False)

    @property
    def pages(self) -> list[Page]:
        document = self.situation.document
        return list(document.pages) if document else []

    @cached_property
    def known(self) -> Known:
        """The names that exist: in a project the documents as the situation has them."""
        return Known.of(self.situation)

    @property
    def place(self) -> str:
        return "project" if self.in_project else "document"

    @property
    def in_project(self) -> bool:
        """Whether the conversation is about a project of living documents."""
        return self.situation.project is not None or "list_project_documents" in (self._offered or ())

    def has(self, tool: str) -> bool:
        return self._offered is None or tool in self._offered

    # The calls

    @property
    def done(self) -> tuple[Step, ...]:
        """The calls of this turn whose results the plans have seen."""
        return self.conversation.steps[: self._cursor]

    @property
    def ahead(self) -> tuple[Step, ...]:
        """The calls that were made but that the plans have not reached yet."""
        return self.conversation.steps[self._cursor :]

    def results(self, calls: Calls) -> Steps:
        """Return the recorded results of these calls. Raises Wanted if there are none, Lost if they do not match."""
        steps = self.ahead[: len(calls)]
        if not steps:
            raise Wanted(calls)
        if [step.name for step in steps] != [call.name for call in calls]:
            raise Lost
        self._cursor += len(steps)
        return steps

    # What is at hand

    @property
    def schema_revid(self) -> str | None:
        return self._at_hand("schema_revid", _SCHEMA_SETTERS, ("get_schema",))

    @property
    def prompt_revid(self) -> str | None:
        return self._at_hand(
            "prompt_revid", _PROMPT_SETTERS, ("get_prompt", "run_extraction", "get_extraction_result")
        )

    @property
    def extraction(self) -> Any:
        seen = _last(self.done, _EXTRACTION_SETTERS, "extraction")
        if seen is not None:
            return seen
        if self.ahead and self.ahead[0].name == "get_extraction_result":
            return None
        return self.situation.state.get("extraction")

    @property
    def tag_ids(self) -> list[str]:
        seen = _last(self.done, frozenset({"update_document"}), "tag_ids")
        return list(self.situation.tag_ids if seen is None else seen)

    @property
    def is_tagged_later(self) -> bool:
        """Whether the situation already has the tags that a recorded call, not yet reached, has set."""
        return any(step.ok and step.name == "update_document" for step in self.ahead)

    @property
    def schema_without_prompt(self) -> Mapping[str, Any] | None:
        """The schema made last, unless a prompt was made, changed or run after it."""
        for step in reversed([*self.conversation.before, *self.done]):
            if step.ok and step.name in _PROMPT_SETTERS:
                return None
            if step.ok and step.name == "create_schema" and step.result.get("schema_id"):
                return step.result
        return None

    def mentions(self, kind: str) -> Iterator[Mapping[str, Any]]:
        return (mention for mention in self.situation.mentions if mention.get("type") == kind)

    def _at_hand(self, key: str, setters: frozenset[str], readers: tuple[str, ...]) -> str | None:
        seen = _last(self.done, setters, key)
        if seen is not None:
            return str(seen)
        if any(step.ok and step.name in setters for step in self.ahead):
            following = self.ahead[0]
            value = following.arguments.get(key) if following.name in readers else None
        else:
            value = self.situation.state.get(key)
        return value if isinstance(value, str) and value else None


def _last(steps: Steps, names: frozenset[str], key: str) -> Any:
    for step in reversed(steps):
        if step.ok and step.name in names and step.result.get(key) is not None:
            return step.result[key]
    return None


def call(
    work: Work, name: str, arguments: Mapping[str, Any] | None = None, note: str = ""
) -> Generator[Calls, Steps, Step]:
    """Make one call. Raises GiveUp if the tool is not offered."""
    if not work.has(name):
        raise GiveUp(f"That needs the tool `{name}`, which is not available here.")
    (step,) = yield (Call(name, arguments or {}, note),)
    return step


def must(
    work: Work, name: str, arguments: Mapping[str, Any] | None = None, note: str = ""
) -> Generator[Calls, Steps, Step]:
    """Make one call. Raises GiveUp if the tool is not offered or the call fails."""
    step = yield from call(work, name, arguments, note)
    if not step.ok:
        raise GiveUp(f"`{name}` did not work: {step.error}")
    return step


def choose(work: Work, question: str, options: Sequence[str]) -> Generator[Calls, Steps, str]:
    """Ask which of the options is meant. Where nobody can be asked, the turn ends with the question."""
    chosen, work.chosen = work.chosen, ""
    if not chosen:
        if not work.has("request_input"):
            raise GiveUp(f"{question}\n\n" + "\n".join(f"- {one}" for one in options[:MOST_LISTED]))
        asked = {"question": question, "choices": list(options[:MOST_CHOICES])}
        (step,) = yield (Call("request_input", asked),)
        chosen = str(step.result.get("answer") or "")
    if len(options) == 1 and any(wish.intent == "yes" for wish in understand(chosen, "document").wishes):
        return options[0]
    matches = by_name(chosen, options) if chosen.strip() else []
    if len(matches) != 1:
        raise GiveUp("All right, I changed nothing.")
    return matches[0]
