"""Other documents that a message may look things up in: off unless asked for."""

from __future__ import annotations

from collections.abc import Sequence

from docagent.agent.context import Block
from docagent.agent.passages import best_passage, search_words
from docagent.domain.errors import NotFound
from docagent.domain.ids import is_id
from docagent.store import documents, page_search
from docagent.store.engine import OrgTx

MOST_PASSAGES = 8


async def check_sources(tx: OrgTx, sources: Sequence[str]) -> list[str]:
    """Names of the documents, in the order given. Raises NotFound that names the one that is not there."""
    named = []
    for source in sources:
        document = await documents.get(tx, source) if is_id(source) else None
        if document is None:
            raise NotFound(f"Data source not found: {source}. It may have been deleted; choose it again.")
        named.append(document.name)
    return named


async def passages(tx: OrgTx, question: str, sources: Sequence[str]) -> list[Block]:
    """What the sources say about the question, each piece with where it stands."""
    words = search_words(question)
    found = await page_search.find(tx, words, sources, MOST_PASSAGES)
    return [
        Block(
            f"Passage from {page.document_name}, page {page.number}",
            f"document {page.document_id}, page {page.number}",
            best_passage(page.text, words),
            "Found in a data source that the user chose.",
        )
        for page in found
    ]
