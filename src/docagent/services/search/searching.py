"""Finding anything of an organisation by words: documents by name, values and text, and everything made for them."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from operator import itemgetter
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.field_path import FieldPath, leaves
from docagent.domain.listing import check_search
from docagent.services.projects.passages import Excerpt, Hit, excerpt, folded, hits, words_to_find
from docagent.services.search.finding import Finding, FindingKind, FindingService
from docagent.store.engine.database import Database, OrgTx
from docagent.store.extraction.highlights import ResultData, newest_data
from docagent.store.search import entry_search, page_search
from docagent.store.search.entry_search import EntryKind, Thing
from docagent.store.search.page_search import FoundPage, Place
from docagent.store.search.search_words import insist_on_the_index

MOST_PLACES = 500
"""So many entries and pages are looked at. Words that stand in more say next to nothing about any of them."""
LONGEST_VALUE = 120
VALUES_SHOWN = 3


class FoundKind(StrEnum):
    """In the order in which they are shown if nothing else decides."""

    DOCUMENT = "document"
    LIVING_DOCUMENT = "living_document"
    SCHEMA = "schema"
    PROMPT = "prompt"
    PROJECT = "project"
    TAG = "tag"
    CONVERSATION = "conversation"


_ORDER = {kind: place for place, kind in enumerate(FoundKind)}
_OF_PROJECTS = {FoundKind.LIVING_DOCUMENT: FindingKind.DOCUMENT, FoundKind.CONVERSATION: FindingKind.CHAT}


@dataclass(frozen=True, slots=True)
class FoundThing:
    kind: FoundKind
    id: str
    name: str
    passage: Excerpt | None = None
    page: int | None = None
    """The page of the document on which the passage stands."""
    prompt_id: str | None = None
    field: str | None = None
    """The value of the document that holds the words, by the prompt that asked for it and its path."""
    project_id: str | None = None
    """Where a living document or a conversation belongs."""
    project_name: str | None = None
    name_hits: Sequence[Hit] = ()

    @property
    def text(self) -> str:
        return self.passage.text if self.passage else ""

    @property
    def hits(self) -> Sequence[Hit]:
        return self.passage.hits if self.passage else ()

    @property
    def line(self) -> int | None:
        return self.passage.line if self.passage and self.kind is FoundKind.LIVING_DOCUMENT else None


class SearchService:
    def __init__(self, db: Database, finding: FindingService) -> None:
        self._db = db
        self._finding = finding

    async def search(
        self, member: Member, text: str, *, kinds: Collection[FoundKind], limit: int
    ) -> list[FoundThing]:
        """What holds all of the words and may be seen by every member, but only the caller's own conversations.

        Names come first, kinds take turns, and within a kind what changed last comes first.
        """
        check_search("q", text)
        words = words_to_find(text)
        if not words:
            return []
        async with self._db.read_org(member.organization_id, long=True) as tx:
            await insist_on_the_index(tx)
            typed = list(words.values())
            documents = await _documents(tx, typed, limit) if FoundKind.DOCUMENT in kinds else None
            things = {
                kind: await _things(tx, EntryKind(kind), typed, limit)
                for kind in (FoundKind.SCHEMA, FoundKind.PROMPT, FoundKind.PROJECT, FoundKind.TAG)
                if kind in kinds
            }
        findings = {
            kind: (await self._finding.find(member, text, kind=same, limit=limit)).items
            for kind, same in _OF_PROJECTS.items()
            if kind in kinds
        }
        # Long texts are looked through, which takes a while.
        return await asyncio.to_thread(_sorted, text, list(words), documents, things, findings, limit)


@dataclass(frozen=True, slots=True)
class _Documents:
    found: Sequence[Thing]
    pages: Mapping[str, FoundPage]
    results: Mapping[str, Sequence[ResultData]]


async def _documents(tx: OrgTx, words: Sequence[str], limit: int) -> _Documents:
    named = [entry.subject_id for entry in await entry_search.matching(tx, EntryKind.DOCUMENT, words, limit)]
    valued = [
        entry.subject_id for entry in await entry_search.matching(tx, EntryKind.VALUE, words, MOST_PLACES)
    ]
    places: dict[str, Place] = {}
    for place in await page_search.matching(tx, words, MOST_PLACES):
        first = places.setdefault(place.document_id, place)
        if place.number < first.number:
            places[place.document_id] = place
    wanted = list(dict.fromkeys(chain(named, valued, places)))[: 2 * limit]
    found = await entry_search.read(tx, EntryKind.DOCUMENT, wanted)
    shown = [thing.id for thing in found]
    pages = await page_search.read(tx, [places[id] for id in shown if id in places])
    results: dict[str, list[ResultData]] = {}
    for result in await newest_data(tx, [id for id in shown if id in set(valued)]):
        results.setdefault(result.document_id, []).append(result)
    return _Documents(found, {page.document_id: page for page in pages}, results)


async def _things(tx: OrgTx, kind: EntryKind, words: Sequence[str], limit: int) -> list[Thing]:
    entries = await entry_search.matching(tx, kind, words, limit)
    return await entry_search.read(tx, kind, [entry.subject_id for entry in entries])


def _sorted(
    text: str,
    words: Sequence[str],
    documents: _Documents | None,
    things: Mapping[FoundKind, Sequence[Thing]],
    findings: Mapping[FoundKind, Sequence[Finding]],
    limit: int,
) -> list[FoundThing]:
    found = {
        FoundKind.DOCUMENT: [_document(thing, documents, words) for thing in documents.found]
        if documents
        else [],
        **{kind: [_made(kind, thing, words) for thing in some] for kind, some in things.items()},
        **{kind: [_of_project(kind, one) for one in some] for kind, some in findings.items()},
    }
    typed = _plain(text).strip()
    ranked = []
    for kind, some in found.items():
        judged = ((_rank(one, typed, words), place, one) for place, one in enumerate(some))
        by_name = sorted(judged, key=itemgetter(0, 1))
        ranked += [((rank, place, _ORDER[kind]), one) for place, (rank, _, one) in enumerate(by_name)]
    best = [one for _, one in sorted(ranked, key=lambda item: item[0])][:limit]
    return [replace(one, name_hits=_places(one.name, words)) for one in best]


def _rank(found: FoundThing, typed: str, words: Sequence[str]) -> int:
    """0 if the name begins with what was typed, 1 if it has all of the words, 2 if they stand elsewhere.

    The title of a conversation is no name, but what was said first.
    """
    plain = _plain(found.name)
    if found.kind is FoundKind.CONVERSATION:
        return 2
    return 0 if plain.startswith(typed) else 1 if all(places for _, places in _found(plain, words)) else 2


def _document(thing: Thing, documents: _Documents, words: Sequence[str]) -> FoundThing:
    """With the value that holds the words, else with the page. A summary says less than the page that it sums up."""
    bare = FoundThing(FoundKind.DOCUMENT, thing.id, thing.name)
    page = documents.pages.get(thing.id)
    for result in documents.results.get(thing.id, ()):
        if page and result.prompt_id == DEFAULT_PROMPT:
            continue
        if value := _value(result.data, words):
            path, passage = value
            return replace(bare, passage=passage, prompt_id=result.prompt_id, field=path)
    return replace(bare, passage=excerpt(page.text, words), page=page.number) if page else bare


def _value(data: Mapping[str, Any], words: Sequence[str]) -> tuple[str, Excerpt] | None:
    """The first path with one of the words, and the values that have them; None unless they have all."""
    missing = set(words)
    shown: list[tuple[FieldPath, str]] = []
    for path, value in leaves(data):
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            inside = {word for word, found in _found(_plain(str(value)), words) if found}
            if inside & missing or (inside and not shown):
                shown.append((path, str(value)))
                missing -= inside
    if missing or not shown:
        return None
    lines = [
        f"{path.name.replace('_', ' ')}: {excerpt(value, words, LONGEST_VALUE).text}" for path, value in shown
    ]
    text = unicodedata.normalize("NFC", " · ".join(lines[:VALUES_SHOWN]))
    return str(shown[0][0]), Excerpt(text, 1, _places(text, words))


def _made(kind: FoundKind, thing: Thing, words: Sequence[str]) -> FoundThing:
    text = _schema_text(thing.text) if kind is FoundKind.SCHEMA else str(thing.text)
    piece = excerpt(text.strip(), words)
    return FoundThing(kind, thing.id, thing.name, piece if piece.text else None)


def _schema_text(data: Any) -> str:
    """The names of a schema's fields with what is said of them."""
    lines: list[str] = []
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            properties = part.get("properties")
            if isinstance(properties, dict):
                lines += [_field_line(name, said) for name, said in properties.items()]
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return ", ".join(lines)


def _field_line(name: str, said: Any) -> str:
    description = said.get("description") if isinstance(said, dict) else None
    return f"{name} ({description})" if isinstance(description, str) and description else name


def _of_project(kind: FoundKind, found: Finding) -> FoundThing:
    return FoundThing(
        kind,
        found.document_id or found.thread_id or "",
        found.name,
        found.excerpt,
        project_id=found.project_id,
        project_name=found.project_name,
    )


def _plain(text: str) -> str:
    return folded(unicodedata.normalize("NFC", text))


def _found(plain: str, words: Sequence[str]) -> list[tuple[str, list[tuple[int, int]]]]:
    """Each word with its places. The last may be the beginning of any word: it is still being typed."""
    return [(word, hits(word, plain, begins=at == len(words) - 1)) for at, word in enumerate(words)]


def _places(text: str, words: Sequence[str]) -> list[Hit]:
    """Where the words stand, without overlaps. A text that is not composed cannot be marked."""
    if not unicodedata.is_normalized("NFC", text):
        return []
    places: list[Hit] = []
    for start, end in sorted(place for _, found in _found(folded(text), words) for place in found):
        if not places or start >= places[-1][1]:
            places.append(Hit(start, end))
    return places
