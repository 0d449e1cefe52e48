"""One full-text index of what people look for by name or by words: documents, values, schemas, prompts, tags, projects

The texts of pages and of living documents have indexes of their own (0008 and 0010). Here is the rest, as entries that
triggers keep in step with what everybody may see: what is deleted or only proposed has no entry.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0015"
down_revision = "0014"

# What can be found, by kind: an entry's subject, the part of it that is indexed, and its text. `{values}` and `{fields}`
# are the words of a JSON column, by each database's own means.
_ENTRIES = {
    "document": "SELECT organization_id, 'document' AS kind, id AS subject_id, '' AS part_id, name AS text "
    "FROM documents WHERE deleted_at IS NULL",
    "value": "SELECT head.organization_id, 'value' AS kind, head.document_id AS subject_id, head.id AS part_id, "
    "{values} AS text FROM extraction_results AS head "
    "JOIN extraction_revisions AS version ON version.result_id = head.id AND version.number = head.revision "
    "JOIN documents ON documents.id = head.document_id "
    "WHERE documents.deleted_at IS NULL AND NOT head.proposed",
    "schema": "SELECT head.organization_id, 'schema' AS kind, head.id AS subject_id, '' AS part_id, "
    "head.name || ' ' || {fields} AS text FROM schemas AS head "
    "JOIN schema_revisions AS version ON version.id = head.latest_revid "
    "WHERE head.deleted_at IS NULL AND head.proposal_id IS NULL",
    "prompt": "SELECT head.organization_id, 'prompt' AS kind, head.id AS subject_id, '' AS part_id, "
    "head.name || ' ' || substr(version.content, 1, 100000) AS text FROM prompts AS head "
    "JOIN prompt_revisions AS version ON version.id = head.latest_revid "
    "WHERE head.deleted_at IS NULL AND head.proposal_id IS NULL",
    "tag": "SELECT organization_id, 'tag' AS kind, id AS subject_id, '' AS part_id, "
    "name || ' ' || coalesce(description, '') AS text FROM tags WHERE true",
    "project": "SELECT organization_id, 'project' AS kind, id AS subject_id, '' AS part_id, "
    "name || ' ' || description || ' ' || standing_instruction AS text FROM projects WHERE deleted_at IS NULL",
}

# Which change of which table renews which entries: the table, when, the kinds with their condition.
_RENEWALS = (
    ("documents", "INSERT", {"document": "id = new.id"}),
    (
        "documents",
        "UPDATE OF name, deleted_at",
        {"document": "id = new.id", "value": "head.document_id = new.id"},
    ),
    ("extraction_results", "UPDATE OF proposed", {"value": "head.id = new.id"}),
    ("extraction_revisions", "INSERT", {"value": "head.id = new.result_id"}),
    ("schemas", "UPDATE OF name, deleted_at, proposal_id", {"schema": "head.id = new.id"}),
    ("schema_revisions", "INSERT", {"schema": "head.id = new.head_id"}),
    ("prompts", "UPDATE OF name, deleted_at, proposal_id", {"prompt": "head.id = new.id"}),
    ("prompt_revisions", "INSERT", {"prompt": "head.id = new.head_id"}),
    ("tags", "INSERT", {"tag": "id = new.id"}),
    ("tags", "UPDATE OF name, description", {"tag": "id = new.id"}),
    ("projects", "INSERT", {"project": "id = new.id"}),
    (
        "projects",
        "UPDATE OF name, description, standing_instruction, deleted_at",
        {"project": "id = new.id"},
    ),
)
_REMOVALS = {
    "documents": "kind IN ('document', 'value') AND subject_id = old.id",
    "extraction_results": "kind = 'value' AND subject_id = old.document_id AND part_id = old.id",
    "schemas": "kind = 'schema' AND subject_id = old.id",
    "prompts": "kind = 'prompt' AND subject_id = old.id",
    "tags": "kind = 'tag' AND subject_id = old.id",
    "projects": "kind = 'project' AND subject_id = old.id",
}

_JSON_ON_SQLITE = {
    "values": "substr(coalesce((SELECT group_concat(atom, ' ') FROM json_tree(version.data) "
    "WHERE json_valid(version.data) AND type IN ('text', 'integer', 'real')), ''), 1, 100000)",
    "fields": "substr(coalesce((SELECT group_concat(CASE WHEN path LIKE '%.properties' THEN key || ' ' ELSE '' END "
    "|| CASE WHEN key IN ('title', 'description') AND type = 'text' THEN atom ELSE '' END, ' ') "
    "FROM json_tree(version.response_format) WHERE json_valid(version.response_format)), ''), 1, 100000)",
}
# What PostgreSQL cannot take apart, such as text with NUL characters, has no words.
_JSON_FUNCTIONS_ON_POSTGRESQL = (
    """
CREATE FUNCTION search_values(json) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN left(coalesce((SELECT string_agg(atom #>> '{}', ' ') FROM jsonb_path_query(
        $1::jsonb, 'strict $.** ? (@.type() == "string" || @.type() == "number")') AS atom), ''), 100000);
EXCEPTION WHEN data_exception THEN
    RETURN '';
END
$$
""",
    """
