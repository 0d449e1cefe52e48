"""The text of a message as other protocols write it: a string, or parts of which some are text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docagent.api.fields import MAX_TEXT_LENGTH
from docagent.domain.errors import InvalidInput

NO_TEXT = "The last message must be the user's and must not be empty."


def sent_text(content: Any) -> str:
    """The text of a message to the agent. Raises InvalidInput if it holds anything else."""
    if isinstance(content, list) and len(list(_texts(content))) < len(content):
        raise InvalidInput(
            "Only text can be sent here. Upload the file as a document, and ask about that document."
        )
    text = earlier_text(content)
    if not text.strip():
        raise InvalidInput(NO_TEXT)
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidInput(f"The message is too long: use at most {MAX_TEXT_LENGTH:,} characters.")
    return text


def earlier_text(content: Any) -> str:
    """The text of an earlier message; anything else in it is left out."""
    if isinstance(content, list):
        return "\n\n".join(_texts(content))
    return content if isinstance(content, str) else ""


def _texts(parts: list[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, dict) and isinstance(text := part.get("text"), str):
            yield text
