"""The router of every module of routes."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.routing import APIRoute

from docagent.api.fastapi_internals import LateRoute


class Router(APIRouter):
    """Calls an operation in the description of the API by its function's name alone."""

    def __init__(self, prefix: str = "", tags: list[str] | None = None) -> None:
        super().__init__(
            prefix=prefix,
            tags=[*tags] if tags else None,
            generate_unique_id_function=_name,
            route_class=LateRoute,
        )


def _name(route: APIRoute) -> str:
    return route.name
