"""Stands in for llama.cpp's library: the same two classes, and a server that says what the file of weights holds.

A line of the file is one answer; the last one is repeated. `exit` ends the process in the middle of a call, `hang`
never answers, `heavy` takes more memory than there is. Each start is noted in a file beside it.
"""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any


class CommonParams:
    def __init__(self) -> None:
        self.model = SimpleNamespace(path="")
        self.cpuparams = SimpleNamespace(n_threads=0)
        self.cpuparams_batch = SimpleNamespace(n_threads=0)
        self.n_ctx = 0
        self.api_keys: list[str] = []


class Server:
    def __init__(self, params: Any) -> None:
        file = Path(params.model.path)
        started = file.with_suffix(".started")
        facts = {
            "n_ctx": params.n_ctx,
            "threads": params.cpuparams.n_threads,
            "pid": os.getpid(),
            "variables": sorted(os.environ),
        }
        with started.open("a") as log:
            log.write(json.dumps(facts) + "\n")
        said = file.read_text().splitlines()
        if said[0] == "heavy":
            bytearray(2**40)
        if said[0] == "slow":
            threading.Event().wait()
        if said[0] == "broken":
            raise RuntimeError("Failed to init server, please check the input params.")
        # A crash is remembered by the file: the process that comes after it goes on with the next line.
        starts = len(started.read_text().splitlines())
        answers = said[min(starts, len(said)) - 1 :]

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.headers["Authorization"] != f"Bearer {params.api_keys[0]}":
                    self.send_error(401)
                    return
                text = answers[0] if len(answers) == 1 else answers.pop(0)
                if text == "exit":
                    os._exit(9)
                if text == "hang":
                    threading.Event().wait()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                choice = {"delta": {"content": text}, "finish_reason": "stop"}
                chunk = {"choices": [choice], "model": body["model"]}
                self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

            def log_message(self, *_: Any) -> None:
                """Says nothing."""

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.listening_address = f"http://127.0.0.1:{http.server_port}"
        threading.Thread(target=http.serve_forever, daemon=True).start()
