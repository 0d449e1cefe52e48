"""Credits and usage. No payment provider is connected: credits are granted by administrators."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, Field

from docagent.api.answers import Answer, at_path
from docagent.api.deps import AnyCaller, OrgMember, ServicesDep, Skip
from docagent.api.fields import JsonObject, ShortText
from docagent.api.router import Router
from docagent.domain.clock import now
from docagent.domain.errors import InvalidInput
from docagent.domain.models.credits import MAX_CREDITS, UsageKey

router = Router(prefix="/v0/orgs/{organization_id}/payments", tags=["credits"])

NOT_SET_UP = (
    "Payments are not set up on this server. A system administrator can add credits with "
    "POST /v0/orgs/{organization_id}/payments/credits/add."
)
CURRENCY = "usd"
USAGE_SOURCE = "local"
USUAL_RANGE = timedelta(days=30)

StartDate = Annotated[str | None, Query(description="First day, such as 2026-11-01")]
EndDate = Annotated[str | None, Query(description="The day after the last one")]


class UsageDataOut(BaseModel):
    subscription_type: str | None
    usage_unit: str
    period_metered_usage: int = Field(description="Credits used beyond all that were given")
    total_metered_usage: int
    remaining_included: int
    purchased_credits: int
    purchased_credits_used: int
    purchased_credits_remaining: int
    granted_credits: int
    granted_credits_used: int
    granted_credits_remaining: int
    period_start: int | None
    period_end: int | None
    limits_enforced: bool = Field(description="Whether an empty account stops calls")
    held_credits: int = Field(description="Set aside for calls under way")


class UsageOut(BaseModel):
    usage_source: str
    data: UsageDataOut


class UsagePointOut(Answer):
    date: Annotated[str, BeforeValidator(str)] = at_path("day")
    spus: int = at_path("credits")
    operation: str
    source: str


class UsageRangeOut(BaseModel):
    data_points: list[UsagePointOut]
    total_spus: int


class UsageGroupOut(Answer):
    key: str = Field(description="The day, the operation, the model or the user's id; empty when unknown")
    calls: int
    spus: int = Field(validation_alias="credits")
    input_tokens: int
    output_tokens: int
    cost_usd: float = Field(validation_alias="cost")


class BreakdownOut(BaseModel):
    by: UsageKey
    groups: list[UsageGroupOut]
    total_spus: int


class SentPictureOut(Answer):
    document_id: str
    page: int
    width: int = Field(description="In pixels")
    height: int
    region: list[float] | None = Field(
        description="Left, top, right, bottom as fractions of the page; null for the whole page"
    )


class ModelCallOut(Answer):
    created_at: datetime
    operation: str
    provider: str | None = Field(description="To whom it was sent")
    model: str | None
    input_tokens: int
    output_tokens: int
    spus: int = Field(validation_alias="credits")
    user_id: str | None
    pictures: list[SentPictureOut] | None = Field(description="Every picture of a page that was sent")


class ModelCallsOut(BaseModel):
    calls: list[ModelCallOut]


class UsageIn(BaseModel):
    spus: Annotated[int, Field(ge=0, le=MAX_CREDITS)]
    operation: Annotated[ShortText, Field(min_length=1)]
    source: ShortText = "backend"


class SpendingOut(BaseModel):
    from_subscription: int
    from_purchased: int
    from_granted: int
    from_paid: int


class CreditConfigOut(BaseModel):
    price_per_credit: float
    currency: str
    min_cost: float
    max_cost: float


class AddCreditsIn(BaseModel):
    amount: Annotated[int, Field(ge=1, le=MAX_CREDITS)]


class AddCreditsOut(BaseModel):
    success: bool
    added: int
    credits_added: int
    new_balance: int


class LimitsIn(BaseModel):
    enforced: bool = Field(description="Stop model calls of the organisation when its credits are used up")


class LimitsOut(Answer):
    enforced: bool
    remaining_credits: int = Field(validation_alias="remaining")


class PlanOut(BaseModel):
    plan_id: str
    name: str
    base_price: float
    included_spus: int
    features: list[str]
    currency: str
    interval: str


class SubscriptionOut(BaseModel):
    plans: list[PlanOut]
    current_plan: str | None
    subscription_status: str | None
    cancel_at_period_end: bool
    current_period_start: int | None
    current_period_end: int | None
    stripe_enabled: bool
    stripe_payments_portal_enabled: bool


class PortalOut(BaseModel):
    payment_portal_url: str
    stripe_enabled: bool


@router.get("/usage")
async def get_usage(member: OrgMember, services: ServicesDep) -> UsageOut:
    """What the organisation has and what it used (its admins)."""
    balance = await services.credits.balance(member)
    account = balance.account
    data = UsageDataOut(
        subscription_type=None,
        usage_unit="spu",
        period_metered_usage=account.paid,
        total_metered_usage=account.paid,
        remaining_included=0,
        purchased_credits=account.purchased,
        purchased_credits_used=account.purchased_used,
        purchased_credits_remaining=account.purchased_remaining,
        granted_credits=account.granted,
        granted_credits_used=account.granted_used,
        granted_credits_remaining=account.granted_remaining,
        period_start=None,
        period_end=None,
        limits_enforced=account.enforced,
        held_credits=balance.held,
    )
    return UsageOut(usage_source=USAGE_SOURCE, data=data)


@router.get("/usage/range")
async def get_usage_range(
    member: OrgMember, services: ServicesDep, start_date: StartDate = None, end_date: EndDate = None
) -> UsageRangeOut:
    """Usage by day, operation and source (the organisation's admins). The last 30 days if left out."""
    end = _day("end_date", end_date) or now().date() + timedelta(days=1)
    points = await services.credits.usage(member, _day("start_date", start_date) or end - USUAL_RANGE, end)
    return UsageRangeOut(
        data_points=[UsagePointOut.model_validate(point) for point in points],
        total_spus=sum(point.credits for point in points),
    )


@router.get("/usage/breakdown")
async def get_usage_breakdown(
    member: OrgMember,
    services: ServicesDep,
    by: Annotated[UsageKey, Query(description="What to group by")] = UsageKey.DAY,
    start_date: StartDate = None,
    end_date: EndDate = None,
) -> BreakdownOut:
    """Calls, credits, tokens and cost by day, operation, model or user (the organisation's admins)."""
    groups = await services.credits.breakdown(
        member, by, _day("start_date", start_date), _day("end_date", end_date)
    )
    return BreakdownOut(
        by=by,
        groups=[UsageGroupOut.model_validate(group) for group in groups],
        total_spus=sum(group.credits for group in groups),
    )


@router.get("/calls")
async def list_model_calls(
    member: OrgMember,
    services: ServicesDep,
    with_pictures: Annotated[bool, Query(description="Only calls that sent pictures")] = False,
    skip: Skip = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ModelCallsOut:
    """Model calls, newest first, with the pictures that were sent and to whom (the organisation's admins)."""
    found = await services.credits.calls(member, with_pictures=with_pictures, skip=skip, limit=limit)
    return ModelCallsOut(calls=[ModelCallOut.model_validate(one) for one in found])


@router.post("/usage")
async def record_usage(body: UsageIn, member: OrgMember, services: ServicesDep) -> SpendingOut:
    """Enter usage that happened elsewhere (the organisation's admins)."""
    spending = await services.credits.record(member, body.spus, body.operation, body.source)
    return SpendingOut(
        from_subscription=0,
        from_purchased=spending.purchased,
        from_granted=spending.granted,
        from_paid=spending.paid,
    )


@router.get("/credits/config")
async def get_credit_config(member: OrgMember, services: ServicesDep) -> CreditConfigOut:
    """What a credit costs: nothing can be bought here, so there are no bounds."""
    return CreditConfigOut(
        price_per_credit=services.credits.price_per_credit, currency=CURRENCY, min_cost=0.0, max_cost=0.0
    )


@router.post("/credits/add")
async def add_credits(
    organization_id: str, body: AddCreditsIn, caller: AnyCaller, services: ServicesDep
) -> AddCreditsOut:
    """Grant credits to the organisation (system administrators)."""
    account = await services.credits.add(caller, organization_id, body.amount)
    return AddCreditsOut(
        success=True, added=body.amount, credits_added=body.amount, new_balance=account.remaining
    )


@router.put("/limits")
async def set_limits(
    organization_id: str, body: LimitsIn, caller: AnyCaller, services: ServicesDep
) -> LimitsOut:
    """Switch on or off that an empty account stops model calls (system administrators). Off at first."""
    account = await services.credits.set_enforced(caller, organization_id, body.enforced)
    return LimitsOut.model_validate(account)


@router.get("/subscription")
async def get_subscription(member: OrgMember) -> SubscriptionOut:
    """There are no plans to subscribe to."""
    return SubscriptionOut(
        plans=[],
        current_plan=None,
        subscription_status=None,
        cancel_at_period_end=False,
        current_period_start=None,
        current_period_end=None,
        stripe_enabled=False,
        stripe_payments_portal_enabled=False,
    )


@router.delete("/subscription", name="cancel_subscription")
@router.put("/subscription")
async def activate_subscription(member: OrgMember) -> PortalOut:
    """Always refused: payments are not set up."""
    raise InvalidInput(NOT_SET_UP)


@router.post("/customer-portal")
async def get_customer_portal(member: OrgMember) -> PortalOut:
    """There is none: the address is empty."""
    return PortalOut(payment_portal_url="", stripe_enabled=False)


@router.post("/credits/purchase", name="purchase_credits")
@router.post("/checkout-session")
async def create_checkout_session(member: OrgMember, body: JsonObject | None = None) -> PortalOut:
    """Always refused: payments are not set up."""
    raise InvalidInput(NOT_SET_UP)


def _day(name: str, text: str | None) -> date | None:
    """The day of an ISO date, or of a date with a time."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).date()
    except ValueError as error:
        raise InvalidInput(f"{name} is not a date: '{text[:40]}'. Use the form 2026-11-15.") from error
