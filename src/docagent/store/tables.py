"""Every table, declared once. Tables made with `_owned` belong to an organisation row by row."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from docagent.store.engine.tenancy import OWNED
from docagent.store.engine.types import UtcDateTime, id_column, text_type

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
_TEXT, _JSON, _ID = text_type(), sa.JSON(none_as_null=True), sa.String(24)


def _each(kind: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    """Columns of one type."""
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _json(name: str, **kwargs: Any) -> sa.Column[Any]:
    return sa.Column(name, _JSON, **kwargs)


def _time(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, UtcDateTime, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, _TEXT, nullable=nullable)


def _refers(name: str, table: str, **kwargs: Any) -> sa.Column[str]:
    """The id of a row of the table. Whoever deletes that row deletes this one too."""
    return id_column(name, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), **kwargs)


def _organization(**kwargs: Any) -> sa.Column[str]:
    return _refers("organization_id", "organizations", nullable=False, **kwargs)


def _owned(name: str, *columns: Any) -> sa.Table:
    return sa.Table(name, metadata, *columns, info={OWNED: True})


def _identified(name: str, *columns: Any, indexed: bool = False) -> sa.Table:
    """An owned table whose rows have an id. `indexed`: they are also looked up by their organisation alone."""
    whose = _organization(index=True) if indexed else _organization()
    return _owned(name, id_column("id", primary_key=True), whose, *columns)


def _where(condition: sa.ColumnElement[bool]) -> dict[str, Any]:
    """Keyword arguments for an index of some rows."""
    return {"sqlite_where": condition, "postgresql_where": condition}


def _live(table: sa.Table) -> dict[str, Any]:
    """Keyword arguments for an index that leaves out deleted rows."""
    return _where(table.c.deleted_at.is_(None))


# --- people and organisations ---------------------------------------------------------------------------------

users = sa.Table(
    "users",
    metadata,
    id_column("id", primary_key=True),
    _text("email"),
    sa.Column("email_folded", _TEXT, nullable=False, unique=True),
    _text("name"),
    _text("password_hash", nullable=True),
    _time("password_changed_at", nullable=True),
    sa.Column("role", sa.String(10), nullable=False),
    *_each(sa.Boolean, "email_verified", "has_seen_tour"),
    _time("created_at"),
)

organizations = sa.Table(
    "organizations",
    metadata,
    id_column("id", primary_key=True),
    _text("name"),
    sa.Column("name_folded", _TEXT, nullable=False, unique=True),
    sa.Column("type", sa.String(12), nullable=False),
    *_each(sa.Boolean, "default_prompt_enabled", "experimental_features"),
    sa.Column("flow_log_level", sa.String(8), nullable=False),
    sa.Column("auto_create_default", sa.Boolean, nullable=False, server_default=sa.false()),
    _json("ocr_config", nullable=False),
    _text("default_model", nullable=True),
    _text("default_agent_model", nullable=True),
    sa.Column("loop_strategy", sa.String(40), nullable=True),
    sa.Column("time_zone", sa.String(64), nullable=True),
    sa.Column("pictures", sa.String(8), nullable=True),
    sa.Column("remote_pictures", sa.Boolean, nullable=False, server_default=sa.true()),
    *_each(UtcDateTime, "created_at", "updated_at"),
)

members = _owned(
    "members",
    _organization(primary_key=True),
    _refers("user_id", "users", primary_key=True, index=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
)

access_tokens = sa.Table(
    "access_tokens",
    metadata,
    id_column("id", primary_key=True),
    _refers("user_id", "users", nullable=False, index=True),
    _refers("organization_id", "organizations", nullable=True, index=True),
    _refers("made_by_token_id", "access_tokens", nullable=True, index=True),
    _text("name"),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("token_start", sa.String(10), nullable=False),
    sa.Column("lifetime", sa.Integer, nullable=False),
    sa.Column("scope", sa.String(10), nullable=False, server_default="ask"),
    _time("created_at"),
    *_each(UtcDateTime, "expires_at", "last_used_at", nullable=True),
)

sessions = sa.Table(
    "sessions",
    metadata,
    id_column("id", primary_key=True),
    _refers("user_id", "users", nullable=False, index=True),
    sa.Column("refresh_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("previous_hash", sa.String(64), nullable=True, index=True),
    _time("previous_until", nullable=True),
    *_each(UtcDateTime, "created_at", "last_used_at", "expires_at"),
)

one_time_links = sa.Table(
    "one_time_links",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("purpose", sa.String(20), nullable=False),
    _refers("user_id", "users", nullable=False, index=True),
    _time("expires_at"),
)

invitations = sa.Table(
    "invitations",
    metadata,
    id_column("id", primary_key=True),
    _refers("organization_id", "organizations", nullable=True, index=True),
    _refers("user_id", "users", nullable=True, index=True),
    _text("email", nullable=True),
    sa.Column("email_folded", _TEXT, nullable=True, index=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("mailed", sa.Boolean, nullable=False),
    _refers("created_by", "users", nullable=False, index=True),
    *_each(UtcDateTime, "created_at", "expires_at"),
)

deployment_config = sa.Table(
    "deployment_config",
    metadata,
    sa.Column("key", sa.String(40), primary_key=True),
    _text("sealed_value"),
    _time("updated_at"),
)

# --- tags and documents ---------------------------------------------------------------------------------------

tags = _identified(
    "tags",
    *_each(_TEXT, "name", "name_folded", "color"),
    *_each(_TEXT, "description", "description_folded", nullable=True),
    _time("created_at"),
    id_column("created_by", nullable=False),
    sa.UniqueConstraint("organization_id", "name"),
)

documents = _identified(
    "documents",
    *_each(_TEXT, "name", "name_folded"),
    sa.Column("extension", sa.String(8), nullable=False),
    sa.Column("mime_type", sa.String(100), nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("has_pdf", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    _text("state_reason", nullable=True),
    sa.Column("state_reason_code", sa.String(30), nullable=True),
    _time("state_updated_at"),
    *_each(_JSON, "tag_ids", "metadata"),
    _json("private_regions", nullable=True),
    *_each(_TEXT, "uploaded_by", "uploaded_by_folded"),
    id_column("uploaded_by_id", nullable=False),
    _time("upload_date"),
    _text("sealed_password", nullable=True),
    id_column("text_run_id", nullable=True),
    *_each(sa.Integer, "text_version", "page_count", nullable=True),
    sa.Column("pages_read", sa.Integer, nullable=False),
    _time("text_date", nullable=True),
    sa.Column("auto_create", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("auto_create_status", sa.String(10), nullable=True),
    *_each(
        _ID,
        "auto_create_proposal_id",
        "auto_create_turn_id",
        "auto_create_schema_revid",
        "auto_create_prompt_revid",
        nullable=True,
    ),
    _time("auto_create_done_at", nullable=True),
    *_each(_TEXT, "auto_create_reason", "auto_create_error", nullable=True),
    _time("deleted_at", nullable=True),
)
_upload_order = (documents.c.organization_id, documents.c.upload_date, documents.c.id)
sa.Index("ix_documents_upload_order", *_upload_order, **_live(documents))
for _name, _sorted_by in (
    # Holds all that a search for a name looks at, so that only the rows of the page are read.
    ("name", documents.c.name_folded),
    ("state", documents.c.state),
    ("uploader", documents.c.uploaded_by_folded),
):
    sa.Index(f"ix_documents_{_name}", _upload_order[0], _sorted_by, *_upload_order[1:], **_live(documents))
sa.Index("ix_documents_hash", documents.c.organization_id, documents.c.sha256, **_live(documents))
sa.Index("ix_documents_deleted_at", documents.c.deleted_at)
_prepared = documents.c.auto_create_status.is_not(None)
sa.Index(
    "ix_documents_auto_create",
    documents.c.organization_id,
    documents.c.auto_create_status,
    documents.c.auto_create_proposal_id,
    **_where(_prepared),
)

document_tags = _owned(
    "document_tags",
    _organization(),
    _refers("document_id", "documents", primary_key=True),
    _refers("tag_id", "tags", primary_key=True),
    sa.Index("ix_document_tags_tag", "organization_id", "tag_id", "document_id"),
)

document_metadata = _owned(
    "document_metadata",
    _organization(),
    _refers("document_id", "documents", primary_key=True),
    sa.Column("key", _TEXT, primary_key=True),
    _text("value"),
    sa.Index("ix_document_metadata_pair", "organization_id", "key", "value", "document_id"),
)

document_pages = _owned(
    "document_pages",
    _organization(),
    _refers("document_id", "documents", primary_key=True),
    id_column("run_id", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    _text("text"),
    sa.Column("layout", sa.LargeBinary, nullable=False),
    _text("note", nullable=True),
)

# --- versioned things: a head with a name and a counter, and its revisions ---------------------------------------


def _head(name: str, *columns: Any) -> sa.Table:
    return _identified(
        name,
        _text("name"),
        _text("name_key"),
        _text("name_folded"),
        sa.Column("version", sa.Integer, nullable=False),
        id_column("latest_revid", nullable=False),
        _time("deleted_at", nullable=True),
        *columns,
    )


def _revision(name: str, head: str, *columns: Any) -> sa.Table:
    return _identified(
        name,
        _refers("head_id", head, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        _time("created_at"),
        id_column("created_by", nullable=False),
        *columns,
        sa.UniqueConstraint("head_id", "version"),
    )


def _proposable_head(name: str) -> sa.Table:
    """A head that may be a part of a proposal. Names are unique among what is accepted, and within each proposal."""
    table = _head(name, id_column("proposal_id", nullable=True))
    alive, proposal = table.c.deleted_at.is_(None), table.c.proposal_id
    accepted, proposed = alive & proposal.is_(None), alive & proposal.is_not(None)
    sa.Index(
        f"uq_{name}_name",
        table.c.organization_id,
        table.c.name_key,
        unique=True,
        **_where(accepted),
    )
    sa.Index(
        f"uq_{name}_proposed_name",
        table.c.organization_id,
        proposal,
        table.c.name_key,
        unique=True,
        **_where(proposed),
    )
    return table


schemas = _proposable_head("schemas")
schema_revisions = _revision(
    "schema_revisions",
    "schemas",
    _json("response_format", nullable=False),
    sa.Column("digest", sa.String(64), nullable=True),
    sa.Index("ix_schema_revisions_digest", "organization_id", "digest"),
)

prompts = _proposable_head("prompts")
prompt_revisions = _revision(
    "prompt_revisions",
    "prompts",
    _text("content"),
    id_column("schema_id", nullable=True, index=True),
    sa.Column("schema_version", sa.Integer, nullable=True),
    _json("tag_ids", nullable=False),
    *_each(_TEXT, "model", "kb_id", nullable=True),
    *_each(_JSON, "peer_match_keys", "include"),
)

forms = _head("forms")
form_revisions = _revision(
    "form_revisions", "forms", _json("response_format", nullable=False), _json("tag_ids", nullable=False)
)

sa.Index("uq_forms_name", forms.c.organization_id, forms.c.name_key, unique=True, **_live(forms))


def _tags_of(noun: str) -> sa.Table:
    return _owned(
        f"{noun}_tags",
        _organization(),
        _refers("revision_id", f"{noun}_revisions", primary_key=True),
        id_column("tag_id", primary_key=True),
        sa.Index(f"ix_{noun}_tags_tag", "organization_id", "tag_id", "revision_id"),
    )


prompt_tags, form_tags = _tags_of("prompt"), _tags_of("form")

# --- projects of living documents --------------------------------------------------------------------------------

projects = _identified(
    "projects",
    *_each(_TEXT, "name", "name_key", "name_folded", "description", "standing_instruction"),
    id_column("created_by", nullable=False),
    *_each(UtcDateTime, "created_at", "updated_at"),
    _time("deleted_at", nullable=True),
)
sa.Index("uq_projects_name", projects.c.organization_id, projects.c.name_key, unique=True, **_live(projects))


living_documents = _head(
    "living_documents",
    _refers("project_id", "projects", nullable=False),
)
sa.Index(
    "uq_living_documents_name",
    living_documents.c.project_id,
    living_documents.c.name_key,
    unique=True,
    **_live(living_documents),
)
living_document_revisions = _revision(
    "living_document_revisions",
    "living_documents",
    *_each(_TEXT, "content", "standing_instruction"),
    sa.Column("author", sa.String(5), nullable=False),
    _text("reason"),
    id_column("turn_id", nullable=True),
)
"""`author` is `user` or `agent`; `turn_id` names the turn in which the agent wrote it."""

form_submissions = _identified(
    "form_submissions",
    _refers("form_revid", "form_revisions", nullable=False, index=True),
    _refers("document_id", "documents", nullable=False),
    _json("submission_data", nullable=False),
    _text("submitted_by", nullable=True),
    *_each(UtcDateTime, "created_at", "updated_at"),
    sa.UniqueConstraint("document_id", "form_revid"),
)

blob_trash = sa.Table(
    "blob_trash", metadata, sa.Column("key", _TEXT, primary_key=True), _time("discarded_at")
)

# --- background work ------------------------------------------------------------------------------------------

jobs = _identified(
    "jobs",
    sa.Column("kind", sa.String(40), nullable=False),
    id_column("subject_id", nullable=True, index=True),
    _json("arguments", nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    *_each(sa.Integer, "attempts", "max_attempts"),
    sa.Column("crashes", sa.Integer, nullable=False, server_default="0"),
    sa.Column("progress", sa.Integer, nullable=False),
    sa.Column("progress_total", sa.Integer, nullable=True),
    _text("error", nullable=True),
    *_each(UtcDateTime, "created_at", "run_at"),
    _time("finished_at", nullable=True),
    sa.Column("lease_owner", sa.String(60), nullable=True),
    _time("lease_until", nullable=True),
    sa.Index("ix_jobs_due", "state", "run_at"),
    sa.Index("ix_jobs_recent", "organization_id", "created_at"),
    sa.Index("ix_jobs_finished", "finished_at"),
)

# --- requests that may be repeated: what the first one with a key made --------------------------------------------

repeats = _owned(
    "repeats",
    _organization(primary_key=True),
    id_column("asker", primary_key=True),
    sa.Column("route", sa.String(60), primary_key=True),
    sa.Column("key", _TEXT, primary_key=True),
    sa.Column("request", sa.String(64), nullable=False),
    _json("made", nullable=True),
    sa.Column("owner", sa.String(60), nullable=True),
    _time("created_at"),
    sa.Index("ix_repeats_created_at", "created_at"),
)

# --- extraction results: a head for each document and prompt revision, and revisions that never change -----------

extraction_results = _identified(
    "extraction_results",
    _refers("document_id", "documents", nullable=False),
    *_each(_ID, "prompt_revid", "prompt_id"),
    *_each(sa.Integer, "prompt_version", "revision"),
    *_each(UtcDateTime, "created_at", "updated_at"),
    sa.Column("proposed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("certainty", sa.Float, nullable=False, server_default="1"),
    _json("unsure", nullable=True),
    sa.Column("standing", sa.String(10), nullable=False, server_default="open"),
    id_column("reviewer_id", nullable=True),
    _time("reviewing_until", nullable=True),
    sa.UniqueConstraint("document_id", "prompt_revid"),
    sa.Index("ix_extraction_results_prompt", "organization_id", "document_id", "prompt_id", "prompt_version"),
    sa.Index("ix_extraction_results_sheet", "organization_id", "prompt_id", "document_id"),
)

extraction_revisions = _owned(
    "extraction_revisions",
    _refers("result_id", "extraction_results", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    _organization(),
    sa.Column("origin", sa.String(10), nullable=False),
    *_each(_JSON, "model_data", "data"),
    sa.Column("is_verified", sa.Boolean, nullable=False),
    *_each(_JSON, "verified_paths", "problems"),
    _json("grounding"),
    _json("run", nullable=False),
    _time("created_at"),
    id_column("created_by", nullable=False),
    sa.Column("is_rejected", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("auto_verified", sa.Boolean, nullable=False, server_default=sa.false()),
)

review_policies = _owned(
    "review_policies",
    _organization(primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    sa.Column("mode", sa.String(10), nullable=False),
    sa.Column("threshold", sa.Float, nullable=False),
    sa.Column("sample_percent", sa.Integer, nullable=False),
)

sheet_templates = _owned(
    "sheet_templates",
    _organization(primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    _json("columns", nullable=False),
    sa.Column("decimal", sa.String(1), nullable=False),
)

straight_through_policies = _owned(
    "straight_through_policies",
    _organization(primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    sa.Column("precision", sa.Float, nullable=False),
    sa.Column("auto_verify", sa.Boolean, nullable=False),
    sa.Column("threshold", sa.Float, nullable=True),
    _json("history", nullable=False),
)
"""`threshold`: from which confidence on results skip review, as last measured; null if too little is verified."""
accuracy_runs = _identified(
    "accuracy_runs",
    *_each(_ID, "prompt_id", "prompt_revid"),
    sa.Column("prompt_version", sa.Integer, nullable=False),
    _text("prompt_name", nullable=False),
    _json("draft", nullable=True),
    _text("requested_model", nullable=True),
    _text("model", nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    _text("reason", nullable=True),
    *_each(sa.Integer, "total", "done", "failed", "documents_right"),
    _json("fields", nullable=False),
    sa.Column("credits", sa.Integer, nullable=False),
    sa.Column("milliseconds", sa.BigInteger, nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("finished_at", nullable=True),
    sa.Index("ix_accuracy_runs_prompt", "organization_id", "prompt_id", "id"),
)
"""Measured against what people verified. The id is that of the job that does it; the run outlives the job."""
accuracy_scores = _owned(
    "accuracy_scores",
    _refers("run_id", "accuracy_runs", primary_key=True),
    _refers("document_id", "documents", primary_key=True),
    _organization(),
    id_column("result_id", nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    _time("scored_at", nullable=True),
    _text("failure", nullable=True),
    _json("judged", nullable=True),
    *_each(sa.Integer, "credits", "milliseconds"),
    sa.Index("ix_accuracy_scores_document", "organization_id", "document_id"),
)
"""A document of a run. `result_id` and `revision` are the truth as it was when the run began."""
calibrations = _owned(
    "calibrations",
    _organization(primary_key=True),
    _json("table", nullable=True),
    sa.Column("verified_values", sa.Integer, nullable=False),
    _time("made_at"),
)
"""How sure values are, as measured on what an organisation's people verified; no `table` if that is too little."""

