"""Finds labelled values that the fields of a document's kind do not cover and that its like would carry too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, takewhile
from typing import Any

from docagent.builtin_model import shapes, usual
from docagent.builtin_model.concepts import Kind
from docagent.builtin_model.fields import field_of
from docagent.builtin_model.meant import dates_in
from docagent.builtin_model.reading import before_next_label, is_sentence
from docagent.builtin_model.sheet import Segment, Sheet
from docagent.reading.printed import Style, atoms_of, fold, meanings_of
from docagent.words import words

_LABELLED = re.compile(r"(?P<label>[^\W\d][^:=]{1,40}?)\s?(?::(?=\s|$)|=)\s*(?P<value>.*)")
_BOXED = re.compile(r"\d{1,2}[a-z]?[.)]\s+(?P<label>[^\W\d][^:=?]{2,40})")
"""A label in a numbered box of a form, such as `2. Registration No.`: its value stands below."""
_JOINED = re.compile(r"(?<=\b[a-z]{2})(?=[A-Z][a-z])|(?<=\b[a-z]{3})(?=[A-Z][a-z])")
"""Between a small word and the next, where recognition lost the space: `ofRegistrant`."""
_FEWEST_BOXES = 2
_LONGEST_LABEL = 4
_LONGEST_VALUE = 80
_LONGEST_NAME = 40
_FEWEST_LETTERS = 3
_NOT_OF_THE_DOCUMENT = frozenset(
    {"phone", "fax", "email", "website", "bank", "bic", "iban", "account", "street", "city", "zip", "country"}
    | {"state", "address", "print", "cash", "change", "sub", "subtotal"}
)
"""Meanings of labels for whom to reach and how to pay, and of what stands on every paper."""
_SURE = frozenset({Kind.CODE, Kind.DATE})
_CARRIERS = frozenset({"number", "date", "code", "name", "document"})
_MONEY_ONLY = re.compile(r"[^\w]*[\d.,' ]+[^\w]*(?:[A-Z]{3})?")
_DECIMALS = re.compile(r"[.,]\d{2}\b")


def labelled_fields(
    sheet: Sheet, known: usual.Properties, *, sure: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a field for each label on the first page that the known fields do not cover.

    With `sure`, only dates and numbers of things count whose label says in known words which they are.
    """
    seen = {frozenset(meanings_of(name)) for name in known}
    concepts = {field_of(name, part).key for name, part in known.items()} - {""}
    for label, value in chain(_with_colons(sheet), () if sure else _in_boxes(sheet)):
        name, meanings = name_of(label), frozenset(meanings_of(label))
        if not _is_of_the_document(label) or name in known or meanings in seen:
            continue
        part = _described(label, value, sheet.style)
        asked = field_of(name, part)
        if asked.key in concepts or (asked.kind is Kind.DATE and "format" not in part and value):
            continue
        if sure and not (asked.kind in _SURE and _says_which(label)):
            continue
        seen.add(meanings)
        yield name, part


def _with_colons(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield each label that a colon ends, and its value."""
    for segment in _first_page(sheet):
        match = _LABELLED.match(segment.text)
        if match is not None and _is_value(value := _value(sheet, segment, match["value"])):
            yield match["label"].strip(" .-"), value


def _in_boxes(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield the labels of a form's numbered boxes. One number before some words makes no form."""
    boxes = [
        match["label"].strip(" .-") for one in _first_page(sheet) if (match := _BOXED.fullmatch(one.text))
    ]
    labels = [label for label in boxes if _is_of_the_document(label)]
    return ((label, "") for label in labels if len(labels) >= _FEWEST_BOXES)


def _first_page(sheet: Sheet) -> Iterator[Segment]:
    return takewhile(lambda segment: segment.page == 0, sheet.segments)


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


def _says_which(label: str) -> bool:
    atoms = atoms_of(label)
    meanings = {atom.meaning for atom in atoms}
    return (
        all(atom.is_known for atom in atoms) and bool(meanings - _CARRIERS) and "registration" not in meanings
    )


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


def _value(sheet: Sheet, segment: Segment, inline: str) -> str:
    if inline.strip():
        return before_next_label(inline).strip()
    right = sheet.after(segment)
    return right[0].text.strip() if right and not right[0].text.endswith(":") else ""


def _described(label: str, value: str, style: Style) -> dict[str, Any]:
    title = label[:1].upper() + label[1:]
    if dates_in(value, style):
        return usual.day(f"Labelled {title}")
    if _MONEY_ONLY.fullmatch(value) and _DECIMALS.search(value):
        return usual.number(f"Labelled {title}, as a plain number")
    return usual.text(f"Labelled {title}")


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def typed_columns(columns: Iterable[tuple[str, list[str]]]) -> usual.Properties:
    """Return a field for each column by its heading and cells; none if a heading has no words."""
    typed: usual.Properties = {}
    for heading, cells in columns:
        name = name_of(heading)
        if not name or _has_digit(heading) or name in typed:
            return {}
        filled = [cell for cell in cells if cell.strip()]
        numeric = filled and all(_MONEY_ONLY.fullmatch(cell.strip()) for cell in filled)
        make = usual.number if numeric else usual.text
        typed[name] = make(f"Column {heading}")
    return typed
