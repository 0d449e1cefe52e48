"""What a list shows of each document's results: values to recognise it by, what is settled, how far a run is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from docagent.domain.accounts.accounts import Member
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.doubts import ReviewPolicy, Tally, tally_of
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.ids import is_id
from docagent.reading.printed import find_numbers
from docagent.store.engine.database import Database
from docagent.store.extraction.highlights import (
    ResultData,
    RunningExtraction,
    newest_data,
    running_extractions,
)
from docagent.store.review import review

VALUES_SHOWN = 3
LONGEST_VALUE = 60
MOST_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class Highlight:
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Extracting:
    """Where a running extraction stands: which of its prompts, and which window of the document. Counted from 1."""

    prompt: int
    prompts: int
    window: int
    windows: int


@dataclass(frozen=True, slots=True)
class Highlights:
    """What is there of one document's results."""

    document_id: str
    values: list[Highlight] = field(default_factory=list)
    summarised: bool = False
    """The default prompt has run."""
    extracted: int = 0
    """How many other prompts have a result."""
    review: Tally = field(default_factory=Tally)
    """Of the results of those other prompts."""
    extracting: Extracting | None = None


async def highlights_of(db: Database, member: Member, document_ids: Sequence[str]) -> list[Highlights]:
    """What there is to show of each document that has a result, or that an extraction is running on."""
    if len(document_ids) > MOST_DOCUMENTS:
        raise InvalidInput(f"Ask for at most {MOST_DOCUMENTS} documents at a time.")
    wanted = [document_id for document_id in document_ids if is_id(document_id)]
    async with db.read_org(member.organization_id, long=True) as tx:
        found = await newest_data(tx, wanted)
        running = await running_extractions(tx, wanted)
        policies = await review.policies(tx)
    shown = await asyncio.to_thread(_shown, found, policies)
    for run in running:
        there = shown.get(run.document_id, Highlights(run.document_id))
        shown[run.document_id] = replace(there, extracting=_extracting(run))
    return list(shown.values())


def short_values(data: Mapping[str, Any], grounding: Any = None) -> list[Highlight]:
    """The first values that fit into a line, in the order of the schema; numbers as the page prints them."""
    places = grounding if isinstance(grounding, dict) else {}
    return [Highlight(name, value) for name, value in _scalars(data, places)][:VALUES_SHOWN]


def _shown(found: Sequence[ResultData], policies: Mapping[str, ReviewPolicy]) -> dict[str, Highlights]:
    """Of each prompt the highest version counts. Other prompts come before the default one."""
    newest: dict[tuple[str, str], ResultData] = {}
    for result in found:
        other = newest.setdefault((result.document_id, result.prompt_id), result)
        if other.prompt_version < result.prompt_version:
            newest[result.document_id, result.prompt_id] = result
    shown: dict[str, Highlights] = {}
    for result in sorted(newest.values(), key=lambda result: result.prompt_id == DEFAULT_PROMPT):
        here = shown.get(result.document_id) or Highlights(
            result.document_id, short_values(result.data, result.grounding)
        )
        if result.prompt_id == DEFAULT_PROMPT:
            shown[result.document_id] = replace(here, summarised=True)
        else:
            threshold = policies.get(result.prompt_id, ReviewPolicy()).threshold
            shown[result.document_id] = replace(
                here, extracted=here.extracted + 1, review=here.review + tally_of(result, threshold)
            )
    return shown


def _extracting(run: RunningExtraction) -> Extracting:
    """The job counts windows: each of its prompts as many as the prompt that runs now has."""
    windows = max(1, run.progress_total // run.prompts)
    prompt = min(run.progress // windows, run.prompts - 1)
    return Extracting(prompt + 1, run.prompts, min(run.progress - prompt * windows, windows - 1) + 1, windows)


def _scalars(data: Mapping[str, Any], places: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        if isinstance(value, bool):
            yield name, "yes" if value else "no"
        elif isinstance(value, (int, float)):
            yield name, _as_printed(value, places.get(name))
        elif isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_VALUE:
            yield name, value.strip()


def _as_printed(value: float, place: Any) -> str:
    """The number in the form that stands on the page, if it was found there."""
    words = place.get("words", []) if isinstance(place, dict) else []
    text = " ".join(word["text"] for word in words)
    for printed in find_numbers(text):
        if Decimal(str(value)) in printed.values:
            return text[printed.start : printed.end].strip()
    return str(value)
