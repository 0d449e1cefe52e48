"""Makes a command of a function that needs a client of a server."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from docagent.cli.launching import run
from docagent.cli.options import Data, Organization, Token, Url
from docagent.cli.output import ExitCode
from docagent.cli.reaching import Where, reached

_REACHING = {"url": Url, "token": Token, "org": Organization, "data": Data}


def on_server(work: Callable[..., Awaitable[ExitCode | None]]) -> Callable[..., None]:
    """Return a command with the function's options and those that name a server, before its last one, `--json`.

    The function gets a client of that server as its first argument.
    """

    def command(
        *, url: str | None, token: str | None, org: str | None, data: Path | None, **given: Any
    ) -> None:
        run(_at(Where(url, token, org, data), work, given))

    _, *own, as_json = inspect.signature(work, eval_str=True).parameters.values()
    reaching = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=option)
        for name, option in _REACHING.items()
    ]
    parameters = [*own, *reaching, as_json]
    described: Any = command
    described.__name__, described.__doc__ = getattr(work, "__name__", ""), work.__doc__
    described.__signature__ = inspect.Signature(parameters)
    described.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


async def _at(
    where: Where, work: Callable[..., Awaitable[ExitCode | None]], given: dict[str, Any]
) -> ExitCode | None:
    async with reached(where) as client:
        return await work(client, **given)
