"""The first schema"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from docagent.store.engine.types import UtcDateTime, text_type

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "blob_trash",
        sa.Column("key", text_type(), nullable=False),
        sa.Column("discarded_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_blob_trash")),
    )
    op.create_table(
        "deployment_config",
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("sealed_value", text_type(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_deployment_config")),
    )
    op.create_table(
        "organizations",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("type", sa.String(length=12), nullable=False),
        sa.Column("default_prompt_enabled", sa.Boolean(), nullable=False),
        sa.Column("experimental_features", sa.Boolean(), nullable=False),
        sa.Column("flow_log_level", sa.String(length=8), nullable=False),
        sa.Column("ocr_config", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("default_model", text_type(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organizations")),
        sa.UniqueConstraint("name_folded", name=op.f("uq_organizations_name_folded")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("email", text_type(), nullable=False),
        sa.Column("email_folded", text_type(), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("password_hash", text_type(), nullable=True),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("email_verified", sa.Boolean(), nullable=False),
        sa.Column("has_seen_tour", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email_folded", name=op.f("uq_users_email_folded")),
    )
    op.create_table(
        "access_tokens",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=True),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("token_start", sa.String(length=10), nullable=False),
        sa.Column("lifetime", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_access_tokens_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_access_tokens_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_access_tokens_token_hash")),
    )
    op.create_index(
        op.f("ix_access_tokens_organization_id"), "access_tokens", ["organization_id"], unique=False
    )
    op.create_index(op.f("ix_access_tokens_user_id"), "access_tokens", ["user_id"], unique=False)
    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("extension", sa.String(length=8), nullable=False),
        sa.Column("mime_type", sa.String(length=100), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("has_pdf", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("state_reason", text_type(), nullable=True),
        sa.Column("state_reason_code", sa.String(length=30), nullable=True),
        sa.Column("state_updated_at", UtcDateTime(), nullable=False),
        sa.Column("tag_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("metadata", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("uploaded_by", text_type(), nullable=False),
        sa.Column("uploaded_by_folded", text_type(), nullable=False),
        sa.Column("uploaded_by_id", sa.String(length=24), nullable=False),
        sa.Column("upload_date", UtcDateTime(), nullable=False),
        sa.Column("sealed_password", text_type(), nullable=True),
        sa.Column("text_run_id", sa.String(length=24), nullable=True),
        sa.Column("text_version", sa.Integer(), nullable=True),
        sa.Column("page_count", sa.Integer(), nullable=True),
        sa.Column("pages_read", sa.Integer(), nullable=False),
        sa.Column("text_date", UtcDateTime(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_documents_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        info={"belongs_to_organization": True},
    )
    op.create_index("ix_documents_deleted_at", "documents", ["deleted_at"], unique=False)
    op.create_index(
        "ix_documents_hash",
        "documents",
        ["organization_id", "sha256"],
        unique=False,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_index(
        "ix_documents_name",
        "documents",
        ["organization_id", "name_folded", "id"],
        unique=False,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_index(
        "ix_documents_upload_order",
        "documents",
        ["organization_id", "upload_date", "id"],
        unique=False,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "forms",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_key", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("latest_revid", sa.String(length=24), nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_forms_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forms")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "uq_forms_name",
        "forms",
        ["organization_id", "name_key"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("subject_id", sa.String(length=24), nullable=True),
        sa.Column("arguments", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("progress_total", sa.Integer(), nullable=True),
        sa.Column("error", text_type(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("run_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("lease_owner", sa.String(length=60), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_jobs_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        info={"belongs_to_organization": True},
    )
    op.create_index("ix_jobs_due", "jobs", ["state", "run_at"], unique=False)
    op.create_index("ix_jobs_recent", "jobs", ["organization_id", "created_at"], unique=False)
    op.create_index(op.f("ix_jobs_subject_id"), "jobs", ["subject_id"], unique=False)
    op.create_table(
        "members",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_members_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_members_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("organization_id", "user_id", name=op.f("pk_members")),
        info={"belongs_to_organization": True},
    )
    op.create_index(op.f("ix_members_user_id"), "members", ["user_id"], unique=False)
    op.create_table(
        "one_time_links",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_one_time_links_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_one_time_links")),
    )
    op.create_index(op.f("ix_one_time_links_user_id"), "one_time_links", ["user_id"], unique=False)
    op.create_table(
        "prompts",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_key", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("latest_revid", sa.String(length=24), nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_prompts_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompts")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "uq_prompts_name",
        "prompts",
        ["organization_id", "name_key"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "schemas",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_key", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("latest_revid", sa.String(length=24), nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_schemas_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schemas")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "uq_schemas_name",
        "schemas",
        ["organization_id", "name_key"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("user_id", sa.String(length=24), nullable=False),
        sa.Column("refresh_hash", sa.String(length=64), nullable=False),
        sa.Column("previous_hash", sa.String(length=64), nullable=True),
        sa.Column("previous_until", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_used_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("refresh_hash", name=op.f("uq_sessions_refresh_hash")),
    )
    op.create_index(op.f("ix_sessions_previous_hash"), "sessions", ["previous_hash"], unique=False)
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"], unique=False)
    op.create_table(
        "tags",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("name", text_type(), nullable=False),
        sa.Column("name_folded", text_type(), nullable=False),
        sa.Column("color", text_type(), nullable=False),
        sa.Column("description", text_type(), nullable=True),
        sa.Column("description_folded", text_type(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_tags_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tags")),
        sa.UniqueConstraint("organization_id", "name", name=op.f("uq_tags_organization_id_name")),
        info={"belongs_to_organization": True},
    )
    op.create_table(
        "document_metadata",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("key", text_type(), nullable=False),
        sa.Column("value", text_type(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_document_metadata_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_document_metadata_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("document_id", "key", name=op.f("pk_document_metadata")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "ix_document_metadata_pair",
        "document_metadata",
        ["organization_id", "key", "value", "document_id"],
        unique=False,
    )
    op.create_table(
        "document_pages",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("run_id", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", text_type(), nullable=False),
        sa.Column("layout", sa.LargeBinary(), nullable=False),
        sa.Column("note", text_type(), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_pages_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_document_pages_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("document_id", "run_id", "number", name=op.f("pk_document_pages")),
        info={"belongs_to_organization": True},
    )
    op.create_table(
        "document_tags",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("tag_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_tags_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_document_tags_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["tag_id"], ["tags.id"], name=op.f("fk_document_tags_tag_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "tag_id", name=op.f("pk_document_tags")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "ix_document_tags_tag", "document_tags", ["organization_id", "tag_id", "document_id"], unique=False
    )
    op.create_table(
        "form_revisions",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("head_id", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("response_format", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("tag_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["head_id"], ["forms.id"], name=op.f("fk_form_revisions_head_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_form_revisions_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_form_revisions")),
        sa.UniqueConstraint("head_id", "version", name=op.f("uq_form_revisions_head_id_version")),
        info={"belongs_to_organization": True},
    )
    op.create_table(
        "prompt_revisions",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("head_id", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("content", text_type(), nullable=False),
        sa.Column("schema_id", sa.String(length=24), nullable=True),
        sa.Column("schema_version", sa.Integer(), nullable=True),
        sa.Column("tag_ids", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("model", text_type(), nullable=True),
        sa.Column("kb_id", text_type(), nullable=True),
        sa.Column("peer_match_keys", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("include", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["head_id"], ["prompts.id"], name=op.f("fk_prompt_revisions_head_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_prompt_revisions_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt_revisions")),
        sa.UniqueConstraint("head_id", "version", name=op.f("uq_prompt_revisions_head_id_version")),
        info={"belongs_to_organization": True},
    )
    op.create_index(op.f("ix_prompt_revisions_schema_id"), "prompt_revisions", ["schema_id"], unique=False)
    op.create_table(
        "schema_revisions",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("head_id", sa.String(length=24), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("created_by", sa.String(length=24), nullable=False),
        sa.Column("response_format", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["head_id"], ["schemas.id"], name=op.f("fk_schema_revisions_head_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_schema_revisions_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schema_revisions")),
        sa.UniqueConstraint("head_id", "version", name=op.f("uq_schema_revisions_head_id_version")),
        info={"belongs_to_organization": True},
    )
    op.create_table(
        "form_submissions",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("form_revid", sa.String(length=24), nullable=False),
        sa.Column("document_id", sa.String(length=24), nullable=False),
        sa.Column("submission_data", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("submitted_by", text_type(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_form_submissions_document_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["form_revid"],
            ["form_revisions.id"],
            name=op.f("fk_form_submissions_form_revid"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_form_submissions_organization_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_form_submissions")),
        sa.UniqueConstraint(
            "document_id", "form_revid", name=op.f("uq_form_submissions_document_id_form_revid")
        ),
        info={"belongs_to_organization": True},
    )
    op.create_index(op.f("ix_form_submissions_form_revid"), "form_submissions", ["form_revid"], unique=False)
    op.create_table(
        "form_tags",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("revision_id", sa.String(length=24), nullable=False),
        sa.Column("tag_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_form_tags_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"], ["form_revisions.id"], name=op.f("fk_form_tags_revision_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("revision_id", "tag_id", name=op.f("pk_form_tags")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "ix_form_tags_tag", "form_tags", ["organization_id", "tag_id", "revision_id"], unique=False
    )
    op.create_table(
        "prompt_tags",
        sa.Column("organization_id", sa.String(length=24), nullable=False),
        sa.Column("revision_id", sa.String(length=24), nullable=False),
        sa.Column("tag_id", sa.String(length=24), nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organizations.id"],
            name=op.f("fk_prompt_tags_organization_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["revision_id"],
            ["prompt_revisions.id"],
            name=op.f("fk_prompt_tags_revision_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("revision_id", "tag_id", name=op.f("pk_prompt_tags")),
        info={"belongs_to_organization": True},
    )
    op.create_index(
        "ix_prompt_tags_tag", "prompt_tags", ["organization_id", "tag_id", "revision_id"], unique=False
    )
