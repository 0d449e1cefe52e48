"""`act`: one message about a project, from the request to the reply that a program can use.

It is an ordinary turn with the strategy `decide`. Here is what surrounds it: the chat in which it stands, a yes or no
to what waits there, and the wait for the reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from docagent.agent.deciding.verdicts import verdict_in
from docagent.agent.strategies.registry import DECIDE
from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import Conflict, InvalidInput, NotFound
from docagent.domain.projects.projects import LivingDocument
from docagent.domain.repeats import Repeat
from docagent.domain.turns.events import Failed, Recorded, RequestedCall, TurnTerms
from docagent.domain.turns.turns import Subject, Thread, Turn, TurnRequest, TurnState
from docagent.services.projects.living_documents import LivingDocumentService
from docagent.services.turns.chats import ChatService
from docagent.services.turns.own import turn_once
from docagent.services.turns.parts import Turns
from docagent.services.turns.views.chat_messages import ActReply, ChatMessage, last_reply
from docagent.store.engine.database import Database
from docagent.store.turns import turns as stored_turns

STOPPED = "This was stopped before it finished. Send the message again."


@dataclass(frozen=True, slots=True)
class ActRequest:
    message: str
    project_id: str | None = None
    document_id: str | None = None
    """What "this document" means, and what a change without a name is about."""
    chat_id: str | None = None
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True)
class Acted:
    chat_id: str
    document: LivingDocument | None
    """The document that was made or changed."""
    message: ChatMessage
    decision: dict[str, Any]
    web_search_performed: bool
    turn_id: str
    waiting: tuple[RequestedCall, ...]
    """The calls that wait for a yes, each with what it would change."""


@dataclass(eq=False)
class ActService:
    _db: Database
    _turns: Turns
    _chats: ChatService
    _living_documents: LivingDocumentService

    async def act(self, member: Member, request: ActRequest) -> Acted | Failed:
        """Do what a message asks for, and answer when it is done or waits for a yes.

        Nothing of a turn that failed is in the chat. Raises Conflict if the chat is busy with another message.
        """
        if not request.message.strip():
            raise InvalidInput("The message is empty. Write what you want to know or to have done.")
        turn = await turn_once(self._db, member, request.repeat, lambda: self._turn(member, request))
        answered = await self._turns.watching.answered(turn, turn.last_seq) if request.repeat else None
        turn, log = answered or await self._turns.watching.settled(member, turn)
        return await self._acted(member, turn, log)

    async def _chat(self, member: Member, request: ActRequest) -> Thread | None:
        """The chat that the request names, if it is the caller's and about the project of the request."""
        if request.chat_id is None:
            return None
        try:
            chat = await self._chats.get(member, request.chat_id)
        except NotFound:
            return None
        return chat if request.project_id in (None, chat.project_id) else None

    async def _turn(self, member: Member, request: ActRequest) -> Turn:
        """Give the verdict, if the message is one and something waits for it; else begin a turn."""
        chat = await self._chat(member, request)
        waiting = await self._waiting(member, chat) if chat else None
        verdict = verdict_in(request.message) if waiting else None
        if waiting is not None and verdict is not None:
            return await self._turns.deciding.say(
                member, waiting.id, approved=verdict, words=request.message, repeat=request.repeat
            )
        project_id = chat.project_id if chat else request.project_id
        if project_id is None:
            raise InvalidInput("project_id is missing: a new chat belongs to a project.")
        asked = TurnRequest(
            [{"role": "user", "content": request.message}],
            TurnTerms(acts=True, open_document_id=request.document_id),
            thread_id=chat.id if chat else None,
            begins_thread=True,
            repeat=request.repeat,
            says_no=waiting is not None,
        )
        return await self._turns.starting.start(member, Subject.project(project_id), asked)

    async def _waiting(self, member: Member, chat: Thread) -> Turn | None:
        """The `act` of this chat that waits for a yes. What waits otherwise is decided where it was asked."""
        async with self._db.read_org(member.organization_id) as tx:
            turn = await stored_turns.open_turn(tx, chat.id)
        if turn is None or turn.state is not TurnState.AWAITING_APPROVAL or turn.strategy != DECIDE:
            return None
        return turn

    async def _acted(self, member: Member, turn: Turn, log: list[Recorded]) -> Acted | Failed:
        end = log[-1].event
        if isinstance(end, Failed):
            return end
        reply = last_reply(turn, log)
        if turn.state is TurnState.STOPPED or reply is None:
            raise Conflict(STOPPED)
        waiting = await self._turns.watching.pending(turn) if turn.state.is_waiting else []
        assert turn.thread_id is not None
        return Acted(
            turn.thread_id,
            await self._document(member, turn, reply),
            reply.message,
            reply.facts.decision,
            reply.facts.web_search_performed,
            turn.id,
            tuple(waiting),
        )

    async def _document(self, member: Member, turn: Turn, reply: ActReply) -> LivingDocument | None:
        changed = reply.facts.changed_id
        if changed is None or turn.project_id is None:
            return None
        try:
            return await self._living_documents.get(member, turn.project_id, changed)
        except NotFound:  # somebody has deleted it since
            return None
