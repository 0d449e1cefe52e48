"""What comes back from a call: structured, and the same as text for clients that read only that."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import orjson

from docagent.api.stream import OPTIONS

MOST_BYTES = 400_000
"""The largest answer. It goes out twice, as structure and as text, and clients refuse messages over a megabyte."""

PENDING = {
    "type": "object",
    "properties": {
        "state": {"enum": ["awaiting_approval", "running"]},
        "status": {"type": "string"},
        "turn_id": {"type": "string"},
        "message": {"type": "string"},
        "calls": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["state", "turn_id", "message", "calls"],
}
"""What a write returns that waits for a person, or takes longer than the client. `status` is the former name of
`state`."""


def answer(content: dict[str, Any], text: str | None = None) -> types.CallToolResult:
    written = orjson.dumps(content, option=OPTIONS)
    if len(written) > MOST_BYTES:
        return failure(
            f"The answer has {len(written) // 1000} kB, and at most {MOST_BYTES // 1000} go into one message. Ask for "
            "less: a smaller limit, one page, or the API, which has no such bound."
        )
    shown = text if text is not None else written.decode()
    return types.CallToolResult(
        content=[types.TextContent(text=shown)], structured_content=orjson.loads(written)
    )


def failure(detail: str) -> types.CallToolResult:
    """A call that did not work, in words for whoever made it."""
    return types.CallToolResult(content=[types.TextContent(text=detail)], is_error=True)


def or_pending(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a write's answer: what was done, or what waits."""
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    done = {key: value for key, value in schema.items() if key != "$defs"}
    return {"type": "object", "anyOf": [done, PENDING], **definitions}
