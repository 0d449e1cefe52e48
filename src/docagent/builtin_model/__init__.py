"""The built-in model: rules over the words and boxes of a document. Offline, deterministic, without weights.

Its parts are loaded when the first of them is used: its words and patterns take long to read in, and a server with
another model may never ask it. So use it as `builtin_model.fill(...)`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_MODULES = {
    "Fit": "fitting",
    "describe": "describing",
    "fill": "filling",
    "fit": "fitting",
    "fits": "fitting",
    "propose_schema": "propose",
    "respond": "agent.control",
    "unread_note": "limits",
    "with_description": "describing",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
