"""How much of the machine one file may use, and how the reading process enforces that on itself."""

from __future__ import annotations

import math
import mmap
import resource
import time
from dataclasses import dataclass

MIB = 1024 * 1024
TIMED_OUT = (
    "Reading this file took too long and was stopped. Split it into smaller files, or try again later."
)
OUT_OF_MEMORY = "Reading this file needs more memory than one file may use. Split it or reduce its pictures."
CRASHED = (
    "This file made the reader fail: it is damaged or unusual. Save it again, or as PDF, and upload that."
)


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Limits on handling one file."""

    seconds_per_file: float = 900.0
    """Processor time for the whole file."""
    seconds_per_page: float = 120.0
    """Processor time that may pass without a finished page."""
    seconds_per_conversion: float = 180.0
    """Wall time for LibreOffice to make a PDF."""
    patience: float = 5.0
    """How many times longer than its processor time a file or page may take by the clock, on a busy machine."""
    memory_bytes: int = 2048 * MIB
    """Address space of the reading process."""
    converter_memory_bytes: int = 4096 * MIB
    """Address space of the reading process when it runs LibreOffice."""
    output_bytes: int = 1024 * MIB
    """Largest file that the reading process may write."""
    open_files: int = 256
    max_pages: int = 5000
    max_pixels: int = 40_000_000
    """Pixels of the largest picture that is rendered or decoded."""
    max_unpacked_bytes: int = 512 * MIB
    """Total size of the unpacked parts of an office file."""
    max_characters: int = 20_000_000
    """The most characters taken from a plain text or office file."""
    crashes_per_file: int = 3
    """How many pages may crash the reading process before the file is given up."""


def bind_this_process(limits: ReadLimits, *, converter: bool) -> None:
    """Set the operating system's limits for this process and everything it starts.

    Raises MemoryError where the process has more memory already. It could continue for a while with what it has.
    """
    memory = limits.converter_memory_bytes if converter else limits.memory_bytes
    # One second more than the process ever allows itself, which ends it with a signal that tells why.
    processor_seconds = math.ceil(limits.seconds_per_file) + 1
    for kind, bound in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, processor_seconds),
        (resource.RLIMIT_FSIZE, limits.output_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            bound = min(bound, hard)
        resource.setrlimit(kind, (bound, bound))
    try:
        mmap.mmap(-1, mmap.PAGESIZE).close()
    except OSError as error:
        raise MemoryError from error


def allow_processor_time(seconds: float) -> None:
    """Have the operating system end this process when it has used so many seconds more of processor time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = math.ceil(time.process_time() + seconds)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, max(0, hard - 1))
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
