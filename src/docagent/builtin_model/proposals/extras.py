"""Finds labelled values that the fields of a document's kind do not cover and that its like would carry too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from docagent.builtin_model.asked.concepts import Kind
from docagent.builtin_model.asked.fields import field_of
from docagent.builtin_model.page import shapes
from docagent.builtin_model.page.meant import dates_in
from docagent.builtin_model.page.pairs import Headed, Pair, find_pairs
from docagent.builtin_model.page.reading import is_sentence
from docagent.builtin_model.page.sheet import Sheet
from docagent.builtin_model.proposals import usual
from docagent.builtin_model.values.captioned import BOTH_LANGUAGES, LABELLED
from docagent.reading.printed import atoms_of, fold, meanings_of
from docagent.words import words

_BOXED = re.compile(r"\d{1,2}[a-z]?[.)]\s+(?P<label>[^\W\d][^:=?]{2,40})")
"""A label in a numbered box of a form, such as `2. Registration No.`: its value stands below."""
_JOINED = re.compile(r"(?<=\b[a-z]{2})(?=[A-Z][a-z])|(?<=\b[a-z]{3})(?=[A-Z][a-z])")
"""Between a small word and the next, where recognition lost the space: `ofRegistrant`."""
_LONGEST_LABEL = 4
_LONGEST_VALUE = 80
_LONGEST_NAME = 40
_FEWEST_LETTERS = 3
_NOT_OF_THE_DOCUMENT = frozenset(
    {"phone", "fax", "email", "website", "bank", "bic", "iban", "account", "street", "city", "zip", "country"}
    | {"state", "address", "print", "cash", "change", "sub", "subtotal"}
)
"""Meanings of labels for whom to reach and how to pay, and of what stands on every paper."""


def labelled_fields(sheet: Sheet, known: usual.Properties) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a field for each caption with a value that the known fields do not cover."""
    seen = {frozenset(meanings_of(name)) for name in known}
    concepts = {field_of(name, part).key for name, part in known.items()} - {""}
    for pair in find_pairs(sheet):
        label, value = pair.caption.partition(BOTH_LANGUAGES)[0].strip(" .-"), pair.value
        name, meanings = name_of(label), frozenset(meanings_of(label))
        if not name or name in known or meanings in seen or not _is_of_the_document(label):
            continue
        if not _is_value(value):
            continue
        part = _described(label, pair)
        if field_of(name, part).key in concepts:
            continue
        seen.add(meanings)
        yield name, part


def name_of(label: str) -> str:
    """Return the label as a field's name: in English if every word of it is known, so that makers agree."""
    label = _JOINED.sub(" ", label)
    atoms = atoms_of(label)
    if atoms and all(atom.is_known for atom in atoms):
        return "_".join(dict.fromkeys(atom.meaning for atom in atoms))
    return "_".join(re.findall(r"[a-z0-9]+", fold(label)))[:_LONGEST_NAME].strip("_")


def _is_of_the_document(label: str) -> bool:
    parts = re.findall(r"[a-z]+", fold(label))
    return (
        1 <= len(label.split()) <= _LONGEST_LABEL
        and sum(map(len, parts)) >= _FEWEST_LETTERS
        and not any(character.isdigit() for character in label)
        and not _folded("furniture") & set(parts)
        and not _NOT_OF_THE_DOCUMENT & set(meanings_of(label))
        and not is_sentence(label)
        and not shapes.is_address_line(label)
    )


@cache
def _folded(key: str) -> frozenset[str]:
    """Return words that stand on papers of every kind, such as `furniture`: letterheads, pages, tills, clauses."""
    return frozenset(map(fold, words("papers")[key]))


def _is_value(value: str) -> bool:
    return (
        0 < len(value) <= _LONGEST_VALUE
        and fold(value) not in _folded("nothing")
        and not is_sentence(value)
        and not shapes.EMAIL.search(value)
        and not shapes.URL.search(value)
        and any(map(str.isalnum, value))
    )


def is_text_of_form(value: str) -> bool:
    """Return whether a text is printed on the empty form: the next box's label, or a sentence."""
    return is_sentence(value) or _BOXED.fullmatch(value) is not None


def _described(label: str, pair: Pair) -> dict[str, Any]:
    look = pair.at.look
    if look == "date" and len(dates_in(pair.value, pair.at.segment.style)) > 1:
        look = ""
    return _typed(f"{LABELLED}{label[:1].upper()}{label[1:]}", {look})


def _typed(described: str, looks: set[str]) -> dict[str, Any]:
    if looks == {"date"}:
        return usual.day(described)
    if "amount" in looks and looks <= {"amount", "count"}:
        return usual.number(f"{described}, as a plain number")
    return usual.text(described)


def typed_columns(table: Headed) -> usual.Properties:
    """Return a field for each column by its caption and cells; none if one has no name of its own."""
    typed: usual.Properties = {}
    for place, head in enumerate(table.heads):
        caption = head.text.partition(BOTH_LANGUAGES)[0]
        name = name_of(caption)
        if not name or name in typed:
            return {}
        looks = {row[place].look for row in table.body if len(row) == len(table.heads)}
        if looks == {"count"} and field_of(name, {"type": "string"}, in_row=True).kind is not Kind.CODE:
            looks = {"amount"}
        typed[name] = _typed(f"Column {caption}", looks)
    return typed
