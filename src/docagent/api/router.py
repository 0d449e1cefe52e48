"""The router of every module of routes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import Match, compile_path, get_name
from starlette.types import Scope

PARTS = "docagent.parts_of_path"


class LateRoute(APIRoute):
    """A route that FastAPI analyses at its first use: all routes together would take half of the start.

    Until then it has what an address is looked up by.
    """

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        name: str | None = None,
        methods: set[str] | list[str] | None = None,
        **options: Any,
    ) -> None:
        self.path, self.endpoint = path, endpoint
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self.name = name or get_name(endpoint)
        self.methods = {method.upper() for method in methods or ["GET"]}
        parts = path.split("/")
        self._length = None if ":path}" in path else len(parts)
        self._place, self._word = max((place, part) for place, part in enumerate(parts) if "{" not in part)
        self._analyse = partial(super().__init__, path, endpoint, name=name, methods=methods, **options)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Nearly all addresses are told apart by how many parts they have and by the last one that is a word."""
        if self._length is not None and not scope.get("root_path"):
            parts = _parts(scope)
            if len(parts) != self._length or parts[self._place] != self._word:
                return Match.NONE, {}
        return super().matches(scope)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        analyse = self.__dict__.pop("_analyse", None)
        if analyse is None:
            raise AttributeError(name)
        analyse()
        return getattr(self, name)


def _parts(scope: Scope) -> list[str]:
    """The parts of the request's path, split once for all routes."""
    path: str = scope["path"]
    known: tuple[str, list[str]] | None = scope.get(PARTS)
    if known is None or known[0] is not path:
        known = scope[PARTS] = (path, path.split("/"))
    return known[1]


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
