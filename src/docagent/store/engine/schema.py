"""Which schema a database has, and how it gets the newest one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import sqlalchemy as sa

from docagent.domain.errors import Unavailable
from docagent.store.engine.database import open_database
from docagent.store.engine.trouble import trouble_of

_MIGRATIONS = Path(__file__).parents[1] / "migrations" / "versions"

_APPLIED: sa.Select[str] = sa.select(sa.column("version_num")).select_from(sa.table("alembic_version"))


def newest_migration() -> str:
    """Return the number of the newest migration. The names of migration files begin with their number."""
    return max(path.name for path in _MIGRATIONS.glob("[0-9]*.py")).partition("_")[0]


async def migrate(url: str) -> None:
    """Bring the database to the newest schema. This is cheap if the database has it already."""
    if await applied_migration(url) != newest_migration():
        # Alembic is slow to import, and most starts have nothing to migrate.
        from docagent.store.engine.migrate import migrate_now  # noqa: PLC0415

        try:
            await asyncio.to_thread(migrate_now, url)
        except sa.exc.SQLAlchemyError as error:
            if (trouble := trouble_of(error)) is not None:
                raise Unavailable(trouble) from error
            raise


async def applied_migration(url: str) -> str | None:
    """The number of the newest migration that the database has seen; None if it has seen none, or does not answer."""
    db = open_database(url, pool_size=1)
    try:
        async with db.read() as tx:
            version: str | None = await tx.scalar(_APPLIED)
            return version
    except sa.exc.DBAPIError:
        return None
    finally:
        await db.close()
