"""Writes a confidence to every value of a stored result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.extraction.voices import Voices
from docagent.evidence.confidence.calibration import Calibration
from docagent.evidence.confidence.signals import Learnt, Signals, signals_of
from docagent.evidence.confidence.sums import sums_of

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a result's values besides their places, by dotted path."""

    problems: Collection[str] = ()
    """Paths of what breaks the schema."""
    voices: Mapping[str, Voices] = field(default_factory=dict)
    learnt: Mapping[str, Learnt] = field(default_factory=dict)
    learnt_from: Mapping[str, int] = field(default_factory=dict)
    """How many verified documents say so."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A value with its signals."""

    path: Path
    value: Any
    signals: Signals


def weighed(tree: Any, data: Any, known: Known, calibration: Calibration) -> Any:
    """Return the tree of places with the confidence of each value, and the signals that the places lacked."""
    return _Weighing(known, sums_of(data), calibration).of(tree, data, ())


def weighed_values(tree: Any, data: Any) -> Iterator[Weighed]:
    """Yield every value that has a place in a stored tree, with its signals."""
    for path, place, value in _values(tree, data, ()):
        yield Weighed(path, value, signals_of(place, value, in_list=_in_list(path)))


@dataclass(frozen=True, slots=True)
class _Weighing:
    known: Known
    sums: Mapping[str, bool]
    calibration: Calibration

    def of(self, tree: Any, data: Any, path: Path) -> Any:
        if is_place(tree):
            return self._with_confidence(tree, data, path)
        if isinstance(tree, dict) and isinstance(data, dict):
            return {name: self.of(branch, data.get(name), (*path, name)) for name, branch in tree.items()}
        if isinstance(tree, list) and isinstance(data, list):
            return [
                self.of(branch, value, (*path, str(number)))
                for number, (branch, value) in enumerate(zip(tree, data, strict=True))
            ]
        return tree

    def _with_confidence(self, place: Mapping[str, Any], value: Any, path: Path) -> dict[str, Any]:
        dotted = ".".join(path)
        column = ".".join(step for step in path if not step.isdigit())
        added = {
            "adds_up": self.sums.get(dotted, self.sums.get(column)),
            "problem": dotted in self.known.problems or None,
            "voices": self.known.voices.get(dotted),
            "learnt": self.known.learnt.get(dotted),
            "learnt_from": self.known.learnt_from.get(dotted),
        }
        said = {name: each for name, each in added.items() if each is not None}
        full = {**place, "signals": {**(place.get("signals") or {}), **said}}
        signals = signals_of(full, value, in_list=_in_list(path))
        return {**full, "confidence": self.calibration.confidence(signals)}


def _values(tree: Any, data: Any, path: Path) -> Iterator[tuple[Path, Mapping[str, Any], Any]]:
    if is_place(tree):
        yield path, tree, data
    elif isinstance(tree, dict) and isinstance(data, dict):
        for name, branch in tree.items():
            yield from _values(branch, data.get(name), (*path, name))
    elif isinstance(tree, list) and isinstance(data, list):
        for number, (branch, value) in enumerate(zip(tree, data, strict=False)):
            yield from _values(branch, value, (*path, str(number)))


def is_place(node: Any) -> bool:
    return isinstance(node, dict) and "match" in node and "words" in node


def _in_list(path: Path) -> bool:
    return any(step.isdigit() for step in path)
