"""Writes a confidence to every value of a stored result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from docagent.domain.extraction.review import is_place, places_in
from docagent.domain.extraction.voices import Voices
from docagent.domain.field_path import ROOT, FieldPath
from docagent.evidence.confidence.calibration import Calibration
from docagent.evidence.confidence.signals import Learnt, Signals, signals_of
from docagent.evidence.confidence.sums import sums_of


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a result's values besides their places, by path."""

    problems: Collection[FieldPath] = ()
    """Paths of what breaks the schema."""
    voices: Mapping[FieldPath, Voices] = field(default_factory=dict)
    learnt: Mapping[FieldPath, Learnt] = field(default_factory=dict)
    learnt_from: Mapping[FieldPath, int] = field(default_factory=dict)
    """How many verified documents say so."""
    evidence: Mapping[FieldPath, float] = field(default_factory=dict)
    """What the page speaks for the values, as the built-in model weighs it."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A value with its signals."""

    path: FieldPath
    value: Any
    signals: Signals


def weighed(tree: Any, data: Any, known: Known, calibration: Calibration) -> Any:
    """Return the tree of places with the confidence of each value, and the signals that the places lacked."""
    return _Weighing(known, sums_of(data), calibration).of(tree, data, ROOT)


def weighed_values(tree: Any, data: Any) -> Iterator[Weighed]:
    """Yield every value that has a place in a stored tree, with its signals."""
    for path, place in places_in(tree):
        value = path.get(data)
        yield Weighed(path, value, _signals(path, place, value))


@dataclass(frozen=True, slots=True)
class _Weighing:
    known: Known
    sums: Mapping[FieldPath, bool]
    calibration: Calibration

    def of(self, tree: Any, data: Any, path: FieldPath) -> Any:
        if is_place(tree):
            return self._with_confidence(tree, data, path)
        if isinstance(tree, dict) and isinstance(data, dict):
            return {name: self.of(branch, data.get(name), path / name) for name, branch in tree.items()}
        if isinstance(tree, list) and isinstance(data, list):
            return [
                self.of(branch, value, path / number)
                for number, (branch, value) in enumerate(zip(tree, data, strict=True))
            ]
        return tree

    def _with_confidence(self, place: Mapping[str, Any], value: Any, path: FieldPath) -> dict[str, Any]:
        added = {
            "adds_up": self.sums.get(path, self.sums.get(path.column)),
            "problem": path in self.known.problems or None,
            "voices": self.known.voices.get(path),
            "learnt": self.known.learnt.get(path),
            "learnt_from": self.known.learnt_from.get(path),
            "evidence": self.known.evidence.get(path),
        }
        said = {name: each for name, each in added.items() if each is not None}
        full = {**place, "signals": {**(place.get("signals") or {}), **said}}
        return {**full, "confidence": self.calibration.confidence(_signals(path, full, value))}


def _signals(path: FieldPath, place: Mapping[str, Any], value: Any) -> Signals:
    """Read a place's signals. What a list holds itself is an item; what its objects hold are cells of rows."""
    in_list = any(isinstance(step, int) for step in path)
    return signals_of(place, value, in_list=in_list, is_cell=in_list and isinstance(path[-1], str))
