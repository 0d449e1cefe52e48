"""Tags, which choose the prompts of a document."""

from __future__ import annotations

from docagent.client import models
from docagent.client.asynchronous.connection import AsyncPart


class AsyncTags(AsyncPart):
    async def list(self, *, skip: int = 0, limit: int = 10, name: str | None = None) -> models.Tags:
        params = {"skip": skip, "limit": limit, "name_search": name}
        return await self._ask(models.Tags, "GET", "tags", params=params)

    async def named(self, name: str) -> models.Tag | None:
        """The tag of this name, whatever its capitals."""
        found = (await self.list(limit=100, name=name)).tags
        return next((tag for tag in found if tag.name.casefold() == name.casefold()), None)

    async def get(self, tag_id: str) -> models.Tag:
        return await self._ask(models.Tag, "GET", "tags", tag_id)

    async def create(
        self, name: str, *, color: str | None = None, description: str | None = None
    ) -> models.Tag:
        body = {"name": name, "color": color, "description": description}
        return await self._ask(models.Tag, "POST", "tags", body=body)

    async def update(
        self, tag_id: str, name: str, *, color: str | None = None, description: str | None = None
    ) -> models.Tag:
        body = {"name": name, "color": color, "description": description}
        return await self._ask(models.Tag, "PUT", "tags", tag_id, body=body)

    async def delete(self, tag_id: str) -> None:
        await self._ask(models.Message, "DELETE", "tags", tag_id)
