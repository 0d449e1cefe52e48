"""Full-text search in the living documents of projects"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0010"
down_revision = "0009"

# Only newest versions are indexed. What PostgreSQL takes as one text of words is limited, so a long document goes in
# pieces. They overlap a little, lest a word be cut in two. The words are stored: to find them again in a long text
# takes a second, and for a small table PostgreSQL would rather do that than use an index.
_PIECES = """
INSERT INTO living_search (document_id, revision_id, piece, words)
SELECT version.head_id, version.id, piece, page_words(substr(version.content, piece, 100100))
FROM {versions}, generate_series(1, greatest(length(version.content), 1), 100000) AS piece
"""
_ON_INSERT = f"""
CREATE FUNCTION living_search_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM living_search WHERE document_id = new.head_id;
    {_PIECES.format(versions="(SELECT new.head_id, new.id, new.content) AS version").strip()};
    RETURN NULL;
END
$$
"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _on_postgresql()
    else:
        _on_sqlite()


def _on_postgresql() -> None:
    op.create_table(
        "living_search",
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("revision_id", sa.String(length=24), nullable=False),
        sa.Column("piece", sa.Integer(), nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "piece", name="pk_living_search"),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["living_document_revisions.id"],
            name="fk_living_search_revision_id",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_living_search_revision_id", "living_search", ["revision_id"])
    op.create_index("ix_living_search_words", "living_search", ["words"], postgresql_using="gin")
    op.execute(_ON_INSERT)
    op.execute(
        "CREATE TRIGGER living_search_insert AFTER INSERT ON living_document_revisions "
        "FOR EACH ROW EXECUTE FUNCTION living_search_insert()"
    )
    newest = "living_documents JOIN living_document_revisions AS version ON version.id = latest_revid"
    op.execute(_PIECES.format(versions=newest))


def _on_sqlite() -> None:
    op.create_table(
        "living_search_rows",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("document_id", sa.String(length=24), nullable=False, unique=True),
        sa.Column("revision_id", sa.String(length=24), nullable=False, unique=True),
    )
    # Without content of its own: the text stays in living_document_revisions alone.
    op.execute(
        "CREATE VIRTUAL TABLE living_search USING fts5"
        "(text, content='', tokenize='unicode61 remove_diacritics 2')"
    )
    op.execute(
        "CREATE TRIGGER living_search_insert AFTER INSERT ON living_document_revisions BEGIN "
        "INSERT INTO living_search (living_search, rowid, text) "
        "SELECT 'delete', place.id, former.content FROM living_search_rows AS place "
        "JOIN living_document_revisions AS former ON former.id = place.revision_id "
        "WHERE place.document_id = new.head_id; "
        "DELETE FROM living_search_rows WHERE document_id = new.head_id; "
        "INSERT INTO living_search_rows (document_id, revision_id) VALUES (new.head_id, new.id); "
        "INSERT INTO living_search (rowid, text) "
        "SELECT id, new.content FROM living_search_rows WHERE revision_id = new.id; END"
    )
    op.execute(
        "CREATE TRIGGER living_search_delete AFTER DELETE ON living_document_revisions BEGIN "
        "INSERT INTO living_search (living_search, rowid, text) "
        "SELECT 'delete', id, old.content FROM living_search_rows WHERE revision_id = old.id; "
        "DELETE FROM living_search_rows WHERE revision_id = old.id; END"
    )
    op.execute(
        "INSERT INTO living_search_rows (document_id, revision_id) SELECT id, latest_revid FROM living_documents"
    )
    op.execute(
        "INSERT INTO living_search (rowid, text) SELECT place.id, version.content "
        "FROM living_search_rows AS place JOIN living_document_revisions AS version ON version.id = place.revision_id"
    )
