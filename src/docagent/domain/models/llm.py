"""Talking to a language model, in our own words: what is asked, what comes back, and the port that carries it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeVar

from docagent.domain.documents.text import Box, Page
from docagent.domain.errors import DocAgentError

CHARACTERS_PER_TOKEN = 3
"""Fewer than in plain English, so that estimates are on the safe side."""


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """Reasoning of the model. With a signature, or redacted, it goes back to the provider verbatim or not at all."""

    text: str
    signature: str | None = None
    redacted: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model wants. `arguments` is JSON text as the model wrote it; it may be broken."""

    id: str
    name: str
    arguments: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    call_id: str
    content: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A document shown to the model. Wire adapters send its text; the built-in model reads its words and boxes."""

    name: str
    pages: Sequence[Page]
    metadata: Mapping[str, str] = field(default_factory=dict)
    pdf: bytes | None = None
    """The document as a PDF, sent along if the model takes PDFs."""
    texts: Sequence[str] | None = None
    """The text of each page as it is sent, with its layout; None for the plain lines."""


@dataclass(frozen=True, slots=True)
class PageView:
    """A part of a page of a document: what a picture shows, without its bytes."""

    document_id: str
    page: int
    region: Box | None = None
    """None is the whole page."""


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture for models that see, at the size at which it is sent."""

    data: str
    """The file in base64."""
    media_type: str = "image/png"
    tokens: int = 1_000
    """About how many tokens the provider counts for it."""
    width: int = 0
    height: int = 0
    view: PageView | None = None
    """What it shows, if it is of a document."""

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"


Part = TextPart | ThinkingPart | ToolCall | ToolResult | DocumentPart | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def is_question(self) -> bool:
        """True for a message of the user that holds no results of calls. A conversation may be cut before it."""
        return self.role == "user" and not any(isinstance(part, ToolResult) for part in self.parts)


Form = TypeVar("Form")


class PastTurn:
    """What a finished turn added to the conversation, in its stored form.

    It begins with a question and ends with an answer, so past turns can stand in a row as they are. Its messages are
    made only for those who want objects; a wire format writes them once and keeps the bytes here.
    """

    MOST_FORMS = 4

    def __init__(self, stored: str, tokens: int, read: Callable[[str], tuple[Message, ...]]) -> None:
        messages = read(stored)
        parts = [part for message in messages for part in message.parts]
        self._stored = stored
        self._read = read
        self._forms: dict[Hashable, Any] = {}
        self.tokens = tokens
        self.length = len(messages)
        """How many messages it has."""
        self.characters = sum(map(characters_of, parts))
        self.call_ids = tuple(part.id for part in parts if isinstance(part, ToolCall))

    @property
    def messages(self) -> tuple[Message, ...]:
        return self._read(self._stored)

    def form(self, name: Hashable, make: Callable[[PastTurn], Form]) -> Form:
        """What `make` makes of this turn, made once for each name."""
        made: Form | None = self._forms.get(name)
        if made is None:
            if len(self._forms) >= self.MOST_FORMS:
                self._forms.clear()
            made = self._forms[name] = make(self)
        return made


