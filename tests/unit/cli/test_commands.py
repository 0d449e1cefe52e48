"""The list of commands: each is there, says what it does, and knows `--json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from docagent.cli.main import COMMANDS, app, load
from tests.support.tables import table

MANUAL = Path(__file__).parents[3] / "docs" / "terminal.md"


def leaves() -> Iterator[tuple[str, ...]]:
    """The words of every command."""
    for name in COMMANDS:
        inner = getattr(load(name), "commands", None)
        if inner is None:
            yield (name,)
        else:
            yield from ((name, each) for each in inner)


ALL = list(leaves())
PROTOCOLS = {("mcp",)}
"""They speak JSON and nothing else."""


def command_of(words: tuple[str, ...]) -> Any:
    command = load(words[0])
    return command.commands[words[1]] if len(words) > 1 else command


@table("words", ALL)
def test_every_command_has_help_and_json(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0, done.output
    assert "--json" in done.stdout or words in PROTOCOLS
    assert command_of(words).help
    assert all(option.help for option in command_of(words).params if option.name != "help")


@table("name", COMMANDS)
def test_the_list_says_what_the_command_says_first(name: str) -> None:
    first = " ".join(load(name).help.split("\n\n")[0].split())
    assert first == COMMANDS[name].says or first.startswith(f"{COMMANDS[name].says} ")


def test_the_help_names_every_command_in_its_section() -> None:
    done = CliRunner().invoke(app, ["--help"])
    shown = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line.split()}
    assert shown >= set(COMMANDS)


def test_an_unknown_command_is_refused() -> None:
    done = CliRunner().invoke(app, ["extrct"])
    assert done.exit_code == 2
    assert "No such command 'extrct'" in done.stderr


def test_names_and_options_are_completed() -> None:
    asked = {"_DOCAGENT_COMPLETE": "complete_bash", "COMP_WORDS": "docagent ex", "COMP_CWORD": "1"}
    assert CliRunner().invoke(app, [], prog_name="docagent", env=asked).stdout.split() == ["extract"]
    asked |= {"COMP_WORDS": "docagent extract --sch", "COMP_CWORD": "2"}
    assert CliRunner().invoke(app, [], prog_name="docagent", env=asked).stdout.split() == ["--schema"]


@table("name", COMMANDS)
def test_the_manual_has_every_command(name: str) -> None:
    assert f"`docagent {name}" in MANUAL.read_text()
