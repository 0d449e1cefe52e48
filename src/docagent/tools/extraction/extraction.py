"""Tools for running prompts on the document and for the results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from docagent.agent.ports import Progress
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.extraction.results import DEFAULT_PROMPT, DEFAULT_PROMPT_NAME, Result
from docagent.domain.field_path import ROOT, FieldPath
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.services.extraction.extraction_tasks import Task
from docagent.services.extraction.extractor import Drafted
from docagent.services.extraction.prompts import PromptConfig
from docagent.services.extraction.results import DraftedEdit
from docagent.tools.arguments import Arguments
from docagent.tools.base import Given, ReadTool, ToolServices, Undo, WriteTool, document_of
from docagent.tools.changes import value_change
from docagent.tools.parameters import an_id
from docagent.tools.words import mark, shown_value

MOST_PATHS = 30


class PromptUsed(Arguments):
    prompt_revid: Annotated[
        str | None,
        an_id(
            "The prompt_revid, from list_prompts or create_prompt; a prompt_id stands for its newest version, "
            '"default" for the built-in summary. Left out: the prompt that was used last in this conversation, else '
            "default."
        ),
    ] = None


class FieldChange(Arguments):
    path: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1000,
            description="Path of the value, such as total or lines.0.price, or a JSON Pointer: /Total incl. VAT.",
        ),
    ]
    value: Annotated[
        Any, Field(description="The new value: text, number, true or false, null, list or object.")
    ]
    prompt_revid: Annotated[
        str | None,
        an_id(
            "Whose result to change. Left out: that of the prompt used last in this conversation, or the only "
            "result there is."
        ),
    ] = None


class _ResultWriting(WriteTool[Given]):
    """Makes a revision of a result."""

    async def undo(self, call: CallContext, undo: Undo) -> str:
        restored = await self._services.results.take_back(
            call.member, undo["document_id"], undo["prompt_revid"], (undo["result_id"], undo["revision"])
        )
        return "The former result is back, as a new revision" if restored else "The result is removed again"


class RunExtraction(_ResultWriting[PromptUsed]):
    name = "run_extraction"
    title = "Run an extraction"
    description = (
        "Run a prompt on the document now and store the result, in place of an earlier one of the same prompt. Use "
        "it after create_prompt or update_prompt, or when the user asks for the data. It may take a while and cost "
        "credits; to look at a result that is there already, call get_extraction_result instead."
    )
    example = '{"prompt_revid": "66f0..."}'
    returns = "`prompt_revid`, `extraction`, `model`, and `problems` when values break the schema"
    previews = (
        "`extraction`: prompt, schema, model that will run, document, pages, whether a result is replaced"
    )
    undoes = (
        "the former result as a new revision, or no result when there was none; refused when the result "
        "changed since"
    )

    async def describe(self, call: CallContext, arguments: PromptUsed) -> Described:
        services = self._services
        document = await services.documents.get(call.member, document_of(call))
        task = await _task(services, call, arguments)
        stored = await services.results.find(call.member, document.id, task.prompt_revid)
        name = _prompt_name(task)
        preview = {
            "kind": "extraction",
            "prompt": name,
            "schema": task.schema_name if task.schema is not None else None,
            "model": await _model_name(services, call, task),
            "document": document.name,
            "pages": document.page_count,
            "replaces": stored is not None,
        }
        summary = f"Run prompt {quoted(name)} on {quoted(document.name)}"
        if stored is not None:
            summary += ", in place of the result that is there"
        basis = mark(task.prompt_revid, document.id, document.text_run_id, stored.revision if stored else 0)
        return Described(summary, preview, basis)

    async def prepare(self, call: CallContext, arguments: PromptUsed, progress: Progress) -> Drafted:
        task = await _task(self._services, call, arguments)

        async def tell(done: int, of: int) -> None:
            await progress(done, of, f"Reading part {done + 1} of {of}" if of > 1 else "Reading the document")

        return await self._services.extraction.draft(
            call.member, document_of(call), task.prompt_revid, run_id=call.run_id, progress=tell
        )

    async def run(self, call: CallContext, arguments: PromptUsed, prepared: Any) -> Outcome:
        assert isinstance(prepared, Drafted)
        result = await self._services.extraction.store(call.member, prepared)
        content: dict[str, Any] = {"prompt_revid": result.prompt_revid, "extraction": result.data}
        if result.problems:
            content["problems"] = [problem.as_json() for problem in result.problems]
        name = _prompt_name(prepared.task)
        return Outcome(
            {**content, "model": result.run.model},
            f"Ran prompt {quoted(name)} on {quoted(prepared.document.name)}",
            state={"prompt_revid": result.prompt_revid, "extraction": result.data},
            undo=_undo(result),
            credits=prepared.credits,
        )


class GetExtractionResult(ReadTool[PromptUsed]):
    name = "get_extraction_result"
    title = "Read an extraction result"
    description = (
        "Read the result of a prompt on this document, with the edits that people made. Use it before "
        "update_extraction_field to see the paths, and to answer questions about extracted data. When there is no "
        "result yet, it says which ones there are; run_extraction makes one."
    )
    example = "{}"
    returns = "`extraction`, `prompt_revid`, `is_edited`, `is_verified`"

    async def read(self, call: CallContext, arguments: PromptUsed) -> dict[str, Any]:
        return await read_result(self._services, call, document_of(call), arguments.prompt_revid)


class UpdateExtractionField(_ResultWriting[FieldChange]):
    name = "update_extraction_field"
    title = "Correct an extracted value"
    description = (
        "Set one value of an extraction result of this document. path is a dot path with positions in lists from "
        "0, such as lines.0.price; a field name alone is enough when only one field has it. The position just "
        "behind a list's end appends. The value must fit the schema: a number as a number, not as text. Call "
        "get_extraction_result first to see the paths."
    )
    example = '{"path": "lines.0.price", "value": 12.5}'
    returns = "`extraction`, `prompt_revid`"
    previews = "`value`: path, before, after, document, prompt"
    undoes = "the former revision as a new one; refused when the result changed since"

    async def describe(self, call: CallContext, arguments: FieldChange) -> Described:
        name, result, path = await self._target(call, arguments)
        document = await self._services.documents.get(call.member, result.document_id)
        before, value = path.get(result.data), arguments.value
        return Described(
            f"Set {quoted(str(path))} of {quoted(document.name)} from {shown_value(before)} to {shown_value(value)}",
            value_change(str(path), before, value, document=document.name, prompt=name),
            mark(result.id, str(path), before),
        )

    async def prepare(self, call: CallContext, arguments: FieldChange, progress: Progress) -> DraftedEdit:
        return await self._draft(call, arguments)

    async def run(self, call: CallContext, arguments: FieldChange, prepared: Any) -> Outcome:
        draft = prepared
        if isinstance(prepared, DraftedEdit):
            base = prepared.result
            now = await self._services.results.find(call.member, base.document_id, base.prompt_revid)
            if now is None or (now.id, now.revision) != (base.id, base.revision):
                draft = None
        result = await self._services.results.store(call.member, draft or await self._draft(call, arguments))
        return Outcome(
            {"extraction": result.data, "prompt_revid": result.prompt_revid},
            f"Set {quoted(arguments.path)} to {shown_value(arguments.value)}",
            state={"extraction": result.data},
            undo=_undo(result),
        )

    async def _draft(self, call: CallContext, arguments: FieldChange) -> DraftedEdit:
        _, result, path = await self._target(call, arguments)
        return await self._services.results.draft_edit(
            call.member, result.document_id, result.prompt_revid, str(path), arguments.value
        )

    async def _target(self, call: CallContext, arguments: FieldChange) -> tuple[str, Result, FieldPath]:
        """Return the name of the prompt, its result, and the whole path of the field that the call means."""
        document_id = document_of(call)
        wanted = arguments.prompt_revid
        found = await self._services.results.named(call.member, document_id)
        if wanted is None and len(found) == 1 and call.state.prompt_revid is None:
            name, result = found[0]
        else:
            revid = wanted or call.state.prompt_revid or DEFAULT_PROMPT
            chosen = await _result(self._services, call, document_id, revid)
            if chosen is None:
                raise await _no_result(self._services, call, document_id, revid)
            result = chosen
            name = next((other for other, item in found if item.id == result.id), DEFAULT_PROMPT)
        _, schema = await self._services.results.with_schema(
            call.member, result.document_id, result.prompt_revid
        )
        return name, result, _whole_path(result.data, schema, arguments.path)


async def read_result(
    services: ToolServices, call: CallContext, document_id: str, prompt_revid: str | None
) -> dict[str, Any]:
    wanted = prompt_revid or call.state.prompt_revid or DEFAULT_PROMPT
    found = await _result(services, call, document_id, wanted)
    if found is not None:
        return {
            "extraction": found.data,
            "prompt_revid": found.prompt_revid,
            "is_edited": found.is_edited,
            "is_verified": found.is_verified,
        }
    if call.state.extraction is not None and wanted == (call.state.prompt_revid or DEFAULT_PROMPT):
        return {"extraction": call.state.extraction, "prompt_revid": wanted, "is_stored": False}
    raise await _no_result(services, call, document_id, wanted)


async def _task(services: ToolServices, call: CallContext, arguments: PromptUsed) -> Task:
    wanted = arguments.prompt_revid or call.state.prompt_revid or DEFAULT_PROMPT
    if wanted != DEFAULT_PROMPT:
        wanted = (await services.prompts.find(call.member, wanted)).revid
    return await services.extraction.task(call.member, wanted)


async def _result(services: ToolServices, call: CallContext, document_id: str, revid: str) -> Result | None:
    """Return the result of this revision or, if there is none, of any version of the same prompt."""
    found = await services.results.find(call.member, document_id, revid)
    if found is not None or revid == DEFAULT_PROMPT:
        return found
    try:
        prompt = await services.prompts.find(call.member, revid)
        return await services.results.get(call.member, document_id, prompt_id=prompt.id)
    except NotFound:
        return None


async def _no_result(services: ToolServices, call: CallContext, document_id: str, revid: str) -> NotFound:
    others = await services.results.named(call.member, document_id)
    listed = ", ".join(f"{quoted(name)} (prompt_revid {result.prompt_revid})" for name, result in others)
    there = f"There are results of: {listed}." if others else "The document has no results."
    return NotFound(
        f"LLM result not found for document_id: {document_id} and prompt: {revid[:40]}. {there}"
        + ("" if call.scope.project_id else " Call run_extraction to make one.")
    )


async def _model_name(services: ToolServices, call: CallContext, task: Task) -> str:
    """Return the name of the model that would run."""
    _, name = await services.prompts.check(
        call.member, PromptConfig(task.name, task.content, model=task.model)
    )
    return name


def _prompt_name(task: Task) -> str:
    return DEFAULT_PROMPT_NAME if task.prompt_revid == DEFAULT_PROMPT else task.name


def _undo(result: Result) -> dict[str, Any]:
    return {
        "document_id": result.document_id,
        "prompt_revid": result.prompt_revid,
        "result_id": result.id,
        "revision": result.revision,
    }


def _whole_path(data: dict[str, Any], schema: dict[str, Any] | None, text: str) -> FieldPath:
    """Return the path that a text writes, and for a bare name the path of the one field with this name."""
    path = FieldPath.parse(text, data, schema)
    if len(path) != 1 or path[0] in data:
        return path
    found = [place for place in _places(data, ROOT) if str(place[-1]).casefold() == text.casefold()]
    if len(found) > 1:
        listed = ", ".join(map(str, found[:MOST_PATHS]))
        raise InvalidInput(f"Several fields are named {text}: {listed}. Give the whole path.")
    return found[0] if found else path


def _places(data: Any, path: FieldPath) -> Iterator[FieldPath]:
    """Yield the path of every field that has a name, at every depth."""
    members = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in members:
        if isinstance(key, str):
            yield path / key
        yield from _places(value, path / key)
