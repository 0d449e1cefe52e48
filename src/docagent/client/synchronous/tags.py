# Written by `make client` from the asynchronous client: change that one.
"""Tags, which choose the prompts of a document."""

from __future__ import annotations

from docagent.client import models
from docagent.client.synchronous.connection import Part


class Tags(Part):
    def list(self, *, skip: int = 0, limit: int = 10, name: str | None = None) -> models.Tags:
        params = {"skip": skip, "limit": limit, "name_search": name}
        return self._ask(models.Tags, "GET", "tags", params=params)

    def named(self, name: str) -> models.Tag | None:
        """The tag of this name, whatever its capitals."""
        found = (self.list(limit=100, name=name)).tags
        return next((tag for tag in found if tag.name.casefold() == name.casefold()), None)

    def get(self, tag_id: str) -> models.Tag:
        return self._ask(models.Tag, "GET", "tags", tag_id)

    def create(self, name: str, *, color: str | None = None, description: str | None = None) -> models.Tag:
        body = {"name": name, "color": color, "description": description}
        return self._ask(models.Tag, "POST", "tags", body=body)

    def update(
        self, tag_id: str, name: str, *, color: str | None = None, description: str | None = None
    ) -> models.Tag:
        body = {"name": name, "color": color, "description": description}
        return self._ask(models.Tag, "PUT", "tags", tag_id, body=body)

    def delete(self, tag_id: str) -> None:
        self._ask(models.Message, "DELETE", "tags", tag_id)
