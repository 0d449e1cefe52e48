"""The sets of labelled documents, one module each. A new set is a module with `SET`, and one line here."""

from __future__ import annotations

from evals.sets import deepform, extract_bench, fara, invoice2data, nda, other_papers, sroie, zugferd
from evals.sets.labelled import LabelledSet, Task, TaskSet, labelled_rows, schema_part

__all__ = ["ALL", "SETS", "LabelledSet", "Task", "TaskSet", "labelled_rows", "schema_part"]

SETS = (zugferd.SET, deepform.SET, sroie.SET, invoice2data.SET, fara.SET, nda.SET)
"""Those that ask the same of each of their documents."""
ALL: tuple[TaskSet, ...] = (*SETS, extract_bench.SET, other_papers.SET)
