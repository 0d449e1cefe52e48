"""Which tables belong to organisations, and which code may reach across them."""

from __future__ import annotations

from docagent.store.engine.tenancy import is_owned
from docagent.store.tables import metadata
from tests.rules.sources import calls_of

NOT_OWNED = {
    "access_tokens": "an account token belongs to no organisation, and a token is looked up before any is known",
    "invitations": "some invite to the server alone, and those who are invited belong to no organisation yet",
}
MAY_REACH_ACROSS = {
    "store/accounts/credentials.py:session_and_holder": "the check of membership itself, with the check of the session",
    "store/accounts/credentials.py:standing": "the check of membership itself, with the check of the credential",
    "store/accounts/credentials.py:token_and_holder": "the check of membership itself, with the check of the token",
    "store/documents/documents.py:discard_all_files": "notes the files of an organisation that is about to be deleted",
    "store/documents/documents.py:purge": "clean-up of deleted documents, whoever they belonged to",
    "store/jobs.py:_change": "a worker's own job, named by its id, its organisation and its lease",
    "store/jobs.py:claim": "workers take the next job, whoever it belongs to",
    "store/jobs.py:delete_finished": "clean-up of old jobs",
    "store/jobs.py:due": "workers look for work of all organisations",
    "store/accounts/organizations.py:_insert_members": "memberships are made before anyone acts in the organisation",
    "store/accounts/organizations.py:_with_members": "lists of organisations with members, for those who may see them",
    "store/accounts/organizations.py:member_role": "the check of membership itself",
    "store/accounts/organizations.py:of_user": "the organisations of one user",
    "store/accounts/organizations.py:own": "the organisation in which a user acts who names none",
    "store/accounts/organizations.py:replace_members": "names the one organisation in its condition",
    "store/accounts/organizations.py:search": "lists of organisations, for those who may see them",
    "store/extraction/parts.py:forget_older": "clean-up of what was kept for one reading, whoever it belonged to",
    "store/projects/projects.py:purge": "clean-up of deleted projects and living documents, whoever they belonged to",
    "store/jobs.py:held_by": "a worker puts back what it claimed as the database went away",
    "store/jobs.py:let_go": "the jobs of a worker that is gone are free, whoever they belong to",
    "store/jobs.py:owners": "a worker looks whose jobs run, to find out which workers are gone",
    "store/proposals.py:drop_forgotten_heads": "clean-up of what was proposed for documents that are removed",
    "store/models/providers.py:delete_custom": "a provider of the deployment goes with all overrides",
    "store/accounts/sealed.py:_sealed": "finds every stored value that is sealed, for a new or a lost secret",
    "store/accounts/sealed.py:reseal_all": "a new secret seals every stored value again",
    "store/accounts/sealed.py:some_sealed": "the start looks whether the secret opens what is stored",
    "store/accounts/sealed.py:forget": "what a lost secret sealed is removed",
    "store/repeats.py:forget_older": "clean-up of keys of requests, whoever they belonged to",
    "store/jobs.py:_release": "jobs of workers that died are queued again, whoever they belong to",
    "store/turns/turns.py:_past": "a process looks for all turns that nobody runs, or that waited too long",
    "store/turns/turns.py:let_go": "a process that ends lets go of its turns, whoever they belong to",
    "store/turns/turns.py:owners": "a process looks whose turns run, to find out which processes are gone",
    "store/turns/turns.py:revoke": "turns end with the credential that they work with, in all organisations",
    "store/accounts/users.py:search": "lists of users by organisation, for those who may see them",
}
RAW_SQL = {
    "store/engine/database.py:Database.refresh_statistics": "ANALYZE, which has no form in SQLAlchemy",
    "store/engine/sqlite_transaction.py:SqliteTransaction.savepoint": "SAVEPOINT and its ends, which name no table",
}
"""Functions with statements that `store.tenancy` cannot look into. Those of migrations are not listed."""

MIGRATIONS = ("store/migrations/", "store/engine/migrate.py:", "store/engine/database.py:_begin_sqlite")


def test_every_table_of_an_organisation_is_marked() -> None:
    with_column = {name for name, table in metadata.tables.items() if "organization_id" in table.c}
    owned = {name for name, table in metadata.tables.items() if is_owned(table)}
    assert owned == with_column - set(NOT_OWNED)
    assert set(NOT_OWNED) <= with_column


def test_every_owned_table_loses_its_rows_with_the_organisation() -> None:
    for table in metadata.tables.values():
        if is_owned(table):
            (key,) = table.c.organization_id.foreign_keys
            assert key.target_fullname == "organizations.id"
            assert key.ondelete == "CASCADE"
            assert not table.c.organization_id.nullable


def test_only_these_reach_across_organisations() -> None:
    assert set(calls_of("across")) == set(MAY_REACH_ACROSS)


def test_only_these_write_sql_by_hand() -> None:
    by_hand = {
        caller
        for name, module in (
            ("text", "sa"),
            ("literal_column", "sa"),
            ("exec_driver_sql", None),
            ("execute_text", None),
        )
        for caller in calls_of(name, module)
        if caller.startswith(("store/", "services/")) and not caller.startswith(MIGRATIONS)
    }
    assert by_hand == set(RAW_SQL)
