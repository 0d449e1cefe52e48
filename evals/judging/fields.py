"""Compares what was extracted with what is labelled, field by field, under one schema.

Rows of a list are aligned in order, so that as many cells as possible are right; each labelled value counts once,
however often it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.judging.values import Kind, Printed, kind_of, same
from evals.matching import share

_DEEPEST = 8
"""Schemas may refer to themselves; labels are not nested deeper."""
Path = tuple[str, ...]
"""The names that lead to a field. The places in lists do not count."""
Record = dict[Path, list[Any]]
"""The values of one object: of the whole result, or of one item of a list. A field may have several values, or none."""


@dataclass(frozen=True)
class Labels:
    """What is known of one document."""

    values: Mapping[str, Any]
    """The labelled values, in the shape of the schema. A field that is null is known to be absent."""
    absent: frozenset[str] = frozenset()
    """Further fields that the document does not have."""
    complete: bool = False
    """Whether every field without a label is absent too. Otherwise such fields are not judged."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """How values are compared, by dotted path. Other fields are compared by what their schema and label tell."""
    day_first: bool = True
    only_printed: bool = False
    """Whether labels of which a word is not printed are left out, because they came from elsewhere."""


@dataclass(frozen=True)
class Comparison:
    """One labelled value beside the one given for it. Either may be missing."""

    field: str
    wanted: Any
    given: Any
    right: bool
    printed: bool
    """Whether what was given stands in the document, or was to be chosen from a list."""
    known_absent: bool = False
    """Whether the document does not have the field at all."""

    @property
    def wrong(self) -> bool:
        """Given and printed, but not the value."""
        return self.given is not None and not self.right and self.printed

    @property
    def invented(self) -> bool:
        """Given, not the value, and not even printed."""
        return self.given is not None and not self.right and not self.printed


@dataclass
class Tally:
    """Counts over fields and documents: `given = right + wrong + invented`."""

    documents: int = 0
    right: int = 0
    given: int = 0
    wanted: int = 0
    wrong: int = 0
    invented: int = 0
    absent: int = 0
    absent_filled: int = 0

    def add(self, compared: Comparison) -> None:
        self.right += compared.right
        self.given += compared.given is not None
        self.wanted += compared.wanted is not None
        self.wrong += compared.wrong
        self.invented += compared.invented
        self.absent += compared.known_absent
        self.absent_filled += compared.known_absent and compared.given is not None

    def add_document(self, compared: Sequence[Comparison]) -> None:
        self.documents += 1
        for one in compared:
            self.add(one)

    @property
    def precision(self) -> float:
        return share(self.right, self.given)

    @property
    def recall(self) -> float:
        return share(self.right, self.wanted)

    @property
    def f1(self) -> float:
        return share(2 * self.right, self.given + self.wanted)


def compare(schema: Mapping[str, Any], labels: Labels, reply: Any, printed: Printed) -> list[Comparison]:
    """Compare a reply with the labels. Fields of which nothing is known are left out."""
    shape = _Shape.of(schema)
    return list(_Judge(shape, labels, printed).compare(reply))


class _Judge:
    def __init__(self, shape: _Shape, labels: Labels, printed: Printed) -> None:
        self._shape = shape
        self._labels = labels
        self._printed = printed

    def compare(self, reply: Any) -> Iterator[Comparison]:
        wanted = self._shape.records(self._labels.values, self._shape.nearest)
        given = self._shape.records(reply if isinstance(reply, dict) else {}, _as_it_is)
        (known,), (got,) = wanted[()], given[()]
        for path in self._shape.leaves:
            if self._shape.list_of(path) is None and (path in known or self._is_absent(path)):
                yield from self._field(path, known.get(path, []), got.get(path, []))
        for path in self._shape.lists:
            if path in wanted or self._is_absent(path):
                yield from self._rows(path, wanted.get(path, []), given.get(path, []))

    def _is_absent(self, path: Path) -> bool:
        absent = self._labels.absent
        return self._labels.complete or any(".".join(path[:end]) in absent for end in range(1, len(path) + 1))

    def _field(self, path: Path, wanted: Sequence[Any], given: Sequence[Any]) -> Iterator[Comparison]:
        kind = self._kind(path, wanted)
        if not wanted:
            yield from self._filled(path, kind, given)
            return
        if self._labels.only_printed:
            elsewhere = [value for value in wanted if not self._printed.may_have(value, kind)]
            given = [one for one in given if not any(self._same(value, one, kind) for value in elsewhere)]
            wanted = [value for value in wanted if value not in elsewhere]
        if wanted:
            yield from self._values(path, kind, wanted, given)

    def _filled(self, path: Path, kind: Kind, given: Sequence[Any]) -> Iterator[Comparison]:
        """Yield what was given for a field that the document does not have; once if nothing was."""
        for one in given or [None]:
            yield self._comparison(path, kind, None, one, known_absent=True)

    def _values(
        self, path: Path, kind: Kind, wanted: Sequence[Any], given: Sequence[Any]
    ) -> Iterator[Comparison]:
        """Pair equal values first; what is left over was missed, or given without being the value."""
        left = list(given)
        missed = []
        for value in wanted:
            match = next((one for one in left if self._same(value, one, kind)), None)
            if match is None:
                missed.append(value)
            else:
                left.remove(match)
                yield self._comparison(path, kind, value, match, right=True)
        for number in range(max(len(missed), len(left))):
            yield self._comparison(
                path,
                kind,
                missed[number] if number < len(missed) else None,
                left[number] if number < len(left) else None,
            )

    def _comparison(
        self,
        path: Path,
        kind: Kind,
        wanted: Any,
        given: Any,
        *,
        right: bool = False,
        known_absent: bool = False,
    ) -> Comparison:
        chosen = "enum" in self._shape.leaves[path]
        printed = given is not None and (chosen or self._printed.has(given, kind))
        return Comparison(".".join(path), wanted, given, right, printed, known_absent)

    def _rows(self, path: Path, wanted: Sequence[Record], given: Sequence[Record]) -> Iterator[Comparison]:
        columns = self._shape.columns(path)
        kinds = {
            column: self._kind(column, [value for row in wanted for value in row.get(column, [])])
            for column in columns
        }
        if not wanted:
            for column in columns:
                yield from self._filled(
                    column, kinds[column], [one for row in given for one in row.get(column, [])]
                )
            return
        equal = [[self._cells_right(want, got, kinds) for got in given] for want in wanted]
        for want_number, given_number in _aligned(equal, len(wanted), len(given)):
            want = None if want_number is None else wanted[want_number]
            got = {} if given_number is None else given[given_number]
            for column in columns:
                if want is None or column in want or self._labels.complete:
                    wants = want.get(column, []) if want else []
                    yield from self._values(column, kinds[column], wants, got.get(column, []))

    def _cells_right(self, wanted: Record, given: Record, kinds: Mapping[Path, Kind]) -> int:
        return sum(
            any(self._same(value, one, kinds[column]) for value in values for one in given.get(column, []))
            for column, values in wanted.items()
            if column in kinds
        )

    def _same(self, wanted: Any, given: Any, kind: Kind) -> bool:
        return same(wanted, given, kind, day_first=self._labels.day_first)

    def _kind(self, path: Path, wanted: Sequence[Any]) -> Kind:
        told = self._labels.kinds.get(".".join(path))
        return told or kind_of(self._shape.leaves[path], wanted[0] if wanted else "")


def _aligned(
    equal: Sequence[Sequence[int]], wanted: int, given: int
) -> Iterator[tuple[int | None, int | None]]:
    """Yield pairs of rows, in order, so that the pairs have as many equal cells as possible; others come alone."""
    best = [[0] * (given + 1) for _ in range(wanted + 1)]
    for row in range(wanted - 1, -1, -1):
        for column in range(given - 1, -1, -1):
            paired = equal[row][column] + best[row + 1][column + 1]
            best[row][column] = max(best[row + 1][column], best[row][column + 1], paired)
    row = column = 0
    while row < wanted and column < given:
        if best[row][column] == equal[row][column] + best[row + 1][column + 1]:
            yield row, column
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            yield row, None
            row += 1
        else:
            yield None, column
            column += 1
    yield from ((rest, None) for rest in range(row, wanted))
    yield from ((None, rest) for rest in range(column, given))


@dataclass(frozen=True)
class _Shape:
    """The fields of a schema: which paths are values, and which are lists of objects."""

    leaves: dict[Path, Mapping[str, Any]]
    lists: tuple[Path, ...]

    @classmethod
    def of(cls, schema: Mapping[str, Any]) -> _Shape:
        leaves: dict[Path, Mapping[str, Any]] = {}
        lists: list[Path] = []
        _walk(schema, schema, (), leaves, lists)
        return cls(leaves, tuple(lists))

    def list_of(self, path: Path) -> Path | None:
        """Return the innermost list of objects that a path is in."""
        return max((one for one in self.lists if path[: len(one)] == one), key=len, default=None)

    def columns(self, path: Path) -> list[Path]:
        return [leaf for leaf in self.leaves if self.list_of(leaf) == path]

    def records(self, data: Any, resolve: Callable[[Path], Path]) -> dict[Path, list[Record]]:
        """Return the data's values by the list that they are in; those in no list are the one record of ().

        `resolve` gives the schema's path for a path in the data.
        """
        found: dict[Path, list[Record]] = {(): [{}]}
        self._collect(data, (), found[()][0], found, resolve)
        return found

    def _collect(
        self,
        node: Any,
        path: Path,
        record: Record,
        found: dict[Path, list[Record]],
        resolve: Callable[[Path], Path],
    ) -> None:
        if isinstance(node, dict):
            for name, child in node.items():
                self._collect(child, (*path, name), record, found, resolve)
            return
        place = resolve(path)
        rows = found.setdefault(place, []) if place in self.lists else None
        values = record.setdefault(place, []) if place in self.leaves else None
        if isinstance(node, list):
            for item in node:
                inner = record
                if isinstance(item, dict) and rows is not None:
                    inner = {}
                    rows.append(inner)
                self._collect(item, path, inner, found, resolve)
        elif values is not None and node is not None and str(node).strip():
            values.append(node)

    def nearest(self, path: Path) -> Path:
        """Return the schema's path for a label's path: labels may be nested a little differently than their schema."""
        if path in self.leaves or path in self.lists:
            return path
        for end in range(len(path) - 1, 0, -1):
            if path[:end] in self.leaves:
                return path[:end]
        for start in range(1, len(path)):
            ends = [
                known for known in (*self.leaves, *self.lists) if known[start - len(path) :] == path[start:]
            ]
            if len(ends) == 1:
                return ends[0]
        ends = [known for known in self.leaves if known[-1:] == path[-1:] and known[0] == path[0]]
        return ends[0] if len(ends) == 1 else path


def _walk(
    part: Mapping[str, Any],
    root: Mapping[str, Any],
    path: Path,
    leaves: dict[Path, Mapping[str, Any]],
    lists: list[Path],
) -> None:
    if len(path) > _DEEPEST:
        return
    while "$ref" in part:
        target: Any = root
        for name in str(part["$ref"]).removeprefix("#/").split("/"):
            target = target[name]
        part = target
    choices = [choice for group in ("anyOf", "oneOf") for choice in part.get(group, ())]
    for choice in choices:
        _walk(choice, root, path, leaves, lists)
    if "properties" in part:
        for name, child in part["properties"].items():
            _walk(child, root, (*path, name), leaves, lists)
    elif "items" in part:
        before = len(leaves)
        _walk(part["items"], root, path, leaves, lists)
        if len(leaves) > before and path not in leaves and path not in lists:
            lists.append(path)
    elif not choices and path and part.get("type") not in ("null", "object"):
        leaves.setdefault(path, part)


def _as_it_is(path: Path) -> Path:
    return path