@dataclass(frozen=True, slots=True)
class ToolSpec:
    name: str
    description: str
    parameters: dict[str, Any]
    size: int = field(init=False, repr=False, compare=False)
    """Roughly how many characters the parameters take. Counted once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", len(str(self.parameters)))


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """What the reply must look like. `None` as schema means any JSON object."""

    name: str
    schema: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ProjectDocument:
    """A document of the project in view, as it is now."""

    id: str
    name: str
    version: int
    content: str
    standing_instruction: str = ""


@dataclass(frozen=True, slots=True)
class ProjectSituation:
    """The project that the conversation is about."""

    id: str
    name: str
    documents: tuple[ProjectDocument, ...] = ()
    open_document_id: str | None = None
    """The document that the user has open."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What the system text of an agent's request says, as data for the built-in model. Other models never see it."""

    document: DocumentPart | None = None
    document_id: str | None = None
    tag_ids: tuple[str, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)
    """Working state: `schema_revid`, `prompt_revid`, `extraction`."""
    mentions: tuple[Mapping[str, Any], ...] = ()
    """What the user named with @: `{type, id, name, content}` each."""
    project: ProjectSituation | None = None
    nothing_fits: bool = False
    """Whether the schemas that exist were compared with the document already, and none fits."""
    local_models: tuple[tuple[str, str], ...] = ()
    """Language models on this machine that could be used instead: the server's name and the model's."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    model: str
    messages: tuple[Message, ...]
    past: tuple[PastTurn, ...] = ()
    """Finished turns, which come before the messages."""
    system: str | None = None
    tools: tuple[ToolSpec, ...] = ()
    may_call: bool = True
    """False forbids new calls, but keeps the tools in the request: providers want them if the messages hold calls."""
    situation: Situation | None = None
    output: OutputSchema | None = None
    thinking_tokens: int | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None

    @property
    def conversation(self) -> tuple[Message, ...]:
        """All messages, those of past turns as well."""
        return (*(message for turn in self.past for message in turn.messages), *self.messages)


@dataclass(frozen=True, slots=True)
class Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    cached_input_tokens: int = 0
    thinking_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class FinishReason(StrEnum):
    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    text: str


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A piece of a call that is being written: the next characters of its arguments."""

    number: int
    """Which call of the reply it is, counted from 0."""
    arguments: str
    begins: str | None = None
    """The tool's name, in the first piece of a call."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The whole reply: always the last thing that a stream gives, exactly once."""

    parts: tuple[TextPart | ThinkingPart | ToolCall, ...]
    finish_reason: FinishReason
    usage: Usage
    model: str
    """The model that really ran, as the provider names it."""

    @property
    def text(self) -> str:
        return text_of(self.parts)

    @property
    def thinking(self) -> str:
        return thinking_of(self.parts)

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        return calls_of(self.parts)

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing and calls nothing. Thinking alone is no answer."""
        return not self.text.strip() and not self.tool_calls


def text_of(parts: Iterable[Part]) -> str:
    return "".join([part.text for part in parts if isinstance(part, TextPart)])


def thinking_of(parts: Iterable[Part]) -> str:
    return "".join([part.text for part in parts if isinstance(part, ThinkingPart)])


def calls_of(parts: Iterable[Part]) -> tuple[ToolCall, ...]:
    return tuple([part for part in parts if isinstance(part, ToolCall)])


def characters_of(part: Part) -> int:
    """How many characters of a part the model reads. A picture counts as the text that costs as much."""
    match part:
        case DocumentPart():
            return sum(len(page.text) for page in part.pages)
        case ToolCall():
            return len(part.arguments)
        case ToolResult():
            return len(part.content)
        case ImagePart():
            return part.tokens * CHARACTERS_PER_TOKEN
        case _:
            return len(part.text)


ModelDelta = TextDelta | ThinkingDelta | CallDelta
ModelEvent = ModelDelta | ModelReply


class Model(Protocol):
    """Answers requests. Closing the generator, or cancelling the task, ends the call at once."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        """Yield deltas as they arrive, then one ModelReply. Raises ModelError."""


class ModelFailure(StrEnum):
    """How a model call failed. Decides whether it is tried again, and the status of our answer."""

    AUTHENTICATION = "authentication"
    RATE_LIMITED = "rate_limited"
    CONTEXT_TOO_LONG = "context_too_long"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    BAD_REQUEST = "bad_request"
    ENDED_EARLY = "ended_early"
    TIMED_OUT = "timed_out"


class ModelError(DocAgentError):
    """A model call failed. `failure` is for programs, `detail` tells the user what to do."""

    def __init__(
        self,
        failure: ModelFailure,
        detail: str,
        *,
        provider: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.failure = failure
        self.provider = provider
        self.retry_after = retry_after
