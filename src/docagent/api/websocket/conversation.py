"""A conversation over one WebSocket: one reader that routes frames, and one watcher for the turn at hand."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

import orjson
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from docagent.api.deps import TOKEN_ONLY_READS
from docagent.api.repeats import repeat_of
from docagent.api.rest.turns.chat import turn_request
from docagent.api.stream import OPTIONS, merged
from docagent.api.websocket.client_frames import (
    CLIENT_FRAME,
    ApprovalFrame,
    AuthenticateFrame,
    ChatFrame,
    ClientFrame,
    ConnectionFrame,
    ControlFrame,
    ConversationSaved,
    ErrorFrame,
    Heartbeat,
    PlanFrame,
    Ready,
    ResumeFrame,
    UserInputFrame,
)
from docagent.api.websocket.turn_frames import Frame, TurnFrames
from docagent.bootstrap import Services
from docagent.domain.accounts.accounts import Member, TokenScope
from docagent.domain.errors import Conflict, DatabaseAway, DocAgentError, Forbidden, NotFound, Unauthenticated
from docagent.domain.failure_codes import failure_code
from docagent.domain.field_path import FieldPath
from docagent.domain.repeats import Repeat
from docagent.domain.turns.turns import Subject, TurnState
from docagent.services.accounts.open_streams import OpenStream
from docagent.services.repeats import AlreadyMade
from docagent.services.turns.own import NO_TURN

POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013
GONE = 1006


@dataclass(frozen=True, slots=True)
class Seen:
    """The last frame that a client has: the number of its event, and its place among the frames of that event."""

    after: int = 0
    part: int | None = None

    def is_new(self, frame: Frame) -> bool:
        """Whether the client lacks this frame of its last event. A text was seen if the frame that closes it was."""
        return frame.get("seq") == self.after and self.part is not None and frame["part"] > self.part


class ChatSocket:
    """The connection of one client. Losing it does not stop the turn."""

    def __init__(self, socket: WebSocket, services: Services, organization_id: str, subject: Subject) -> None:
        self._socket = socket
        self._services = services
        self._turns = services.turns
        self._organization_id = organization_id
        self._subject = subject
        self._token: str | None = None
        self._api_key: str | None = None
        self._stream: OpenStream
        self._thread_id: str | None = None
        self._turn_id: str | None = None
        self._watcher: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def run(self) -> None:
        """Serve the client until it leaves."""
        try:
            member = await self._authenticated()
            if member is None:
                return
            with self._turns.watching.open(member) as self._stream:
                clock = asyncio.create_task(self._close_when_lost(), name="credential of a socket")
                try:
                    await self._send(Ready(type="ready"))
                    while await self._take(await self._receive()):
                        pass
                finally:
                    clock.cancel()
        except WebSocketDisconnect:
            pass
        finally:
            await self._stop_watching()

    # --- who is it --------------------------------------------------------------------------------------------

    async def _authenticated(self) -> Member | None:
        """Check who the client is: by header or by the first frame, never by the address, which ends up in logs."""
        scheme, _, token = self._socket.headers.get("authorization", "").partition(" ")
        self._token = token if scheme.lower() == "bearer" else None
        self._api_key = self._socket.headers.get("x-api-key")
        try:
            if self._token is None and self._api_key is None:
                async with asyncio.timeout(self._services.settings.server.authenticate_seconds):
                    self._token = _token(await self._receive())
            member = await self._member()
            await self._services.threads.check_subject(member, self._subject)
            return member
        except TimeoutError:
            await self._refuse("Send a frame of type authenticate with your token first.")
        except DatabaseAway as error:
            await self._error(error.detail, failure_code(error))
            await self._socket.close(TRY_AGAIN_LATER)
        except DocAgentError as error:
            await self._refuse(error.detail)
        return None

    async def _member(self) -> Member:
        """Look the caller up for every frame: tokens expire and members leave while a connection stays open."""
        caller = await self._services.identity.member(self._token, self._api_key, self._organization_id)
        if caller.principal.scope is TokenScope.READ:
            raise Forbidden(TOKEN_ONLY_READS)
        return caller

    async def _close_when_lost(self) -> None:
        """Close the connection when its member has left or its credential is gone, also if no frame comes."""
        error = await self._stream.lost()
        with suppress(WebSocketDisconnect):
            await self._refuse(error.detail)

    async def _refuse(self, reason: str) -> None:
        await self._error(reason, "authentication")
        if self._socket.application_state is WebSocketState.CONNECTED:
            await self._socket.close(POLICY_VIOLATION)

    # --- frames -----------------------------------------------------------------------------------------------

    async def _receive(self) -> str | bytes:
        """The next frame. It is JSON, sent as text or as bytes."""
        message = await self._socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or GONE)
        text: str | bytes | None = message.get("text")
        return message.get("bytes") or b"" if text is None else text

    async def _take(self, text: str | bytes) -> bool:
        """Handle one frame. False if the client is no longer allowed here."""
        try:
            frame = CLIENT_FRAME.validate_json(text)
        except ValidationError as error:
            await self._error(_complaint(error), "validation")
            return True
        if isinstance(frame, AuthenticateFrame):
            self._token = frame.token
        try:
            member = await self._member()
        except DatabaseAway as error:
            await self._error(error.detail, failure_code(error))
            return True
        except DocAgentError as error:
            await self._refuse(error.detail)
            return False
        self._stream.principal = member.principal
        try:
            await self._route(member, frame)
        except DocAgentError as error:
            await self._error(error.detail, failure_code(error))
        return True

    async def _route(self, member: Member, frame: ClientFrame) -> None:
        match frame:
            case ChatFrame():
                await self._chat(member, frame)
            case ResumeFrame():
                await self._resume(member, frame)
            case ControlFrame():
                await self._stop(member, self._current())
            case UserInputFrame():
                await self._turns.deciding.answer(member, self._current(), frame.content, seen=frame.seen)
            case ApprovalFrame():
                await self._turns.deciding.decide(
                    member, self._current(), [frame.decision], subject=self._subject, partial=True
                )
            case PlanFrame():
                said = frame.model_dump(exclude={"type"})
                await self._turns.deciding.decide_plan(member, self._current(), **said)
            case AuthenticateFrame():
                await self._send(Ready(type="ready"))

    def _current(self) -> str:
        if self._turn_id is None:
            raise Conflict("There is no turn in this connection. Send a chat frame, or resume one.")
        return self._turn_id

    async def _stop(self, member: Member, turn_id: str) -> None:
        """Stop the turn. If it is over already, say so, because no frames will follow."""
        if (await self._turns.watching.get(member, turn_id)).state.is_over:
            raise Conflict("Nothing is running: the turn is over.")
        await self._turns.steering.stop(member, turn_id)

    async def _resume(self, member: Member, frame: ResumeFrame) -> None:
        turn = await self._turns.watching.get(member, frame.turn_id)
        if turn.subject != self._subject:
            raise NotFound(NO_TURN)
        self._thread_id = turn.thread_id
        await self._watch(member, turn.id, Seen(frame.after, frame.part))

    async def _chat(self, member: Member, frame: ChatFrame) -> None:
        """Pass the message to the running turn, or begin a new turn in the conversation of this connection."""
        repeat = self._repeat(member, frame)
        if await self._steered(member, frame, repeat):
            return
        known = frame.conversation_id or self._thread_id
        message = {"role": "user", "content": frame.content}
        asked = turn_request(frame, [message], thread_id=known)
        request = replace(asked, begins_thread=True, repeat=repeat)
        turn = await self._turns.starting.start(member, self._subject, request)
        self._thread_id = turn.thread_id
        if known is None and turn.thread_id is not None:
            await self._send(ConversationSaved(type="conversation_saved", conversation_id=turn.thread_id))
        await self._watch(member, turn.id, Seen())

    def _repeat(self, member: Member, frame: ChatFrame) -> Repeat | None:
        if frame.message_id is None:
            return None
        asked = f"{self._subject.kind} {self._subject.id} {frame.model_dump_json()}".encode()
        return repeat_of(member, "websocket", frame.message_id, asked)

    async def _steered(self, member: Member, frame: ChatFrame, repeat: Repeat | None) -> bool:
        """Steer the running turn. False if there is none, or it has just ended: then the message begins a new one."""
        elsewhere = frame.conversation_id is not None and frame.conversation_id != self._thread_id
        if self._turn_id is None or elsewhere:
            return False
        if (await self._turns.watching.get(member, self._turn_id)).state is not TurnState.RUNNING:
            return False
        try:
            await self._turns.steering.steer(member, self._turn_id, frame.content, repeat)
        except (Conflict, AlreadyMade):
            return False
        return True

    # --- watching ---------------------------------------------------------------------------------------------

    async def _watch(self, member: Member, turn_id: str, seen: Seen) -> None:
        if self._watcher is not None and self._turn_id is not None:
            former = await self._turns.watching.get(member, self._turn_id)
            if former.state.is_over and former.id != turn_id:
                await asyncio.wait({self._watcher})  # its last frames may still be on their way
        await self._stop_watching()
        self._turn_id = turn_id
        self._watcher = asyncio.create_task(self._show(member, turn_id, seen), name=f"socket {turn_id}")

    async def _stop_watching(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()
            with suppress(asyncio.CancelledError):
                await self._watcher
            self._watcher = None

    async def _show(self, member: Member, turn_id: str, seen: Seen) -> None:
        with suppress(WebSocketDisconnect):
            try:
                await self._follow(member, turn_id, seen)
            except (Forbidden, Unauthenticated):
                return  # `_close_when_lost` says so and closes
            except DocAgentError as error:
                await self._error(error.detail, failure_code(error))

    async def _follow(self, member: Member, turn_id: str, seen: Seen) -> None:
        frames = TurnFrames()
        if seen.after:
            for recorded in await self._turns.watching.events(member, turn_id):
                if recorded.seq > seen.after:
                    break
                for frame in frames.of(recorded):
                    if seen.is_new(frame):
                        await self._send({**frame, "turn_id": turn_id})
        watched = self._turns.watching.watch(member, turn_id, after=seen.after, checked=False)
        async with aclosing(watched) as groups:
            async for group in groups:
                for item in merged(group):
                    for frame in frames.of(item):
                        await self._send({**frame, "turn_id": turn_id})
                if not group:
                    await self._send(Heartbeat(type="heartbeat"))

    async def _error(self, message: str, kind: str) -> None:
        await self._send(ErrorFrame(type="error", message=message, error_type=kind))

    async def _send(self, frame: Frame | ConnectionFrame) -> None:
        async with self._sending:
            if self._socket.application_state is not WebSocketState.CONNECTED:
                raise WebSocketDisconnect(GONE)
            await self._socket.send_text(orjson.dumps(frame, option=OPTIONS).decode())


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = FieldPath(first["loc"]).dotted
    return f"{where}: {first['msg']}" if where else first["msg"]


def _token(text: str | bytes) -> str | None:
    try:
        frame = CLIENT_FRAME.validate_json(text)
    except ValidationError:
        return None
    return frame.token if isinstance(frame, AuthenticateFrame) else None
