"""Holds every answer of the API in tests against its description."""

from __future__ import annotations

import re
from functools import cache

import httpx2

from tests.support.operations import description

PREFIX = "/fastapi"


async def check_described(answer: httpx2.Response) -> None:
    """Fail if a route refuses with a status that the description of the route does not list."""
    if not 400 <= answer.status_code < 500:
        return
    path = answer.request.url.path.removeprefix(PREFIX)
    for method, pattern, statuses in _routes():
        if method == answer.request.method and pattern.fullmatch(path):
            assert answer.status_code in statuses, (
                f"{method} {path} was refused with {answer.status_code}, and is described with {sorted(statuses)}. "
                "Run: make openapi. If that does not help, scripts/refusals.py does not see it."
            )
            return


@cache
def _routes() -> list[tuple[str, re.Pattern[str], frozenset[int]]]:
    """Each method and path with the statuses in its description, in the order in which they are looked up."""
    return [
        (method.upper(), _pattern(path), frozenset(int(status) for status in operation["responses"]))
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    ]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(
        "".join("[^/]+" if part[:1] == "{" else re.escape(part) for part in re.split(r"(\{\w+\})", path))
    )
