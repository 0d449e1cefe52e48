"""The command line: how soon the help is there, against importing the library that writes it, and what a command costs
that needs a server and finds none."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import interleaved, processor_seconds
from benchmarks.server import usual_environment

NAME = "terminal"
DOCAGENT = str(Path(sys.executable).with_name("docagent"))


def run(quick: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        alone = [DOCAGENT, "project", "list", "--data", folder]
        _cost(alone)  # makes the database
        costs = interleaved(
            3 if quick else 10,
            {
                "floor": lambda: _cost([sys.executable, "-c", "import typer"]),
                "help": lambda: _cost([DOCAGENT, "--help"]),
            },
        )
        waited = min(_seconds([DOCAGENT, "--help"]) for _ in range(3 if quick else 10))
        return {
            "help_x": costs.ratio("help", "floor"),
            "help_processor_s": costs.median("help"),
            "help_seconds": waited,
            "without_a_server_processor_s": _cost(alone),
        }


def _cost(command: list[str]) -> float:
    return processor_seconds(lambda: _call(command))


def _seconds(command: list[str]) -> float:
    started = time.perf_counter()
    _call(command)
    return time.perf_counter() - started


def _call(command: list[str]) -> None:
    subprocess.run(command, check=True, env=usual_environment(), stdout=subprocess.DEVNULL)
