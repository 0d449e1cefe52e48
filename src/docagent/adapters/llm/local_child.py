"""Runs a file of weights with llama.cpp's server. A process of its own: `python -m docagent.adapters.llm.local_child`.

Reads one line of JSON, answers with another, `{"address": ...}` or `{"error": ...}`, and ends with its input, so that
it never outlives the process that started it.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
from typing import Any

MISSING = "missing"
"""The error of a child that does not find llama.cpp's library."""


def main() -> None:
    wanted = json.loads(sys.stdin.readline())
    # The library may print. Only our line goes to whoever started us.
    told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        server, answer = _serve(wanted)
    except ImportError:
        server, answer = None, {"error": MISSING}
    except (RuntimeError, MemoryError, OSError, ValueError) as error:
        server, answer = None, {"error": str(error).rstrip(". ")[:300] or type(error).__name__}
    told.write(f"{json.dumps(answer)}\n")
    told.flush()
    if server is not None:
        sys.stdin.read()
    os._exit(0)  # without waiting for an answer that is being written


def _serve(wanted: dict[str, Any]) -> tuple[Any, dict[str, str]]:
    memory = wanted["memory_bytes"]
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    llama: Any = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = wanted["file"]
    params.n_ctx = wanted["context"]
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = wanted["threads"]
    params.model_alias = {wanted["name"]}
    params.n_parallel = 1
    params.use_jinja = True
    params.api_keys = [wanted["key"]]
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    server = llama.Server(params)
    return server, {"address": server.listening_address}


if __name__ == "__main__":
    main()
