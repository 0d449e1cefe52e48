# Written by `make client` from the asynchronous client: change that one.
"""Projects and their living documents."""

from __future__ import annotations

from docagent.client import models
from docagent.client.synchronous.connection import Connection, Part


class Projects(Part):
    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.documents = LivingDocuments(connection)

    def list(self, *, skip: int = 0, limit: int = 50, search: str | None = None) -> models.Projects:
        params = {"skip": skip, "limit": limit, "search": search}
        return self._ask(models.Projects, "GET", "projects", params=params)

    def get(self, project_id: str) -> models.Project:
        return self._ask(models.Project, "GET", "projects", project_id)

    def create(self, name: str, *, description: str = "", standing_instruction: str = "") -> models.Project:
        body = {"name": name, "description": description, "standing_instruction": standing_instruction}
        return self._ask(models.Project, "POST", "projects", body=body)

    def update(
        self,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        standing_instruction: str | None = None,
    ) -> models.Project:
        """Change what is named; the rest stays."""
        changes = {"name": name, "description": description, "standing_instruction": standing_instruction}
        body = {key: value for key, value in changes.items() if value is not None}
        return self._ask(models.Project, "PUT", "projects", project_id, body=body)

    def delete(self, project_id: str) -> None:
        """Put a project and its documents where they can still be brought back from."""
        self._ask(models.Message, "DELETE", "projects", project_id)


class LivingDocuments(Part):
    def list(self, project_id: str) -> models.LivingDocuments:
        return self._ask(models.LivingDocuments, "GET", "projects", project_id, "documents")

    def get(
        self, project_id: str, living_document_id: str, *, version: int | None = None
    ) -> models.LivingDocument:
        """The newest version, or the one that is named."""
        path = ("projects", project_id, "documents", living_document_id)
        return self._ask(models.LivingDocument, "GET", *path, params={"version": version})

    def versions(self, project_id: str, living_document_id: str) -> models.Versions:
        path = ("projects", project_id, "documents", living_document_id, "versions")
        return self._ask(models.Versions, "GET", *path)

    def create(
        self, project_id: str, name: str, content: str = "", *, standing_instruction: str = ""
    ) -> models.LivingDocument:
        body = {"name": name, "content": content, "standing_instruction": standing_instruction}
        return self._ask(models.LivingDocument, "POST", "projects", project_id, "documents", body=body)

    def update(
        self,
        project_id: str,
        living_document_id: str,
        *,
        content: str | None = None,
        name: str | None = None,
        standing_instruction: str | None = None,
        base_version: int | None = None,
        reason: str = "",
    ) -> models.LivingDocument:
        """Make a new version. With `base_version`, a change that others have made to the same lines is not
        overwritten: `Conflict`, whose body has the `merge`."""
        changes = {
            "content": content,
            "name": name,
            "standing_instruction": standing_instruction,
            "base_version": base_version,
        }
        body = {"reason": reason, **{key: value for key, value in changes.items() if value is not None}}
        path = ("projects", project_id, "documents", living_document_id)
        return self._ask(models.LivingDocument, "PUT", *path, body=body)

    def delete(self, project_id: str, living_document_id: str) -> None:
        """Put a document where it can still be brought back from."""
        self._ask(models.Message, "DELETE", "projects", project_id, "documents", living_document_id)
