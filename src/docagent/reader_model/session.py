"""Runs the network, on one core: words and questions become vectors once, and meet in a small second part."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from docagent.reader_model.features import Arrays

_FOLDER = Path(__file__).parent / "data"
_THREADS = 1
_ONLY_ERRORS = 3
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
def _session(name: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = _ONLY_ERRORS
    return onnxruntime.InferenceSession(str(_FOLDER / name), options, providers=["CPUExecutionProvider"])


def vectors_of(arrays: Arrays) -> Floats:
    """Return a vector for the mark and for each word behind it."""
    inputs = {"pieces": arrays.pieces[None], "cases": arrays.cases[None], "places": arrays.places[None]}
    vectors: Floats = _session("words.onnx").run(["vectors"], inputs)[0][0]
    return vectors


def scores_of(words: Floats, questions: Floats) -> Scores:
    """Return what the words of a window answer to questions, one vector each."""
    inputs = {"words": words[None], "questions": questions[None]}
    nothing, *others, lengths = _session("answers.onnx").run(list(Scores._fields), inputs)
    return Scores._make([nothing[0, :, 0], *(one[0] for one in others), lengths])
