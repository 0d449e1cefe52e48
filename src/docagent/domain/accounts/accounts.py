"""People, organisations and what a caller may do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from docagent.domain.errors import Forbidden, Unauthenticated
from docagent.domain.proposals import Rehearsal

ORGANIZATIONS_PER_USER = 25
NO_MEMBER_ANY_MORE = (
    "You are no longer a member of this organization, so this ends here. What was done before is kept."
)
NO_ADMIN_ANY_MORE = (
    "You are no longer an administrator of this organization, so this ends here. What was done before is kept. "
    "Send the message again to continue with your current role."
)
CREDENTIAL_GONE = (
    "The token or session behind this was revoked or has expired, so this ends here. What was done before is kept. "
    "Sign in or use another token, then send the message again."
)


class OrganizationType(StrEnum):
    """Kinds of organisation, in the only order in which one may grow into the next."""

    INDIVIDUAL = "individual"
    TEAM = "team"
    ENTERPRISE = "enterprise"

    def may_become(self, other: OrganizationType) -> bool:
        order = list(OrganizationType)
        return order.index(other) >= order.index(self)


class Role(StrEnum):
    """What someone is: in the whole deployment, or in one organisation."""

    ADMIN = "admin"
    USER = "user"


class Credential(StrEnum):
    """How a caller proved who they are."""

    SESSION = "session"
    ACCOUNT_TOKEN = "account_token"
    ORGANIZATION_TOKEN = "organization_token"


class TokenScope(StrEnum):
    """What a program may do with an API token, within what its owner may."""

    READ = "read"
    """Nothing is changed with it."""
    ASK = "ask"
    """The owner's rights; what a model wants to change over MCP waits for a yes."""
    WRITE = "write"
    """As `ask`, and models need no yes either, except where the organisation's policy wants one."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is calling. `name` is the token's name when an API token was used."""

    user_id: str
    name: str
    email: str
    role: Role
    credential: Credential
    organization_id: str | None = None
    """The only organisation that an organisation token reaches."""
    token_id: str | None = None
    """The API token that was shown, if one was."""
    scope: TokenScope = TokenScope.ASK
    session_id: str | None = None
    """The session that was shown, if one was. The server's own work is done without token and session."""

    @property
    def credential_id(self) -> str | None:
        return self.token_id or self.session_id

    @property
    def is_system_admin(self) -> bool:
        return self.role is Role.ADMIN and self.credential is not Credential.ORGANIZATION_TOKEN

    def require_system_admin(self) -> None:
        if not self.is_system_admin:
            raise Forbidden("Admin access required")

    def reaches(self, organization_id: str) -> bool:
        """Whether the credential works in this organisation. An organisation token works only in its own."""
        return self.credential is not Credential.ORGANIZATION_TOKEN or self.organization_id == organization_id


@dataclass(frozen=True, slots=True)
class Standing:
    """The roles that a user has now: in an organisation, where they may be no member, and in the whole deployment."""

    role: Role | None
    system_role: Role | None
    has_credential: bool
    """Whether the token or session that work began with still opens anything."""


@dataclass(frozen=True, slots=True)
class Member:
    """A principal inside one organisation that they belong to."""

    principal: Principal
    organization_id: str
    role: Role
    rehearsal: Rehearsal | None = None
    """The proposal that the member's work sees and changes. Only turns of the agent have one."""

    @property
    def user_id(self) -> str:
        return self.principal.user_id

    @property
    def name(self) -> str:
        return self.principal.name

    @property
    def is_admin(self) -> bool:
        """Whether the member administers this organisation or the whole deployment."""
        return self.role is Role.ADMIN or self.principal.is_system_admin

    def require_admin(self, what: str = "") -> None:
        """Raise Forbidden unless the member is an administrator; `what` says what only those do."""
        if not self.is_admin:
            told = f"Only administrators of the organisation {what}."
            raise Forbidden(told if what else "You are not an admin of this organization")

    def lacks(self, standing: Standing) -> Forbidden | Unauthenticated | None:
        """Why work for this member must end, given their current rights; None if it may continue."""
        if standing.role is None or standing.system_role is None:
            return Forbidden(NO_MEMBER_ANY_MORE)
        if not standing.has_credential:
            return Unauthenticated(CREDENTIAL_GONE)
        today = Member(
            replace(self.principal, role=standing.system_role), self.organization_id, standing.role
        )
        return Forbidden(NO_ADMIN_ANY_MORE) if self.is_admin and not today.is_admin else None


@dataclass(frozen=True, slots=True)
class User:
    id: str
    email: str
    name: str
    role: Role
    email_verified: bool
    has_password: bool
    has_seen_tour: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    user_id: str
    role: Role


@dataclass(frozen=True, slots=True)
class DefaultModels:
    """The models that run where none is named. None leaves the choice to the deployment."""

    extraction: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Organization:
    id: str
    name: str
    type: OrganizationType
    default_prompt_enabled: bool
    experimental_features: bool
    flow_log_level: str
    auto_create_default: bool
    """Whether the agent prepares uploaded documents by itself if the upload does not say."""
    ocr_config: dict[str, Any]
    default_model: str | None
    """For prompts that name none."""
    default_agent_model: str | None
    """For chats that name none."""
    time_zone: str | None
    """Its IANA name; None for that of the server's settings."""
    pictures: str | None
    """When models that see are sent pictures of pages: a member of Pictures; None for the usual."""
    remote_pictures: bool
    """Whether pictures may go to models outside of the organisation's own network."""
    created_at: datetime
    updated_at: datetime
    members: tuple[Membership, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody is asked to join. It gives nothing before their yes."""

    id: str
    organization_id: str | None
    """None invites to the deployment alone: whoever accepts gets an account with an organisation of their own."""
    user_id: str | None
    """The account that is invited, if whoever invites knew its id. They are not told its address."""
    email: str | None
    """The address that whoever invites wrote, if they wrote one."""
    role: Role
    mailed: bool
    """Whether the link was sent to the address, so that nobody else has it."""
    created_by: str
    created_at: datetime
    expires_at: datetime

    def is_for(self, user: User) -> bool:
        return self.user_id == user.id or self.is_addressed_to(user)

    def is_addressed_to(self, user: User) -> bool:
        return self.email is not None and self.email.casefold() == user.email.casefold()


@dataclass(frozen=True, slots=True)
class AccessToken:
    """An API token as it is stored: only its hash and its first characters are kept."""

    id: str
    user_id: str
    organization_id: str | None
    name: str
    start: str
    lifetime: int
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    made_by_token_id: str | None
    """The token with which it was made, and with which it ends; None if somebody signed in made it."""
    scope: TokenScope

    def outlives(self, other: AccessToken) -> bool:
        if other.expires_at is None:
            return False
        return self.expires_at is None or self.expires_at > other.expires_at
