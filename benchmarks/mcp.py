"""`docagent mcp`: processor time until it has answered `initialize`, against importing the SDK it speaks with."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import interleaved, processor_seconds, processor_seconds_of
from benchmarks.server import usual_environment

NAME = "mcp"
COMMAND = str(Path(sys.executable).with_name("docagent"))
SDK = "import mcp.server.lowlevel.server, mcp.server.stdio"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def run(quick: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        _greeting(folder)  # compiles modules that were never imported before
        costs = interleaved(2 if quick else 5, {"floor": _import_sdk, "ours": lambda: _greeting(folder)})
    return {
        "initialize_x": costs.ratio("ours", "floor"),
        "initialize_processor_s": costs.median("ours"),
        "initialize_floor_processor_s": costs.median("floor"),
    }


def _greeting(folder: str) -> float:
    """Greet the command on a data folder of its own, and return what it used until its answer."""
    with subprocess.Popen(
        [COMMAND, "mcp", "--data", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=usual_environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert answer["result"]["serverInfo"]["name"] == "docagent"
        used = processor_seconds_of(process.pid)
        process.stdin.close()
        process.wait(timeout=30)
    return used


def _import_sdk() -> float:
    command = [sys.executable, "-c", SDK]
    return processor_seconds(lambda: subprocess.run(command, check=True, env=usual_environment()))
