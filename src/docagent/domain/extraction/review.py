"""What a person still has to look at in a result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.extraction.paths import found_at
from docagent.domain.extraction.results import FieldProblem

UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Review:
    """How many values a result has, and how many of them are settled: found on a page, or a person's word."""

    values: int = 0
    settled: int = 0
    problems: int = 0
    """What breaks the schema or is missing, and is not verified as it is."""

    @property
    def unproven(self) -> int:
        return self.values - self.settled

    def __add__(self, other: Review) -> Review:
        return Review(
            self.values + other.values, self.settled + other.settled, self.problems + other.problems
        )


def review_of(
    *,
    data: Any,
    model_data: Any,
    grounding: Any,
    problems: Sequence[FieldProblem],
    verified_paths: Sequence[str],
    is_edited: bool,
    is_verified: bool,
) -> Review:
    verified = frozenset(verified_paths)
    values = settled = 0
    for path, place in places_in(grounding, ()):
        values += 1
        settled += (
            is_verified
            or place["match"] != UNPROVEN
            or is_verified_at(path, verified)
            or (is_edited and found_at(data, path) != found_at(model_data, path))
        )
    left = 0 if is_verified else len({item for item in problems if not _is_verified(item, verified)})
    return Review(values, settled, left)


def places_in(tree: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every value of a stored grounding with its path. Empty values have no place."""
    if isinstance(tree, dict) and "match" in tree and "words" in tree:
        yield path, tree
    elif isinstance(tree, dict):
        for name, branch in tree.items():
            yield from places_in(branch, (*path, name))
    elif isinstance(tree, list):
        for number, branch in enumerate(tree):
            yield from places_in(branch, (*path, str(number)))


def is_verified_at(path: Sequence[str], verified_paths: Collection[str]) -> bool:
    """Whether a person has verified the value at the path, or something that it is a part of."""
    return bool(verified_paths) and any(
        ".".join(path[:end]) in verified_paths for end in range(1, len(path) + 1)
    )


def _is_verified(problem: FieldProblem, verified: frozenset[str]) -> bool:
    return bool(problem.path) and is_verified_at(problem.path.split("."), verified)
