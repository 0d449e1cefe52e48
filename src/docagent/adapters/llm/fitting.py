"""The one place where a stored schema is fitted to a provider's rules, and the reply is fitted back.

Callers give the schema as it is stored and get replies that fit it. Deltas keep the provider's form; only the
whole reply is converted back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import orjson

from docagent.adapters.llm.errors import Endpoint
from docagent.domain.llm import FinishReason, ModelFailure, ModelReply, ModelRequest, OutputSchema, TextPart
from docagent.jsonschema import InvalidSchema, Profile, Profiled, from_profile, to_profile


@dataclass(frozen=True, slots=True)
class Fitted:
    """A request whose schema the provider accepts, and the way to convert the reply back."""

    request: ModelRequest
    profiled: Profiled | None = None

    def restore(self, reply: ModelReply) -> ModelReply:
        """Return the reply in the stored schema's form. Text that is not JSON is left for the caller to handle."""
        if self.profiled is None or reply.finish_reason is not FinishReason.STOP:
            return reply
        text = reply.text
        try:
            value = orjson.loads(text)
        except orjson.JSONDecodeError:
            return reply
        restored = from_profile(value, self.profiled)
        if restored == value:
            return reply
        others = [part for part in reply.parts if not isinstance(part, TextPart)]
        return replace(reply, parts=(*others, TextPart(orjson.dumps(restored).decode())))


def fit(request: ModelRequest, profile: Profile, endpoint: Endpoint) -> Fitted:
    output = request.output
    if output is None or output.schema is None:
        return Fitted(request)
    try:
        profiled = to_profile(output.schema, profile)
    except InvalidSchema as error:
        raise endpoint.error(
            ModelFailure.BAD_REQUEST, f"The schema cannot be used: {error.detail}. Correct the schema."
        ) from error
    return Fitted(replace(request, output=OutputSchema(output.name, profiled.schema)), profiled)
