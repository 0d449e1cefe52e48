"""Made papers of twenty kinds in eight languages, by another author than the zoo's. Each brings its own schema."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evals.judging import Kind, Labels
from evals.sets.labelled import Task, labelled_rows


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
            groups = {"kind": row["kind"], "design": row["design"]}
            yield Task(folder / self.folder / row["file"], row["schema"], labels, groups=groups)


SET = _OtherPapers()
