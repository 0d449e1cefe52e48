"""Lets a statement tell the other processes of its change, in its own transaction and without a statement more."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import GenericFunction

from docagent.domain.deliveries.line import TURN


class told_of_turn(GenericFunction[Any]):
    """In RETURNING: says the id of the turn that the row is about. `teller` is the process that need not hear it."""

    type = sa.Text()
    inherit_cache = True

    def __init__(self, turn_id: sa.ColumnElement[str], teller: sa.ColumnElement[str]) -> None:
        super().__init__(turn_id, teller)


@compiles(told_of_turn)
def _nobody_listens(element: told_of_turn, compiler: SQLCompiler, **options: Any) -> str:
    del element, compiler, options
    return "NULL"


@compiles(told_of_turn, "postgresql")
def _notify(element: told_of_turn, compiler: SQLCompiler, **options: Any) -> str:
    turn_id, teller = (compiler.process(clause, **options) for clause in element.clauses)
    return f"pg_notify('{TURN}', {teller} || ' ' || {turn_id})::text"
