"""Small requests: our server's processor time for one, as a multiple of the bare framework's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from benchmarks.measure import interleaved, processor_seconds_of
from benchmarks.server import bare_server, server_with_token

NAME = "http"
CONNECTIONS = 16


def run(quick: bool) -> dict[str, float]:
    requests = 800 if quick else 4_000
    with bare_server() as bare, server_with_token() as ours:
        tags_url = f"{ours.base_url}/v0/orgs/{ours.organization_id}/tags"
        elapsed: dict[str, list[float]] = {"floor": [], "health": [], "tags": []}

        def cost(name: str, url: str, pid: int, token: str | None = None) -> Callable[[], float]:
            def measured() -> float:
                before = processor_seconds_of(pid)
                elapsed[name].append(_load(url, requests, token))
                return processor_seconds_of(pid) - before

            return measured

        subjects = {
            "floor": cost("floor", f"{bare.base_url}/health", bare.pid),
            "health": cost("health", f"{ours.base_url}/health", ours.pid),
            "tags": cost("tags", tags_url, ours.pid, ours.token),
        }
        for warm_up in subjects.values():
            warm_up()
        costs = interleaved(3, subjects)
    figures = {f"{name}_x": costs.ratio(name, "floor") for name in ("health", "tags")}
    for name in subjects:
        figures[f"{name}_processor_us"] = costs.median(name) / requests * 1e6
        figures[f"{name}_requests_per_second"] = requests / min(elapsed[name])
    return figures


def _load(url: str, requests: int, token: str | None) -> float:
    command = [sys.executable, "-m", "benchmarks.load_client", url, str(CONNECTIONS), str(requests)]
    told = subprocess.run([*command, *([token] if token else [])], check=True, capture_output=True, text=True)
    return float(told.stdout)
