"""When Python looks for rubbish: not while the program is loaded, and seldom afterwards.

What is loaded at the start stays, and looking through it again and again takes a third of the start and a share of
every turn. Most of what a turn leaves behind is freed without looking; only circles wait.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS_BETWEEN_LOOKS = 20_000
YOUNG_LOOKS_BETWEEN_OLD = 20


@contextmanager
def collection_paused() -> Iterator[None]:
    """Look for no rubbish while something is loaded, and never through what was loaded."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def pause_collection() -> None:
    """Look for no rubbish until `collect_from_now_on`."""
    gc.disable()


def collect_from_now_on() -> None:
    """Leave alone what is there now, and look through what comes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_LOOKS, YOUNG_LOOKS_BETWEEN_OLD, YOUNG_LOOKS_BETWEEN_OLD)
    gc.enable()
