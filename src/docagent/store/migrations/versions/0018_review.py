"""Review: how sure each result is, what people said of it, who looks at it now, and what a prompt wants looked at"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from docagent.domain.extraction.doubts import certainty_of
from docagent.domain.field_path import FieldPath
from docagent.domain.problem import Problem
from docagent.store.engine.types import UtcDateTime

revision = "0018"
down_revision = "0017"

AT_ONCE = 200

HEADS = sa.table(
    "extraction_results",
    *(sa.column(name) for name in ("id", "revision", "certainty", "standing")),
)
_revisions = sa.table(
    "extraction_revisions",
    *(sa.column(name) for name in ("result_id", "number", "origin")),
    sa.column("is_verified", sa.Boolean),
    *(sa.column(name, sa.JSON) for name in ("data", "model_data", "grounding", "problems", "verified_paths")),
)


class _Stored(NamedTuple):
    data: Any
    model_data: Any
    grounding: Any
    problems: list[Problem]
    verified_paths: list[FieldPath]
    is_edited: bool
    is_verified: bool


def upgrade() -> None:
    for column in (
        sa.Column("certainty", sa.Float(), nullable=False, server_default="1"),
        sa.Column("standing", sa.String(length=10), nullable=False, server_default="open"),
        sa.Column("reviewer_id", sa.String(length=24), nullable=True),
        sa.Column("reviewing_until", UtcDateTime(), nullable=True),
    ):
        op.add_column("extraction_results", column)
    op.add_column(
        "extraction_revisions",
        sa.Column("is_rejected", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "review_policies",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("prompt_id", sa.String(length=24), nullable=False),
        sa.Column("mode", sa.String(length=10), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=False),
        sa.Column("sample_percent", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name="fk_review_policies_organization_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organization_id", "prompt_id", name="pk_review_policies"),
    )
    _judge_what_is_there()


def _judge_what_is_there() -> None:
    connection = op.get_bind()
    for rows in newest_in_batches(connection):
        connection.execute(
            sa.update(HEADS)
            .where(HEADS.c.id == sa.bindparam("of"))
            .values(certainty=sa.bindparam("sure"), standing=sa.bindparam("said")),
            [
                {"of": row.id, "sure": certainty(row), "said": "verified" if row.is_verified else "open"}
                for row in rows
            ],
        )


def newest_in_batches(connection: sa.Connection) -> Iterator[list[Any]]:
    newest = (
        sa.select(HEADS.c.id, _revisions)
        .join(
            _revisions,
            sa.and_(_revisions.c.result_id == HEADS.c.id, _revisions.c.number == HEADS.c.revision),
        )
        .order_by(HEADS.c.id)
        .limit(AT_ONCE)
    )
    after = ""
    while rows := list(connection.execute(newest.where(HEADS.c.id > after))):
        yield rows
        after = rows[-1].id


def certainty(row: Any) -> float:
    return certainty_of(stored(row))


def stored(row: Any) -> _Stored:
    return _Stored(
        row.data,
        row.model_data,
        row.grounding,
        [Problem.from_json(problem, row.data) for problem in row.problems],
        [FieldPath.stored(path, row.data) for path in row.verified_paths],
        row.origin == "person" and row.data != row.model_data,
        row.is_verified,
    )
