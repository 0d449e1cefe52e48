"""What is sent bit by bit ends with the credential that began it, so there are few ways to send it."""

from __future__ import annotations

import ast

from tests.rules.sources import nodes, place, python_files

WAYS = {
    "FileResponse": ["api/web.py"],  # the web client's own files, which everybody may have
    "StreamingResponse": ["api/downloads.py", "api/stream.py"],
    "http.response.body": ["api/stream.py"],
}
"""Names and messages by which an answer is streamed, and the files that may use them."""


def test_routes_stream_by_a_download_or_an_event_stream() -> None:
    found: dict[str, set[str]] = {way: set() for way in WAYS}
    for path in python_files():
        for _, node in nodes(path):
            named = getattr(node, "name" if isinstance(node, ast.alias) else "attr", None)
            written = node.value if isinstance(node, ast.Constant) else named
            if isinstance(written, str) and written in WAYS:
                found[written].add(place(path))
    assert {way: sorted(files) for way, files in found.items()} == WAYS, "use Download or EventStream"
