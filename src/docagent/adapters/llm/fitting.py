"""The one place where a stored schema is fitted to a provider's rules, and the reply is fitted back.

Callers give the schema as it is stored and get replies that fit it. Deltas keep the provider's form; only the
whole reply is converted back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import orjson

from docagent.adapters.llm.call_ids import call_name
from docagent.adapters.llm.errors import Endpoint
from docagent.domain.models import llm
from docagent.jsonschema import InvalidSchema, Profile, Profiled, from_profile, to_profile


@dataclass(frozen=True, slots=True)
class Fitted:
    """A request whose schema the provider accepts, and the way to convert the reply back."""

    request: llm.ModelRequest
    profiled: Profiled | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    """Tools whose names no provider takes, by the names that were sent instead."""

    def told(self, delta: llm.ModelEvent) -> llm.ModelEvent:
        """Return a piece of the reply with the tool's own name."""
        if self.names and isinstance(delta, llm.CallDelta) and delta.begins is not None:
            return replace(delta, begins=self.names.get(delta.begins, delta.begins))
        return delta

    def restore(self, reply: llm.ModelReply) -> llm.ModelReply:
        """Return the reply in the stored schema's form, with the tools' own names. Text that is not JSON is left for
        the caller to handle."""
        reply = self._with_own_names(reply)
        if self.profiled is None or reply.finish_reason is not llm.FinishReason.STOP:
            return reply
        text = reply.text
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            return reply
        restored = from_profile(value, self.profiled)
        if restored == value:
            return reply
        others = [part for part in reply.parts if not isinstance(part, llm.TextPart)]
        return replace(reply, parts=(*others, llm.TextPart(orjson.dumps(restored).decode())))

    def _with_own_names(self, reply: llm.ModelReply) -> llm.ModelReply:
        if not self.names:
            return reply
        parts = tuple(
            replace(part, name=self.names[part.name])
            if isinstance(part, llm.ToolCall) and part.name in self.names
            else part
            for part in reply.parts
        )
        return replace(reply, parts=parts)


def fit(request: llm.ModelRequest, profile: Profile, endpoint: Endpoint) -> Fitted:
    names = {call_name(tool.name): tool.name for tool in request.tools if "/" in tool.name}
    if names:
        tools = [
            replace(tool, name=call_name(tool.name)) if "/" in tool.name else tool for tool in request.tools
        ]
        request = replace(request, tools=tuple(tools))
    output = request.output
    if output is None or output.schema is None:
        return Fitted(request, names=names)
    try:
        profiled = to_profile(output.schema, profile)
    except InvalidSchema as error:
        raise endpoint.error(
            llm.ModelFailure.BAD_REQUEST, f"The schema cannot be used: {error.detail}. Correct the schema."
        ) from error
    return Fitted(replace(request, output=llm.OutputSchema(output.name, profiled.schema)), profiled, names)
