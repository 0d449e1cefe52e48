"""Where the server of this data folder listens, told by the server itself to commands that ask."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE = "server.address"
OWNER_ONLY = 0o600


@contextmanager
def address_told(folder: Path, address: str) -> Iterator[None]:
    """Tell the address for as long as the process lives. Of several servers, the first one tells its own."""
    try:
        descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY)
    except OSError:  # without a folder of its own the server still runs; commands then go by the settings
        yield
        return
    try:
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
            os.write(descriptor, address.encode())
        yield
    finally:
        os.close(descriptor)


def told_address(folder: Path) -> str | None:
    """The address of the server that runs on this folder; None if none does. The lock is gone when its process is."""
    try:
        descriptor = os.open(folder / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.read(descriptor, 1000).decode() or None
    finally:
        os.close(descriptor)
    return None
