"""What every tool has: words for the model and for people, and methods that describe, run and undo a call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, get_args

from docagent.agent.ports import Progress
from docagent.domain.errors import InvalidInput
from docagent.domain.models.llm import ToolSpec
from docagent.domain.turns.tools import Access, CallContext, Described, Outcome, Tool
from docagent.domain.turns.web_search import WebSearch
from docagent.services.documents.documents import DocumentService
from docagent.services.documents.tags import TagService
from docagent.services.documents.text import TextService
from docagent.services.extraction.extraction import ExtractionService
from docagent.services.extraction.forms import FormService
from docagent.services.extraction.prompts import PromptService
from docagent.services.extraction.results import ResultService
from docagent.services.extraction.schemas import SchemaService
from docagent.services.models.provider_directory import ModelService
from docagent.services.projects.evidence import EvidenceService
from docagent.services.projects.living_documents import LivingDocumentService
from docagent.services.projects.projects import ProjectService
from docagent.services.review.accuracy_trial import AccuracyTrials
from docagent.tools.arguments import Arguments

Given = TypeVar("Given", bound=Arguments)
Undo = Mapping[str, Any]
"""What is stored of a call, as JSON, so that it can be undone."""


@dataclass(frozen=True, slots=True)
class ToolServices:
    """The use cases that tools call."""

    documents: DocumentService
    text: TextService
    extraction: ExtractionService
    results: ResultService
    schemas: SchemaService
    prompts: PromptService
    tags: TagService
    models: ModelService
    projects: ProjectService
    living_documents: LivingDocumentService
    evidence: EvidenceService
    accuracy_trials: AccuracyTrials
    forms: FormService
    web_search: WebSearch | None = None
    """None where no search engine is set up."""


class AgentTool(ABC, Generic[Given]):
    """One tool of an agent that works on a document or in a project.

    The class of its arguments stands in brackets: `class GetTag(ReadTool[OneTag])`.
    """

    name: ClassVar[str]
    access: ClassVar[Access]
    title: ClassVar[str]
    """What the tool does, in a few words for people."""
    description: ClassVar[str]
    """For the model: when to use the tool, and what to call before it."""
    example: ClassVar[str]
    """For the manual: the arguments of a call."""
    returns: ClassVar[str]
    """For the manual: what comes back, as markdown."""
    takes: ClassVar[type[Arguments]]
    """The class of its arguments."""
    parameters: ClassVar[dict[str, Any]]
    """The JSON schema of its arguments, which the model sees."""
    may_lose: ClassVar[bool] = False
    """Whether a call may take something away that somebody wrote; `describe` says whether it does."""
    sends_out: ClassVar[bool] = False
    """Whether the arguments of a call leave the deployment."""
    calls_model: ClassVar[bool] = False
    """Whether a call has a model read other documents."""
    needs_web_search: ClassVar[bool] = False
    """Whether the tool is there only when a search engine is set up."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in cls.__dict__.get("__orig_bases__", ()):
            for given in get_args(base):
                if isinstance(given, type) and issubclass(given, Arguments):
                    cls.takes, cls.parameters = given, given.parameters()

    def __init__(self, services: ToolServices) -> None:
        self._services = services

    @classmethod
    def facts(cls) -> Tool:
        spec = ToolSpec(cls.name, cls.description, cls.parameters)
        return Tool(
            spec, cls.access, sends_out=cls.sends_out, calls_model=cls.calls_model, may_lose=cls.may_lose
        )

    @abstractmethod
    async def describe(self, call: CallContext, arguments: Given) -> Described:
        """Say in words what a call would do. A write adds a preview."""

    async def prepare(self, call: CallContext, arguments: Given, progress: Progress) -> Any:
        """Do what takes long, before any transaction begins. `run` gets the result."""

    @abstractmethod
    async def run(self, call: CallContext, arguments: Given, prepared: Any) -> Outcome: ...


class ReadTool(AgentTool[Given]):
    """A tool that changes nothing, so it runs without asking unless it sends something out or calls a model."""

    access = Access.READ_ONLY

    async def describe(self, call: CallContext, arguments: Given) -> Described:
        return Described(await self.summary(call, arguments))

    async def summary(self, call: CallContext, arguments: Given) -> str:
        return self.title

    async def run(self, call: CallContext, arguments: Given, prepared: Any) -> Outcome:
        return Outcome(await self.read(call, arguments), self.title)

    @abstractmethod
    async def read(self, call: CallContext, arguments: Given) -> dict[str, Any]: ...


class WriteTool(AgentTool[Given]):
    """A tool that changes something, so it asks first, shows what would change, and can be undone."""

    access = Access.READ_WRITE
    previews: ClassVar[str]
    """For the manual: the kind of its preview, and what it shows."""
    undoes: ClassVar[str]
    """For the manual: what there is after undo, and when undo is refused."""

    @abstractmethod
    async def undo(self, call: CallContext, undo: Undo) -> str:
        """Undo what a call did, and return in words what was undone. Raises Conflict."""


def document_of(call: CallContext, document_id: str | None = None) -> str:
    """Return the document that a call is about: the one it names, or else the one of the conversation."""
    document_id = document_id or call.scope.document_id
    if document_id is None:
        raise InvalidInput(
            "No document is open here. Name one with document_id; list_documents shows the ids."
        )
    return document_id
