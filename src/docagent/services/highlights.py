"""The two or three values by which a document is recognised in a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docagent.domain.accounts import Member
from docagent.domain.errors import InvalidInput
from docagent.domain.extraction.results import DEFAULT_PROMPT
from docagent.domain.ids import is_id
from docagent.store.engine import Database
from docagent.store.highlights import ResultData, newest_data

VALUES_SHOWN = 3
LONGEST_VALUE = 60
MOST_DOCUMENTS = 100


@dataclass(frozen=True, slots=True)
class Highlight:
    name: str
    value: str


async def highlights_of(
    db: Database, member: Member, document_ids: Sequence[str]
) -> dict[str, list[Highlight]]:
    """The first short values of each document that has a result. Other prompts come before the default one."""
    if len(document_ids) > MOST_DOCUMENTS:
        raise InvalidInput(f"Ask for at most {MOST_DOCUMENTS} documents at a time.")
    wanted = [document_id for document_id in document_ids if is_id(document_id)]
    async with db.read_org(member.organization_id) as tx:
        found = await newest_data(tx, wanted)
    chosen: dict[str, ResultData] = {}
    for result in sorted(found, key=lambda result: result.prompt_id == DEFAULT_PROMPT):
        chosen.setdefault(result.document_id, result)
    return {document_id: short_values(result.data) for document_id, result in chosen.items()}


def short_values(data: Mapping[str, Any]) -> list[Highlight]:
    """The first values that fit into a line, in the order of the schema."""
    return [Highlight(name, value) for name, value in _scalars(data)][:VALUES_SHOWN]


def _scalars(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in data.items():
        if isinstance(value, bool):
            yield name, "yes" if value else "no"
        elif isinstance(value, (int, float)):
            yield name, str(value)
        elif isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_VALUE:
            yield name, value.strip()
