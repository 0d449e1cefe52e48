"""The address of a value: the names and positions that lead to it.

No other module takes a path's text apart or puts one together. The text is dotted (`lines.0.price`) as long as that can
be read in one way only; a path with a name such as `Total incl. VAT` is written as a JSON Pointer (RFC 6901), which
always begins with a slash. Pointers are read for every path.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any, Self

from docagent.domain.errors import InvalidInput, Kind, Noun
from docagent.domain.plain_schema import Schema, resolved

Step = str | int
Reading = tuple[Step, ...]
_Below = Callable[[Any, str], tuple[Step, Any] | None]
"""Finds what a name or position leads to in a node of data or of a schema, and whether it is a name or a position."""

_MOST_DIGITS = 9


class FieldPath(tuple[Step, ...]):
    """Names of objects as text, positions in lists as numbers. The root is the empty path."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str, data: Any = None, schema: Schema | None = None) -> Self:
        """Read a pointer or a dotted text as a path into the data or the schema.

        The parts of a dotted text are names and positions; where nothing stands there, names with dots are tried. What
        leads to nothing is read as far as it is known, so that it can name something new. Raises InvalidInput for a
        dotted text that could mean several names with dots.
        """
        trees: list[tuple[Any, _Below]] = [(data, step_into)]
        if schema is not None:
            trees.append((schema, _below_schema(schema)))
        dotted = text.split(".") if text else []
        pointed = [_unescaped(part) for part in text.split("/")[1:]] if text.startswith("/") else None
        for parts in (pointed, dotted):
            if parts is not None and (plain := _first_reading(parts, trees, joins=False)) is not None:
                return cls(plain)
        joined = {one for tree in trees for one in islice(_readings(dotted, *tree, joins=True), 2)}
        if len(joined) > 1:
            written = " or ".join(sorted(FieldPath(one).pointer for one in joined))
            raise InvalidInput(f"{text} may mean several fields. Write it as a JSON Pointer: {written}.")
        if pointed is None and not joined and not all(dotted):
            raise InvalidInput(
                "A path has the form lines.0.price: names and positions, separated by dots. Write names with "
                "dots as a JSON Pointer, such as /Total incl. VAT."
            )
        return cls(joined.pop() if joined else _known_beginning(pointed or dotted, trees, joins=not pointed))

    @classmethod
    def stored(cls, text: str, data: Any = None, schema: Schema | None = None) -> Self:
        """Read what `str` wrote, or what an earlier version wrote, which put dots between any names."""
        try:
            return cls.parse(text, data, schema)
        except InvalidInput:
            return cls(text.split("."))

    def __truediv__(self, step: Step) -> Self:
        return type(self)((*self, step))

    def __str__(self) -> str:
        names = [str(step) for step in self]
        is_plain = all(name and "." not in name for name in names) and not self.dotted.startswith("/")
        return self.dotted if is_plain else self.pointer

    @property
    def pointer(self) -> str:
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in self)

    @property
    def dotted(self) -> str:
        """The steps with dots between them, whatever is in the names: only for people, and for DocRouter's clients."""
        return ".".join(map(str, self))

    @property
    def parent(self) -> Self:
        return type(self)(self[:-1])

    @property
    def name(self) -> str:
        """The last name on the way: `price` of `lines.0.price`. The root has none."""
        return next((step for step in reversed(self) if isinstance(step, str)), "")

    @property
    def column(self) -> Self:
        """The path without positions, which all rows of a list share."""
        return type(self)(step for step in self if isinstance(step, str))

    def is_within(self, outer: Sequence[Step]) -> bool:
        """Whether this is the other path, or leads on from it."""
        return self[: len(outer)] == tuple(outer)

    def is_written(self, text: str | None) -> bool:
        """Whether a text is one of the ways to write this path."""
        return text is not None and text in (str(self), self.pointer, self.dotted)

    def get(self, data: Any) -> Any:
        """Return what stands at the path; None where there is nothing."""
        for step in self:
            found = step_into(data, str(step))
            if found is None:
                return None
            data = found[1]
        return data

    def value_in(self, data: Any) -> Any:
        """Return what stands at the path. Raises InvalidInput when there is nothing."""
        if not self or str(self[-1]) not in _names_of(self.parent.get(data)):
            raise self.unknown()
        return self.get(data)

    def set(self, data: Any, value: Any) -> Any:
        """Return a copy of the data with the value set. Nulls on the way become objects and lists.

        The position just behind a list's last item appends, a later one does not. Raises InvalidInput.
        """
        if not self:
            raise InvalidInput("The path is empty. Name the field to change.")
        changed = current = copy.deepcopy(data)
        for step, following in pairwise(self):
            current = self._open(current, step, [] if isinstance(following, int) else {})
        self._open(current, self[-1], value, replace=True)
        return changed

    def _open(self, node: Any, step: Step, value: Any, *, replace: bool = False) -> Any:
        """Return what stands at a step, where the value is put if it replaces what is there, or nothing is."""
        key: Any = str(step)
        if isinstance(node, list):
            key = index_of(key)
            if key is None or key > len(node):
                raise InvalidInput(
                    f"{self}: the list there has {len(node)} items; {step} is no position in it."
                )
            if key == len(node):
                node.append(value)
        elif not isinstance(node, dict):
            raise InvalidInput(f"{self} goes through a value that has no fields.")
        if replace or (node[key] if isinstance(node, list) else node.get(key)) is None:
            node[key] = value
        return node[key]

    def unknown(self) -> InvalidInput:
        return InvalidInput(f"There is no field {self} in this result.", Kind.UNKNOWN, Noun.FIELD)


