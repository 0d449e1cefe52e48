"""Runs the network, on one core."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from docagent.reader_model.features import Arrays

_FILE = Path(__file__).parent / "data" / "reader.onnx"
_THREADS = 1
_ONLY_ERRORS = 3
_INPUTS = ("pieces", "cases", "places", "in_words", "positions", "marks", "firsts")
"""What the network calls the arrays, in their order; beside them stands a mask."""
Floats = NDArray[np.float32]


class Scores(NamedTuple):
    """What the network says of one window: scores by question, and by question and word."""

    nothing: Floats
    starts: Floats
    to_end: Floats
    ends: Floats
    of_start: Floats
    rows: Floats
    """For each word a vector. Those of words in one row of a table are near to each other."""
    kinds: Floats
    lengths: Floats

    def end_scores(self, question: int, start: int) -> Floats:
        """Return the score of each word from the start on to be the value's last."""
        ends = self.ends[start : start + len(self.lengths)]
        query = self.to_end[question] + self.of_start[start]
        scores: Floats = ends @ query / np.sqrt(len(query)) + self.lengths[: len(ends)]
        return scores


@cache
def _session() -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = _ONLY_ERRORS
    return onnxruntime.InferenceSession(str(_FILE), options, providers=["CPUExecutionProvider"])


def scores_of(arrays: Arrays) -> Scores:
    inputs: dict[str, NDArray[Any]] = dict(zip(_INPUTS, arrays, strict=True))
    inputs["mask"] = np.ones_like(arrays.pieces)
    batch = {name: value[None] for name, value in inputs.items()}
    nothing, *others, lengths = _session().run(list(Scores._fields), batch)
    return Scores._make([nothing[0, :, 0], *(one[0] for one in others), lengths])
