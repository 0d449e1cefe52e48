"""What we use of SQLAlchemy without its promise: is it there, and does it mean what we take it for?

An upgrade of SQLAlchemy that fails here needs a change in `store/engine/sqlalchemy_internals.py` before anything else.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.ext.asyncio import result as asyncio_result
from sqlalchemy.sql.compiler import ExpandedState, SQLCompiler
from sqlalchemy.sql.selectable import SelectState
from sqlalchemy.types import TypeEngine

from docagent.store.engine import sqlalchemy_internals as internals
from docagent.store.engine.sqlite_dialect import DRIVER
from docagent.store.engine.sqlite_driver import Cursor
from tests.support.tables import table

METADATA = sa.MetaData()
PEOPLE = sa.Table(
    "people", METADATA, sa.Column("id", sa.Integer), sa.Column("name", sa.Text), sa.Column("tags", sa.JSON)
)
PETS = sa.Table("pets", METADATA, sa.Column("owner", sa.Integer), sa.Column("born", sa.DateTime))
DIALECT = sqlite.dialect()
ANY_SELECT = sa.select(PEOPLE).where(PEOPLE.c.id == 1).correlate(PETS)


@dataclass(frozen=True)
class Internal:
    name: str
    owner: Any
    gives: str
    used_by: str = "sqlalchemy_internals.py"

    def sentence(self) -> str:
        owner = self.owner if isinstance(self.owner, type) else type(self.owner)
        return (
            f"SQLAlchemy {sa.__version__} has no {owner.__name__}.{self.name}. "
            f"store/{self.used_by} reads {self.gives} from it: find where they are now."
        )


PRIVATE = [
    Internal("_generate_cache_key", ANY_SELECT, "the key that statements of one shape share"),
    Internal("_where_criteria", ANY_SELECT, "the conditions of a SELECT"),
    Internal("_where_criteria", sa.update(PEOPLE), "the conditions of an UPDATE"),
    Internal("_where_criteria", sa.delete(PEOPLE), "the conditions of a DELETE"),
    Internal("_get_display_froms", SelectState, "the tables that a SELECT reads"),
    Internal("_correlate", ANY_SELECT, "the tables that a subquery leaves to the query around it"),
    Internal("_multi_values", sa.insert(PEOPLE), "the rows that are part of an INSERT"),
    Internal("_values", sa.insert(PEOPLE), "the values of an INSERT"),
    Internal("_values", sa.update(PEOPLE), "the values of an UPDATE"),
    Internal("_select_names", sa.insert(PEOPLE), "the columns that an INSERT fills from a SELECT"),
    Internal("_handle_exception", AsyncAdapt_asyncpg_connection, "the errors of asyncpg as SQLAlchemy's"),
    Internal("_bind_processors", SQLCompiler, "the conversions of parameters"),
    Internal("_result_columns", ANY_SELECT.compile(), "the columns of the rows"),
    Internal("_cached_result_processor", TypeEngine, "the conversion of a column"),
]
UNDOCUMENTED = [
    Internal(name, sa.insert(PEOPLE).compile(), gives, "prepared.py")
    for name, gives in {
        "insert_prefetch": "the columns whose values Python makes for an INSERT",
        "update_prefetch": "the columns whose values Python makes for an UPDATE",
        "implicit_returning": "the columns that SQLAlchemy asks for by itself",
        "post_compile_params": "the parameters that change the text",
        "literal_execute_params": "the parameters that become part of the text",
        "binds": "the parameters",
        "construct_expanded_state": "the text and the order of its values",
    }.items()
] + [
    Internal(name, ExpandedState, gives, "prepared.py")
    for name, gives in {
        "statement": "the text",
        "positiontup": "the order of the values",
        "parameters": "the values that are part of the statement",
        "processors": "the conversions of lists",
    }.items()
]


def compiled(statement: Any, **options: Any) -> SQLCompiler:
    made = statement.compile(dialect=DIALECT, **options)
    assert isinstance(made, SQLCompiler)
    return made


@table("internal", PRIVATE + UNDOCUMENTED)
def test_it_is_still_there(internal: Internal) -> None:
    known = {*dir(internal.owner), *getattr(internal.owner, "_fields", ())}
    assert internal.name in known, internal.sentence()


def test_every_private_name_is_on_the_list() -> None:
    tree = ast.parse(inspect.getsource(internals))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    looked_up = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    private = {
        name
        for name in named | looked_up
        if isinstance(name, str) and name.startswith("_") and " " not in name
    }
    assert private == {internal.name for internal in PRIVATE}


def test_statements_that_differ_in_values_only_share_a_key() -> None:
    one, two = (sa.select(PEOPLE.c.id).where(PEOPLE.c.name == name) for name in ("Ada", "Bob"))
    first, second = internals.cache_key(one), internals.cache_key(two)
    assert first is not None
    assert second is not None
    assert first.key == second.key
    assert [parameter.value for parameter in first.bindparams] == ["Ada"]
    other = internals.cache_key(sa.select(PEOPLE.c.id).where(PEOPLE.c.name != "Ada"))
    assert other is not None
    assert other.key != first.key


def test_conditions_are_those_of_where() -> None:
    wanted = [PEOPLE.c.id == 1, PEOPLE.c.name == "Ada"]
    for statement in (sa.select(PEOPLE), sa.update(PEOPLE), sa.delete(PEOPLE)):
        assert list(internals.conditions(statement.where(*wanted))) == wanted, statement
        assert list(internals.conditions(statement)) == []


def test_tables_are_those_that_get_final_froms_gives() -> None:
    joined = sa.join(PEOPLE, PETS, PEOPLE.c.id == PETS.c.owner)
    for statement in (
        sa.select(PEOPLE),
        sa.select(PEOPLE.c.id, PETS.c.born),
        sa.select(sa.func.count()).select_from(joined),
        sa.select(PEOPLE.c.id).where(PETS.c.owner == PEOPLE.c.id),
        sa.select(PEOPLE.c.id).join(PETS, PETS.c.owner == PEOPLE.c.id),
        sa.select(sa.literal(1)),
        sa.select(sa.select(PEOPLE.c.id).subquery().c.id),
    ):
        ours, theirs = internals.tables_selected_from(statement), statement.get_final_froms()
        assert [str(table) for table in ours] == [str(table) for table in theirs]


def test_tables_that_are_left_to_the_outer_query_are_those_of_correlate() -> None:
    inner = sa.select(PETS.c.born).where(PETS.c.owner == PEOPLE.c.id)
    assert list(internals.tables_left_to_the_outer_query(inner)) == []
    assert list(internals.tables_left_to_the_outer_query(inner.correlate(PEOPLE))) == [PEOPLE]


def test_rows_that_are_part_of_an_insert_are_seen() -> None:
    insert = sa.insert(PEOPLE)
    assert internals.has_rows_of_its_own(insert.values([{"id": 1}, {"id": 2}]))
    assert not internals.has_rows_of_its_own(insert.values(id=1))
    assert not internals.has_rows_of_its_own(insert)


def test_values_are_those_that_were_given() -> None:
    given = {"id": 1, "name": "Ada"}
    for statement in (
        sa.insert(PEOPLE).values(given),
        sa.insert(PEOPLE).values({PEOPLE.c.id: 1, PEOPLE.c.name: "Ada"}),
        sa.update(PEOPLE).values(**given),
        sa.update(PEOPLE).ordered_values((PEOPLE.c.id, 1), (PEOPLE.c.name, "Ada")),
    ):
        assert internals.values_by_column(cast(Any, statement)) == given
    assert internals.values_by_column(sa.insert(PEOPLE)) == {}


def test_a_parameter_is_converted_as_its_type_says() -> None:
    converts = internals.value_conversions(compiled(sa.insert(PEOPLE)))
    assert set(converts) == {"tags"}
    assert converts["tags"](["a"]) == '["a"]'


def test_columns_come_in_their_order_with_their_types() -> None:
    columns = internals.columns_given(compiled(sa.select(PEOPLE.c.name, PEOPLE.c.tags.label("marks"))))
    assert [column.keyname for column in columns] == ["name", "marks"]
    assert [type(column.type) for column in columns] == [sa.Text, sa.JSON]
    assert list(internals.columns_given(compiled(sa.insert(PEOPLE)))) == []


def test_a_column_is_converted_as_its_type_says() -> None:
    to_time = internals.column_conversion(PETS.c.born.type, DIALECT)
    assert to_time is not None
    assert to_time("2026-01-02 03:04:05.000006") == datetime(2026, 1, 2, 3, 4, 5, 6, UTC).replace(tzinfo=None)
    assert internals.column_conversion(PEOPLE.c.name.type, DIALECT) is None


def test_the_undocumented_part_of_a_compiled_statement_means_what_we_take_it_for() -> None:
    names: sa.BindParameter[Any] = sa.bindparam("names", ["Ada", "Bob"], expanding=True)
    made = compiled(
        sa.select(PEOPLE.c.id).where(PEOPLE.c.id == sa.bindparam("which"), PEOPLE.c.name.in_(names))
    )
    assert {parameter.key for parameter in made.post_compile_params} == {"names"}
    assert not made.literal_execute_params
    state = made.construct_expanded_state({"which": 1}, escape_names=False)
    assert state.statement.count("?") == 3
    assert [state.parameters[place] for place in state.positiontup or ()] == [1, "Ada", "Bob"]
    made_by_python = sa.Table("made", sa.MetaData(), sa.Column("id", sa.Text, default=lambda: "new"))
    assert [
        column.name for column in compiled(sa.insert(made_by_python), column_keys=[]).insert_prefetch
    ] == ["id"]


def test_an_insert_tells_which_columns_a_select_fills() -> None:
    statement = sa.insert(PEOPLE).from_select(["name", "id"], sa.select(sa.literal("Ada"), sa.literal(1)))
    assert list(internals.columns_of_select(statement)) == ["name", "id"]
    assert list(internals.columns_of_select(sa.insert(PEOPLE))) == []


async def test_a_result_leaves_the_greenlet_by_the_call_that_our_cursor_answers() -> None:
    assert "_async_soft_close" in inspect.getsource(asyncio_result), (
        f"SQLAlchemy {sa.__version__} no longer awaits cursor._async_soft_close: see AsyncCursor for what it awaits."
    )
    assert issubclass(Cursor, internals.AsyncCursor)
    engine = create_async_engine(f"{DRIVER}://", connect_args={"busy_seconds": 1})
    async with engine.connect() as connection:
        assert (await connection.execute(sa.select(sa.literal(1)))).scalar_one() == 1
    await engine.dispose()
