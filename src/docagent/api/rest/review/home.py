"""What the start page shows of an organisation. This path is ours."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import OrgMember, ServicesDep
from docagent.api.router import Router

router = Router(prefix="/v0/orgs/{organization_id}/home", tags=["review"])


class ArrivalOut(Answer):
    document_id: str
    name: str
    upload_date: datetime


class MonthOut(Answer):
    month: str = Field(description="`2026-11`")
    documents: int
    amount: float | None


class KindOut(Answer):
    prompt_id: str
    name: str
    documents: int = at_path("counts.total")
    to_check: int = at_path("counts.waiting", "Of these, those with a value that a person should look at")
    newest: list[ArrivalOut] = Field(description="The four documents that came last, newest first")
    amount: str | None = Field(
        description="The title of the field that `months` adds up; null if it has none"
    )
    currency: str | None = Field(description="The currency that most documents are in; others are left out")
    months: list[MonthOut] = Field(description="The last twelve months that have documents")


class MeasuredOut(Answer):
    prompt_id: str
    prompt_name: str
    prompt_version: int
    f1: float | None = at_path("score.f1")
    created_at: datetime


class ReadDayOut(Answer):
    day: str
    documents: int
    pages: int


class SpentDayOut(Answer):
    day: str = at_path("key")
    credits: int


class HomeOut(Answer):
    kinds: list[KindOut] = Field(description="At most twelve, those with the newest documents first")
    accuracy: list[MeasuredOut] = Field(description="Finished measurements of saved versions, oldest first")
    pages: list[ReadDayOut] = Field(description="Documents and pages by the day of their upload, for 30 days")
    credits: list[SpentDayOut] | None = Field(
        description="By day, for 30 days; null unless you are an admin of the organisation"
    )


@router.get("")
async def get_home(member: OrgMember, services: ServicesDep) -> HomeOut:
    """Return the organisation's kinds of documents with their sums by month, accuracy, pages and credits by day."""
    return HomeOut.model_validate(await services.home.home(member))
