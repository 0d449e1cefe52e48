"""Brings a database to the newest schema. Forward only; safe when several processes start at once."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from docagent.domain.errors import CannotStart
from docagent.store.engine.database import BUSY_TIMEOUT_MS, sync_url

SCRIPTS = Path(__file__).parents[1] / "migrations"
_POSTGRESQL_LOCK = 7_203_511


def migrate_now(url: str, to: str = "head") -> None:
    """Run every migration that the database has not seen, up to this one."""
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool, hide_parameters=True)
    sqlite = engine.dialect.name == "sqlite"
    if sqlite:
        sa.event.listen(engine, "connect", _leave_transactions_to_us)
    with engine.connect() as connection:
        if sqlite:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_POSTGRESQL_LOCK})")
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, to)
        except CommandError as error:
            raise CannotStart(
                f"The database cannot be brought to the schema of this version ({error}). If a newer docagent made it, "
                "install that version again."
            ) from error
        if sqlite:
            connection.exec_driver_sql("COMMIT")
        connection.commit()
    engine.dispose()


def _leave_transactions_to_us(connection: object, record: object) -> None:
    del record
    connection.isolation_level = None  # type: ignore[attr-defined]
