"""Long documents of several kinds that bring their own schemas. What their gold does not have is absent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from evals.judging import Labels
from evals.sets.labelled import Task, labelled_rows


class _ExtractBench:
    folder = "extract_bench"

    def tasks(self, folder: Path) -> Iterator[Task]:
        here = folder / self.folder
        for row in labelled_rows(here):
            schema = json.loads((here / row["schema"]).read_text())
            gold = json.loads((here / row["gold"]).read_text())
            kind = row["schema"].removesuffix("-schema.json")
            labels = Labels(gold, complete=True, day_first=False)
            asked = schema.get("schema_definition", schema)
            yield Task(here / row["file"], asked, labels, f"{self.folder}/{kind}", {"kind": kind})


SET = _ExtractBench()
