"""Check marks and what they mean: fields that say yes or no, and fields with choices, are filled from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from docagent.builtin_model.asked.fields import Field
from docagent.domain.documents.text import UNCHECKED, Line, Page, Word, mark_state
from docagent.reading.printed import answer_of, meanings_of, squeezed

_CLEARLY_NEARER = 0.6
_LONGEST_GAP = 3.0
"""A label ends at a gap of this many line heights."""
_LONGEST_LABEL = 14
_LINES_ABOVE = 3.0
_LEAST_NAMED = 0.6
"""The share of a field's words that a mark's label must have."""
_SMALL = frozenset(
    {"is", "has", "have", "are", "was", "do", "does", "did", "if", "or", "any", "checked", "selected"}
)
_EMPTY_PARENTHESES = "( )"
_PARENTHESES = ("(x)", _EMPTY_PARENTHESES)


@dataclass(frozen=True, slots=True)
class Mark:
    """A check mark, the words beside or above it, and the words of what is asked before it or above."""

    checked: bool
    label: str
    question: str

    @property
    def answer(self) -> bool | None:
        """What the mark's label says if it is only yes or no."""
        return answer_of(self.label)


def marks_of(pages: Sequence[Page]) -> tuple[Mark, ...]:
    """Return the check marks of the pages that have a label."""
    return tuple(mark for page in pages for mark in _marks_on(page) if mark.label)


def flag(marks: Sequence[Mark], field: Field) -> bool | None:
    """Return what the mark for the field says, or None if no mark or more than one kind of answer is for it."""
    wanted = _words(field.name) or _words(str(field.schema.get("title") or ""))
    found = []
    for mark in marks:
        answer = mark.answer
        if answer is None:
            found.append((_agreement(wanted, mark.label), mark.checked))
        elif mark.checked:
            found.append((_agreement(wanted, mark.question), answer))
    best = max((agreement for agreement, _ in found), default=0.0)
    states = {state for agreement, state in found if agreement == best}
    return states.pop() if best >= _LEAST_NAMED and len(states) == 1 else None


def chosen_marks(
    marks: Sequence[Mark], choices: Sequence[object], field: Field | None = None
) -> list[Any] | None:
    """Return the choices whose boxes are checked; None unless two of them have boxes of one question."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    for mark in marks:
        choice = _choice_named(mark.label, choices)
        if choice is not None:
            groups.setdefault(mark.question, []).append((choice, mark.checked))
    asked = [question for question, group in groups.items() if len({choice for choice, _ in group}) > 1]
    if len(asked) > 1 and field is not None:
        wanted = _words(field.name)
        asked = [question for question in asked if _agreement(wanted, question) >= _LEAST_NAMED]
    whole = [groups[question] for question in asked]
    if not whole and len(groups) > 1:
        whole = [[pair for group in groups.values() for pair in group]]
    if len(whole) != 1 or len({choice for choice, _ in whole[0]}) < 2:
        return None
    return list(dict.fromkeys(choice for choice, checked in whole[0] if checked))


def _choice_named(label: str, choices: Sequence[object]) -> str | None:
    """Return the choice that the label is, or the longest one that it begins with."""
    letters = squeezed(label)
    fitting = [
        choice
        for choice in choices
        if isinstance(choice, str) and squeezed(choice) and letters.startswith(squeezed(choice))
    ]
    return max(fitting, key=len, default=None)


def _words(text: str) -> frozenset[str]:
    """Return the meanings, with U.S. as one word."""
    return frozenset((*meanings_of(text), *meanings_of(text.replace(".", "")))) - _SMALL


def _agreement(wanted: frozenset[str], text: str) -> float:
    """Return the share of the wanted words in the text, a little less if the text has many others."""
    there = _words(text)
    shared = len(wanted & there)
    return shared / len(wanted) - 0.01 * min(20, len(there) - shared) if wanted and shared else 0.0


def _marks_on(page: Page) -> Iterator[Mark]:
    lines = [line for line in page.lines if line.words]
    usual = median([line.box.height for line in lines]) if lines else 0.0
    asked = ""
    for number, line in enumerate(lines):
        line = _with_boxes_joined(line)
        empty = any(word.text == _EMPTY_PARENTHESES for word in line.words)
        states = [mark_state(word.text) if empty else _state(word) for word in line.words]
        places = [place for place, state in enumerate(states) if state is not None]
        if not places:
            asked = line.text
            continue
        before = [word.text for word in line.words[: places[0]]]
        on_left = _labels_on_left(page, line, places)
        question = asked if on_left or not before else " ".join(before)
        for place in places:
            label = _beside(page, line, place, on_left=on_left) or _above(
                lines[:number], line.words[place], usual
            )
            yield Mark(bool(states[place]), label, question)


def _with_boxes_joined(line: Line) -> Line:
    """Return the line with an empty box as one word where its two brackets are words of their own."""
    words: list[Word] = []
    for word in line.words:
        box = f"{words[-1].text} {word.text}" if words else ""
        if box in (_EMPTY_PARENTHESES, UNCHECKED):
            words[-1] = replace(word, text=box, box=words[-1].box.union(word.box))
        else:
            words.append(word)
    return Line(tuple(words)) if len(words) < len(line.words) else line


def _state(word: Word) -> bool | None:
    """Return the state of a check mark. Parentheses are mostly the letters of a list, (x), (y), unless the line has
    empty ones too.
    """
    return None if word.text.lower() in _PARENTHESES else mark_state(word.text)


def _labels_on_left(page: Page, line: Line, places: list[int]) -> bool:
    """Return whether the labels of a line stand before its marks: nearer to them, or before the first and not after
    the last.
    """
    words = line.words
    nearer_left = nearer_right = 0
    for place in places:
        before = words[place].box.left - words[place - 1].box.right if place else 1.0
        after = words[place + 1].box.left - words[place].box.right if place + 1 < len(words) else 1.0
        step = 0.25 * words[place].box.height * page.height / page.width
        nearer_left += before + step < _CLEARLY_NEARER * after
        nearer_right += after + step < _CLEARLY_NEARER * before
    if nearer_left != nearer_right:
        return nearer_left > nearer_right
    return places[0] > 0 and places[-1] == len(words) - 1


def _beside(page: Page, line: Line, place: int, *, on_left: bool) -> str:
    """Return the words next to a mark up to the next mark or a wide gap."""
    words = line.words
    step = -1 if on_left else 1
    edge = words[place].box
    widest = _LONGEST_GAP * edge.height * page.height / page.width
    label: list[str] = []
    for number in range(place + step, -1 if on_left else len(words), step):
        word = words[number]
        gap = edge.left - word.box.right if on_left else word.box.left - edge.right
        if mark_state(word.text) is not None or gap > widest or len(label) == _LONGEST_LABEL:
            break
        label.append(word.text)
        edge = word.box
    return " ".join(reversed(label) if on_left else label)


def _above(lines: Sequence[Line], mark: Word, usual: float) -> str:
    """Return the words of the lines right above a mark that has no words beside it."""
    reach = 3 * mark.box.width
    words = [
        word
        for line in lines
        for word in line.words
        if 0 <= mark.box.top - word.box.bottom + 0.5 * usual <= _LINES_ABOVE * usual
        and word.box.left < mark.box.right + reach
        and word.box.right > mark.box.left - reach
    ]
    return " ".join(word.text for word in words[-_LONGEST_LABEL:])
