"""The migrations make the schema that the code declares, once, whoever runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory

from docagent.domain.clock import now
from docagent.store.engine.database import sync_url
from docagent.store.engine.migrate import SCRIPTS, migrate_now
from docagent.store.engine.schema import migrate, newest_migration
from docagent.store.tables import metadata
from tests.support.migrated import differences
from tests.support.services.postgres import PostgresServer

PROCESSES = 3


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'data.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.create_database().url


def tables(url: str) -> dict[str, list[str]]:
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    inspector = sa.inspect(engine)
    return {name: [c["name"] for c in inspector.get_columns(name)] for name in inspector.get_table_names()}


def version(url: str) -> list[str]:
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    with engine.connect() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT version_num FROM alembic_version")]


async def test_the_migrated_schema_is_the_declared_one(url: str) -> None:
    await migrate(url)
    assert differences(url) == []
    assert set(metadata.tables) <= set(tables(url))


async def test_a_missing_column_would_be_noticed(url: str) -> None:
    await migrate(url)
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE users DROP COLUMN has_seen_tour")
    assert [difference[0] for difference in differences(url)] == ["add_column"]


async def test_migrating_again_changes_nothing(url: str) -> None:
    await migrate(url)
    before = tables(url)
    await migrate(url)
    migrate_now(url)
    assert tables(url) == before
    assert version(url) == [newest_migration()]


def test_migrations_come_in_the_order_of_their_numbers() -> None:
    """So that the newest is found by its file's name."""
    scripts = ScriptDirectory(str(SCRIPTS))
    assert scripts.get_heads() == [newest_migration()]
    for script in scripts.walk_revisions():
        assert Path(script.path).name.startswith(f"{script.revision}_")


