"""User accounts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from docagent.api.answers import Answer, Page
from docagent.api.deps import AccountCaller, Limit, ServicesDep, Skip
from docagent.api.fields import Email, Name, ShortText
from docagent.api.messages import MessageOut, StoppedOut
from docagent.api.router import Router
from docagent.domain.accounts.accounts import Role

router = Router(prefix="/v0/account/users", tags=["users"])


class UserOut(Answer):
    id: str
    email: str
    name: str
    role: Role
    email_verified: bool
    created_at: datetime
    has_password: bool
    has_seen_tour: bool


class ChangedUserOut(UserOut):
    stopped: StoppedOut | None = None
    """What a new password has ended, with the sessions and tokens of the user."""


class UsersOut(Page[UserOut]):
    items: list[UserOut] = Field(serialization_alias="users")


class NewUserIn(BaseModel):
    email: Email
    name: Name
    password: ShortText


class UserChangesIn(BaseModel):
    """Unknown keys are passed over."""

    name: Name | None = None
    password: ShortText | None = None
    current_password: ShortText | None = None
    """Needed to change one's own password."""
    revoke_tokens: bool | None = None
    """With a new password: whether all API tokens of the user end too. Sessions end in any case."""
    role: Role | None = None
    email_verified: bool | None = None
    has_seen_tour: bool | None = None


@router.get("")
async def list_users(
    caller: AccountCaller,
    services: ServicesDep,
    organization_id: str | None = None,
    user_id: str | None = None,
    search_name: str | None = None,
    skip: Skip = 0,
    limit: Limit = 10,
) -> UsersOut:
    """Users whom the caller may see, or one of them."""
    found = await services.users.list(
        caller,
        organization_id=organization_id,
        user_id=user_id,
        search=search_name,
        skip=skip,
        limit=limit,
    )
    return UsersOut.model_validate(found)


@router.post("")
async def create_user(body: NewUserIn, caller: AccountCaller, services: ServicesDep) -> UserOut:
    """Create a user with an individual organisation (system administrators)."""
    user = await services.users.create(caller, email=body.email, name=body.name, password=body.password)
    return UserOut.model_validate(user)


@router.put("/{user_id}", response_model_exclude_none=True)
async def update_user(
    user_id: str, body: UserChangesIn, caller: AccountCaller, services: ServicesDep
) -> ChangedUserOut:
    """Change a user: administrators everything, users their own name, password and tour flag."""
    changes: dict[str, Any] = body.model_dump(exclude_none=True)
    user, stopped = await services.users.update(caller, user_id, changes)
    shown = UserOut.model_validate(user).model_dump()
    return ChangedUserOut(**shown, stopped=StoppedOut.of(stopped))


@router.delete("/{user_id}")
async def delete_user(user_id: str, caller: AccountCaller, services: ServicesDep) -> MessageOut:
    """Delete a user, and the organisations that have no other member."""
    await services.users.delete(caller, user_id)
    return MessageOut(message="User and related data deleted successfully")
