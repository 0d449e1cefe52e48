"""The built-in model: rules over the words and boxes of a document, and a small network. Offline, deterministic.

Its parts are loaded when the first of them is used: its words and patterns take long to read in, and a server with
another model may never ask it. So use it as `builtin_model.fill(...)`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from docagent.builtin_model.agent.control import respond as respond
    from docagent.builtin_model.asked.fields import field_of as field_of
    from docagent.builtin_model.filling import evidence_of as evidence_of
    from docagent.builtin_model.filling import fill as fill
    from docagent.builtin_model.filling import fill_heard as fill_heard
    from docagent.builtin_model.learning.layouts import bands_of as bands_of
    from docagent.builtin_model.learning.layouts import likeness as likeness
    from docagent.builtin_model.learning.layouts import signature_of as signature_of
    from docagent.builtin_model.learning.memory import Memory as Memory
    from docagent.builtin_model.learning.recalling import Recalled as Recalled
    from docagent.builtin_model.learning.recalling import fill_from_memory as fill_from_memory
    from docagent.builtin_model.learning.recalling import recall as recall
    from docagent.builtin_model.learning.recalling import votes_of as votes_of
    from docagent.builtin_model.learning.remembering import Placed as Placed
    from docagent.builtin_model.learning.remembering import remember as remember
    from docagent.builtin_model.learning.sameness import is_same as is_same
    from docagent.builtin_model.limits import network_note as network_note
    from docagent.builtin_model.limits import unread_note as unread_note
    from docagent.builtin_model.pointed import Pointed as Pointed
    from docagent.builtin_model.pointed import read_pointed as read_pointed
    from docagent.builtin_model.pointed import words_in as words_in
    from docagent.builtin_model.pointed_rows import read_rows as read_rows
    from docagent.builtin_model.proposals.describing import describe as describe
    from docagent.builtin_model.proposals.describing import with_description as with_description
    from docagent.builtin_model.proposals.fitting import Fit as Fit
    from docagent.builtin_model.proposals.fitting import fit as fit
    from docagent.builtin_model.proposals.fitting import fits as fits
    from docagent.builtin_model.proposals.fitting import shared as shared
    from docagent.builtin_model.proposals.propose import propose_schema as propose_schema

_PARTS = {
    "agent.control": "respond",
    "asked.fields": "field_of",
    "filling": "evidence_of fill fill_heard",
    "learning.layouts": "bands_of likeness signature_of",
    "learning.memory": "Memory",
    "learning.recalling": "Recalled fill_from_memory recall votes_of",
    "learning.remembering": "Placed remember",
    "learning.sameness": "is_same",
    "limits": "network_note unread_note",
    "pointed": "Pointed read_pointed words_in",
    "pointed_rows": "read_rows",
    "proposals.describing": "describe with_description",
    "proposals.fitting": "Fit fit fits shared",
    "proposals.propose": "propose_schema",
}
"""The names that each module gives."""
_MODULES = {name: module for module, names in _PARTS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
