"""The agent over a WebSocket."""

from __future__ import annotations

from fastapi import WebSocket

from docagent.api.rest.turns.subjects import ORG, SubjectDep
from docagent.api.router import Router
from docagent.api.server.origins import origin_allowed
from docagent.api.websocket.conversation import POLICY_VIOLATION, ChatSocket
from docagent.bootstrap import Services

router = Router(tags=["agent"])


@router.websocket(f"{ORG}/documents/{{document_id}}/chat/ws")
@router.websocket(f"{ORG}/projects/{{project_id}}/chat/ws")
async def chat_socket(socket: WebSocket, organization_id: str, subject: SubjectDep) -> None:
    """Frames in docs/websocket.md."""
    services: Services = socket.app.state.services
    if not origin_allowed(socket.headers, services.settings.server.public_url):
        await socket.close(POLICY_VIOLATION)
        return
    await socket.accept()
    await ChatSocket(socket, services, organization_id, subject).run()
