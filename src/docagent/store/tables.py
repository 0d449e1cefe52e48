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


def _json(name: str, **kwargs: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON(none_as_null=True), **kwargs)


def _time(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, UtcDateTime, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, text_type(), nullable=nullable)


def _organization(**kwargs: Any) -> sa.Column[str]:
    return id_column(
        "organization_id", sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=False, **kwargs
    )


def _owned(name: str, *columns: Any) -> sa.Table:
    return sa.Table(name, metadata, *columns, info={OWNED: True})


def _live(table: sa.Table) -> dict[str, Any]:
    """Keyword arguments for an index that leaves out deleted rows."""
    condition = table.c.deleted_at.is_(None)
    return {"sqlite_where": condition, "postgresql_where": condition}


# --- people and organisations ---------------------------------------------------------------------------------

users = sa.Table(
    "users",
    metadata,
    id_column("id", primary_key=True),
    _text("email"),
    sa.Column("email_folded", text_type(), nullable=False, unique=True),
    _text("name"),
    _text("password_hash", nullable=True),
    _time("password_changed_at", nullable=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("email_verified", sa.Boolean, nullable=False),
    sa.Column("has_seen_tour", sa.Boolean, nullable=False),
    _time("created_at"),
)

organizations = sa.Table(
    "organizations",
    metadata,
    id_column("id", primary_key=True),
    _text("name"),
    sa.Column("name_folded", text_type(), nullable=False, unique=True),
    sa.Column("type", sa.String(12), nullable=False),
    sa.Column("default_prompt_enabled", sa.Boolean, nullable=False),
    sa.Column("experimental_features", sa.Boolean, nullable=False),
    sa.Column("flow_log_level", sa.String(8), nullable=False),
    sa.Column("auto_create_default", sa.Boolean, nullable=False, server_default=sa.false()),
    _json("ocr_config", nullable=False),
    _text("default_model", nullable=True),
    sa.Column("loop_strategy", sa.String(40), nullable=True),
    sa.Column("time_zone", sa.String(64), nullable=True),
    _time("created_at"),
    _time("updated_at"),
)

members = _owned(
    "members",
    _organization(primary_key=True),
    id_column("user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("position", sa.Integer, nullable=False),
)

access_tokens = sa.Table(
    "access_tokens",
    metadata,
    id_column("id", primary_key=True),
    id_column("user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    id_column(
        "organization_id", sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=True, index=True
    ),
    id_column(
        "made_by_token_id",
        sa.ForeignKey("access_tokens.id", ondelete="CASCADE"),
        nullable=True,
        index=True,
    ),
    _text("name"),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("token_start", sa.String(10), nullable=False),
    sa.Column("lifetime", sa.Integer, nullable=False),
    sa.Column("scope", sa.String(10), nullable=False, server_default="ask"),
    _time("created_at"),
    _time("expires_at", nullable=True),
    _time("last_used_at", nullable=True),
)

sessions = sa.Table(
    "sessions",
    metadata,
    id_column("id", primary_key=True),
    id_column("user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("refresh_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("previous_hash", sa.String(64), nullable=True, index=True),
    _time("previous_until", nullable=True),
    _time("created_at"),
    _time("last_used_at"),
    _time("expires_at"),
)

one_time_links = sa.Table(
    "one_time_links",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("purpose", sa.String(20), nullable=False),
    id_column("user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    _time("expires_at"),
)

invitations = sa.Table(
    "invitations",
    metadata,
    id_column("id", primary_key=True),
    id_column(
        "organization_id", sa.ForeignKey("organizations.id", ondelete="CASCADE"), nullable=True, index=True
    ),
    id_column("user_id", sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=True, index=True),
    _text("email", nullable=True),
    sa.Column("email_folded", text_type(), nullable=True, index=True),
    sa.Column("role", sa.String(10), nullable=False),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("mailed", sa.Boolean, nullable=False),
    id_column("created_by", sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    _time("created_at"),
    _time("expires_at"),
)

deployment_config = sa.Table(
    "deployment_config",
    metadata,
    sa.Column("key", sa.String(40), primary_key=True),
    _text("sealed_value"),
    _time("updated_at"),
)

# --- tags and documents ---------------------------------------------------------------------------------------

tags = _owned(
    "tags",
    id_column("id", primary_key=True),
    _organization(),
    _text("name"),
    _text("name_folded"),
    _text("color"),
    _text("description", nullable=True),
    _text("description_folded", nullable=True),
    _time("created_at"),
    id_column("created_by", nullable=False),
    sa.UniqueConstraint("organization_id", "name"),
)

documents = _owned(
    "documents",
    id_column("id", primary_key=True),
    _organization(),
    _text("name"),
    _text("name_folded"),
    sa.Column("extension", sa.String(8), nullable=False),
    sa.Column("mime_type", sa.String(100), nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("has_pdf", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(20), nullable=False),
    _text("state_reason", nullable=True),
    sa.Column("state_reason_code", sa.String(30), nullable=True),
    _time("state_updated_at"),
    _json("tag_ids", nullable=False),
    _json("metadata", nullable=False),
    _text("uploaded_by"),
    _text("uploaded_by_folded"),
    id_column("uploaded_by_id", nullable=False),
    _time("upload_date"),
    _text("sealed_password", nullable=True),
    id_column("text_run_id", nullable=True),
    sa.Column("text_version", sa.Integer, nullable=True),
    sa.Column("page_count", sa.Integer, nullable=True),
    sa.Column("pages_read", sa.Integer, nullable=False),
    _time("text_date", nullable=True),
    sa.Column("auto_create", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("auto_create_status", sa.String(10), nullable=True),
    id_column("auto_create_proposal_id", nullable=True),
    id_column("auto_create_turn_id", nullable=True),
    id_column("auto_create_schema_revid", nullable=True),
    id_column("auto_create_prompt_revid", nullable=True),
    _time("auto_create_done_at", nullable=True),
    _text("auto_create_reason", nullable=True),
    _text("auto_create_error", nullable=True),
    _time("deleted_at", nullable=True),
)
_upload_order = (documents.c.organization_id, documents.c.upload_date, documents.c.id)
sa.Index("ix_documents_upload_order", *_upload_order, **_live(documents))
sa.Index(
    "ix_documents_name",
    documents.c.organization_id,
    documents.c.name_folded,
    documents.c.upload_date,
    documents.c.id,
    **_live(documents),
)
"""Holds all that a search for a name looks at, so that only the rows of the page are read."""
for _name, _sorted_by in (("state", documents.c.state), ("uploader", documents.c.uploaded_by_folded)):
    sa.Index(
        f"ix_documents_{_name}",
        documents.c.organization_id,
        _sorted_by,
        documents.c.upload_date,
        documents.c.id,
        **_live(documents),
    )
sa.Index("ix_documents_hash", documents.c.organization_id, documents.c.sha256, **_live(documents))
sa.Index("ix_documents_deleted_at", documents.c.deleted_at)
_prepared = documents.c.auto_create_status.is_not(None)
sa.Index(
    "ix_documents_auto_create",
    documents.c.organization_id,
    documents.c.auto_create_status,
    documents.c.auto_create_proposal_id,
    sqlite_where=_prepared,
    postgresql_where=_prepared,
)

document_tags = _owned(
    "document_tags",
    _organization(),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    id_column("tag_id", sa.ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True),
    sa.Index("ix_document_tags_tag", "organization_id", "tag_id", "document_id"),
)

document_metadata = _owned(
    "document_metadata",
    _organization(),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("key", text_type(), primary_key=True),
    _text("value"),
    sa.Index("ix_document_metadata_pair", "organization_id", "key", "value", "document_id"),
)

document_pages = _owned(
    "document_pages",
    _organization(),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    id_column("run_id", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    _text("text"),
    sa.Column("layout", sa.LargeBinary, nullable=False),
    _text("note", nullable=True),
)

# --- versioned things: a head with a name and a counter, and its revisions ---------------------------------------


def _head(name: str, *columns: Any) -> sa.Table:
    return _owned(
        name,
        id_column("id", primary_key=True),
        _organization(),
        _text("name"),
        _text("name_key"),
        _text("name_folded"),
        sa.Column("version", sa.Integer, nullable=False),
        id_column("latest_revid", nullable=False),
        _time("deleted_at", nullable=True),
        *columns,
    )


def _revision(name: str, head: str, *columns: Any) -> sa.Table:
    return _owned(
        name,
        id_column("id", primary_key=True),
        _organization(),
        id_column("head_id", sa.ForeignKey(f"{head}.id", ondelete="CASCADE"), nullable=False),
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
        sqlite_where=accepted,
        postgresql_where=accepted,
    )
    sa.Index(
        f"uq_{name}_proposed_name",
        table.c.organization_id,
        proposal,
        table.c.name_key,
        unique=True,
        sqlite_where=proposed,
        postgresql_where=proposed,
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
    _text("model", nullable=True),
    _text("kb_id", nullable=True),
    _json("peer_match_keys", nullable=False),
    _json("include", nullable=False),
)

forms = _head("forms")
form_revisions = _revision(
    "form_revisions", "forms", _json("response_format", nullable=False), _json("tag_ids", nullable=False)
)

sa.Index("uq_forms_name", forms.c.organization_id, forms.c.name_key, unique=True, **_live(forms))

prompt_tags = _owned(
    "prompt_tags",
    _organization(),
    id_column("revision_id", sa.ForeignKey("prompt_revisions.id", ondelete="CASCADE"), primary_key=True),
    id_column("tag_id", primary_key=True),
    sa.Index("ix_prompt_tags_tag", "organization_id", "tag_id", "revision_id"),
)

form_tags = _owned(
    "form_tags",
    _organization(),
    id_column("revision_id", sa.ForeignKey("form_revisions.id", ondelete="CASCADE"), primary_key=True),
    id_column("tag_id", primary_key=True),
    sa.Index("ix_form_tags_tag", "organization_id", "tag_id", "revision_id"),
)

# --- projects of living documents --------------------------------------------------------------------------------

projects = _owned(
    "projects",
    id_column("id", primary_key=True),
    _organization(),
    _text("name"),
    _text("name_key"),
    _text("name_folded"),
    _text("description"),
    _text("standing_instruction"),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("updated_at"),
    _time("deleted_at", nullable=True),
)
sa.Index("uq_projects_name", projects.c.organization_id, projects.c.name_key, unique=True, **_live(projects))


living_documents = _head(
    "living_documents",
    id_column("project_id", sa.ForeignKey("projects.id", ondelete="CASCADE"), nullable=False),
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
    _text("content"),
    _text("standing_instruction"),
    sa.Column("author", sa.String(5), nullable=False),
    _text("reason"),
    id_column("turn_id", nullable=True),
)
"""`author` is `user` or `agent`; `turn_id` names the turn in which the agent wrote it."""

form_submissions = _owned(
    "form_submissions",
    id_column("id", primary_key=True),
    _organization(),
    id_column(
        "form_revid", sa.ForeignKey("form_revisions.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    _json("submission_data", nullable=False),
    _text("submitted_by", nullable=True),
    _time("created_at"),
    _time("updated_at"),
    sa.UniqueConstraint("document_id", "form_revid"),
)

blob_trash = sa.Table(
    "blob_trash",
    metadata,
    sa.Column("key", text_type(), primary_key=True),
    _time("discarded_at"),
)

# --- background work ------------------------------------------------------------------------------------------

jobs = _owned(
    "jobs",
    id_column("id", primary_key=True),
    _organization(),
    sa.Column("kind", sa.String(40), nullable=False),
    id_column("subject_id", nullable=True, index=True),
    _json("arguments", nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("max_attempts", sa.Integer, nullable=False),
    sa.Column("crashes", sa.Integer, nullable=False, server_default="0"),
    sa.Column("progress", sa.Integer, nullable=False),
    sa.Column("progress_total", sa.Integer, nullable=True),
    _text("error", nullable=True),
    _time("created_at"),
    _time("run_at"),
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
    sa.Column("key", text_type(), primary_key=True),
    sa.Column("request", sa.String(64), nullable=False),
    _json("made", nullable=True),
    sa.Column("owner", sa.String(60), nullable=True),
    _time("created_at"),
    sa.Index("ix_repeats_created_at", "created_at"),
)

# --- extraction results: a head for each document and prompt revision, and revisions that never change -----------

extraction_results = _owned(
    "extraction_results",
    id_column("id", primary_key=True),
    _organization(),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("prompt_revid", sa.String(24), nullable=False),
    sa.Column("prompt_id", sa.String(24), nullable=False),
    sa.Column("prompt_version", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    _time("created_at"),
    _time("updated_at"),
    sa.Column("proposed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("certainty", sa.Float, nullable=False, server_default="1"),
    sa.Column("standing", sa.String(10), nullable=False, server_default="open"),
    id_column("reviewer_id", nullable=True),
    _time("reviewing_until", nullable=True),
    sa.UniqueConstraint("document_id", "prompt_revid"),
    sa.Index("ix_extraction_results_prompt", "organization_id", "document_id", "prompt_id", "prompt_version"),
    sa.Index("ix_extraction_results_sheet", "organization_id", "prompt_id", "document_id"),
)

extraction_revisions = _owned(
    "extraction_revisions",
    id_column("result_id", sa.ForeignKey("extraction_results.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    _organization(),
    sa.Column("origin", sa.String(10), nullable=False),
    _json("model_data", nullable=False),
    _json("data", nullable=False),
    sa.Column("is_verified", sa.Boolean, nullable=False),
    _json("verified_paths", nullable=False),
    _json("problems", nullable=False),
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

straight_through_policies = _owned(
    "straight_through_policies",
    _organization(primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    sa.Column("precision", sa.Float, nullable=False),
    sa.Column("auto_verify", sa.Boolean, nullable=False),
    sa.Column("threshold", sa.Float, nullable=True),
    _json("history", nullable=False),
)
"""`threshold`: from which certainty on results go on unseen, as last measured; null if too little is verified."""
accuracy_runs = _owned(
    "accuracy_runs",
    id_column("id", primary_key=True),
    _organization(),
    sa.Column("prompt_id", sa.String(24), nullable=False),
    sa.Column("prompt_revid", sa.String(24), nullable=False),
    sa.Column("prompt_version", sa.Integer, nullable=False),
    _text("prompt_name", nullable=False),
    _json("draft", nullable=True),
    _text("requested_model", nullable=True),
    _text("model", nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    _text("reason", nullable=True),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("done", sa.Integer, nullable=False),
    sa.Column("failed", sa.Integer, nullable=False),
    sa.Column("documents_right", sa.Integer, nullable=False),
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
    id_column("run_id", sa.ForeignKey("accuracy_runs.id", ondelete="CASCADE"), primary_key=True),
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    _organization(),
    id_column("result_id", nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    _time("scored_at", nullable=True),
    _text("failure", nullable=True),
    _json("judged", nullable=True),
    sa.Column("credits", sa.Integer, nullable=False),
    sa.Column("milliseconds", sa.Integer, nullable=False),
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

learnt_documents = _owned(
    "learnt_documents",
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("prompt_id", sa.String(24), primary_key=True),
    _organization(),
    _json("signature", nullable=False),
    _json("memories", nullable=False),
    _json("record", nullable=False),
    _time("learnt_at"),
    sa.Index("ix_learnt_documents_prompt", "organization_id", "prompt_id", "learnt_at"),
)
"""How the verified values of a document are found. `record` has what other verified documents say of that."""

learnt_layouts = _owned(
    "learnt_layouts",
    id_column("document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
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
    _text("display_name", nullable=True),
    _text("base_url", nullable=True),
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
    sa.Column("granted", sa.BigInteger, nullable=False),
    sa.Column("granted_used", sa.BigInteger, nullable=False),
    sa.Column("purchased", sa.BigInteger, nullable=False),
    sa.Column("purchased_used", sa.BigInteger, nullable=False),
    sa.Column("paid", sa.BigInteger, nullable=False),
    sa.Column("enforced", sa.Boolean, nullable=False),
)

credit_entries = _owned(
    "credit_entries",
    id_column("id", primary_key=True),
    _organization(),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("credits", sa.BigInteger, nullable=False),
    sa.Column("from_purchased", sa.BigInteger, nullable=False),
    sa.Column("from_granted", sa.BigInteger, nullable=False),
    sa.Column("from_paid", sa.BigInteger, nullable=False),
    _text("operation"),
    _text("source"),
    id_column("user_id", nullable=True),
    sa.Column("provider", sa.String(40), nullable=True),
    _text("model", nullable=True),
    sa.Column("input_tokens", sa.BigInteger, nullable=False),
    sa.Column("output_tokens", sa.BigInteger, nullable=False),
    sa.Column("cost", sa.Double, nullable=False),
    sa.Column("day", sa.String(10), nullable=False),
    _time("created_at"),
    sa.Index("ix_credit_entries_day", "organization_id", "day"),
)

credit_holds = _owned(
    "credit_holds",
    id_column("id", primary_key=True),
    _organization(index=True),
    sa.Column("credits", sa.BigInteger, nullable=False),
    _time("expires_at"),
)

# --- the agent ------------------------------------------------------------------------------------------------


def _document(*, nullable: bool = True) -> sa.Column[str]:
    return id_column(
        "document_id", sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=nullable, index=True
    )


def _project() -> sa.Column[str]:
    """No foreign key: SQLite cannot add one to an existing table. `projects.purge` removes such rows."""
    return id_column("project_id", nullable=True, index=True)


threads = _owned(
    "threads",
    id_column("id", primary_key=True),
    _organization(),
    id_column("user_id", nullable=False),
    _document(),
    _project(),
    _text("title"),
    _json("state", nullable=False),
    sa.Column("next_position", sa.Integer, nullable=False),
    _time("created_at"),
    _time("updated_at"),
    sa.Index("ix_threads_own", "organization_id", "user_id", "document_id", "updated_at"),
)

turns = _owned(
    "turns",
    id_column("id", primary_key=True),
    _organization(),
    id_column("user_id", nullable=False),
    _document(),
    _project(),
    id_column("thread_id", sa.ForeignKey("threads.id", ondelete="CASCADE"), nullable=True),
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
    _time("waits_until", nullable=True),
    _time("deserted_at", nullable=True),
    id_column("credential_id", nullable=True),
    _time("created_at"),
    _time("updated_at"),
    sa.Index("ix_turns_thread", "thread_id", "position"),
    sa.Index("ix_turns_waiting", "organization_id", "user_id", "state"),
    sa.Index("ix_turns_lease", "state", "lease_until"),
)
"""`transcript` keeps the messages that a finished turn adds to the model's history: a fold of its events.
`credential_id` is the API token or session without which the turn may not go on; NULL for the server's own turns and
those of earlier versions."""

turn_events = _owned(
    "turn_events",
    id_column("turn_id", sa.ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
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
    sqlite_where=_audited,
    postgresql_where=_audited,
)
"""In the order of the audit, so that a page far down is found without reading what is before it."""

turn_signals = _owned(
    "turn_signals",
    id_column("id", primary_key=True),
    _organization(index=True),
    id_column("turn_id", sa.ForeignKey("turns.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("type", sa.String(24), nullable=False),
    _json("payload", nullable=False),
    _time("created_at"),
)

permission_rules = _owned(
    "permission_rules",
    id_column("id", primary_key=True),
    _organization(index=True),
    id_column("user_id", nullable=True),
    _document(),
    _project(),
    sa.Column("tool", sa.String(64), nullable=False),
    sa.Column("effect", sa.String(8), nullable=False),
    _json("arguments", nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
)

# --- tools of others ------------------------------------------------------------------------------------------

mcp_servers = _owned(
    "mcp_servers",
    id_column("id", primary_key=True),
    _organization(),
    sa.Column("name", sa.String(24), nullable=False),
    _text("url", nullable=True),
    _text("command", nullable=True),
    _json("header_names", nullable=False),
    _text("sealed_headers", nullable=True),
    sa.Column("enabled", sa.Boolean, nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("updated_at"),
    sa.UniqueConstraint("organization_id", "name"),
)

mcp_tools = _owned(
    "mcp_tools",
    id_column("id", primary_key=True),
    _organization(index=True),
    id_column("server_id", sa.ForeignKey("mcp_servers.id", ondelete="CASCADE"), nullable=False),
    _text("name"),
    _text("description"),
    _json("parameters", nullable=False),
    _json("annotations", nullable=False),
    sa.Column("said_digest", sa.String(64), nullable=False),
    sa.Column("confirmed_digest", sa.String(64), nullable=True),
    sa.Column("read_only", sa.Boolean, nullable=False),
    id_column("confirmed_by", nullable=True),
    _time("confirmed_at", nullable=True),
    sa.UniqueConstraint("server_id", "name"),
)

mcp_calls = _owned(
    "mcp_calls",
    id_column("id", primary_key=True),
    _organization(index=True),
    id_column("turn_id", sa.ForeignKey("turns.id", ondelete="CASCADE"), nullable=False, index=True),
    _time("begun_at"),
)
"""Calls that change something outside and were begun. What is in doubt after a crash is not called a second time."""

# --- telling others -------------------------------------------------------------------------------------------

webhooks = _owned(
    "webhooks",
    id_column("id", primary_key=True),
    _organization(index=True),
    _text("url"),
    _text("sealed_secret"),
    _json("events", nullable=False),
    sa.Column("active", sa.Boolean, nullable=False),
    id_column("created_by", nullable=False),
    _time("created_at"),
    _time("updated_at"),
    _text("name", nullable=True),
    _text("auth_header_name", nullable=True),
    _text("sealed_auth_header", nullable=True),
    sa.Column("is_callback", sa.Boolean, nullable=False, server_default=sa.false()),
)

webhook_deliveries = _owned(
    "webhook_deliveries",
    id_column("id", primary_key=True),
    _organization(index=True),
    id_column("webhook_id", sa.ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
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
)
