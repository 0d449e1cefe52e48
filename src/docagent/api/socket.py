"""A conversation over one WebSocket: one reader that routes frames, and one watcher for the turn at hand."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import orjson
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from docagent.agent.updates import AgentUpdates, Frame
from docagent.api.socket_frames import (
    CLIENT_FRAME,
    ApprovalFrame,
    AuthenticateFrame,
    ChatFrame,
    ClientFrame,
    ControlFrame,
    PlanFrame,
    ResumeFrame,
    UserInputFrame,
)
from docagent.api.stream import OPTIONS
from docagent.bootstrap import Services
from docagent.domain.accounts import Member
from docagent.domain.errors import Conflict, DocAgentError
from docagent.domain.turns import TurnState
from docagent.services.turns.runner import failure_code
from docagent.services.turns.service import Decision, NewTurn

logger = logging.getLogger(__name__)

POLICY_VIOLATION = 1008
AUTHENTICATE_SECONDS = 10.0


class ChatSocket:
    """The connection of one client. Losing it does not stop the turn."""

    def __init__(self, socket: WebSocket, services: Services, organization_id: str, document_id: str) -> None:
        self._socket = socket
        self._services = services
        self._organization_id = organization_id
        self._document_id = document_id
        self._turn_id: str | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Until the client goes."""
        member = await self._authenticated()
        if member is None:
            return
        try:
            while True:
                await self._take(member, await self._socket.receive_text())
        except WebSocketDisconnect:
            pass
        finally:
            await self._stop_watching()

    # --- who is it --------------------------------------------------------------------------------------------

    async def _authenticated(self) -> Member | None:
        """By header, or by the first frame; never by the address, which ends up in logs."""
        header = self._socket.headers.get("authorization", "")
        token = header[len("Bearer ") :] if header.startswith("Bearer ") else None
        try:
            if token is None:
                async with asyncio.timeout(AUTHENTICATE_SECONDS):
                    token = _token(await self._socket.receive_text())
            member = await self._services.identity.member(token, None, self._organization_id)
            await self._services.documents.get(member, self._document_id)
        except WebSocketDisconnect:
            return None
        except TimeoutError:
            await self._refuse("Send a frame of type authenticate with your token first.")
            return None
        except DocAgentError as error:
            await self._refuse(error.detail)
            return None
        await self._send({"type": "ready"})
        return member

    async def _refuse(self, reason: str) -> None:
        await self._send({"type": "error", "message": reason, "error_type": "authentication"})
        await self._socket.close(POLICY_VIOLATION)

    # --- frames -----------------------------------------------------------------------------------------------

    async def _take(self, member: Member, text: str) -> None:
        try:
            frame = CLIENT_FRAME.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            await self._error(f"{where}: {first['msg']}" if where else first["msg"], "validation")
            return
        try:
            await self._route(member, frame)
        except DocAgentError as error:
            await self._error(error.detail, failure_code(error))

    async def _route(self, member: Member, frame: ClientFrame) -> None:
        turns = self._services.turns
        match frame:
            case ChatFrame():
                await self._chat(member, frame)
            case ResumeFrame():
                turn = await turns.get(member, frame.turn_id)
                await self._watch(member, turn.id, frame.after)
            case ControlFrame():
                await turns.stop(member, self._current())
            case UserInputFrame():
                await turns.answer(member, self._current(), frame.content)
            case ApprovalFrame():
                decision = Decision(
                    frame.tool_call_id, frame.approved, frame.arguments, frame.reason, frame.always_allow
                )
                await turns.decide(
                    member, self._current(), [decision], document_id=self._document_id, partial=True
                )
            case PlanFrame():
                await turns.decide_plan(
                    member, self._current(), approved=frame.approved, steps=frame.steps, reason=frame.reason
                )
            case AuthenticateFrame():
                await self._send({"type": "ready"})

    def _current(self) -> str:
        if self._turn_id is None:
            raise Conflict("There is no turn in this connection. Send a chat frame, or resume one.")
        return self._turn_id

    async def _chat(self, member: Member, frame: ChatFrame) -> None:
        """A new turn, or a message for the one that runs."""
        turns = self._services.turns
        if self._turn_id is not None:
            current = await turns.get(member, self._turn_id)
            if current.state is TurnState.RUNNING:
                await turns.steer(member, current.id, frame.content)
                return
        turn = await turns.start(
            member,
            self._document_id,
            NewTurn(
                messages=[{"role": "user", "content": frame.content}],
                model=frame.model,
                strategy=frame.agent_loop_strategy if frame.agent_mode else "llm-only",
                thread_id=frame.conversation_id,
                mentions=frame.mentions,
                auto_approve=frame.auto_approve,
                auto_approved_tools=frame.auto_approved_tools,
                selected_tools=frame.selected_tools,
                data_sources=frame.selected_data_sources,
                max_steps=frame.agent_max_steps,
                agent_mode=frame.agent_mode,
                temperature=frame.temperature,
            ),
        )
        await self._watch(member, turn.id, 0)

    # --- watching ---------------------------------------------------------------------------------------------

    async def _watch(self, member: Member, turn_id: str, after: int) -> None:
        await self._stop_watching()
        self._turn_id = turn_id
        self._watcher = asyncio.create_task(self._show(member, turn_id, after), name=f"socket {turn_id}")

    async def _stop_watching(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            with suppress(asyncio.CancelledError):
                await self._watcher
            self._watcher = None

    async def _show(self, member: Member, turn_id: str, after: int) -> None:
        updates = AgentUpdates()
        if after:
            for recorded in await self._services.turns.events(member, turn_id):
                if recorded.seq <= after:
                    list(updates.frames(recorded))
        with suppress(WebSocketDisconnect):
            async for group in self._services.turns.watch(member, turn_id, after=after):
                for item in group:
                    for frame in updates.frames(item):
                        await self._send({**frame, "turn_id": turn_id})
                if not group:
                    await self._send({"type": "heartbeat"})

    async def _error(self, message: str, kind: str) -> None:
        await self._send({"type": "error", "message": message, "error_type": kind})

    async def _send(self, frame: Frame | dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_text(orjson.dumps(frame, option=OPTIONS).decode())


def origin_allowed(socket: WebSocket, public_url: str | None) -> bool:
    """A browser says from which page it comes: only our own may. Programs say nothing."""
    origin = socket.headers.get("origin")
    if origin is None:
        return True
    host = urlsplit(origin).netloc.lower()
    allowed = {socket.headers.get("host", "").lower()}
    if public_url:
        allowed.add(urlsplit(public_url).netloc.lower())
    return bool(host) and host in allowed


def _token(text: str) -> str | None:
    try:
        frame = CLIENT_FRAME.validate_json(text)
    except ValidationError:
        return None
    return frame.token if isinstance(frame, AuthenticateFrame) else None
