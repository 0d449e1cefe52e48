"""Routes that exist twice: for conversations about a document, and about a project."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends
from fastapi.requests import HTTPConnection

from docagent.api.router import Router
from docagent.domain.turns.turns import Subject

ORG = "/v0/orgs/{organization_id}"


async def _of_document(document_id: str) -> None:
    """Names the parameter in the description of the API."""


async def _of_project(project_id: str) -> None:
    """Names the parameter in the description of the API."""


async def _subject(connection: HTTPConnection) -> Subject:
    """The subject that the path names. Async, because FastAPI runs plain functions in a thread."""
    project_id = connection.path_params.get("project_id")
    if project_id is not None:
        return Subject.project(project_id)
    return Subject.document(connection.path_params["document_id"])


SubjectDep = Annotated[Subject, Depends(_subject)]
PLACES = (
    ("/documents/{document_id}", "", _of_document),
    ("/projects/{project_id}", "project_", _of_project),
)
"""Where the routes are, what the names of their operations begin with there, and what names the parameter."""


class SubjectRouter:
    """Adds each route below `.../documents/{document_id}` and below `.../projects/{project_id}`."""

    def __init__(self, path: str) -> None:
        self.router = Router(prefix=ORG, tags=["agent"])
        self._path = path

    def route(
        self, method: str, path: str, **options: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            for below, prefix, names in PLACES:
                self.router.add_api_route(
                    f"{below}{self._path}{path}",
                    function,
                    methods=[method],
                    name=f"{prefix}{function.__name__}",
                    dependencies=[Depends(names)],
                    **options,
                )
            return function

        return add
