"""Everything that we override or read inside FastAPI and Starlette, which do not promise to keep it.

No other file uses these names, a rule test checks that, and tests/unit/api/test_foreign_internals.py names each of
them; pyproject.toml bounds the versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import Match, compile_path, get_name
from starlette.types import Scope

PARTS = "docagent.parts_of_path"


class LateRoute(APIRoute):
    """A route that FastAPI analyses at its first use: all routes together would take 0.7 s of the
    start, a fifth of it. Until then it has what an address is looked up by.
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
        """Nearly all addresses differ in how many parts they have and by the last one that is a word."""
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


def functions_asked(scope: Scope) -> Iterator[Callable[..., Any]]:
    """Yield the functions whose results the route of a request, or one of them, asks for."""
    yield from _asked(getattr(scope.get("route"), "dependant", None))


def _asked(dependant: Dependant | None) -> Iterator[Callable[..., Any]]:
    for each in dependant.dependencies if dependant else ():
        if each.call is not None:
            yield each.call
        yield from _asked(each)
