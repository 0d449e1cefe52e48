"""Learns from verified documents how their values are found, and finds them so in documents of the same layout."""

from docagent.builtin_model.learning.layouts import bands_of, likeness, signature_of
from docagent.builtin_model.learning.memory import Memory, Trace
from docagent.builtin_model.learning.recalling import Recalled, fill_from_memory, recall, votes_of
from docagent.builtin_model.learning.remembering import Placed, remember
from docagent.builtin_model.learning.sameness import is_same

__all__ = [
    "Memory",
    "Placed",
    "Recalled",
    "Trace",
    "bands_of",
    "fill_from_memory",
    "is_same",
    "likeness",
    "recall",
    "remember",
    "signature_of",
    "votes_of",
]
