"""The strategy lab: the same task under several strategies, side by side."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from docagent.api.answers import Answer
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.fields import ShortText, Text
from docagent.api.router import Router
from docagent.services.turns.lab import MOST_STRATEGIES, Comparison

router = Router(prefix="/v0/orgs/{organization_id}", tags=["agent"])

MOST_STEPS = 1000


class CompareIn(BaseModel):
    document_id: ShortText
    task: Annotated[Text, Field(min_length=1, max_length=100_000)]
    strategies: Annotated[list[ShortText], Field(min_length=1, max_length=MOST_STRATEGIES)]
    model: ShortText | None = None
    max_steps: Annotated[int, Field(ge=1, le=MOST_STEPS)] | None = Field(
        None, description="At most the server's own limit"
    )


class ComparedRunOut(Answer):
    strategy: str
    outcome: str = Field(description="`completed`, `limit_reached`, `failed`, or `awaiting_input`")
    answer: str = Field(description="The answer, the question that it asked, or why it failed")
    changes: list[str] = Field(description="What it changed in its copy, in words")
    steps: int
    model_calls: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    credits: int
    cost: float
    seconds: Annotated[float, AfterValidator(lambda seconds: round(seconds, 3))]


class CompareOut(Answer):
    document_id: str
    document_name: str
    task: str
    model: str
    runs: list[ComparedRunOut]


@router.post("/agent/compare")
async def compare_strategies(body: CompareIn, member: OrgMember, services: ServicesDep) -> CompareOut:
    """Run one task under several strategies, each on a copy of the state that is thrown away.

    Changes run without asking, in the copy alone. Model calls are charged to the organisation. The answer comes when
    the last run is over.
    """
    asked = Comparison(body.document_id, body.task, body.strategies, body.model, body.max_steps)
    return CompareOut.model_validate(await services.lab.compare(member, asked))
