"""The mapper between frozen dataclasses and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, Self

import pytest
import sqlalchemy as sa

from docagent.domain.json_objects import from_json
from docagent.store.engine.tenancy import OWNED
from docagent.store.mapping import Mapped, Part

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Visit:
    at: datetime
    colour: Colour
    note: str | None = None


@dataclass(frozen=True)
class Owner:
    kind: str
    id: str

    @classmethod
    def of(cls, house_id: str | None, ship_id: str | None) -> Self | None:
        if house_id is None and ship_id is None:
            return None
        return cls("house", house_id) if house_id else cls("ship", ship_id or "")

    @property
    def house_id(self) -> str | None:
        return self.id if self.kind == "house" else None

    @property
    def ship_id(self) -> str | None:
        return self.id if self.kind == "ship" else None


@dataclass(frozen=True)
class Size:
    width: int
    depth: int | None


@dataclass(frozen=True)
class Thing:
    id: str
    organization_id: str
    label: str
    colour: Colour
    marks: tuple[str, ...]
    visits: Sequence[Visit]
    last: Visit | None
    scores: Mapping[str, Visit]
    seen_at: datetime | None
    owner: Owner | None
    size: Size | None
    has_secret: bool
    count: int
    own: tuple[str, ...] = ()
    host: str = "nobody"


def column(name: str, *, nullable: bool = True) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, nullable=nullable)


NAMES = (
    *(
        "id",
        "organization_id",
        "name",
        "name_folded",
        "colour",
        "marks",
        "visits",
        "last",
        "scores",
        "seen_at",
    ),
    *("house_id", "ship_id", "size_width", "size_depth", "secret", "own", "deleted_at"),
)


def things(*more: str) -> sa.Table:
    return sa.Table("things", sa.MetaData(), *map(column, (*NAMES, *more)), info={OWNED: True})


def mapped(table: sa.Table, **more: Any) -> Mapped[Thing]:
    settings: dict[str, Any] = {
        "columns": {"label": "name"},
        "parts": {"owner": Part(Owner.of, table), "size": Part(Size, table, prefix="size_")},
        "joined": ("count",),
        "computed": {"has_secret": lambda row: row.secret is not None},
        "given": ("host",),
        "besides": ("secret",),
    }
    return Mapped(Thing, table, **settings | more)


VISIT = Visit(NOON, Colour.BLUE)
THING = Thing(
    id="1",
    organization_id="org",
    label="Straße",
    colour=Colour.RED,
    marks=("a", "b"),
    visits=[VISIT, Visit(NOON, Colour.RED, "late")],
    last=None,
    scores={"x": VISIT},
    seen_at=NOON,
    owner=Owner("ship", "s1"),
    size=Size(3, None),
    has_secret=True,
    count=4,
    own=("z",),
)


def test_a_thing_is_written_to_its_columns() -> None:
    plain = {"at": NOON.isoformat(), "colour": Colour.BLUE, "note": None}
    assert mapped(things()).values(THING, secret="s") == {
        "id": "1",
        "name": "Straße",
        "name_folded": "strasse",
        "colour": Colour.RED,
        "marks": ["a", "b"],
        "visits": [plain, {**plain, "colour": Colour.RED, "note": "late"}],
        "last": None,
        "scores": {"x": plain},
        "seen_at": NOON,
        "house_id": None,
        "ship_id": "s1",
        "size_width": 3,
        "size_depth": None,
        "own": ["z"],
        "secret": "s",
    }


def test_a_row_gives_the_thing_back() -> None:
    of_things = mapped(things())
    row = SimpleNamespace(**of_things.values(THING, secret="s"), organization_id="org", count=4)
    assert of_things.of(row) == THING
    assert of_things.of(row, host="me").host == "me"
    assert of_things.each([row, row]) == [THING, THING]
    assert of_things.found(row) == THING
    assert of_things.found(None) is None


def test_empty_columns_are_none_or_the_default() -> None:
    of_things = mapped(things())
    values = of_things.values(THING, size_width=None, ship_id=None, own=None, seen_at=None, secret=None)
    thing = of_things.of(SimpleNamespace(**values, organization_id="org", count=4))
    assert (thing.size, thing.owner, thing.own, thing.seen_at, thing.has_secret) == (
        None,
        None,
        (),
        None,
        False,
    )


def test_a_changed_text_changes_its_folded_column() -> None:
    of_things = mapped(things())
    assert of_things.changes({"name": "ABC"}) == {"name": "ABC", "name_folded": "abc"}
    assert of_things.changes({"colour": "red"}) == {"colour": "red"}


def test_a_new_column_would_be_noticed() -> None:
    with pytest.raises(TypeError, match=r"no field for \['brand_new'\] of things"):
        mapped(things("brand_new"))
    mapped(things("brand_new"), besides=("secret", "brand_new"))


def test_a_field_without_a_column_would_be_noticed() -> None:
    with pytest.raises(TypeError, match=r"no column \['count'\]"):
        mapped(things(), joined=())


def test_stored_json_may_lack_what_can_be_none_and_have_what_nobody_knows() -> None:
    @dataclass(frozen=True)
    class Late:
        must: str
        may: str | None
        other: int = 7

    read = from_json(Late)
    assert read({"must": "a", "unknown": 1}) == Late("a", None)
    with pytest.raises(TypeError):
        read({"may": "b"})
