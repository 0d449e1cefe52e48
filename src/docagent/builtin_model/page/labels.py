"""Finds where a field's labels are printed, and how surely each is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from docagent.builtin_model.asked.concepts import Kind, Meanings
from docagent.builtin_model.asked.fields import Field
from docagent.builtin_model.page.kinds import document_kind
from docagent.builtin_model.page.shapes import has_hard_legal_form
from docagent.builtin_model.page.sheet import Segment, Sheet
from docagent.reading.printed import Atom

_OTHER_MEANING = 0.4
"""The factor if a known word beside the label changes its meaning, as in `Alt Order #`."""
_UNKNOWN_WORD = 0.8
_NUMBER = 0.95
_IN_PROSE = 0.45
_OF_ANOTHER = 0.7
"""The factor for the number of another paper where the document's own is wanted."""
_PAPERS = frozenset({"contract", "invoice", "receipt", "order", "quote", "credit"})
_IN_VALUES = frozenset({"company", "bank", "service", "product", "description", "to", "from"})
_LONG = 9
_MARKS = ":.#-/()&|°\u00ba\u2013* "


@dataclass(frozen=True, slots=True)
class Label:
    """A label on the page: characters `start` to `end` of a segment. The value begins after `end`."""

    segment: Segment
    start: int
    end: int
    strength: float
    meanings: Meanings

    def overlaps(self, other: Label) -> bool:
        return self.segment is other.segment and self.start < other.end and other.start < self.end

    @property
    def rest(self) -> str:
        """The text after the label."""
        return self.segment.text[self.end :]


def find_labels(sheet: Sheet, field: Field) -> Iterator[Label]:
    """Yield every place where a label of the field is printed."""
    wanted = {meaning for meanings in field.labels for meaning in meanings}
    others = _other_papers(sheet) if field.key == "document_number" else frozenset[str]()
    for segment in sheet.with_meanings(wanted):
        for label in labels_in(segment, field):
            if field.kind in (Kind.NAME, Kind.TEXT) and _is_part_of_firm(label):
                continue
            yield replace(label, strength=label.strength * _OF_ANOTHER) if label.meanings & others else label


def _other_papers(sheet: Sheet) -> Meanings:
    """Return the kinds of papers that this one may name beside itself: on a contract, the estimate that it follows."""
    kind = document_kind(sheet)
    return _PAPERS - set(kind.split()) if kind and not _PAPERS.isdisjoint(kind.split()) else frozenset()


def _is_part_of_firm(label: Label) -> bool:
    """Return whether the label is part of a firm's name, as in `Supplier GmbH`, and not before one, as in
    `Supplier: ACME GmbH`.
    """
    rest = label.rest
    is_marked = label.segment.text[label.end - 1] in ":=" or ":" in rest[:2]
    return not is_marked and len(rest.split()) <= 2 and has_hard_legal_form(rest)


def labels_in(segment: Segment, field: Field, *, heading: bool = False) -> Iterator[Label]:
    """Yield the most telling label at each place of a segment. In a heading, words beside it are other labels."""
    atoms = segment.atoms
    taken: set[int] = set()
    found = []
    for meanings, weight in field.labels.items():
        for first, last in _windows(atoms, meanings):
            if heading:
                start, end, factor = atoms[first].start, atoms[last].end, 1.0
            else:
                start, end, factor = _extent(segment, atoms, first, last, meanings | field.harmless)
            found.append((first, last, Label(segment, start, end, weight * factor, meanings)))
    found.sort(key=lambda item: (-item[2].strength, -len(item[2].meanings), item[0]))
    for first, last, label in found:
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            yield label


def _windows(atoms: list[Atom], meanings: Meanings) -> Iterator[tuple[int, int]]:
    size = len(meanings)
    for first in range(len(atoms)):
        if atoms[first].meaning not in meanings:
            continue
        seen: set[str] = set()
        for last in range(first, min(first + size + 1, len(atoms))):
            if atoms[last].meaning not in meanings:
                break
            seen.add(atoms[last].meaning)
            if len(seen) == size:
                while last + 1 < len(atoms) and atoms[last + 1].meaning == atoms[last].meaning:
                    last += 1
                yield first, last
                break


def _extent(
    segment: Segment, atoms: list[Atom], first: int, last: int, harmless: Meanings
) -> tuple[int, int, float]:
    """Return where the whole label begins and ends, and how its other words change its strength."""
    text = segment.text
    factor = 1.0
    before = first
    while before > 0 and _touches(text, atoms[before - 1], atoms[before], before=True):
        before -= 1
        factor *= _effect(atoms[before], harmless)
    after = last
    colon = max(text.find(":", atoms[last].end), text.find("=", atoms[last].end))
    while after + 1 < len(atoms) and _touches(text, atoms[after], atoms[after + 1], before=False):
        following = atoms[after + 1]
        inside = colon >= 0 and following.start < colon and following.start - atoms[last].end < 24
        joined = text[atoms[after].end : following.start].strip(".") in ("-", "/")
        if not (inside or joined) and (not following.is_known or _is_value_word(text, following)):
            break
        after += 1
        factor *= _effect(following, harmless)
    others = sum(atom.meaning.isalpha() for atom in (*atoms[:before], *atoms[after + 1 :]))
    if others > _LONG and (colon < 0 or colon > atoms[after].end + 2):
        factor *= _IN_PROSE
    end = _past_small_words(text, atoms, after)
    possessive = text[end : end + 2].lower() in ("'s", "\u2019s")
    return atoms[before].start, end, factor * (_OTHER_MEANING if possessive else 1.0)


def _past_small_words(text: str, atoms: list[Atom], last: int) -> int:
    """Return the end of the label: after its colon if only small words stand before that, as in `Sold by:`."""
    end = atoms[last].end
    marks = [place for place in (text.find(":", end), text.find("=", end)) if place >= 0]
    following = atoms[last + 1].start if last + 1 < len(atoms) else len(text)
    return min(marks) + 1 if marks and min(marks) < following else end


def _touches(text: str, left: Atom, right: Atom, *, before: bool) -> bool:
    """Return whether nothing separates the two words: no colon, no comma, and no value."""
    between = text[left.end : right.start]
    if any(mark in between for mark in ":;,|=]"):
        return False
    return not (before and any(character.isdigit() for character in left.meaning) and len(left.meaning) > 3)


def _is_value_word(text: str, atom: Atom) -> bool:
    """Return whether a known word after the label begins the value, as words of a firm's name do.

    A word right before a colon still belongs to the label.
    """
    return atom.meaning in _IN_VALUES and not text[atom.end :].lstrip().startswith(":")


def _effect(atom: Atom, harmless: Meanings) -> float:
    if atom.meaning in harmless:
        return 1.0
    if atom.meaning.isdigit():
        return _NUMBER
    return _OTHER_MEANING if atom.is_known else _UNKNOWN_WORD
