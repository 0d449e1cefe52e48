"""Tells troubles of the database, which the operator must fix, from mistakes of a statement."""

from __future__ import annotations

import sqlite3

import sqlalchemy as sa

NO_ANSWER = "The database does not answer. See the setting database.url."
IN_USE = "The database is too busy. Try again in a moment."
DAMAGED = (
    "The database is damaged. Stop the server, then restore a backup, or save what can be read: "
    '`sqlite3 docagent.db ".recover" | sqlite3 new.db` for SQLite.'
)
FULL = "The disk that holds the database is full, so nothing can be stored. Free up space on it."
READ_ONLY = (
    "The database can only be read, so nothing can be stored. Let the user that runs docagent write to it: "
    "check the permissions and mount of the data folder, or whether PostgreSQL is a standby."
)
NOT_OPENED = (
    "The database file cannot be opened. Check the settings data and database.url, and whether the user that runs "
    "docagent may read and write that folder."
)
DISK_FAILS = "The disk that holds the database fails. Check the system's log, free space and quotas."
NO_ENTRY = "The database refuses this user. Check the user and the password in the setting database.url."
NO_SUCH_DATABASE = (
    "The server has no such database. Create it, or correct its name in the setting database.url."
)

_OF_SQLITE = {
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: NOT_OPENED,
    sqlite3.SQLITE_IOERR: DISK_FAILS,
}
_PRIMARY = 0xFF
"""The part of SQLite's codes that says the kind; the rest says where."""

_OF_POSTGRESQL = {
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "53100": FULL,
    "25006": READ_ONLY,
    "28000": NO_ENTRY,
    "28P01": NO_ENTRY,
    "3D000": NO_SUCH_DATABASE,
    "53300": IN_USE,
    "55P03": IN_USE,
    "25P03": NO_ANSWER,
}
_AWAY = ("08", "57P")
"""How the codes begin with which PostgreSQL says that it stops, starts or has lost the connection."""


def trouble_of(error: BaseException | None) -> str | None:
    """Return a sentence that says what is wrong with the database and what to do; None if the error is another one."""
    if isinstance(error, sa.exc.TimeoutError):
        return IN_USE
    if isinstance(error, sa.exc.PendingRollbackError):  # the connection was lost earlier in the transaction
        return NO_ANSWER
    if not isinstance(error, sa.exc.DBAPIError | sqlite3.Error):
        return None
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return _OF_SQLITE.get(getattr(cause, "sqlite_errorcode", 0) & _PRIMARY)
    code = str(getattr(cause, "sqlstate", None) or "")
    if code in _OF_POSTGRESQL:
        return _OF_POSTGRESQL[code]
    is_away = code.startswith(_AWAY) or (
        isinstance(error, sa.exc.DBAPIError) and error.connection_invalidated
    )
    is_away = is_away or (not code and isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError))
    return NO_ANSWER if is_away else None
