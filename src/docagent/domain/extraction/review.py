"""What a person still has to look at in a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from docagent.domain.extraction.windows import MergeReport, reconcile
from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.problem import Problem

UNPROVEN = "unproven"


class Verifiable(Protocol):
    """What a person has vouched for in a result: all of it, or parts."""

    @property
    def is_verified(self) -> bool: ...
    @property
    def verified_paths(self) -> Sequence[FieldPath]: ...


class Reviewable(Verifiable, Protocol):
    """What is known of a result's newest revision."""

    @property
    def data(self) -> Any: ...
    @property
    def model_data(self) -> Any: ...
    @property
    def grounding(self) -> Any: ...
    @property
    def problems(self) -> Sequence[Problem]: ...
    @property
    def is_edited(self) -> bool: ...


def places_in(tree: Any, path: FieldPath = ROOT) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
    """Every value of a stored grounding with its path. Empty values have no place."""
    if is_place(tree):
        yield path, tree
    elif isinstance(tree, dict | list):
        for step, branch in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from places_in(branch, path / step)


def is_place(node: Any) -> bool:
    return isinstance(node, dict) and "match" in node and "words" in node


def is_verified_at(result: Verifiable, path: FieldPath) -> bool:
    """Whether a person has verified the value at the path, or something that it is a part of."""
    return result.is_verified or any(path.is_within(verified) for verified in result.verified_paths)


def is_vouched_for(result: Reviewable, path: FieldPath) -> bool:
    """Whether a person has verified the value, or written it."""
    return is_verified_at(result, path) or (
        result.is_edited and path.get(result.data) != path.get(result.model_data)
    )


def open_problems(result: Reviewable) -> Iterator[Problem]:
    """What breaks the schema, is missing or does not add up, and nobody has verified as it is."""
    for problem in (*result.problems, *failed_sums(result.data)):
        if not is_verified_at(result, problem.path):
            yield problem


def failed_sums(data: Any) -> Iterator[Problem]:
    """Totals that the rows above them do not add up to."""
    report = MergeReport()
    reconcile(data, report)
    for sums in report.reconciliations:
        if not sums.agrees:
            said = f"{sums.rows_path} adds up to {sums.computed}, not to {sums.printed}."
            expected = {"rows": str(sums.rows_path), "computed": str(sums.computed)}
            yield Problem(sums.total_path, said, "sum", expected)
