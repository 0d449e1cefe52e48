"""The router of every module of routes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute
from starlette.routing import compile_path, get_name


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
        self._analyse = partial(super().__init__, path, endpoint, name=name, methods=methods, **options)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet."""
        analyse = self.__dict__.pop("_analyse", None)
        if analyse is None:
            raise AttributeError(name)
        analyse()
        return getattr(self, name)


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
