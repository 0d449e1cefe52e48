"""Grounds a whole result, as a tree of the same shape as the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from docagent.domain.field_path import FieldPath
from docagent.evidence.grounding.find import Candidate
from docagent.evidence.grounding.index import DocumentIndex
from docagent.evidence.grounding.labels import KnownLabels
from docagent.evidence.grounding.locating import Locator, Option, Question, question_of
from docagent.evidence.grounding.model import Grounding, GroundingTree
from docagent.evidence.grounding.normal import tokens, words_of_name
from docagent.evidence.grounding.pointing import PointedWord, numbers_at
from docagent.evidence.grounding.rows import Row, RowFinder

Path = tuple[str | int, ...]

_IN_ROW = 1.5
_BESIDE_ROW = 1.1
_SAME_ROW = 0.6
_ROW_REACH = 6.0
_OTHER_ROW = 0.6
_IN_COLUMN = 0.4
_IN_NAMELESS_COLUMN = 0.2
_COLUMN_REACH = 0.12
_NEXT_IN_LINE = 0.5
_TAKEN = 1.0
_INSIDE_ANOTHER = 0.3
_NEIGHBOUR = 0.2
_NEIGHBOUR_REACH = 0.12


def ground_tree(
    index: DocumentIndex,
    data: Any,
    schema: Mapping[str, Any] | None = None,
    pointed: Mapping[FieldPath, Sequence[PointedWord]] | None = None,
) -> GroundingTree:
    """Return a grounding in the place of every value of the data; None for null and blank text.

    `pointed` has, by path, the words that a person pointed at. They prove the value if they say it.
    """
    return _Grounder(index, pointed or {}).ground(data, (), schema or {}, _Setting())


@dataclass(slots=True)
class _Setting:
    """What is known about the surroundings of the values to be found."""

    row: Row | None = None
    other_rows: tuple[Row, ...] = ()
    taken: set[int] = field(default_factory=set)
    columns: dict[Path, float] = field(default_factory=dict)
    in_list: bool = False
    depth: int = 0


class _Grounder:
    def __init__(self, index: DocumentIndex, pointed: Mapping[FieldPath, Sequence[PointedWord]]) -> None:
        self._index = index
        self._locator = Locator(index)
        self._labels = KnownLabels()
        self._pointed = numbers_at(index, pointed)
        self._row_finder: RowFinder | None = None

    def ground(self, node: Any, path: Path, schema: Mapping[str, Any], setting: _Setting) -> GroundingTree:
        if isinstance(node, dict):
            return self._object(node, path, schema, setting)
        if isinstance(node, list):
            if any(isinstance(item, (dict, list)) for item in node):
                return self._rows(node, path, schema, setting)
            return self._sequence(node, path, schema, setting)
        question = question_of(node, path, schema, known=self._labels)
        return None if question is None else self._answer(path, question)[0]

    def _answer(
        self,
        path: Path,
        question: Question,
        extra: Callable[[Option], float] | None = None,
        near: Callable[[Candidate], bool] | None = None,
    ) -> tuple[Grounding, Option | None]:
        words = self._pointed.get(path)
        found = self._locator.answer_within(question, words) if words else None
        return found or self._locator.answer(question, extra, near=near)

    def _object(
        self, node: dict[str, Any], path: Path, schema: Mapping[str, Any], setting: _Setting
    ) -> GroundingTree:
        """Ground long values first: a word inside an address is hardly another value."""
        tree: dict[str, GroundingTree] = dict.fromkeys(node)
        shared = Counter(word for name in node for word in set(words_of_name(name)))
        chosen: list[Option] = []
        for name in sorted(node, key=lambda name: _order_of_search(node[name])):
            below = _property(schema, name)
            value = node[name]
            if isinstance(value, (dict, list)):
                inner = setting if setting.row else _Setting(depth=setting.depth + 1)
                tree[name] = self.ground(value, (*path, name), below, inner)
                continue
            question = question_of(value, (*path, name), below, shared=shared, known=self._labels)
            if question is None:
                continue
            extra = self._extra((*path, name), setting, chosen)
            tree[name], option = self._answer((*path, name), question, extra, self._near(setting))
            if option is not None:
                chosen.append(option)
                if setting.in_list:
                    setting.taken.update(option.words)
        return tree

    def _extra(self, path: Path, setting: _Setting, chosen: Sequence[Option]) -> Callable[[Option], float]:
        column = setting.columns.get(_column_of(path))

        def extra(option: Option) -> float:
            worth = 0.0
            if setting.row is not None:
                worth += self._row_worth(option, setting)
                if column is not None:
                    trust = _IN_COLUMN if isinstance(path[-1], str) else _IN_NAMELESS_COLUMN
                    worth += trust * max(0.0, 1 - abs(self._across(option) - column) / _COLUMN_REACH)
            if setting.taken and setting.taken.intersection(option.words):
                worth -= _TAKEN
            if chosen and setting.depth and not setting.row:
                worth += _NEIGHBOUR * max(self._nearness(option, other) for other in chosen)
            if any(
                len(other.words) > len(option.words) and set(option.words) <= set(other.words)
                for other in chosen
            ):
                worth -= _INSIDE_ANOTHER
            return worth

        return extra

    def _near(self, setting: _Setting) -> Callable[[Candidate], bool] | None:
        row = setting.row
        if row is None:
            return None
        return lambda candidate: self._is_within(candidate, row, _ROW_REACH)

    def _is_within(self, place: Candidate | Option, row: Row, line_heights: float) -> bool:
        page, middle = self._middle(place)
        return page == row.page and abs(middle - row.middle) <= line_heights * row.height

    def _row_worth(self, option: Option, setting: _Setting) -> float:
        row = setting.row
        assert row is not None
        page, middle = self._middle(option)
        if page != row.page:
            return 0.0
        away = abs(middle - row.middle)
        beyond = away / row.height - _SAME_ROW
        worth = _IN_ROW if beyond <= 0 else _BESIDE_ROW * max(0.0, 1 - beyond / _ROW_REACH)
        if any(other.page == page and abs(middle - other.middle) < away for other in setting.other_rows):
            worth -= _OTHER_ROW
        return worth

    def _middle(self, place: Candidate | Option) -> tuple[int, float]:
        number = place.words[0]
        _, top, _, bottom = self._index.boxes[number]
        return self._index.page_of[number], (top + bottom) / 2

    def _across(self, option: Option) -> float:
        boxes = [self._index.words[number].box for number in option.words]
        return (min(box.left for box in boxes) + max(box.right for box in boxes)) / 2

    def _nearness(self, option: Option, other: Option) -> float:
        page, middle = self._middle(option)
        other_page, other_middle = self._middle(other)
        if page != other_page:
            return 0.0
        height = self._index.pages[page].height
        return max(0.0, 1 - abs(middle - other_middle) / (height * _NEIGHBOUR_REACH))

    def _rows(
        self, items: list[Any], path: Path, schema: Mapping[str, Any], setting: _Setting
    ) -> GroundingTree:
        """Ground objects or lists in a list. Each belongs to a row, in order; columns then tell equal values apart."""
        below = _items(schema)
        found = [
            [
                (leaf_path, question, self._locator.places(question))
                for leaf_path, question in _questions(item, (*path, number), below, self._labels)
                if not question.is_flag
            ]
            for number, item in enumerate(items)
        ]
        if self._row_finder is None:
            self._row_finder = RowFinder(self._index)
        rows = self._row_finder.rows_of(
            [_without_parts([options for _, _, options in leaves]) for leaves in found]
        )
        columns = self._columns(found, rows)
        taken: set[int] = set()
        tree: list[GroundingTree] = []
        for number, item in enumerate(items):
            around = rows[max(0, number - 2) : number] + rows[number + 1 : number + 3]
            others = tuple(row for row in around if row is not None)
            inner = _Setting(rows[number], others, taken, columns, in_list=True, depth=setting.depth + 1)
            tree.append(self.ground(item, (*path, number), below, inner))
        return tree

    def _columns(
        self, found: Sequence[Sequence[tuple[Path, Question, list[Option]]]], rows: Sequence[Row | None]
    ) -> dict[Path, float]:
        """Return where each column stands, judged by the rows in which a value has only one place."""
        places: dict[Path, list[float]] = {}
        for leaves, row in zip(found, rows, strict=True):
            if row is None:
                continue
            for path, _, options in leaves:
                here = [option for option in options if self._is_within(option, row, 1.0)]
                if len(here) == 1:
                    places.setdefault(_column_of(path), []).append(self._across(here[0]))
        return {path: median(across) for path, across in places.items()}

    def _sequence(
        self, values: list[Any], path: Path, schema: Mapping[str, Any], setting: _Setting
    ) -> GroundingTree:
        """Ground the values of a list: each preferably after the one before, and not on the same words."""
        below = _items(schema)
        taken = setting.taken if setting.in_list else set()
        tree: list[GroundingTree] = []
        last: int | None = None
        for number, value in enumerate(values):
            question = question_of(value, (*path, number), below, known=self._labels)
            if question is None:
                tree.append(None)
                continue
            inner = _Setting(setting.row, setting.other_rows, taken, setting.columns, in_list=True)
            extra = self._extra((*path, number), inner, ())

            def in_order(
                option: Option, extra: Callable[[Option], float] = extra, last: int | None = last
            ) -> float:
                return extra(option) + (0.0 if last is None else _NEXT_IN_LINE * self._follows(last, option))

            grounding, option = self._answer((*path, number), question, in_order, self._near(setting))
            tree.append(grounding)
            if option is not None:
                taken.update(option.words)
                last = option.words[-1]
        return tree

    def _follows(self, last: int, option: Option) -> float:
        """Return how soon the option comes after the word, 0..1."""
        index = self._index
        first = option.words[0]
        if index.page_of[first] != index.page_of[last]:
            return 0.3 if index.page_of[first] > index.page_of[last] else 0.0
        _, top, right, bottom = index.boxes[last]
        box = index.boxes[first]
        page = index.pages[index.page_of[first]]
        if abs(box[1] + box[3] - top - bottom) < bottom - top:
            return 1 - (box[0] - right) / page.width if box[0] >= right - 1 else 0.0
        return 0.8 - 0.5 * (box[1] - top) / page.height if box[1] > top else 0.0


def _order_of_search(value: Any) -> tuple[bool, int]:
    return isinstance(value, (dict, list)), -len(tokens(value)) if isinstance(value, str) else 0


def _questions(
    node: Any, path: Path, schema: Mapping[str, Any], known: KnownLabels
) -> Iterator[tuple[Path, Question]]:
    if isinstance(node, dict):
        for name, value in node.items():
            yield from _questions(value, (*path, name), _property(schema, name), known)
    elif isinstance(node, list):
        for number, value in enumerate(node):
            yield from _questions(value, (*path, number), _items(schema), known)
    else:
        question = question_of(node, path, schema, known=known)
        if question is not None:
            yield path, question


def _without_parts(leaves: list[list[Option]]) -> list[list[Option]]:
    """Leave out the options that are only a part of an option of another value in the same item."""
    longer: dict[int, list[frozenset[int]]] = {}
    for options in leaves:
        for option in options:
            if len(option.words) > 1:
                for word in option.words:
                    longer.setdefault(word, []).append(frozenset(option.words))
    return [
        [
            option
            for option in options
            if not any(set(option.words) < other for other in longer.get(option.words[0], ()))
        ]
        for options in leaves
    ]


def _column_of(path: Path) -> Path:
    """Return the column of a table that a path is in: the path without the numbers of items, except at its end."""
    last = len(path) - 1
    return tuple(part for place, part in enumerate(path) if isinstance(part, str) or place == last)


def _property(schema: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = (schema.get("properties") or {}).get(name)
    return found if isinstance(found, Mapping) else {}


def _items(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = schema.get("items")
    return found if isinstance(found, Mapping) else {}
