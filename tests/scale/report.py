"""What was found wrong, and what was measured. Only findings make the test fail."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import median


class Report:
    def __init__(self) -> None:
        self.findings: list[str] = []
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._facts: dict[str, str] = {}

    def check(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.findings.append(otherwise)

    def took(self, what: str, seconds: float) -> None:
        self._seconds[what].append(seconds)

    def note(self, what: str, fact: object) -> None:
        self._facts[what] = str(fact)

    def lines(self) -> Iterator[str]:
        for what, seconds in self._seconds.items():
            spread = f"median {median(seconds):.3f} s, most {max(seconds):.3f} s of {len(seconds)}"
            yield f"{what:<58} {spread}"
        for what, fact in self._facts.items():
            yield f"{what:<58} {fact}"
        for finding in self.findings:
            yield f"WRONG: {finding}"
