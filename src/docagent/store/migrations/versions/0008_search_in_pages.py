"""Full-text search in the pages of documents"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_SAME = "document_id = {row}.document_id AND run_id = {row}.run_id AND number = {row}.number"

# Left alone, PostgreSQL takes "2024-117" for a year and a negative number, and knows no "117". So everything but letters
# and digits is a gap, and accents go, as on SQLite. A page's words must fit into a megabyte.
_ACCENTS = r"[\u0300-\u036f]+"
_GAPS = r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u2000-\u206f\u3000-\u303f]+"
_WORDS_ON_POSTGRESQL = f"""
CREATE FUNCTION page_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
SELECT to_tsvector('simple'::regconfig, regexp_replace(
    regexp_replace(normalize(left($1, 200000), NFD), '{_ACCENTS}', '', 'g'), '{_GAPS}', ' ', 'g'))
$$
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_WORDS_ON_POSTGRESQL)
        op.execute("CREATE INDEX ix_document_pages_search ON document_pages USING gin (page_words(text))")
        return
    op.create_table(
        "page_search_rows",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("run_id", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.UniqueConstraint("document_id", "run_id", "number", name="uq_page_search_rows"),
    )
    # Without content of its own: the text stays in document_pages alone.
    op.execute(
        "CREATE VIRTUAL TABLE page_search USING fts5"
        "(text, content='', tokenize='unicode61 remove_diacritics 2')"
    )
    row = _SAME.format(row="new")
    op.execute(
        "CREATE TRIGGER page_search_insert AFTER INSERT ON document_pages BEGIN "
        "INSERT INTO page_search_rows (document_id, run_id, number) "
        "VALUES (new.document_id, new.run_id, new.number); "
        f"INSERT INTO page_search (rowid, text) SELECT id, new.text FROM page_search_rows WHERE {row}; END"
    )
    row = _SAME.format(row="old")
    op.execute(
        "CREATE TRIGGER page_search_delete AFTER DELETE ON document_pages BEGIN "
        "INSERT INTO page_search (page_search, rowid, text) "
        f"SELECT 'delete', id, old.text FROM page_search_rows WHERE {row}; "
        f"DELETE FROM page_search_rows WHERE {row}; END"
    )
    op.execute(
        "INSERT INTO page_search_rows (document_id, run_id, number) "
        "SELECT document_id, run_id, number FROM document_pages"
    )
    op.execute(
        "INSERT INTO page_search (rowid, text) SELECT rows.id, pages.text FROM page_search_rows AS rows "
        "JOIN document_pages AS pages ON pages.document_id = rows.document_id "
        "AND pages.run_id = rows.run_id AND pages.number = rows.number"
    )
