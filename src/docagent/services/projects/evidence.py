"""Citations of living documents: whether what they cite still says the same, and how to cite."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.documents.documents import Document
from docagent.domain.errors import InvalidInput, NotFound
from docagent.domain.extraction.results import Result
from docagent.domain.field_path import FieldPath
from docagent.domain.projects.citations import (
    SCHEME,
    SHEET_SCHEME,
    CitationState,
    Cited,
    CitedSheet,
    CitedValue,
    CitedWords,
    as_link,
    cited_at,
    in_title,
    is_value,
    one_line,
)
from docagent.domain.projects.projects import Changes, LivingDocument, Written
from docagent.domain.shown import quoted
from docagent.markdown import Link, LinkedTable, find_linked_tables, find_links, with_line_ends_of
from docagent.services.documents.documents import find_document
from docagent.services.projects.living_documents import LivingDocumentService, find_living_document
from docagent.services.projects.projects import find_project
from docagent.services.projects.sheet_tables import BoundTable, as_markdown, bound_table, table_of
from docagent.store.documents import documents, pages
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction import results
from docagent.store.extraction.prompts import PROMPTS
from docagent.store.projects.living_documents import LIVING_DOCUMENTS

MOST_CITATIONS = 500
"""Of one text; those that follow are not looked at."""
MOST_TABLES = 20
"""Of one text; each reads its sheet."""
MOST_QUOTED_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Evidence:
    """One citation of a living document, and what stands now where it points to."""

    link: Link
    cited: Cited
    state: CitationState
    document_name: str | None = None
    now: str | None = None
    """The present value, as a citation's title has it; None for the words of a page, and for what is gone."""

    @property
    def prompt_id(self) -> str | None:
        return self.cited.prompt_id if isinstance(self.cited, CitedValue) else None

    @property
    def path(self) -> str | None:
        return self.cited.path if isinstance(self.cited, CitedValue) else None

    @property
    def page(self) -> int | None:
        return self.cited.page if isinstance(self.cited, CitedWords) else None

    @property
    def suggested(self) -> str | None:
        """The citation with the present value, for one that is stale and whose source is known."""
        if self.state is not CitationState.STALE or self.now is None or self.link.source is None:
            return None
        said, text = self.link.title, self.link.text
        return as_link(
            text.replace(said, self.now) if said and said in text else self.now, self.cited, self.now
        )


@dataclass(frozen=True, slots=True)
class CitingDocument:
    document: LivingDocument
    evidence: Sequence[Evidence]
    tables: Sequence[BoundTable]

    @property
    def updates(self) -> Iterator[tuple[str, str]]:
        """Each stale part whose present content is known, as it stands in the text and as it would be."""
        for one in self.evidence:
            if one.suggested is not None and one.link.source is not None:
                yield one.link.source, one.suggested
        for table in self.tables:
            if table.suggested is not None:
                yield table.written.source, table.suggested