CREATE FUNCTION search_fields(json) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN left(concat_ws(' ',
        (SELECT string_agg(DISTINCT name, ' ') FROM jsonb_path_query($1::jsonb, 'lax $.**.properties') AS fields,
            jsonb_object_keys(CASE jsonb_typeof(fields) WHEN 'object' THEN fields ELSE '{}' END) AS name),
        (SELECT string_agg(DISTINCT said #>> '{}', ' ') FROM jsonb_path_query(
            $1::jsonb, 'lax $.**.keyvalue() ? (@.key == "title" || @.key == "description").value') AS said
            WHERE jsonb_typeof(said) = 'string')), 100000);
EXCEPTION WHEN data_exception THEN
    RETURN '';
END
$$
""",
)
_JSON_ON_POSTGRESQL = {
    "values": "search_values(version.data)",
    "fields": "search_fields(version.response_format)",
}

# An entry's scope, its organisation and kind, is a word of the index as well. So the index alone finds what is wanted,
# however much there is of others.
_INSERT_ON_SQLITE = (
    "INSERT INTO search_entries (organization_id, kind, subject_id, part_id, scope, text) "
    "SELECT organization_id, kind, subject_id, part_id, organization_id || kind, text FROM ({entries}) AS entry"
)
_INSERT_ON_POSTGRESQL = (
    "INSERT INTO search_entries (organization_id, kind, subject_id, part_id, words) "
    "SELECT organization_id, kind, subject_id, part_id, page_words(organization_id || kind || ' ' || text) "
    "FROM ({entries}) AS entry"
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        _on_postgresql()
    else:
        _on_sqlite()


def _on_postgresql() -> None:
    for function in _JSON_FUNCTIONS_ON_POSTGRESQL:
        op.execute(function)
    op.create_table(
        "search_entries",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True),
        *_columns(),
        sa.Column("words", postgresql.TSVECTOR(), nullable=False),
    )
    op.create_index("ix_search_entries_subject", "search_entries", ["subject_id", "kind"])
    for entries in _ENTRIES.values():
        op.execute(_INSERT_ON_POSTGRESQL.format(entries=_by(entries, _JSON_ON_POSTGRESQL)))
    op.create_index("ix_search_entries_words", "search_entries", ["words"], postgresql_using="gin")
    for number, (table, event, statements) in enumerate(
        _triggers(_INSERT_ON_POSTGRESQL, _JSON_ON_POSTGRESQL)
    ):
        name = f"search_entries_{number}_{table}"
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {statements} RETURN NULL; END $$"
        )
        op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()")


def _on_sqlite() -> None:
    op.create_table(
        "search_entries",
        sa.Column("id", sa.Integer(), primary_key=True),
        *_columns(),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_search_entries_subject", "search_entries", ["subject_id", "kind"])
    op.execute(
        "CREATE VIRTUAL TABLE search_index USING fts5(scope, text, content='search_entries', content_rowid='id', "
        "prefix='2 3 4 5', tokenize='unicode61 remove_diacritics 2')"
    )
    op.execute(
        "CREATE TRIGGER search_index_insert AFTER INSERT ON search_entries BEGIN "
        "INSERT INTO search_index (rowid, scope, text) VALUES (new.id, new.scope, new.text); END"
    )
    op.execute(
        "CREATE TRIGGER search_index_delete AFTER DELETE ON search_entries BEGIN "
        "INSERT INTO search_index (search_index, rowid, scope, text) "
        "VALUES ('delete', old.id, old.scope, old.text); END"
    )
    for entries in _ENTRIES.values():
        op.execute(_INSERT_ON_SQLITE.format(entries=_by(entries, _JSON_ON_SQLITE)))
    for number, (table, event, statements) in enumerate(_triggers(_INSERT_ON_SQLITE, _JSON_ON_SQLITE)):
        op.execute(
            f"CREATE TRIGGER search_entries_{number}_{table} AFTER {event} ON {table} BEGIN {statements} END"
        )


def _columns() -> list[sa.Column[str]]:
    organization = sa.ForeignKey(
        "organizations.id", name="fk_search_entries_organization_id", ondelete="CASCADE"
    )
    return [
        sa.Column("organization_id", sa.String(length=24), organization, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("subject_id", sa.String(length=24), nullable=False),
        sa.Column("part_id", sa.String(length=24), nullable=False),
    ]


def _triggers(insert: str, words: dict[str, str]) -> list[tuple[str, str, str]]:
    """Each table with an event, and the statements that bring the entries in step with it."""
    found = []
    for table, event, renewed in _RENEWALS:
        statements = ""
        for kind, condition in renewed.items():
            entries = f"{_by(_ENTRIES[kind], words)} AND {condition}"
            statements += f"{_delete(kind, condition)}; {insert.format(entries=entries)}; "
        found.append((table, event, statements))
    for table, condition in _REMOVALS.items():
        found.append((table, "DELETE", f"DELETE FROM search_entries WHERE {condition}; "))
    return found


def _delete(kind: str, condition: str) -> str:
    """Removes what the same condition would renew."""
    _, _, given = condition.partition(" = ")
    if kind == "value" and not condition.startswith("head.document_id"):
        subject = f"(SELECT document_id FROM extraction_results WHERE id = {given})"
        return f"DELETE FROM search_entries WHERE kind = 'value' AND subject_id = {subject} AND part_id = {given}"
    return f"DELETE FROM search_entries WHERE kind = '{kind}' AND subject_id = {given}"


def _by(entries: str, words: dict[str, str]) -> str:
    return entries.format(**words) if "{" in entries else entries
