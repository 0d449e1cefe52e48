"""Writes the page of commands from the command line's own parser: `make docs`. New commands appear by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from docagent.cli.main import CANNOT_START, app

PAGE = Path(__file__).with_name("commands.md")
HEADING = f"""# Commands

`docagent` is the one command of the package; `docagent COMMAND --help` says the same as this page. Every command reads
the [settings](settings.md). It ends with 0 when all went well, with {CANNOT_START} when settings or data cannot be used
or when what was typed is not understood, and with 1 otherwise; standard error says what to do. This page is made from
the code by `make docs`.
"""


def commands_page() -> str:
    """Return the whole page as markdown."""
    return "\n".join([HEADING, *(_section(name, command) for name, command in commands())])


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its whole name, those of groups inside groups too."""
    yield from _below("docagent", get_command(app))


def _below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word, inner in command.commands.items():
        if not inner.hidden:
            yield from _below(f"{name} {word}", inner)


def _section(name: str, command: Any) -> str:
    told = " ".join((command.help or "").split())
    shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    words = [name, *(_placeholder(argument) for argument in arguments)]
    section = f"## {name}\n\n{told}\n\n    {' '.join(words)}\n"
    if not shown:
        return section
    rows = ["| option | variable | default | meaning |", "|---|---|---|---|"]
    rows += [_row(parameter) for parameter in shown]
    return section + "\n" + "\n".join(rows) + "\n"


def _placeholder(argument: Any) -> str:
    word = argument.name.upper() + ("..." if argument.nargs == -1 else "")
    return word if argument.required else f"[{word}]"


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        spelled = f"`{parameter.name.upper()}`"
    else:
        spelled = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
    variable = f"`{parameter.envvar}`" if parameter.envvar else ""
    cells = (spelled, variable, _default(parameter), parameter.help or "")
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def _default(parameter: Any) -> str:
    if parameter.required:
        return "needed"
    value = parameter.default
    if value is None or value is False or callable(value):
        return ""
    return "yes" if value is True else f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(commands_page())