class EvidenceService:
    def __init__(self, db: Database, living_documents: LivingDocumentService) -> None:
        self._db = db
        self._living_documents = living_documents

    async def of_document(self, member: Member, project_id: str, document_id: str) -> CitingDocument:
        """The newest version of a living document with all that it cites."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            document = await find_living_document(tx, project_id, document_id)
        (checked,) = await self._checked(member, [document])
        return checked

    async def of_project(self, member: Member, project_id: str) -> list[CitingDocument]:
        """The documents of a project that cite something, by name."""
        async with self._db.read_org(member.organization_id) as tx:
            await find_project(tx, project_id)
            citing = await LIVING_DOCUMENTS.containing(tx, project_id, f"]({SCHEME}", f"]({SHEET_SCHEME}")
        return [one for one in await self._checked(member, citing) if one.evidence or one.tables]

    async def update(
        self, member: Member, project_id: str, document_id: str, base_version: int | None
    ) -> LivingDocument:
        """Make a version in which all that is stale has its present value; the same one if nothing is."""
        citing = await self.of_document(member, project_id, document_id)
        before = citing.document
        text = before.content
        for source, suggested in citing.updates:
            text = text.replace(source, suggested)
        changes = Changes(None, with_line_ends_of(before.content, text), None)
        return await self._living_documents.change(
            member,
            project_id,
            document_id,
            changes,
            base_version=before.version if base_version is None else base_version,
            written=Written(reason="Updated from the sources"),
        )

    async def cite_sheet(self, member: Member, cited: CitedSheet, caption: str) -> str:
        """A table of a sheet as markdown that stays bound to it. Raises NotFound or InvalidInput."""
        async with self._db.read_org(member.organization_id) as tx:
            name, table = await table_of(tx, cited)
        return as_markdown(caption.strip() or name, cited, table)

    async def cite_value(
        self, member: Member, document_id: str, prompt: str, path: str, text: str | None
    ) -> str:
        """A citation of an extracted value as markdown. Raises NotFound or InvalidInput when it is not there."""
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            result = await results.newest_of_prompt(tx, document_id, await _prompt_id(tx, prompt))
        if result is None:
            raise NotFound(
                f"{quoted(document.name)} has no result of this prompt. get_extraction_result says which there are."
            )
        where = FieldPath.parse(path, result.data)
        value = where.value_in(result.data)
        if isinstance(value, dict | list) or value is None or value == "":
            raise InvalidInput(f"There is no single value at {where}. Name a field that has one.")
        cited = CitedValue(document_id, result.prompt_id, str(where))
        return as_link(text or in_title(value), cited, in_title(value))

    async def cite_words(
        self, member: Member, document_id: str, page: int, words: str, text: str | None
    ) -> str:
        """A citation of words on a page as markdown. Raises NotFound or InvalidInput when they are not there."""
        said = one_line(words)
        if not said or len(said) > MOST_QUOTED_CHARACTERS:
            raise InvalidInput(f"Quote between 1 and {MOST_QUOTED_CHARACTERS} characters of the page.")
        async with self._db.read_org(member.organization_id) as tx:
            document = await find_document(tx, document_id)
            found = await _page_text(tx, document, page)
        if found is None:
            raise NotFound(f"{quoted(document.name)} has no page {page}, or it was not read.")
        if said not in one_line(found):
            raise InvalidInput(
                f"Page {page} does not say {quoted(said)}. Copy the words exactly as they stand."
            )
        return as_link(text or said, CitedWords(document_id, page), said)

    async def _checked(self, member: Member, documents: Sequence[LivingDocument]) -> list[CitingDocument]:
        # Long texts take a while to parse.
        found = await asyncio.to_thread(
            lambda: [(_citations(one.content), _tables(one.content)) for one in documents]
        )
        async with self._db.read_org(member.organization_id) as tx:
            sources = _Sources(tx)
            return [
                CitingDocument(
                    document,
                    [await sources.compare(link, cited) for link, cited in citing],
                    [table for written in tables if (table := await bound_table(tx, written))],
                )
                for document, (citing, tables) in zip(documents, found, strict=True)
            ]


def _tables(text: str) -> list[LinkedTable]:
    return find_linked_tables(text, SHEET_SCHEME)[:MOST_TABLES]


def _citations(text: str) -> list[tuple[Link, Cited]]:
    links = find_links(text, SCHEME)
    return [(link, cited) for link in links if (cited := cited_at(link.address))][:MOST_CITATIONS]


class _Sources:
    """Reads each document, result and page that is cited once."""

    def __init__(self, tx: OrgTx) -> None:
        self._tx = tx
        self._documents: dict[str, Document | None] = {}
        self._results: dict[tuple[str, str], Result | None] = {}
        self._pages: dict[tuple[str, int], str | None] = {}

    async def compare(self, link: Link, cited: Cited) -> Evidence:
        if cited.document_id not in self._documents:
            self._documents[cited.document_id] = await documents.get(self._tx, cited.document_id)
        document = self._documents[cited.document_id]
        if document is None:
            return Evidence(link, cited, CitationState.GONE)
        match cited:
            case CitedWords():
                return await self._words(link, cited, document)
            case CitedValue():
                return await self._value(link, cited, document)

    async def _words(self, link: Link, cited: CitedWords, document: Document) -> Evidence:
        key = (document.id, cited.page)
        if key not in self._pages:
            text = await _page_text(self._tx, document, cited.page)
            self._pages[key] = None if text is None else one_line(text)
        text = self._pages[key]
        if text is None:
            return Evidence(link, cited, CitationState.GONE, document.name)
        state = CitationState.CURRENT if one_line(link.title) in text else CitationState.STALE
        return Evidence(link, cited, state, document.name)

    async def _value(self, link: Link, cited: CitedValue, document: Document) -> Evidence:
        key = (document.id, cited.prompt_id)
        if key not in self._results:
            self._results[key] = await results.newest_of_prompt(self._tx, document.id, cited.prompt_id)
        result = self._results[key]
        value: Any = FieldPath.stored(cited.path, result.data).get(result.data) if result else None
        if value is None:
            return Evidence(link, cited, CitationState.GONE, document.name)
        is_current = not link.title or is_value(link.title, value)
        state = CitationState.CURRENT if is_current else CitationState.STALE
        return Evidence(link, cited, state, document.name, in_title(value))


async def _prompt_id(tx: OrgTx, prompt: str) -> str:
    """The id of the prompt that an id of it, or of one of its versions, means."""
    revision = await PROMPTS.get(tx, prompt)
    return revision.id if revision else prompt


async def _page_text(tx: OrgTx, document: Document, page: int) -> str | None:
    if document.text_run_id is None:
        return None
    found = await pages.texts(tx, document.id, document.text_run_id, page, 1)
    return found[0][1] if found and found[0][0] == page else None
