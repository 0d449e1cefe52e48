"""The built-in model: rules over the words and boxes of a document, and a small network. Offline, deterministic.

Its parts are loaded when the first of them is used: its words and patterns take long to read in, and a server with
another model may never ask it. So use it as `builtin_model.fill(...)`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docagent.builtin_model.agent.control import respond
    from docagent.builtin_model.asked.fields import field_of
    from docagent.builtin_model.filling import evidence_of, fill, fill_heard
    from docagent.builtin_model.learning import (
        Memory,
        Placed,
        Recalled,
        bands_of,
        fill_from_memory,
        is_same,
        likeness,
        recall,
        remember,
        signature_of,
        votes_of,
    )
    from docagent.builtin_model.limits import network_note, unread_note
    from docagent.builtin_model.pointed import Pointed, field_schema, read_pointed, words_in
    from docagent.builtin_model.pointed_rows import read_rows
    from docagent.builtin_model.proposals.describing import describe, with_description
    from docagent.builtin_model.proposals.fitting import Fit, fit, fits
    from docagent.builtin_model.proposals.propose import propose_schema

__all__ = [
    "Fit",
    "Memory",
    "Placed",
    "Pointed",
    "Recalled",
    "bands_of",
    "describe",
    "evidence_of",
    "field_of",
    "field_schema",
    "fill",
    "fill_from_memory",
    "fill_heard",
    "fit",
    "fits",
    "is_same",
    "likeness",
    "network_note",
    "propose_schema",
    "read_pointed",
    "read_rows",
    "recall",
    "remember",
    "respond",
    "signature_of",
    "unread_note",
    "votes_of",
    "with_description",
    "words_in",
]

_MODULES = {
    "Memory": "learning",
    "Placed": "learning",
    "Recalled": "learning",
    "bands_of": "learning",
    "fill_from_memory": "learning",
    "is_same": "learning",
    "likeness": "learning",
    "recall": "learning",
    "remember": "learning",
    "signature_of": "learning",
    "votes_of": "learning",
    "Fit": "proposals.fitting",
    "describe": "proposals.describing",
    "field_of": "asked.fields",
    "evidence_of": "filling",
    "fill": "filling",
    "fill_heard": "filling",
    "fit": "proposals.fitting",
    "fits": "proposals.fitting",
    "network_note": "limits",
    "Pointed": "pointed",
    "field_schema": "pointed",
    "propose_schema": "proposals.propose",
    "read_pointed": "pointed",
    "read_rows": "pointed_rows",
    "words_in": "pointed",
    "respond": "agent.control",
    "unread_note": "limits",
    "with_description": "proposals.describing",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
