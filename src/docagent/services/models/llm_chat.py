"""Free-form chat with a model, for administrators. Nothing is stored but the charge."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from docagent.domain.accounts.accounts import Principal, Role
from docagent.domain.errors import Forbidden, InvalidInput, NotFound, Unauthenticated
from docagent.domain.ids import is_id
from docagent.domain.models.credits import Operation
from docagent.domain.models.llm import Message, ModelEvent, ModelReply, ModelRequest, TextPart
from docagent.services.accounts.identity import INVALID
from docagent.services.models.model_calls import ModelCall, ModelCalls
from docagent.store.accounts import organizations
from docagent.store.engine.database import Database, Tx


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """What is sent to the model. `temperature` is left out for models that think: they do not accept it."""

    model: str
    messages: Sequence[Message]
    system: str | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None


class LlmChatService:
    def __init__(self, db: Database, calls: ModelCalls) -> None:
        self._db = db
        self._calls = calls

    async def prepare(self, principal: Principal, turn: ChatTurn, organization_id: str | None) -> ModelCall:
        """Make the call. The given organisation pays for it, or else the caller's first one."""
        payer = await self._payer(principal, organization_id)
        if not turn.messages:
            raise InvalidInput("Send at least one message of a user.")
        chosen = await self._calls.choose(payer, turn.model, strict=True)
        request = ModelRequest(
            model=chosen.name,
            messages=tuple(turn.messages),
            system=turn.system,
            max_output_tokens=turn.max_output_tokens,
            temperature=None if chosen.info.thinks else turn.temperature,
        )
        return ModelCall(payer, principal.user_id, Operation.CHAT_LLM, chosen, request)

    async def stream(self, call: ModelCall) -> AsyncGenerator[ModelEvent]:
        """Yield the deltas and the reply, which is charged when it arrives."""
        async with aclosing(self._calls.stream(call)) as events:
            async for event in events:
                if isinstance(event, ModelReply):
                    async with self._db.write_org(call.organization_id) as tx:
                        await self._calls.charge(tx, call, event)
                yield event

    async def complete(self, call: ModelCall) -> ModelReply:
        """Make the call and return its whole reply, which is charged."""
        reply = await self._calls.complete(call)
        async with self._db.write_org(call.organization_id) as tx:
            await self._calls.charge(tx, call, reply)
        return reply

    async def _payer(self, principal: Principal, organization_id: str | None) -> str:
        """Who pays: an organisation that the caller administers. Without one it is their first, if they may do all."""
        async with self._db.read() as tx:
            if organization_id is not None:
                return await _administered(tx, principal, organization_id)
            own = await organizations.of_user(tx, principal.user_id)
        principal.require_system_admin()
        if not own:
            raise InvalidInput("You belong to no organization that could pay for the call. Create one first.")
        return min(own)


async def _administered(tx: Tx, principal: Principal, organization_id: str) -> str:
    if not is_id(organization_id):
        raise NotFound("Organization not found")
    if not principal.reaches(organization_id):
        raise Unauthenticated(INVALID)
    if principal.is_system_admin:
        if await organizations.get(tx, organization_id) is None:
            raise NotFound("Organization not found")
        return organization_id
    role = await organizations.member_role(tx, organization_id, principal.user_id)
    if role is None:
        raise Forbidden("You are not a member of this organization")
    if role is not Role.ADMIN:
        raise Forbidden("You are not an admin of this organization")
    return organization_id


def user_message(text: str) -> Message:
    return Message("user", (TextPart(text),))


def assistant_message(text: str) -> Message:
    return Message("assistant", (TextPart(text),))
