"""Alembic's entry: runs on the connection that `store.migrate` opened and will commit."""

from __future__ import annotations

from alembic import context

from docagent.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=False)
context.run_migrations()
