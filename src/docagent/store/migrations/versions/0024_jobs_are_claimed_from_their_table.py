"""Workers claim from the table of jobs; what procrastinate kept on PostgreSQL goes"""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0023"

_DROP_ALL = r"""
DO $$
DECLARE command text;
BEGIN
    FOR command IN
        SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname LIKE 'procrastinate\_%'
    LOOP
        EXECUTE command;
    END LOOP;
    FOR command IN
        SELECT format('DROP FUNCTION IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc
        WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'procrastinate\_%'
    LOOP
        EXECUTE command;
    END LOOP;
    FOR command IN
        SELECT format('DROP TYPE IF EXISTS %s CASCADE', oid::regtype) FROM pg_type
        WHERE typtype IN ('c', 'e') AND typnamespace = current_schema()::regnamespace
        AND typname LIKE 'procrastinate\_%'
    LOOP
        EXECUTE command;
    END LOOP;
END $$
"""


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        # Without parameters, so that the driver leaves the percent signs in the script alone.
        connection.connection.cursor().execute(_DROP_ALL)
