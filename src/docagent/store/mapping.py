"""Maps a frozen dataclass to its table and back, so that a column is declared once; and reads and writes rows by id.

A field is the column of its name, converted by the field's type: enums, tuples, and dataclasses, which are stored as
JSON. What differs is said where a `Mapped` is made. A column that no field holds, or a field that no column holds, and
that is not named there, is an error at import: nothing can be forgotten where rows are written or read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_type_hints

import sqlalchemy as sa

from docagent.domain.ids import is_id
from docagent.domain.json_objects import Convert, conversions, may_be_none
from docagent.domain.listing import Found
from docagent.store.engine.database import Tx
from docagent.store.engine.tenancy import OWNED
from docagent.store.listing import counted

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    column: str
    may_be_none: bool
    read: Convert | None
    write: Convert | None


class Mapped(Generic[Item]):
    """How one kind of thing is stored in a table.

    `make` is the dataclass, or a function whose parameters are attributes of what it returns. `columns` names the
    columns of fields that are called otherwise, and `prefix` begins the names of all. `parts` are fields that are
    spread over several columns. `joined` fields come with the row from elsewhere, `computed` ones are made of the row,
    and `given` ones come from whoever reads the row; none of these is written. `besides` names the columns that no
    field holds. A column `x_folded` holds the case-folded text of the column `x`.
    """

    def __init__(
        self,
        make: Callable[..., Item],
        table: sa.Table,
        *,
        columns: Mapping[str, str] | None = None,
        prefix: str = "",
        parts: Mapping[str, Part[Any]] | None = None,
        joined: Sequence[str] = (),
        computed: Mapping[str, Convert] | None = None,
        given: Sequence[str] = (),
        besides: Sequence[str] = (),
    ) -> None:
        self.table = table
        self._make = make
        self._parts, self._computed = parts or {}, computed or {}
        hints = get_type_hints(make)
        elsewhere = {*self._parts, *self._computed, *given}
        self._fields = [
            _Field(
                name,
                (columns or {}).get(name, prefix + name),
                may_be_none(hints[name]),
                *conversions(hints[name], in_json=False),
            )
            for name in inspect.signature(make).parameters
            if name not in elsewhere
        ]
        own = [field for field in self._fields if field.name not in joined]
        self._written = [
            field for field in own if not (field.column == "organization_id" and table.info.get(OWNED))
        ]
        self._folded = {field.column for field in own if f"{field.column}_folded" in table.c}
        self.columns: set[str] = {field.column for field in own}
        for part in self._parts.values():
            self.columns |= part.columns
        self._check(besides)

    def of(self, row: Any, **given: Any) -> Item:
        """Return what the row holds."""
        for field in self._fields:
            value = getattr(row, field.column)
            if value is not None:
                given[field.name] = field.read(value) if field.read else value
            elif field.may_be_none:
                given[field.name] = None
        for name, part in self._parts.items():
            given[name] = part.found(row)
        for name, compute in self._computed.items():
            given[name] = compute(row)
        return self._make(**given)

    def found(self, row: Any) -> Item | None:
        """Return what the row holds; None if there is no row."""
        return None if row is None else self.of(row)

    def each(self, rows: Iterable[Any]) -> list[Item]:
        return [self.of(row) for row in rows]

    def values(self, item: Any, **more: Any) -> dict[str, Any]:
        """Return the columns that hold the thing, and the given ones. The transaction adds the organisation."""
        values: dict[str, Any] = {}
        for name, part in self._parts.items():
            values |= part.values(getattr(item, name))
        for field in self._written:
            value = None if item is None else getattr(item, field.name)
            values[field.column] = field.write(value) if field.write and value is not None else value
        return self.changes(values | more)

    def changes(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return these columns, with the case-folded ones that belong to them."""
        folded = {
            f"{column}_folded": None if values[column] is None else values[column].casefold()
            for column in self._folded & values.keys()
        }
        return {**values, **folded}

    async def first(self, tx: Tx, *conditions: sa.ColumnElement[bool], lock: bool = False) -> Item | None:
        """Return a thing for which the conditions hold. `lock` keeps others from it until the transaction ends."""
        statement = sa.select(self.table).where(*conditions)
        return self.found(await tx.first(statement.with_for_update() if lock else statement))

    async def get(self, tx: Tx, id: str, *, lock: bool = False) -> Item | None:
        """Return the thing with this id; None if there is none, or if this is no id at all."""
        return await self.first(tx, self.table.c.id == id, lock=lock) if is_id(id) else None

    async def page(self, tx: Tx, statement: sa.Select[Any], *, skip: int, limit: int) -> Found[Item]:
        """Return some of the things that the statement finds, the newest first, and how many there are."""
        total = int(await tx.scalar(counted(statement)))
        rows = await tx.rows(statement.order_by(self.table.c.id.desc()).offset(skip).limit(limit))
        return Found(self.each(rows), total, skip)

    async def insert(self, tx: Tx, item: Item, **more: Any) -> None:
        await tx.execute(sa.insert(self.table).values(**self.values(item, **more)))

    async def update(self, tx: Tx, item: Any, **more: Any) -> None:
        """Write the thing in place of the one with its id."""
        changed = sa.update(self.table).where(self.table.c.id == item.id)
        await tx.execute(changed.values(**self.values(item, **more)))

    async def change(self, tx: Tx, id: str, values: Mapping[str, Any]) -> bool:
        """Write these columns of the thing with this id. False if there is none."""
        changed = sa.update(self.table).where(self.table.c.id == id).values(**self.changes(values))
        return (await tx.execute(changed)).rowcount == 1

    async def delete(self, tx: Tx, id: str) -> bool:
        """Delete the thing with this id. False if there is none."""
        return (await tx.execute(sa.delete(self.table).where(self.table.c.id == id))).rowcount == 1

    def _check(self, besides: Sequence[str]) -> None:
        known = {*self.columns, *(f"{column}_folded" for column in self._folded), *besides}
        if unknown := known - set(self.table.c.keys()):
            raise TypeError(f"{self.table.name} has no column {sorted(unknown)}")
        general = {"deleted_at"} | ({"organization_id"} if self.table.info.get(OWNED) else set())
        forgotten = set(self.table.c.keys()) - known - general
        if forgotten and not isinstance(self, Part):
            raise TypeError(f"{self._make} has no field for {sorted(forgotten)} of {self.table.name}")


class Part(Mapped[Item]):
    """How a field that is spread over several columns is stored in them. Other columns belong to others."""

    def found(self, row: Any) -> Item | None:
        """Return the part of the row; None if a column is empty that would not be if there was one."""
        if row is None or any(
            getattr(row, field.column) is None for field in self._fields if not field.may_be_none
        ):
            return None
        return self.of(row)
