"""Reading a stream without a network, for the tests of the wire formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docagent.adapters.llm.anthropic import AnthropicWire
from docagent.adapters.llm.errors import Endpoint, Provider
from docagent.adapters.llm.gemini import GeminiWire
from docagent.adapters.llm.openai_chat import ChatWire
from docagent.adapters.llm.openai_responses import ResponsesWire
from docagent.adapters.llm.reading import AnswerReader
from docagent.adapters.llm.wire import Wire
from docagent.domain.models.llm import CallDelta, ModelDelta, ModelReply, TextDelta, ThinkingDelta

ENDPOINT = Endpoint(Provider("acme", "Acme", "ACME_API_KEY"), "asked-model")
WIRES: dict[str, Wire] = {
    "openai": ChatWire(),
    "openai_responses": ResponsesWire(),
    "anthropic": AnthropicWire(),
    "gemini": GeminiWire(),
}


@dataclass(frozen=True)
class Read:
    deltas: list[ModelDelta]
    reply: ModelReply

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def thinking(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, ThinkingDelta))

    @property
    def calls(self) -> list[tuple[str, str]]:
        """The calls as their pieces tell them: name and arguments."""
        told: list[tuple[str, str]] = []
        for delta in self.deltas:
            if isinstance(delta, CallDelta):
                if delta.begins is not None:
                    del told[delta.number :]
                    told.append((delta.begins, ""))
                name, arguments = told[delta.number]
                told[delta.number] = (name, arguments + delta.arguments)
        return told


def read(wire: Wire, blocks: Iterable[bytes]) -> Read:
    reader = AnswerReader(wire, ENDPOINT)
    deltas = [delta for block in blocks for delta in reader.feed(block)]
    deltas += reader.rest()
    return Read(deltas, reader.reply())
