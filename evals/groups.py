"""Groups of documents: what is fitted is judged on groups that it was not fitted on.

A set says which groups its documents are in (`Task.groups`). Every document is also in the group of its layout, told by
the words that stand in the same places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import mean
from typing import TypeVar

from docagent import builtin_model
from docagent.domain.documents.text import Page
from docagent.services.extraction.lessons import LEAST_LIKENESS
from evals.judging import Comparison, Tally

LAYOUT = "layout"
SEEN = "seen"
"""The way to group by which the gap is told: `inside` was looked at while rules were written, `outside` was not."""
_FEWEST = 3
"""Documents that a group must have for a figure of its own."""

Item = TypeVar("Item")
Fitted = TypeVar("Fitted")
Result = TypeVar("Result")


class Layouts:
    """Tells documents of one layout from those of others, one after the other."""

    def __init__(self) -> None:
        self._known: list[tuple[list[int], str]] = []

    def of(self, pages: Sequence[Page]) -> str:
        """Return the name of the layout: that of the first document that is like this one."""
        signature = builtin_model.signature_of(pages)
        alike = (
            name for known, name in self._known if builtin_model.likeness(signature, known) >= LEAST_LIKENESS
        )
        name = next(alike, str(len({name for _, name in self._known}) + 1))
        self._known.append((signature, name))
        return name


class Grouped:
    """Counts by group. A set of one layout over and over is told from one of many by the mean over its layouts."""

    def __init__(self) -> None:
        self._tallies: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))

    def add(self, groups: dict[str, str], compared: Sequence[Comparison]) -> None:
        for name, group in groups.items():
            self._tallies[name][group].add_document(compared)

    @property
    def figures(self) -> dict[str, float]:
        """For each way to group: how many groups, the mean over them, and those with some documents."""
        figures: dict[str, float] = {}
        for name, tallies in self._tallies.items():
            figures[f"{name}s"] = len(tallies)
            figures[f"{name}_mean_f1"] = mean(tally.f1 for tally in tallies.values())
            for group, tally in sorted(tallies.items()):
                if tally.documents >= _FEWEST and len(tallies) > 1:
                    figures |= {
                        f"{name}={group} f1": tally.f1,
                        f"{name}={group} precision": tally.precision,
                    }
        seen = self._tallies.get(SEEN, {})
        if {"inside", "outside"} <= seen.keys():
            figures["gap"] = seen["inside"].f1 - seen["outside"].f1
        return figures


def inside_and_outside(
    items: Sequence[Item],
    group: Callable[[Item], str],
    fit: Callable[[Sequence[Item]], Fitted],
    apply: Callable[[Fitted, Item], Result],
) -> tuple[list[Result], list[Result]]:
    """Return what a fit on all items gives for each, and what a fit without its group does, in the same order."""
    whole = fit(items)
    without = {
        left: fit([item for item in items if group(item) != left]) for left in {group(item) for item in items}
    }
    return [apply(whole, item) for item in items], [apply(without[group(item)], item) for item in items]
