"""The built-in model: rules over the words and boxes of a document. Offline, deterministic, without weights."""

from docagent.builtin_model.agent.control import respond
from docagent.builtin_model.describing import describe, with_description
from docagent.builtin_model.filling import fill
from docagent.builtin_model.fitting import Fit, fit, fits
from docagent.builtin_model.limits import unread_note
from docagent.builtin_model.propose import propose_schema

__all__ = [
    "Fit",
    "describe",
    "fill",
    "fit",
    "fits",
    "propose_schema",
    "respond",
    "unread_note",
    "with_description",
]
