"""Tools for forms and what is filled in. Programs call them over MCP; no conversation offers them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from docagent.domain.errors import Conflict
from docagent.domain.extraction.artefacts import Form, FormSubmission
from docagent.domain.listing import list_query
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.tools.arguments import Arguments
from docagent.tools.base import Given, ToolServices, Undo, WriteTool
from docagent.tools.changes import removal, state_change
from docagent.tools.parameters import MAX_NAME, Id, a_name, an_id, ids
from docagent.tools.words import mark

FormFormat = Annotated[
    dict[str, Any],
    Field(description="json_formio: the components; json_formio_mapping: the field that fills each."),
]


class NewForm(Arguments):
    name: Annotated[str, a_name("The form's name. A form of this name gets a new version.")]
    response_format: FormFormat
    tag_ids: Annotated[list[Id] | None, ids("Tags of the documents that the form is for, by id.")] = None


class OneForm(Arguments):
    form_id: Annotated[str, an_id("The form_id.")]


class FormChange(OneForm):
    name: Annotated[str | None, a_name("The new name.")] = None
    response_format: FormFormat | None = None
    tag_ids: Annotated[list[Id] | None, ids("All tags that the form shall have, by id.")] = None


class OneSubmission(Arguments):
    document_id: Annotated[str, an_id("The document that the form is filled in for.")]
    form_revid: Annotated[str, an_id("The form_revid, a version of a form.")]


class NewSubmission(OneSubmission):
    submission_data: Annotated[
        dict[str, Any], Field(description="What is filled in, by the components' keys.")
    ]
    submitted_by: Annotated[
        str | None, Field(max_length=MAX_NAME, description="Who filled it in; else the caller.")
    ] = None


class _FormWriting(WriteTool[Given]):
    """Makes a version of a form."""

    async def undo(self, call: CallContext, undo: Undo) -> str:
        newest = await _newest(self._services, call, undo["form_id"])
        if newest.revid != undo["form_revid"]:
            raise Conflict(f"Form {quoted(newest.name)} has changed since.")
        former = undo["former"]
        if former is None:
            await self._services.forms.delete(call.member, newest.id)
            return f"Form {quoted(newest.name)} is deleted again"
        await self._services.forms.update(call.member, newest.id, **former)
        return f"Form {quoted(former['name'])} is as it was"


class CreateForm(_FormWriting[NewForm]):
    name = "create_form"
    title = "Create a form"
    description = "Create a form, or a new version of the form that has this name already."
    example = '{"name": "Invoice", "response_format": {"json_formio": []}}'
    returns = "`form_id`, `form_revid`, `form_version`"
    previews = "`form`: before and after"
    undoes = "deleted again, or the former version as a new one; refused when the form changed since"

    async def describe(self, call: CallContext, arguments: NewForm) -> Described:
        before = await _named(self._services, call, arguments.name)
        said = "Make a new version of form" if before else "Create form"
        after = {"name": arguments.name, "response_format": arguments.response_format}
        after["tag_ids"] = arguments.tag_ids or []
        shown = state_change("form", _shown(before) if before else None, after)
        return Described(f"{said} {quoted(arguments.name)}", shown, mark(before.revid if before else None))

    async def run(self, call: CallContext, arguments: NewForm, prepared: Any) -> Outcome:
        before = await _named(self._services, call, arguments.name)
        made = await self._services.forms.create(
            call.member,
            name=arguments.name,
            response_format=arguments.response_format,
            tag_ids=arguments.tag_ids or (),
        )
        return _outcome(made, f"Created form {quoted(made.name)}", before)


class UpdateForm(_FormWriting[FormChange]):
    name = "update_form"
    title = "Change a form"
    description = "Change a form's name, its components or its tags. What is left out stays as it is."
    example = '{"form_id": "66f0...", "name": "Bill"}'
    returns = "`form_id`, `form_revid`, `form_version`"
    previews = "`form`: before and after"
    undoes = "the former version as a new one; refused when the form changed since"

    async def describe(self, call: CallContext, arguments: FormChange) -> Described:
        before = await _newest(self._services, call, arguments.form_id)
        changes = arguments.model_dump(exclude={"form_id"}, exclude_none=True)
        after = {**_shown(before), **changes}
        shown = state_change("form", _shown(before), after)
        return Described(f"Change form {quoted(before.name)}", shown, mark(before.revid, before.name))

    async def run(self, call: CallContext, arguments: FormChange, prepared: Any) -> Outcome:
        before = await _newest(self._services, call, arguments.form_id)
        made = await self._services.forms.update(
            call.member,
            arguments.form_id,
            name=arguments.name,
            response_format=arguments.response_format,
            tag_ids=arguments.tag_ids,
        )
        return _outcome(made, f"Changed form {quoted(made.name)}", before)


class DeleteForm(WriteTool[OneForm]):
    name = "delete_form"
    title = "Delete a form"
    description = "Delete a form with all its versions and everything that was filled in for them."
    example = '{"form_id": "66f0..."}'
    returns = "`message`"
    previews = "`delete`: the form, its versions and what was filled in"
    undoes = "never: what was filled in goes with the form"

    async def describe(self, call: CallContext, arguments: OneForm) -> Described:
        form = await _newest(self._services, call, arguments.form_id)
        removes = [f"{form.version} versions of the form", "everything that was filled in for them"]
        return Described(
            f"Delete form {quoted(form.name)}", removal("form", form.name, removes), mark(form.revid)
        )

    async def run(self, call: CallContext, arguments: OneForm, prepared: Any) -> Outcome:
        form = await _newest(self._services, call, arguments.form_id)
        await self._services.forms.delete(call.member, arguments.form_id)
        return Outcome({"message": "Form deleted successfully"}, f"Deleted form {quoted(form.name)}", undo={})

    async def undo(self, call: CallContext, undo: Undo) -> str:
        raise Conflict("A deleted form cannot be restored: what was filled in is gone. Create it again.")


class _Filling(WriteTool[Given]):
    """Changes what is filled in."""

    async def undo(self, call: CallContext, undo: Undo) -> str:
        former = undo["former"]
        if former is None:
            await self._services.forms.delete_submission(call.member, undo["document_id"], undo["form_revid"])
            return "Nothing is filled in again"
        await self._services.forms.submit(
            call.member, undo["document_id"], form_revid=undo["form_revid"], **former
        )
        return "What was filled in before is there again"


class SubmitForm(_Filling[NewSubmission]):
    name = "submit_form"
    title = "Fill in a form"
    description = "Store what is filled in of a form for a document. A second time replaces the first."
    example = '{"document_id": "66f0...", "form_revid": "66f1...", "submission_data": {"total": 12}}'
    returns = "`document_id`, `form_revid`"
    previews = "`submission`: before and after"
    undoes = "what was filled in before, or nothing when nothing was"

    async def describe(self, call: CallContext, arguments: NewSubmission) -> Described:
        form = await self._services.forms.get(call.member, arguments.form_revid)
        before = await _submitted(self._services, call, arguments)
        former = before.submission_data if before else None
        shown = state_change("submission", former, arguments.submission_data)
        return Described(f"Fill in form {quoted(form.name)}", shown, mark(former))

    async def run(self, call: CallContext, arguments: NewSubmission, prepared: Any) -> Outcome:
        before = await _submitted(self._services, call, arguments)
        await self._services.forms.submit(
            call.member,
            arguments.document_id,
            form_revid=arguments.form_revid,
            submission_data=arguments.submission_data,
            submitted_by=arguments.submitted_by,
        )
        return _filled_in(arguments, "Filled in a form", before)


class DeleteFormSubmission(_Filling[OneSubmission]):
    name = "delete_form_submission"
    title = "Delete what was filled in"
    description = "Delete what was filled in of a form for a document."
    example = '{"document_id": "66f0...", "form_revid": "66f1..."}'
    returns = "`message`"
    previews = "`delete`: what was filled in"
    undoes = "what was filled in is there again"

    async def describe(self, call: CallContext, arguments: OneSubmission) -> Described:
        form = await self._services.forms.get(call.member, arguments.form_revid)
        before = await _submitted(self._services, call, arguments)
        preview = removal("submission", form.name, sorted(before.submission_data) if before else [])
        return Described(f"Delete what was filled in of form {quoted(form.name)}", preview)

    async def run(self, call: CallContext, arguments: OneSubmission, prepared: Any) -> Outcome:
        before = await _submitted(self._services, call, arguments)
        await self._services.forms.delete_submission(call.member, arguments.document_id, arguments.form_revid)
        told = _filled_in(arguments, "Deleted what was filled in of a form", before)
        return Outcome({"message": "Form submission deleted successfully"}, told.summary, undo=told.undo)


async def _named(services: ToolServices, call: CallContext, name: str) -> Form | None:
    found = await services.forms.list(call.member, list_query(0, 100, name))
    return next((form for form in found.items if form.name.casefold() == name.casefold()), None)


async def _newest(services: ToolServices, call: CallContext, form_id: str) -> Form:
    versions = await services.forms.versions(call.member, form_id)
    return max(versions.items, key=lambda form: form.version)


async def _submitted(
    services: ToolServices, call: CallContext, arguments: OneSubmission
) -> FormSubmission | None:
    return await services.forms.submission(call.member, arguments.document_id, arguments.form_revid)


def _outcome(made: Form, summary: str, former: Form | None) -> Outcome:
    return Outcome(
        {"form_id": made.id, "form_revid": made.revid, "form_version": made.version},
        summary,
        undo={"form_id": made.id, "form_revid": made.revid, "former": _shown(former) if former else None},
    )


def _filled_in(arguments: OneSubmission, summary: str, former: FormSubmission | None) -> Outcome:
    place = {"document_id": arguments.document_id, "form_revid": arguments.form_revid}
    kept = (
        {"submission_data": former.submission_data, "submitted_by": former.submitted_by} if former else None
    )
    return Outcome(place, summary, undo={**place, "former": kept})


def _shown(form: Form) -> dict[str, Any]:
    return {"name": form.name, "response_format": form.response_format, "tag_ids": list(form.tag_ids)}
