"""What the page of a document asks for in one go: its words with their boxes, and all of its results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.rest.extraction.results import ResultOut
from docagent.api.router import Router
from docagent.domain.documents.text import Line, Word
from docagent.domain.extraction.results import DEFAULT_PROMPT, DEFAULT_PROMPT_NAME

router = Router(prefix="/v0/orgs/{organization_id}")

MOST_PAGES = 50


PlacedWord = tuple[str, float, float, float, float]


def _words(lines: Sequence[Line]) -> list[list[PlacedWord]]:
    return [[_placed(word) for word in line.words] for line in lines]


def _placed(word: Word) -> PlacedWord:
    box = word.box
    return word.text, round(box.left, 4), round(box.top, 4), round(box.right, 4), round(box.bottom, 4)


class PageWordsOut(Answer):
    number: int
    width: float = Field(description="In PDF points, as shown")
    height: float
    note: str | None = Field(description="What a person should know of the text of this page")
    lines: Annotated[list[list[PlacedWord]], BeforeValidator(_words)] = Field(
        description="Words of each line: text, left, top, right, bottom; 0 to 1 from the page's top left"
    )


class WordsOut(BaseModel):
    page_count: int
    pages: list[PageWordsOut]


class NamedResultOut(ResultOut):
    prompt_name: str
    json_schema: dict[str, Any] | None = Field(description="What the prompt asks for; null without a schema")


class ResultsOut(BaseModel):
    results: list[NamedResultOut]


@router.get("/ocr/words/{document_id}", tags=["text"])
async def list_words(
    document_id: str,
    member: OrgMember,
    services: ServicesDep,
    first_page: Annotated[int, Query(ge=1, le=10**6)] = 1,
    limit: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 20,
) -> WordsOut:
    """Words with their boxes, page by page, of any kind of file; no pages while it is not read."""
    document, pages = await services.text.some_pages(member, document_id, first_page, limit)
    shown = [PageWordsOut.model_validate(page) for page in pages]
    return WordsOut(page_count=document.page_count or 0, pages=shown)


@router.get("/llm/results/{document_id}", tags=["extraction"])
async def list_results(document_id: str, member: OrgMember, services: ServicesDep) -> ResultsOut:
    """Every result of a document with the name and the schema of its prompt; the list may be empty."""
    found = await services.results.with_schemas(member, document_id)
    return ResultsOut(
        results=[
            NamedResultOut(
                **ResultOut.model_validate(result).model_dump(),
                prompt_name=DEFAULT_PROMPT_NAME if name == DEFAULT_PROMPT else name,
                json_schema=schema,
            )
            for name, schema, result in found
        ]
    )
