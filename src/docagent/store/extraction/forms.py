"""Queries on forms and what people filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from docagent.domain.extraction.artefacts import Form, FormSubmission
from docagent.domain.listing import Found, ListQuery
from docagent.store.engine.database import OrgTx
from docagent.store.engine.upsert import insert_or
from docagent.store.extraction.revisions import Revisions, version_of
from docagent.store.listing import Field, text_field, time_field
from docagent.store.mapping import Mapped
from docagent.store.named_fields import tag_field
from docagent.store.tables import form_revisions, form_submissions, form_tags, forms

_SUBMISSION = Mapped(FormSubmission, form_submissions, besides=("document_id",))
FORMS = Revisions(
    forms,
    form_revisions,
    name_key=str.casefold,
    mapped=version_of(Form, form_revisions),
    tag_links=form_tags,
)


async def search(tx: OrgTx, query: ListQuery, tag_ids: Sequence[str]) -> Found[Form]:
    """Forms with all of the tags."""
    conditions = [FORMS.carrying(tx, tag_ids)] if tag_ids else []
    return await FORMS.search(tx, query, _fields(tx.organization_id), conditions)


async def submit(tx: OrgTx, document_id: str, submission: FormSubmission) -> FormSubmission:
    """Store the submission. It replaces an earlier one for the same form and document."""
    values = _SUBMISSION.values(submission, document_id=document_id)
    changeable = {name: values[name] for name in ("submission_data", "submitted_by", "updated_at")}
    statement = (
        insert_or(tx, form_submissions)
        .values(**values)
        .on_conflict_do_update(
            index_elements=[form_submissions.c.document_id, form_submissions.c.form_revid], set_=changeable
        )
        .returning(form_submissions)
    )
    return _SUBMISSION.of((await tx.execute(statement)).one())


async def submission(tx: OrgTx, document_id: str, form_revid: str) -> FormSubmission | None:
    return await _SUBMISSION.first(tx, *_of(document_id, form_revid))


async def delete_submission(tx: OrgTx, document_id: str, form_revid: str) -> bool:
    """False when there was none."""
    statement = sa.delete(form_submissions).where(*_of(document_id, form_revid))
    return (await tx.execute(statement)).rowcount > 0


def _of(document_id: str, form_revid: str) -> tuple[sa.ColumnElement[bool], ...]:
    return form_submissions.c.document_id == document_id, form_submissions.c.form_revid == form_revid


def _fields(organization_id: str) -> Mapping[str, Field]:
    revision = form_revisions.c
    return {
        "name": text_field(forms.c.name, forms.c.name_folded),
        "tag_ids": tag_field(organization_id, form_tags, "revision_id", revision.id),
        "created_at": time_field(revision.created_at),
        "created_by": text_field(revision.created_by, revision.created_by),
        "form_id": text_field(forms.c.id, forms.c.id),
        "form_revid": text_field(revision.id, revision.id),
    }
