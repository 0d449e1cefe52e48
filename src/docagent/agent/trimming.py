"""Making a conversation fit a model's window. The log keeps everything; only what is sent is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from docagent.agent.turn_fold import GO_ON
from docagent.domain.models import llm
from docagent.domain.models.llm import CHARACTERS_PER_TOKEN

_TOKENS_PER_MESSAGE = 4
_KEPT_CHARACTERS = 400
"""How much stays of a result that had to be shortened."""
_WORTH_SHORTENING = 2 * _KEPT_CHARACTERS


@dataclass(frozen=True, slots=True)
class Trimmed:
    messages: tuple[llm.Message, ...]
    dropped_messages: int
    dropped_tokens: int
    """Tokens of dropped messages, and those that shortened results lost."""
    kept_tokens: int
    past: tuple[llm.PastTurn, ...] = ()


def estimate_tokens(message: llm.Message) -> int:
    """Estimate by bytes, so that scripts with several bytes per character are not underestimated."""
    return _TOKENS_PER_MESSAGE + sum(_size(part) for part in message.parts) // CHARACTERS_PER_TOKEN


def trim(
    messages: Sequence[llm.Message],
    budget: int,
    *,
    past: Sequence[llm.PastTurn] = (),
    current: int | None = None,
) -> Trimmed:
    """Fit a conversation into a budget of tokens: the oldest past turns and exchanges go first, each one whole.

    The current turn always stays: the last `current` messages, or else everything from the user's last message on.
    If even that is too long, its longest results are shortened, the newest one last.
    """
    sizes = [estimate_tokens(message) for message in messages]
    total = kept = sum(sizes) + sum(turn.tokens for turn in past)
    gone = 0
    while kept > budget and gone < len(past):
        kept -= past[gone].tokens
        gone += 1
    last = _last_question(messages) if current is None else max(0, len(messages) - current)
    start = 0
    while kept > budget and start < last:
        following = next((at for at in range(start + 1, last) if messages[at].is_question), last)
        kept -= sum(sizes[start:following])
        start = following
    rest = list(messages[start:])
    if kept > budget:
        kept = _shorten(rest, sizes[start:], kept, budget, last - start)
    dropped = start + sum(turn.length for turn in past[:gone])
    return Trimmed(tuple(rest), dropped, total - kept, kept, tuple(past[gone:]))


def _last_question(messages: Sequence[llm.Message]) -> int:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].is_question and messages[index].parts != (llm.TextPart(GO_ON),):
            return index
    return 0


def _shorten(messages: list[llm.Message], sizes: list[int], kept: int, budget: int, first: int) -> int:
    """Shorten long results in place until the messages fit. Returns the tokens that the messages then take."""
    newest = _newest_result(messages)
    for index, place in _longest_first(messages, first, newest):
        if kept <= budget:
            break
        spare = (kept - budget) * CHARACTERS_PER_TOKEN if (index, place) == newest else None
        messages[index] = _with_short_result(messages[index], place, spare)
        size = estimate_tokens(messages[index])
        kept -= sizes[index] - size
        sizes[index] = size
    return kept


def _longest_first(
    messages: Sequence[llm.Message], first: int, newest: tuple[int, int] | None
) -> list[tuple[int, int]]:
    """Where the results of the current turn stand: the longest first, the newest at the end."""
    found = [
        (len(part.content), index, place)
        for index in range(first, len(messages))
        for place, part in enumerate(messages[index].parts)
        if isinstance(part, llm.ToolResult)
    ]
    found.sort(key=lambda each: (each[1:] == newest, -each[0]))
    return [(index, place) for _, index, place in found]


def _newest_result(messages: Sequence[llm.Message]) -> tuple[int, int] | None:
    for index in range(len(messages) - 1, -1, -1):
        for place in range(len(messages[index].parts) - 1, -1, -1):
            if isinstance(messages[index].parts[place], llm.ToolResult):
                return index, place
    return None


def _with_short_result(message: llm.Message, place: int, spare: int | None) -> llm.Message:
    """Shorten one result. With `spare`, only as many characters go as needed."""
    part = message.parts[place]
    if not isinstance(part, llm.ToolResult) or len(part.content) < _WORTH_SHORTENING:
        return message
    changed = replace(part, content=_shortened(part.content, spare))
    return llm.Message(message.role, (*message.parts[:place], changed, *message.parts[place + 1 :]))


def _shortened(content: str, spare: int | None) -> str:
    keep = _KEPT_CHARACTERS
    if spare is not None:
        keep = max(keep, len(content) - spare - len(_note(len(content))) - CHARACTERS_PER_TOKEN)
    return content[:keep] + _note(len(content) - keep)


def _note(left_out: int) -> str:
    return f"... {left_out} characters left out; call the tool again with a narrower request"


def _size(part: llm.Part) -> int:
    match part:
        case llm.TextPart():
            return _bytes(part.text)
        case llm.ToolCall():
            return _bytes(part.name) + _bytes(part.arguments)
        case llm.ToolResult():
            return _bytes(part.content)
        case llm.ThinkingPart():
            return _bytes(part.text) + len(part.signature or "") + len(part.redacted or "")
        case llm.DocumentPart():
            return sum(_bytes(page.text) for page in part.pages)
        case llm.ImagePart():
            return part.tokens * CHARACTERS_PER_TOKEN


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