ROOT = FieldPath()


def leaves(data: Any, path: FieldPath = ROOT) -> Iterator[tuple[FieldPath, Any]]:
    """Yield every value that is not a container, with its path; empty containers count as values."""
    if isinstance(data, dict | list) and data:
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, path / key)
    else:
        yield path, data


def index_of(text: str) -> int | None:
    """Return the position in a list that a text names, if it names one."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number and (text == "0" or text[0] != "0") else None


def _unescaped(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def _names_of(node: Any) -> Iterable[str]:
    return node if isinstance(node, Mapping) else map(str, range(len(node))) if isinstance(node, list) else ()


def step_into(node: Any, name: str) -> tuple[Step, Any] | None:
    """Return the step that a name or the text of a position is in an object or list, and what it leads to."""
    if isinstance(node, Mapping):
        return (name, node[name]) if name in node else None
    at = index_of(name) if isinstance(node, list) else None
    return (at, node[at]) if at is not None and at < len(node) else None


def _below_schema(root: Schema) -> _Below:
    def below(node: Any, name: str) -> tuple[Step, Any] | None:
        part = resolved(node, root)
        properties, at = part.get("properties"), index_of(name)
        if isinstance(properties, dict) and name in properties:
            return name, properties[name]
        return (at, part["items"]) if at is not None and "items" in part else None

    return below


def _readings(
    parts: Sequence[str], node: Any, below: _Below, *, joins: bool, dead: set[tuple[int, int]] | None = None
) -> Iterator[Reading]:
    """Yield the ways to read all parts; `joins` tries names with dots. `dead` remembers what leads nowhere."""
    dead = set() if dead is None else dead
    if not parts:
        yield ()
    if not parts or (len(parts), id(node)) in dead:
        return
    is_dead = True
    for end in range(1, len(parts) + 1 if joins else 2):
        if (found := below(node, ".".join(parts[:end]))) is None:
            continue
        step, inner = found
        for rest in _readings(parts[end:], inner, below, joins=joins, dead=dead):
            is_dead = False
            yield (step, *rest)
    if is_dead:
        dead.add((len(parts), id(node)))


def _first_reading(
    parts: Sequence[str], trees: Iterable[tuple[Any, _Below]], *, joins: bool
) -> Reading | None:
    return next((one for tree in trees for one in _readings(parts, *tree, joins=joins)), None)


def _known_beginning(parts: Sequence[str], trees: Sequence[tuple[Any, _Below]], *, joins: bool) -> Reading:
    """Read the parts as far as they lead to something, and the rest as what they look like."""
    for end in range(len(parts) - 1, -1, -1):
        for tries in (False, joins):
            known = _first_reading(parts[:end], trees, joins=tries)
            if known is not None:
                rest = (at if (at := index_of(part)) is not None else part for part in parts[end:])
                return (*known, *rest)
    return tuple(parts)
