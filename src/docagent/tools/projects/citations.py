"""Tools that bind the text of a project to what it rests on: values and words of uploaded documents."""

from __future__ import annotations

from typing import Annotated, Any

from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.projects.citations import CitationState, CitedValue
from docagent.domain.turns.tools import CallContext
from docagent.services.projects.evidence import CitingDocument, Evidence
from docagent.services.projects.sheet_tables import BoundTable
from docagent.tools.arguments import Arguments
from docagent.tools.base import ReadTool
from docagent.tools.parameters import a_name, a_number, a_text, an_id
from docagent.tools.projects.projects import find_entry, project_of
from docagent.tools.projects.sources import Source


class Citing(Source):
    path: Annotated[str | None, a_text("For a value: its dot path, such as total or lines.0.price.")] = None
    prompt_revid: Annotated[
        str, an_id('For a value: the prompt_revid or prompt_id; "default" when left out.')
    ] = DEFAULT_PROMPT
    page: Annotated[int | None, a_number("For words: the page, counted from 1.", 1)] = None
    words: Annotated[str | None, a_text("For words: some of the page's text, exactly as it stands.")] = None
    text: Annotated[
        str | None, a_text("What the passage shows; the value or the words themselves when left out.")
    ] = None


class CitationsWanted(Arguments):
    document: Annotated[
        str | None, a_name("The document of this project: its id, or its name. Left out: all of them.")
    ] = None


class CiteSource(ReadTool[Citing]):
    name = "cite_source"
    title = "Make a citation"
    description = (
        "Make the markdown link that binds a passage to its source in an uploaded document: to an extracted value "
        "(path, prompt_revid), or to words on a page (page, words). Put it into the text as it is returned. When the "
        "value changes later, the passage is marked as stale, and check_citations finds it."
    )
    example = '{"document_id": "66f0...", "path": "total"}'
    returns = "`markdown`, the link to put into the text"

    async def read(self, call: CallContext, arguments: Citing) -> dict[str, Any]:
        evidence, document_id, text = self._services.evidence, arguments.document_id, arguments.text
        if arguments.path:
            link = await evidence.cite_value(
                call.member, document_id, arguments.prompt_revid, arguments.path, text
            )
        elif arguments.page and arguments.words:
            link = await evidence.cite_words(call.member, document_id, arguments.page, arguments.words, text)
        else:
            raise InvalidInput("Give path for an extracted value, or page and words for a place on a page.")
        return {"markdown": link}


class CheckCitations(ReadTool[CitationsWanted]):
    name = "check_citations"
    title = "Check citations"
    description = (
        "Check what the documents of this project cite: each passage whose value has changed since it was written "
        "(stale), or whose source is gone, with its line, the present value, and the link to put in its place "
        "(suggested; use edit_project_document with find = source and replace = suggested)."
    )
    example = '{"document": "Plan"}'
    returns = (
        "`citations`, and `tables` of sheets, that are stale or gone, each with document, line and present value; "
        "`checked`"
    )

    async def read(self, call: CallContext, arguments: CitationsWanted) -> dict[str, Any]:
        project_id = project_of(call)
        if arguments.document is not None:
            entry = await find_entry(self._services, call, arguments.document)
            citing = [await self._services.evidence.of_document(call.member, project_id, entry.id)]
        else:
            citing = await self._services.evidence.of_project(call.member, project_id)
        return {
            "citations": [
                _json(one, evidence)
                for one in citing
                for evidence in one.evidence
                if evidence.state is not CitationState.CURRENT
            ],
            "tables": [
                _table_json(one, table)
                for one in citing
                for table in one.tables
                if table.state is not CitationState.CURRENT
            ],
            "checked": sum(len(one.evidence) + len(one.tables) for one in citing),
        }


def _json(citing: CitingDocument, evidence: Evidence) -> dict[str, Any]:
    cited = evidence.cited
    return {
        "document": citing.document.name,
        "version": citing.document.version,
        "line": evidence.link.line,
        "text": evidence.link.text,
        "state": evidence.state,
        "source_document_id": cited.document_id,
        "source_document": evidence.document_name,
        **({"path": cited.path} if isinstance(cited, CitedValue) else {"page": cited.page}),
        "written_from": evidence.link.title,
        "now": evidence.now,
        "source": evidence.link.source,
        "suggested": evidence.suggested,
    }


def _table_json(citing: CitingDocument, table: BoundTable) -> dict[str, Any]:
    return {
        "document": citing.document.name,
        "version": citing.document.version,
        "line": table.written.line,
        "text": table.written.text,
        "state": table.state,
        "source": table.written.source,
        "suggested": table.suggested,
    }
