"""What a suite is, and how one is run."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from docagent.domain.models.llm import Model

Results = dict[str, float | dict[str, float]]
"""Metric to value, or set to metric to value. Shares are between 0 and 1; counts are plain numbers."""


class Suite(Protocol):
    """A module of `evals.suites`."""

    NAME: str
    FOLDER: str | None
    """The suite's folder inside the data folder; None for a suite that brings its own data."""

    def run(self, folder: Path) -> Results: ...


class ModelSuite(Suite, Protocol):
    """A suite that scores a model: the built-in one if none is given."""

    TAKES_MODEL: bool

    def run(self, folder: Path, model: Model | None = None) -> Results: ...


@dataclass(frozen=True)
class Outcome:
    """The outcome of one suite: its results, or why there are none."""

    name: str
    results: Results = field(default_factory=dict)
    seconds: float = 0.0
    not_run: str | None = None
    crash: str | None = None


def run_suite(suite: Suite | ModelSuite, data: Path | None, model: Model | None = None) -> Outcome:
    """Run a suite. A missing folder or a crash is an outcome too, so that the other suites still run."""
    folder = Path()
    if suite.FOLDER is not None:
        if data is None:
            return Outcome(suite.NAME, not_run="no data folder was given (--data)")
        folder = data / suite.FOLDER
        if not folder.is_dir():
            return Outcome(suite.NAME, not_run=f"there is no folder {suite.FOLDER} in the data")
    started = time.monotonic()
    try:
        if model is not None and getattr(suite, "TAKES_MODEL", False):
            results = cast("ModelSuite", suite).run(folder, model)
        else:
            results = suite.run(folder)
    except Exception:  # noqa: BLE001 - one suite's fault must not hide the figures of the others
        return Outcome(suite.NAME, seconds=time.monotonic() - started, crash=traceback.format_exc())
    return Outcome(suite.NAME, results, time.monotonic() - started)


def flat(results: Results) -> dict[str, float]:
    """Return all figures by a single name: `metric`, or `set.metric`."""
    figures: dict[str, float] = {}
    for name, value in results.items():
        if isinstance(value, dict):
            figures |= {f"{name}.{metric}": figure for metric, figure in value.items()}
        else:
            figures[name] = value
    return figures