learning_switches = _owned(
    "learning_switches",
    _organization(primary_key=True),
    sa.Column("is_on", sa.Boolean, nullable=False),
    sa.Column("examples_on", sa.Boolean, nullable=False, server_default=sa.true()),
)
"""Whether an organisation learns from what it verifies, and shows it to models as examples. It does where there is no
row.
"""

spreads = _identified(
    "spreads",
    sa.Column("prompt_id", sa.String(24), nullable=False),
    _refers("document_id", "documents", nullable=False),
    _text("path"),
    _json("changes", nullable=False),
    sa.Column("values_changed", sa.Integer, nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("undone_at", nullable=True),
    sa.Index("ix_spreads_prompt", "organization_id", "prompt_id"),
)
"""Corrections of one document that changed others of the same layout."""

sheet_merges = _identified(
    "sheet_merges",
    *_each(_ID, "prompt_id", "made_revid", "former_revid", "source_prompt_id"),
    id_column("source_schema_id", nullable=True),
    _json("moved", nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("undone_at", nullable=True),
    sa.Index("ix_sheet_merges_prompt", "organization_id", "prompt_id"),
)
"""Sheets that were merged into others."""

learnt_documents = _owned(
    "learnt_documents",
    _refers("document_id", "documents", primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    _organization(),
    *_each(_JSON, "signature", "memories", "record"),
    _time("learnt_at"),
    sa.Index("ix_learnt_documents_prompt", "organization_id", "prompt_id", "learnt_at"),
)
"""How the verified values of a document are found. `record` has what other verified documents say of that."""

learnt_layouts = _owned(
    "learnt_layouts",
    _refers("document_id", "documents", primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    sa.Column("band", sa.BigInteger, primary_key=True),
    _organization(),
    sa.Index("ix_learnt_layouts_band", "organization_id", "prompt_id", "band"),
)
"""Documents that share a band look alike."""

extraction_parts = _owned(
    "extraction_parts",
    id_column("run_id", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    _organization(),
    _text("reply"),
    _time("created_at"),
    sa.Index("ix_extraction_parts_created_at", "created_at"),
)

# --- models and credits ---------------------------------------------------------------------------------------


def _provider_settings() -> tuple[Any, ...]:
    """The columns for what can be decided about a provider. Null means not decided."""
    return (
        sa.Column("enabled", sa.Boolean, nullable=True),
        _text("sealed_key", nullable=True),
        _time("key_created_at", nullable=True),
        _json("enabled_models", nullable=True),
        _json("chat_models", nullable=True),
        _time("updated_at"),
    )


llm_providers = sa.Table(
    "llm_providers",
    metadata,
    sa.Column("name", sa.String(40), primary_key=True),
    *_provider_settings(),
    sa.Column("custom", sa.Boolean, nullable=False),
    *_each(_TEXT, "display_name", "base_url", nullable=True),
    _json("own_models", nullable=False),
)

organization_llm_providers = _owned(
    "organization_llm_providers",
    _organization(primary_key=True),
    sa.Column("name", sa.String(40), primary_key=True),
    *_provider_settings(),
)

credit_accounts = _owned(
    "credit_accounts",
    _organization(primary_key=True),
    *_each(sa.BigInteger, "granted", "granted_used", "purchased", "purchased_used", "paid"),
    sa.Column("enforced", sa.Boolean, nullable=False),
)

credit_entries = _identified(
    "credit_entries",
    sa.Column("kind", sa.String(10), nullable=False),
    *_each(sa.BigInteger, "credits", "from_purchased", "from_granted", "from_paid"),
    *_each(_TEXT, "operation", "source"),
    id_column("user_id", nullable=True),
    sa.Column("provider", sa.String(40), nullable=True),
    _text("model", nullable=True),
    *_each(sa.BigInteger, "input_tokens", "output_tokens"),
    sa.Column("cost", sa.Double, nullable=False),
    _json("pictures", nullable=True),
    sa.Column("day", sa.String(10), nullable=False),
    _time("created_at"),
    sa.Index("ix_credit_entries_day", "organization_id", "day"),
)

credit_holds = _identified(
    "credit_holds",
    sa.Column("credits", sa.BigInteger, nullable=False),
    _time("expires_at"),
    indexed=True,
)

# --- the agent ------------------------------------------------------------------------------------------------


def _document() -> sa.Column[str]:
    return _refers("document_id", "documents", nullable=True, index=True)


def _project() -> sa.Column[str]:
    """No foreign key: SQLite cannot add one to an existing table. `projects.purge` removes such rows."""
    return id_column("project_id", nullable=True, index=True)


threads = _identified(
    "threads",
    id_column("user_id", nullable=False),
    _document(),
    _project(),
    _text("title"),
    _json("state", nullable=False),
    sa.Column("next_position", sa.Integer, nullable=False),
    *_each(UtcDateTime, "created_at", "updated_at"),
    sa.Index("ix_threads_own", "organization_id", "user_id", "document_id", "updated_at"),
)

turns = _identified(
    "turns",
    id_column("user_id", nullable=False),
    _document(),
    _project(),
    _refers("thread_id", "threads", nullable=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("superseded", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    _text("model"),
    sa.Column("strategy", sa.String(40), nullable=False),
    sa.Column("last_seq", sa.Integer, nullable=False),
    _json("transcript", nullable=True),
    sa.Column("transcript_tokens", sa.Integer, nullable=False),
    sa.Column("lease_owner", sa.String(64), nullable=True),
    _time("lease_until", nullable=True),
    id_column("stop_requested_by", nullable=True),
    sa.Column("signals", sa.Integer, nullable=False),
    *_each(UtcDateTime, "waits_until", "deserted_at", nullable=True),
    id_column("credential_id", nullable=True),
    *_each(UtcDateTime, "created_at", "updated_at"),
    sa.Index("ix_turns_thread", "thread_id", "position"),
    sa.Index("ix_turns_waiting", "organization_id", "user_id", "state"),
    sa.Index("ix_turns_lease", "state", "lease_until"),
)
"""`transcript` keeps the messages that a finished turn adds to the model's history: a fold of its events.
`credential_id` is the API token or session without which the turn may not continue; NULL for the server's own turns and
those of earlier versions."""

turn_events = _owned(
    "turn_events",
    _refers("turn_id", "turns", primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    _organization(),
    sa.Column("type", sa.String(24), nullable=False),
    _json("payload", nullable=False),
    _time("created_at"),
)
AUDITED = ("tool_result", "undone")
_audited = turn_events.c.type.in_(AUDITED)
sa.Index(
    "ix_turn_events_audit",
    turn_events.c.organization_id,
    turn_events.c.created_at.desc(),
    turn_events.c.turn_id,
    turn_events.c.seq.desc(),
    **_where(_audited),
)
"""In the order of the audit, so that a page far down is found without reading what is before it."""

turn_signals = _identified(
    "turn_signals",
    _refers("turn_id", "turns", nullable=False, index=True),
    sa.Column("type", sa.String(24), nullable=False),
    _json("payload", nullable=False),
    _time("created_at"),
    indexed=True,
)

permission_rules = _identified(
    "permission_rules",
    id_column("user_id", nullable=True),
    _document(),
    _project(),
    sa.Column("tool", sa.String(64), nullable=False),
    sa.Column("effect", sa.String(8), nullable=False),
    _json("arguments", nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    indexed=True,
)

# --- tools of others ------------------------------------------------------------------------------------------

mcp_servers = _identified(
    "mcp_servers",
    sa.Column("name", sa.String(24), nullable=False),
    *_each(_TEXT, "url", "command", nullable=True),
    _json("header_names", nullable=False),
    _text("sealed_headers", nullable=True),
    sa.Column("enabled", sa.Boolean, nullable=False),
    id_column("created_by", nullable=False),
    *_each(UtcDateTime, "created_at", "updated_at"),
    sa.UniqueConstraint("organization_id", "name"),
)

mcp_tools = _identified(
    "mcp_tools",
    _refers("server_id", "mcp_servers", nullable=False),
    *_each(_TEXT, "name", "description"),
    *_each(_JSON, "parameters", "annotations"),
    sa.Column("said_digest", sa.String(64), nullable=False),
    sa.Column("confirmed_digest", sa.String(64), nullable=True),
    sa.Column("read_only", sa.Boolean, nullable=False),
    id_column("confirmed_by", nullable=True),
    _time("confirmed_at", nullable=True),
    sa.UniqueConstraint("server_id", "name"),
    indexed=True,
)

mcp_calls = _identified(
    "mcp_calls",
    _refers("turn_id", "turns", nullable=False, index=True),
    _time("begun_at"),
    indexed=True,
)
"""Calls that change something outside and were begun. What is in doubt after a crash is not called a second time."""

# --- telling others -------------------------------------------------------------------------------------------

webhooks = _identified(
    "webhooks",
    *_each(_TEXT, "url", "sealed_secret"),
    _json("events", nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    id_column("created_by", nullable=False),
    *_each(UtcDateTime, "created_at", "updated_at"),
    *_each(_TEXT, "name", "auth_header_name", "sealed_auth_header", nullable=True),
    sa.Column("is_callback", sa.Boolean, nullable=False, server_default=sa.false()),
    indexed=True,
)

webhook_deliveries = _identified(
    "webhook_deliveries",
    _refers("webhook_id", "webhooks", nullable=False),
    sa.Column("event", sa.String(40), nullable=False),
    _text("body"),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("status", sa.Integer, nullable=True),
    _text("error", nullable=True),
    sa.Column("milliseconds", sa.Integer, nullable=True),
    _time("created_at"),
    _time("tried_at", nullable=True),
    sa.Index("ix_webhook_deliveries_recent", "webhook_id", "id"),
    indexed=True,
)
