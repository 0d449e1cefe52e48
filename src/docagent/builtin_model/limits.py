"""Says in one sentence what the built-in model cannot read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docagent import reader_model
from docagent.builtin_model.page.sheet import sheet_of
from docagent.builtin_model.proposals.sorts import sort_of
from docagent.domain.documents.text import Page

_FEW = 0.25
_FIRST_PAGES = 3


def unread_note(pages: Sequence[Page], data: Mapping[str, Any]) -> str | None:
    """Return why most fields stayed empty, or None if enough were filled."""
    leaves = list(_leaves(data))
    filled = sum(value is not None and value != "" for value in leaves)
    if not leaves or filled > _FEW * len(leaves):
        return None
    sort = sort_of(sheet_of(pages[:_FIRST_PAGES]))
    kind = (
        f"seems to be a {sort} that is not written as it knows them"
        if sort
        else "is of no kind that it knows"
    )
    return (
        f"The built-in model found ground for {filled} of {len(leaves)} fields only, as this document {kind}: "
        "choose a language model to read it."
    )


def network_note() -> str | None:
    """Return that rules worked alone, if the network cannot run here."""
    if reader_model.is_available():
        return None
    return "The built-in model read this with its rules alone: its network needs onnxruntime, which is not installed."


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _leaves(inner)
    else:
        yield None if isinstance(value, list) else value
