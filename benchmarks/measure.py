"""Clocks, interleaved measuring and memory watching for all benchmarks."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median

import psutil

MIB = 1 << 20


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of this process and of all that it started. Other load hardly matters."""
    before = processor_seconds_of(os.getpid())
    work()
    return processor_seconds_of(os.getpid()) - before


@dataclass(frozen=True)
class Costs:
    """What each subject cost in each round. A round runs every subject once."""

    rounds: list[dict[str, float]] = field(default_factory=list)

    def median(self, subject: str) -> float:
        return median(costs[subject] for costs in self.rounds)

    def ratio(self, subject: str, floor: str) -> float:
        """Return the subject's cost as a multiple of the floor's in the same round; the median of all rounds."""
        return median(costs[subject] / costs[floor] for costs in self.rounds)


def interleaved(repetitions: int, subjects: dict[str, Callable[[], float]]) -> Costs:
    """Measure all subjects in turn, in changing order, so that slow moments of the machine affect all of them."""
    costs = Costs()
    names = list(subjects)
    for repetition in range(repetitions):
        order = names if repetition % 2 == 0 else list(reversed(names))
        measured = {name: subjects[name]() for name in order}
        costs.rounds.append(measured)
    return costs


@dataclass
class PeakMemory:
    """The peak resident memory, in MiB."""

    parent: float = 0.0
    children: float = 0.0


@contextlib.contextmanager
def watched_memory(pid: int, every_seconds: float = 0.01) -> Iterator[PeakMemory]:
    """Watch a process and its descendants until the block ends."""
    peak = PeakMemory()
    done = threading.Event()

    def watch() -> None:
        process = psutil.Process(pid)
        while not done.wait(every_seconds):
            with contextlib.suppress(psutil.NoSuchProcess):
                peak.parent = max(peak.parent, process.memory_info().rss / MIB)
                below = sum(child.memory_info().rss for child in process.children(recursive=True))
                peak.children = max(peak.children, below / MIB)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


def processor_seconds_of(pid: int) -> float:
    """Return the user and system time so far of a process, of those it started, and of those that have ended since."""
    process = psutil.Process(pid)
    total = 0.0
    for each in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += sum(each.cpu_times()[:4])
    return total
