"""Memory of the server while a long document is uploaded, read and extracted, against the server with a short one.

The floor is the resident memory of the same server after it has done all that for a document of a few pages,
so that everything it needs is loaded. The reading processes are not counted: they end with their document.
"""

from __future__ import annotations

import base64
import tempfile
import time
from pathlib import Path

import psutil

from benchmarks.made_pdfs import make_pdf
from benchmarks.measure import MIB, watched_memory
from benchmarks.server import Ours, call, server_with_token

NAME = "memory"
_ENDED = ("llm_completed", "llm_failed", "ocr_failed")
_SECONDS = 900


def run(quick: bool) -> dict[str, float]:
    pages = 100 if quick else 600
    with tempfile.TemporaryDirectory() as folder, server_with_token() as server:
        short, long = Path(folder) / "short.pdf", Path(folder) / "long.pdf"
        make_pdf(short, 6)
        make_pdf(long, pages)
        _extract(server, short)
        floor = _resident(server)
        with watched_memory(server.pid) as peak:
            _extract(server, long)
        return {
            "peak_x": peak.parent / floor,
            "afterwards_x": _resident(server) / floor,
            "floor_mib": floor,
            "peak_mib": peak.parent,
        }


def _resident(server: Ours) -> float:
    return float(psutil.Process(server.pid).memory_info().rss / MIB)


def _extract(server: Ours, path: Path) -> None:
    """Upload a document, and wait until it is read and the default prompt has run on it."""
    base = f"{server.base_url}/v0/orgs/{server.organization_id}/documents"
    new = {"name": path.name, "content": base64.b64encode(path.read_bytes()).decode()}
    made = call(base, {"documents": [new]}, server.token)
    address = f"{base}/{made['documents'][0]['document_id']}?include_content=false"
    deadline = time.monotonic() + _SECONDS
    while (state := call(address, token=server.token)["state"]) not in _ENDED:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{path.name} is still {state}")
        time.sleep(0.5)
    if state != "llm_completed":
        raise RuntimeError(f"{path.name} ended as {state}")
