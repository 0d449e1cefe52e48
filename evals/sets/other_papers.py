"""Made papers of twenty kinds in eight languages, by another author than the zoo's. Each brings its own schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evals.groups import SEEN
from evals.judging import Kind, Labels
from evals.sets.labelled import Task, labelled_rows

_LOOKED_AT = frozenset({"carry", "classic", "dense", "formbox", "office"})
"""Designs that were looked at while the built-in model was written. Nobody looks at papers of the others."""


class _OtherPapers:
    folder = "other_papers"

    def tasks(self, folder: Path) -> Iterator[Task]:
        for row in labelled_rows(folder / self.folder):
            labels = Labels(
                row["fields"],
                absent=frozenset(row["absent"]),
                kinds={path: Kind(kind) for path, kind in row["kinds"].items()},
                day_first=row["day_first"],
            )
            seen = "inside" if row["design"] in _LOOKED_AT else "outside"
            groups = {"kind": row["kind"], "design": row["design"], SEEN: seen}
            yield Task(folder / self.folder / row["file"], row["schema"], labels, groups=groups)


SET = _OtherPapers()
