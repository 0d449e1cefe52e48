"""Where an `act` stands: what the log of its turn says of the decision, and of the calls that followed from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from docagent.agent.deciding.aims import Aim, AimKind, Listed, aim_of, changes_something
from docagent.agent.deciding.decision import Decision, decision_of
from docagent.agent.state import TurnView
from docagent.domain.models.llm import ToolCall
from docagent.domain.turns.events import ToolFinished
from docagent.domain.turns.turns import REJECTED_TEXT

LIST, READ, SEARCH = "list_project_documents", "read_project_document", "search_web"
CREATE, REWRITE, DELETE = "create_project_document", "rewrite_project_document", "delete_project_document"
NO_CHANGES = "No changes"
"""What a call says that found the text as it would have made it."""
WRITES = frozenset({CREATE, REWRITE, DELETE})


@dataclass(frozen=True, slots=True)
class Source:
    """A page on the web that a search found."""

    title: str
    address: str
    excerpt: str
    published: str | None


@dataclass(frozen=True, slots=True)
class Whole:
    """The text of the document to be edited, once all of it was read."""

    content: str
    version: int
    standing_instruction: str


class Course:
    """A fold of the present step. It holds no state of its own."""

    def __init__(self, view: TurnView) -> None:
        self.view = view
        self.decision: Decision | None = decision_of(dict(view.reasoned.decision)) if view.reasoned else None

    # --- the project ------------------------------------------------------------------------------------------

    @cached_property
    def pages(self) -> list[Mapping[str, Any]]:
        """The pages of the list of documents that were read."""
        return [content_of(result) for result in self._results(LIST) if not result.is_error]

    @property
    def documents(self) -> list[Listed]:
        return [
            Listed(str(one["document_id"]), str(one["name"]))
            for page in self.pages
            for one in page["documents"]
        ]

    @property
    def next_page(self) -> ToolCall | None:
        """The call for what is still unknown of the project; None if nothing is."""
        if self.decision is None or not changes_something(self.decision) or self._failed(LIST):
            return None
        skip = len(self.documents)
        if self.pages and (skip >= self.pages[0]["total_count"] or not self.pages[-1]["documents"]):
            return None
        return self.call(LIST, {"skip": skip})

    @cached_property
    def aim(self) -> Aim:
        """What the decision comes to, once the documents are known."""
        if self.decision is None:
            return Aim(AimKind.ANSWER)
        if failed := self._failed(LIST):
            return Aim(AimKind.ASK, question=error_of(failed))
        terms = self.view.started.terms
        return aim_of(self.decision, self.documents, terms.open_document_id, self.view.question)

    # --- the web ----------------------------------------------------------------------------------------------

    @property
    def search(self) -> ToolCall | None:
        """The call that searches the web, if that was decided and not done yet."""
        decision = self.decision
        if decision is None or not decision.needs_web_search or not decision.search_query:
            return None
        if self.aim.kind in (AimKind.ASK, AimKind.DELETE) or self._results(SEARCH):
            return None
        return self.call(SEARCH, {"query": decision.search_query})

    @property
    def searched(self) -> ToolFinished | None:
        return next(iter(self._results(SEARCH)), None)

    @property
    def web_search_performed(self) -> bool:
        return bool(self.sources)

    @property
    def sources(self) -> list[Source]:
        if self.searched is None or self.searched.is_error:
            return []
        found = content_of(self.searched).get("sources")
        listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        return [
            Source(
                str(one.get("title") or one.get("address") or ""),
                str(one.get("address") or ""),
                str(one.get("excerpt") or ""),
                one.get("published"),
            )
            for one in listed
        ]

    # --- the text ---------------------------------------------------------------------------------------------

    @property
    def next_lines(self) -> ToolCall | None:
        """The call that reads on in the document to be edited; None if all of it was read, or cannot be."""
        if self.aim.kind is not AimKind.EDIT or self.aim.document is None or self._failed(READ):
            return None
        read = self._results(READ)
        start = content_of(read[-1]).get("next_line") if read else 1
        if start is None:
            return None
        return self.call(READ, {"document": self.aim.document.id, "from_line": start})

    @property
    def whole(self) -> Whole | None:
        """The text, or None if a part of it could not be read: a line too long to show, or a version in between."""
        parts = [content_of(result) for result in self._results(READ) if not result.is_error]
        if not parts or self._failed(READ) or len({part["version"] for part in parts}) > 1:
            return None
        if any("from character" in part.get("missing", "") for part in parts):
            return None
        text = "\n".join(part["content"] for part in parts)
        return Whole(text, parts[0]["version"], parts[0]["standing_instruction"])

    # --- what was done ----------------------------------------------------------------------------------------

    @property
    def written(self) -> ToolFinished | None:
        """The result of the call that changes something, if it has one."""
        return next((result for name in WRITES for result in self._results(name)), None)

    @property
    def refused(self) -> ToolFinished | None:
        """The result of the first call to which a person said no."""
        results = [self.searched, self.written]
        return next((one for one in results if one and is_rejected(one)), None)

    @property
    def done(self) -> Mapping[str, Any] | None:
        """What the call that changed something gave."""
        return content_of(self.written) if self.written is not None and not self.written.is_error else None

    @property
    def has_content(self) -> bool:
        """Whether the model was asked for words or for a text after its decision. It is asked once."""
        return self.view.model_calls_in_step > 1

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolCall:
        number = sum(call.name == name for call in self.view.calls.values()) + 1
        call_id = f"{name}_{self.view.step}_{number}"
        return ToolCall(call_id, name, orjson.dumps(dict(arguments)).decode())

    def _results(self, name: str) -> list[ToolFinished]:
        """The results of this tool in the present step, in order."""
        prefix = f"{name}_{self.view.step}_"
        return [one for call_id, one in self.view.results.items() if call_id.startswith(prefix)]

    def _failed(self, name: str) -> ToolFinished | None:
        return next((one for one in self._results(name) if one.is_error), None)


def content_of(result: ToolFinished) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads(result.content)
    return content


def error_of(result: ToolFinished) -> str:
    return str(content_of(result).get("error") or "It did not work.")


def is_rejected(result: ToolFinished) -> bool:
    return result.is_error and not result.ran and error_of(result) == REJECTED_TEXT
