"""Data sources: documents and projects that a message may look things up in, if the user asks for them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from docagent.agent.context import Block
from docagent.domain.errors import NotFound
from docagent.domain.ids import is_id
from docagent.services.projects.passages import (
    MOST_PLACES_OF_A_WORD,
    MOST_WORDS,
    PLACES_LOOKED_AT,
    best_passage,
    most_promising,
    page_score,
    search_words,
    word_weights,
)
from docagent.store.documents import documents
from docagent.store.engine.database import OrgTx
from docagent.store.projects import projects
from docagent.store.search import living_search, page_search
from docagent.store.search.living_search import FoundLivingDocument, LivingPlace
from docagent.store.search.page_search import FoundPage, Place

MOST_PASSAGES = 8
MUCH_TEXT = 200_000
"""More characters than this are weighed off the event loop: living documents may be long."""

Found = FoundPage | FoundLivingDocument


async def check_sources(tx: OrgTx, sources: Sequence[str]) -> list[str]:
    """Names of the documents and projects, in the order given. Raises NotFound with the missing ids."""
    if not sources:
        return []
    wanted = list(dict.fromkeys(sources))
    ids = list(filter(is_id, wanted))
    of_documents = await documents.several(tx, ids)
    found = {id: document.name for id, document in of_documents.items()} | await projects.names(tx, ids)
    if missing := [source for source in wanted if source not in found]:
        raise NotFound(
            f"Data source not found: {', '.join(missing)}. It may have been deleted; choose it again."
        )
    return [found[source] for source in wanted]


async def passages(tx: OrgTx, question: str, sources: Sequence[str]) -> list[Block]:
    """What the sources say about the question: the best passages first, each with its place."""
    if not sources:
        return []
    project_ids = list(await projects.names(tx, sources))
    document_ids = [source for source in sources if source not in project_ids]
    return [_block(found, text) for found, text in await _best(tx, question, document_ids, project_ids)]


def _block(found: Found, text: str) -> Block:
    if isinstance(found, FoundPage):
        label = f"{found.document_name}, page {found.number}"
        source = f"document {found.document_id}, page {found.number}"
    else:
        label = f"{found.document_name} (project {found.project_name})"
        source = f"document {found.document_id} of project {found.project_id}, version {found.number}"
    return Block(f"Passage from {label}", source, text, "Found in a data source that the user chose.")


async def _best(
    tx: OrgTx, question: str, document_ids: Sequence[str], project_ids: Sequence[str]
) -> list[tuple[Found, str]]:
    """Find the most promising pages by their words, where rare words count more, then choose the best by their text."""
    words = search_words(question)[:MOST_WORDS]
    places: dict[str, Sequence[Place | LivingPlace]] = {
        word: [
            *await page_search.holding(tx, word, document_ids, MOST_PLACES_OF_A_WORD),
            *await living_search.holding(tx, word, project_ids, MOST_PLACES_OF_A_WORD),
        ]
        for word in words
    }
    weights = word_weights(places)
    likely = most_promising(places, weights, PLACES_LOOKED_AT)
    found: list[Found] = [
        *await page_search.read(tx, [place for place in likely if isinstance(place, Place)]),
        *await living_search.read(tx, [place for place in likely if isinstance(place, LivingPlace)]),
    ]
    if sum(len(one.text) for one in found) > MUCH_TEXT:
        return await asyncio.to_thread(_cut_best, found, words, weights)
    return _cut_best(found, words, weights)


def _cut_best(
    found: Sequence[Found], words: Sequence[str], weights: Mapping[str, float]
) -> list[tuple[Found, str]]:
    scored = [(-page_score(one.text, weights), one.document_id, one.number, one) for one in found]
    best = [one for *_, one in sorted(scored, key=lambda item: item[:3])][:MOST_PASSAGES]
    return [(one, best_passage(one.text, words)) for one in best]
