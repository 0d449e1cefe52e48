"""A client of the `/api` paths, and decisions as models write them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import httpx2

from docagent.adapters.llm.scripted import make_reply
from docagent.domain.models.llm import ModelReply
from tests.support.agent import Desk, Json, ProjectDesk
from tests.support.models.provider import Answer


def decided(**fields: Any) -> ModelReply:
    """A decision as a model writes it."""
    return make_reply(json.dumps(fields))


@dataclass(frozen=True)
class ActDesk:
    """A person with a project who calls the `/api` paths, and the same project as the other paths show it."""

    project: ProjectDesk

    @classmethod
    async def at(cls, desk: Desk, **project: Any) -> ActDesk:
        return cls(await ProjectDesk.at(desk, **project))

    @property
    def project_id(self) -> str:
        return self.project.project_id

    async def call(
        self, method: str, path: str, headers: dict[str, str] | None = None, **options: Any
    ) -> httpx2.Response:
        given = self.project.api.headers if headers is None else headers
        return await self.project.api.client.request(method, f"/api{path}", headers=given, **options)

    async def get(self, path: str) -> Any:
        response = await self.call("GET", path)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, body: Json, status: int = 201) -> Any:
        response = await self.call("POST", path, json=body)
        assert response.status_code == status, response.text
        return response.json()

    async def act(self, message: str, *answers: Answer, **body: Any) -> Json:
        """Send a message, let the model answer as given, and return the body. The status must be 200."""
        response = await self.send(message, *answers, **body)
        assert response.status_code == 200, response.text
        found: Json = response.json()
        return found

    async def send(self, message: str, *answers: Answer, **body: Any) -> httpx2.Response:
        self.project.script(*answers)
        return await self.call(
            "POST", "/agent/act", json={"message": message, "project_id": self.project_id, **body}
        )

    async def messages(self, chat_id: str) -> list[Json]:
        found: list[Json] = await self.get(f"/chats/{chat_id}/messages")
        return found

    async def said(self, chat_id: str) -> list[tuple[str, str]]:
        return [(one["role"], one["content"]) for one in await self.messages(chat_id)]

    async def waiting(self) -> list[Json]:
        """What waits in the inbox of the web client."""
        found: list[Json] = (await self.project.api.get("/approvals"))["approvals"]
        return [one for one in found if one["project_id"] == self.project_id]

    @property
    def asked(self) -> list[Json]:
        """The requests that the model was sent."""
        return [request.body for request in self.project.provider.requests]


def chat_of(acted: Json) -> str:
    chat_id: str = acted["chat_message"]["chat_id"]
    return chat_id
