"""The zoo's documents by number, and their labels as the judge takes them."""

from __future__ import annotations

from evals.judging import Kind, Labels
from evals.zoo import KINDS, LANGUAGES, Asked, Half, MadeDocument, make

_KINDS = {kind: Kind(kind) for kind in ("amount", "date", "code", "name")}


def document_of(number: int, half: Half) -> MadeDocument:
    return make(number, half, KINDS[number % len(KINDS)], LANGUAGES[number % len(LANGUAGES)])


def labels_of(document: MadeDocument) -> Labels:
    kinds: dict[str, Kind] = {}
    for asked in document.asked:
        kinds[asked.name] = _kind(asked)
        kinds |= {f"{asked.name}.{column.name}": _kind(column) for column in asked.columns}
    return Labels(document.values, kinds=kinds, day_first=document.day_first)


def _kind(asked: Asked) -> Kind:
    return _KINDS.get(asked.kind, Kind.NAME)
