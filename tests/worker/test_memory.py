"""What jobs have freed goes back to the operating system."""

from __future__ import annotations

import psutil

from docagent.worker.service import give_back

MIB = 1024 * 1024
BLOCK = 64 * 1024
"""Small enough for the heap: larger blocks are given back by themselves."""


def test_what_lies_free_below_something_in_use_is_given_back() -> None:
    blocks = [bytearray(BLOCK) for _ in range(200 * MIB // BLOCK)]
    del blocks[:-1]
    before = psutil.Process().memory_info().rss
    give_back()
    assert psutil.Process().memory_info().rss < before - 100 * MIB
