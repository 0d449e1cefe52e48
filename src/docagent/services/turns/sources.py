"""Other documents that a message may look things up in: off unless asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from docagent.agent.context import Block
from docagent.agent.passages import best_passage, page_score, search_words, word_weight
from docagent.domain.errors import NotFound
from docagent.domain.ids import is_id
from docagent.store import documents, page_search
from docagent.store.engine import OrgTx

MOST_PASSAGES = 8
MOST_WORDS = 24
PAGES_LOOKED_AT = 16
"""Whose text is read to choose the best."""
MOST_PAGES_OF_A_WORD = 500
"""A word on more pages than these says next to nothing about any of them."""


async def check_sources(tx: OrgTx, sources: Sequence[str]) -> list[str]:
    """Names of the documents, in the order given. Raises NotFound that names those that are not there."""
    found = {
        source: await documents.get(tx, source) if is_id(source) else None
        for source in dict.fromkeys(sources)
    }
    if missing := [source for source, document in found.items() if document is None]:
        raise NotFound(
            f"Data source not found: {', '.join(missing)}. It may have been deleted; choose it again."
        )
    return [document.name for document in found.values() if document is not None]


async def passages(tx: OrgTx, question: str, sources: Sequence[str]) -> list[Block]:
    """What the sources say about the question, the best first, each piece with where it stands."""
    if not sources:
        return []
    words = search_words(question)[:MOST_WORDS]
    return [
        Block(
            f"Passage from {page.document_name}, page {page.number}",
            f"document {page.document_id}, page {page.number}",
            best_passage(page.text, words),
            "Found in a data source that the user chose.",
        )
        for page in await _best_pages(tx, words, sources)
    ]


async def _best_pages(tx: OrgTx, words: Sequence[str], sources: Sequence[str]) -> list[page_search.FoundPage]:
    """By the words that they hold, rare ones first; then, of the most promising, by their text."""
    places = {word: await page_search.holding(tx, word, sources, MOST_PAGES_OF_A_WORD) for word in words}
    pages = len(set(chain.from_iterable(places.values())))
    weights = {word: word_weight(len(found), pages) for word, found in places.items() if found}
    promise: defaultdict[page_search.Place, float] = defaultdict(float)
    for word, weight in weights.items():
        for place in places[word]:
            promise[place] += weight
    likely = sorted(promise, key=lambda place: (-promise[place], place.document_id, place.number))
    found = await page_search.read(tx, likely[:PAGES_LOOKED_AT])
    found.sort(key=lambda page: (-page_score(page.text, weights), page.document_id, page.number))
    return found[:MOST_PASSAGES]
