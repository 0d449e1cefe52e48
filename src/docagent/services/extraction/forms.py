"""Forms, and what people fill in for a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput, NotFound, Noun
from docagent.domain.extraction.artefacts import Form, FormSubmission
from docagent.domain.ids import is_id, new_id
from docagent.domain.listing import Found, ListQuery
from docagent.services.documents.documents import find_document
from docagent.services.documents.tags import check_tag_ids
from docagent.services.extraction.versions import Versions, VersionService, same_json
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import forms
from docagent.store.extraction.forms import FORMS


class FormService(VersionService[Form]):
    def __init__(self, db: Database) -> None:
        super().__init__(db, Versions(Noun.FORM, FORMS))

    async def list(self, member: Member, query: ListQuery, tag_ids: Sequence[str] = ()) -> Found[Form]:
        """The newest version of each form, or of those that carry all of the tags."""
        async with self._db.read_org(member.organization_id) as tx:
            return await forms.search(tx, query, tag_ids)

    async def create(
        self, member: Member, *, name: str, response_format: dict[str, Any], tag_ids: Sequence[str]
    ) -> Form:
        """Make a new form, or a new version of the form with this name, regardless of case."""
        async with self._db.write_org(member.organization_id) as tx:
            values = {"response_format": response_format, "tag_ids": await check_tag_ids(tx, tag_ids)}
            return await FORMS.save(tx, name, values, member.user_id)

    async def update(
        self,
        member: Member,
        form_id: str,
        *,
        name: str | None,
        response_format: dict[str, Any] | None,
        tag_ids: Sequence[str] | None,
    ) -> Form:
        """Change a form. None leaves a field as it is."""
        async with self._db.write_org(member.organization_id) as tx:
            current = await self._versions.locked(tx, form_id)
            old = {"response_format": current.response_format, "tag_ids": current.tag_ids}
            values = dict(old)
            if response_format is not None:
                values["response_format"] = response_format
            if tag_ids is not None:
                values["tag_ids"] = await check_tag_ids(tx, tag_ids)
            return await self._versions.replace(
                tx,
                member,
                current,
                current.name if name is None else name,
                values,
                changed=not same_json(values, old),
            )

    async def submit(
        self,
        member: Member,
        document_id: str,
        *,
        form_revid: str,
        submission_data: dict[str, Any],
        submitted_by: str | None,
    ) -> FormSubmission:
        """Store what was filled in. A second submission replaces the first."""
        if not is_id(form_revid):
            raise InvalidInput(f"Invalid form revision ID: {form_revid[:40]}")
        moment = now()
        async with self._db.write_org(member.organization_id) as tx:
            await self._check_subject(tx, document_id, form_revid)
            submission = FormSubmission(
                id=new_id(),
                organization_id=member.organization_id,
                form_revid=form_revid,
                submission_data=submission_data,
                submitted_by=submitted_by or member.name,
                created_at=moment,
                updated_at=moment,
            )
            return await forms.submit(tx, document_id, submission)

    async def submission(self, member: Member, document_id: str, form_revid: str) -> FormSubmission | None:
        async with self._db.read_org(member.organization_id) as tx:
            await self._check_subject(tx, document_id, form_revid)
            return await forms.submission(tx, document_id, form_revid)

    async def delete_submission(self, member: Member, document_id: str, form_revid: str) -> None:
        async with self._db.write_org(member.organization_id) as tx:
            await self._check_subject(tx, document_id, form_revid)
            if not await forms.delete_submission(tx, document_id, form_revid):
                raise NotFound("Form submission not found")

    async def _check_subject(self, tx: OrgTx, document_id: str, form_revid: str) -> None:
        await find_document(tx, document_id)
        await self._versions.get(tx, form_revid)