def test_several_processes_may_start_at_once(url: str) -> None:
    command = [
        sys.executable,
        "-c",
        f"from docagent.store.engine.migrate import migrate_now; migrate_now({url!r})",
    ]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(PROCESSES)]
    ended = [process.communicate(timeout=120)[1] for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES, ended
    assert differences(url) == []
    assert version(url) == [newest_migration()]


def test_nothing_of_former_members_is_taken_over(url: str) -> None:
    """Until 0.2.0, what a member had us remember, and what waited for them, stayed when they were removed."""
    migrate_now(url, "0010")
    former = sa.MetaData()
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    former.reflect(engine, only=["users", "organizations", "members", "permission_rules", "turns"])
    users, organizations, members, rules, turns = (
        former.tables[name] for name in ("users", "organizations", "members", "permission_rules", "turns")
    )
    moment, org = now(), "org"
    person = {"role": "user", "email_verified": True, "has_seen_tour": True, "created_at": moment}
    rule = {
        "organization_id": org,
        "effect": "allow",
        "arguments": {},
        "created_by": "member",
        "created_at": moment,
    }
    turn = {
        "organization_id": org,
        "position": 1,
        "superseded": False,
        "model": "m",
        "strategy": "tools",
        "last_seq": 1,
        "transcript_tokens": 0,
        "signals": 0,
        "created_at": moment,
        "updated_at": moment,
    }
    with engine.begin() as connection:
        for name in ("member", "gone"):
            named = {"id": name, "email": name, "email_folded": name, "name": name}
            connection.execute(sa.insert(users).values(**person, **named))
        connection.execute(
            sa.insert(organizations).values(
                id=org,
                name=org,
                name_folded=org,
                type="team",
                default_prompt_enabled=True,
                experimental_features=False,
                flow_log_level="ERROR",
                ocr_config={},
                created_at=moment,
                updated_at=moment,
            )
        )
        connection.execute(
            sa.insert(members).values(organization_id=org, user_id="member", role="admin", position=0)
        )
        for rule_id, user_id in (("policy", None), ("kept", "member"), ("dropped", "gone")):
            connection.execute(sa.insert(rules).values(**rule, id=rule_id, user_id=user_id, tool="*"))
        for turn_id, user_id, state in (
            ("waits", "member", "awaiting_approval"),
            ("ends", "gone", "awaiting_input"),
            ("over", "gone", "completed"),
        ):
            connection.execute(sa.insert(turns).values(**turn, id=turn_id, user_id=user_id, state=state))
    migrate_now(url)
    with engine.connect() as connection:
        kept = connection.scalars(sa.select(rules.c.id).order_by(rules.c.id)).all()
        overdue = connection.scalars(sa.select(turns.c.id).where(turns.c.waits_until.is_not(None))).all()
    assert (kept, overdue) == (["kept", "policy"], ["ends"])


def test_proposals_come_to_what_is_there_without_changing_it(url: str) -> None:
    """Nothing that an earlier version stored is a proposal, and names are as unique as they were."""
    migrate_now(url, "0013")
    former = sa.MetaData()
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    former.reflect(engine, only=["organizations", "schemas", "documents"])
    organizations, schemas = former.tables["organizations"], former.tables["schemas"]
    moment = now()
    with engine.begin() as connection:
        connection.execute(
            sa.insert(organizations).values(
                id="org",
                name="org",
                name_folded="org",
                type="team",
                default_prompt_enabled=True,
                experimental_features=False,
                flow_log_level="ERROR",
                ocr_config={},
                created_at=moment,
                updated_at=moment,
            )
        )
        head = {"organization_id": "org", "name": "Invoice", "name_key": "invoice", "name_folded": "invoice"}
        connection.execute(sa.insert(schemas).values(id="s1", version=1, latest_revid="r1", **head))
    migrate_now(url)
    assert {"auto_create_status", "auto_create_proposal_id"} <= set(tables(url)["documents"])
    present = metadata.tables["schemas"]
    with engine.begin() as connection:
        assert connection.scalar(sa.select(metadata.tables["organizations"].c.auto_create_default)) is False
        assert connection.scalars(sa.select(present.c.proposal_id)).all() == [None]
        proposed = {"version": 1, "latest_revid": "r2", "proposal_id": "p1", **head}
        connection.execute(sa.insert(present).values(id="s2", **proposed))
    for id, proposal_id in (("s3", None), ("s4", "p1")):
        taken = {**proposed, "id": id, "proposal_id": proposal_id}
        with engine.connect() as connection, pytest.raises(sa.exc.IntegrityError):
            connection.execute(sa.insert(present).values(**taken))


def test_the_tables_of_the_former_queue_go(postgres: PostgresServer) -> None:
    """Until 0.3.0 a library had tables, types and functions of its own. The jobs in our table are what counts."""
    url = postgres.create_database().url
    migrate_now(url, "0023")
    engine = sa.create_engine(sync_url(url), poolclass=sa.NullPool)
    former = """
        CREATE TYPE procrastinate_job_status AS ENUM ('todo', 'doing');
        CREATE TABLE procrastinate_jobs (id bigserial PRIMARY KEY, status procrastinate_job_status);
        CREATE TABLE procrastinate_events (id bigserial, job_id bigint REFERENCES procrastinate_jobs);
        CREATE TYPE procrastinate_job_to_defer_v1 AS (queue_name varchar);
        CREATE FUNCTION procrastinate_notify() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
        CREATE TRIGGER procrastinate_jobs_notify AFTER INSERT ON procrastinate_jobs
            FOR EACH ROW EXECUTE PROCEDURE procrastinate_notify();
        CREATE FUNCTION procrastinate_defer(job procrastinate_job_to_defer_v1) RETURNS bigint
            LANGUAGE sql AS 'SELECT 1::bigint';
        INSERT INTO procrastinate_jobs (status) VALUES ('todo');
    """
    with engine.begin() as connection:
        connection.exec_driver_sql(former)
    migrate_now(url)
    left = " UNION ".join(
        f"SELECT {prefix}name::text FROM pg_{table} WHERE {prefix}name LIKE 'procrastinate%%'"
        for prefix, table in (("rel", "class"), ("pro", "proc"), ("typ", "type"))
    )
    with engine.connect() as connection:
        assert connection.exec_driver_sql(left).all() == []
