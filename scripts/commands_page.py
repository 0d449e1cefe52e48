"""Writes the page of commands from the command line's own parser: `make docs`. New commands appear by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docagent.cli.main import COMMANDS, load
from docagent.cli.output import ExitCode

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
HEADING = f"""# Commands

`docagent` is the one command of the package; `docagent COMMAND --help` says the same as this page. Every command reads
the [settings](settings.md). It ends with 0 when all went well, with {ExitCode.CANNOT_START} when settings or data
cannot be used or when what was typed is not understood, with {ExitCode.DOUBTFUL} when all was done and a person has to
look at something, with {ExitCode.INTERRUPTED} after Ctrl-C, and with {ExitCode.FAILED} otherwise; standard error says
what to do. This page is made from the code by `make docs`; [The terminal](terminal.md) shows how to use it.
"""


def commands_page() -> str:
    """Return the whole page as markdown."""
    return "\n".join([HEADING, *(_section(name, command) for name, command in commands())])


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its whole name, those of groups inside groups too."""
    for name in COMMANDS:
        yield from _below(f"docagent {name}", load(name))


def variables(parameter: Any) -> list[str]:
    """The variables that an option is read from."""
    named = parameter.envvar or []
    return [named] if isinstance(named, str) else list(named)


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
    variable = ", ".join(f"`{name}`" for name in variables(parameter))
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
