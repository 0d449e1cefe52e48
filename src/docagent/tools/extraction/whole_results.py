"""Tools for an extraction result as a whole. Programs call them over MCP; no conversation offers them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from docagent.domain.errors import Conflict, NotFound
from docagent.domain.extraction.results import Result
from docagent.domain.shown import quoted
from docagent.domain.turns.tools import CallContext, Described, Outcome
from docagent.tools.arguments import Arguments
from docagent.tools.base import Undo, WriteTool
from docagent.tools.changes import removal, state_change
from docagent.tools.parameters import an_id
from docagent.tools.words import mark


class OneResult(Arguments):
    document_id: Annotated[str, an_id("The document.")]
    prompt_revid: Annotated[str, an_id('The prompt_revid, or "default".')]


class WholeResult(OneResult):
    updated_llm_result: Annotated[
        dict[str, Any], Field(description="The whole result, with the same fields at the top as before.")
    ]
    is_verified: Annotated[bool, Field(description="Whether a person has looked at all of it.")] = False


class UpdateLlmResult(WriteTool[WholeResult]):
    name = "update_llm_result"
    title = "Replace an extraction result"
    description = "Store a person's version of a whole extraction result, in place of the one that is there."
    example = '{"document_id": "66f0...", "prompt_revid": "default", "updated_llm_result": {"total": 12}}'
    returns = "`document_id`, `prompt_revid`"
    previews = "`whole_result`: before and after"
    undoes = "the former revision as a new one; refused when the result changed since"

    async def describe(self, call: CallContext, arguments: WholeResult) -> Described:
        before = await _found(self, call, arguments)
        document = await self._services.documents.get(call.member, arguments.document_id)
        return Described(
            f"Replace the result of {quoted(document.name)}",
            state_change("whole_result", before.data, arguments.updated_llm_result),
            mark(before.id, before.revision),
        )

    async def run(self, call: CallContext, arguments: WholeResult, prepared: Any) -> Outcome:
        made = await self._services.results.replace(
            call.member,
            arguments.document_id,
            arguments.prompt_revid,
            arguments.updated_llm_result,
            is_verified=arguments.is_verified,
        )
        place = {"document_id": made.document_id, "prompt_revid": made.prompt_revid}
        undo = {**place, "result_id": made.id, "revision": made.revision}
        return Outcome(place, "Replaced an extraction result", undo=undo)

    async def undo(self, call: CallContext, undo: Undo) -> str:
        await self._services.results.take_back(
            call.member, undo["document_id"], undo["prompt_revid"], (undo["result_id"], undo["revision"])
        )
        return "The former result is back, as a new revision"


class DeleteLlmResult(WriteTool[OneResult]):
    name = "delete_llm_result"
    title = "Delete an extraction result"
    description = "Delete the result of a prompt on a document, with all its revisions."
    example = '{"document_id": "66f0...", "prompt_revid": "default"}'
    returns = "`status`, `message`"
    previews = "`delete`: the result with its revisions"
    undoes = "never: run the extraction again"

    async def describe(self, call: CallContext, arguments: OneResult) -> Described:
        before = await _found(self, call, arguments)
        document = await self._services.documents.get(call.member, arguments.document_id)
        removes = [f"{before.revision} revisions of the result"]
        return Described(
            f"Delete the result of {quoted(document.name)}",
            removal("result", document.name, removes),
            mark(before.id, before.revision),
        )

    async def run(self, call: CallContext, arguments: OneResult, prepared: Any) -> Outcome:
        await self._services.results.delete(call.member, arguments.document_id, arguments.prompt_revid)
        content = {"status": "success", "message": "LLM result deleted"}
        return Outcome(content, "Deleted an extraction result", undo={})

    async def undo(self, call: CallContext, undo: Undo) -> str:
        raise Conflict("A deleted result cannot be restored. Run the extraction again.")


async def _found(tool: UpdateLlmResult | DeleteLlmResult, call: CallContext, wanted: OneResult) -> Result:
    found = await tool._services.results.find(call.member, wanted.document_id, wanted.prompt_revid)
    if found is None:
        raise NotFound(
            f"LLM result not found for document_id: {wanted.document_id} and prompt: {wanted.prompt_revid[:40]}"
        )
    return found
