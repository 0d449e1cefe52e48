"""The decision that a model makes about a message, checked before anything follows from it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from docagent.agent.shortfalls import shortfall_of
from docagent.domain.models.llm import ModelReply
from docagent.reply_json import parse_reply


def _flag(value: Any) -> Any:
    return False if value is None or value == "" else value


def _storable(value: Any) -> Any:
    """Text without what no database keeps: NUL, and halves of surrogate pairs."""
    if not isinstance(value, str):
        return value
    return value.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")


def _words(value: Any) -> Any:
    """Text without spaces around it; None if nothing is left, or if the model wrote "null" as text."""
    value = _storable(value)
    if not isinstance(value, str):
        return value
    value = value.strip()
    return None if value.lower() in ("", "null", "none") else value


Flag = Annotated[bool, BeforeValidator(_flag)]
Words = Annotated[str | None, BeforeValidator(_words)]
Markdown = Annotated[str | None, BeforeValidator(_storable)]


class Decision(BaseModel):
    """What to do about a message. Fields that it does not know are passed over."""

    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True, frozen=True)

    should_edit: Flag = False
    should_create: Flag = False
    should_delete: Flag = False
    document_id: Words = None
    document_name: Words = None
    document_content: Markdown = None
    standing_instruction: Words = None
    needs_clarification: Flag = False
    clarification_question: Words = None
    pending_confirmation: Flag = False
    confirmation_prompt: Words = None
    needs_web_search: Flag = False
    search_query: Words = None
    intent_statement: Words = None
    reasoning: Words = None
    conversational_response: Words = None
    change_summary: Words = None
    content_summary: Words = None


KEYS = frozenset(Decision.model_fields)


def read_decision(reply: ModelReply) -> Decision | None:
    """Read the decision in a reply. None if there is none, if a field cannot be right, or if the reply was cut off."""
    if shortfall_of(reply) is not None:
        return None
    found = parse_reply(reply.text, KEYS).data
    return None if found is None else decision_of(found)


def decision_of(values: Any) -> Decision | None:
    if not isinstance(values, dict) or KEYS.isdisjoint(values):
        return None
    try:
        return Decision.model_validate(values)
    except ValidationError:
        return None
