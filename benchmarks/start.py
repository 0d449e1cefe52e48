"""Starting the server: processor time and memory until it answers, against importing the libraries it uses."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

from benchmarks.measure import MIB, interleaved, processor_seconds, processor_seconds_of
from benchmarks.server import our_server, usual_environment

NAME = "start"
LIBRARIES = "import fastapi, uvicorn, sqlalchemy"


def run(quick: bool) -> dict[str, float]:
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)

        def ours() -> float:
            with our_server(data) as server:
                memory.append(psutil.Process(server.pid).memory_info().rss / MIB)
                return processor_seconds_of(server.pid)

        first = ours()  # makes the database, and compiles modules that were never imported before
        memory.clear()
        costs = interleaved(2 if quick else 5, {"floor": _import_libraries, "ours": ours})
    return {
        "start_x": costs.ratio("ours", "floor"),
        "start_processor_s": costs.median("ours"),
        "start_floor_processor_s": costs.median("floor"),
        "first_start_processor_s": first,
        "start_memory_mib": max(memory),
    }


def _import_libraries() -> float:
    command = [sys.executable, "-c", LIBRARIES]
    return processor_seconds(lambda: subprocess.run(command, check=True, env=usual_environment()))
