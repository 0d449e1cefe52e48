"""How a command begins and ends: its settings, its event loop, and the exit code for what went wrong."""

from __future__ import annotations

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import typer
import uvloop

from docagent.api.server.logs import configure_logging
from docagent.cli.output import ExitCode, complain
from docagent.cli.reading_settings import read_settings
from docagent.domain.errors import CannotStart, DocAgentError
from docagent.settings import Settings


def settings_of(data: Path | None, **server: Any) -> Settings:
    """The settings, with what the command line says of them. Ends the command if they cannot be used."""
    try:
        settings = read_settings(os.environ)
    except CannotStart as error:
        complain(error.detail)
        raise typer.Exit(ExitCode.CANNOT_START) from error
    changes = {key: value for key, value in server.items() if value is not None}
    update: dict[str, Any] = {"server": settings.server.model_copy(update=changes)}
    if data is not None:
        update["data"] = data
    settings = settings.model_copy(update=update)
    configure_logging(settings.log)
    return settings


def run(work: Coroutine[Any, Any, ExitCode | None]) -> None:
    """Do the work. Whatever it cannot do is said in a sentence, and the exit code tells scripts."""
    try:
        code = uvloop.run(work)
    except KeyboardInterrupt:
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except DocAgentError as error:
        complain(error.detail)
        code = ExitCode.CANNOT_START if isinstance(error, CannotStart) else ExitCode.FAILED
        raise typer.Exit(code) from error
    if code:
        raise typer.Exit(code)
