"""Who may call: users, organisations, sign-in and tokens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from docagent.adapters.mail.smtp import SmtpMailer, SmtpServer
from docagent.bootstrap.ground import Ground
from docagent.domain.accounts.addresses import is_loopback
from docagent.security import Passwords
from docagent.services.accounts.cloud_config import CloudConfigService
from docagent.services.accounts.first_start import FirstStartService
from docagent.services.accounts.identity import IdentityService, Lifetimes
from docagent.services.accounts.invitations import InvitationService
from docagent.services.accounts.inviting import InvitationTerms, Inviting
from docagent.services.accounts.organizations import OrganizationService
from docagent.services.accounts.sign_in_limits import SignInLimits
from docagent.services.accounts.tokens import TokenService
from docagent.services.accounts.users import UserService
from docagent.settings import Settings


@dataclass(frozen=True)
class Accounts:
    first_start: FirstStartService
    identity: IdentityService
    tokens: TokenService
    users: UserService
    organizations: OrganizationService
    invitations: InvitationService
    cloud_config: CloudConfigService


def build_accounts(ground: Ground) -> Accounts:
    db, secrets, settings = ground.db, ground.secrets, ground.settings
    passwords = Passwords(settings.auth.password_memory_mb)
    terms = _invitation_terms(settings)
    inviting = Inviting(_mailer(settings), terms)
    return Accounts(
        first_start=FirstStartService(db, passwords),
        identity=IdentityService(
            db, secrets, passwords, _lifetimes(settings), _sign_in_limits(settings), ground.streams
        ),
        tokens=TokenService(db, ground.streams),
        users=UserService(db, passwords, ground.streams, open_to_strangers=open_to_strangers(settings)),
        organizations=OrganizationService(db, inviting),
        invitations=InvitationService(db, passwords, inviting, terms),
        cloud_config=CloudConfigService(db, secrets),
    )


def open_to_strangers(settings: Settings) -> bool:
    """Whether anybody may register. Unless it is said, only where the server is for this machine alone."""
    if settings.auth.registration is not None:
        return settings.auth.registration
    return is_loopback(settings.server.host) and settings.server.public_url is None


def _lifetimes(settings: Settings) -> Lifetimes:
    auth = settings.auth
    return Lifetimes(
        access=timedelta(minutes=auth.access_minutes),
        refresh=timedelta(days=auth.refresh_days),
        signed=timedelta(hours=auth.signed_token_hours),
        login_link=timedelta(hours=auth.login_link_hours),
    )


def _sign_in_limits(settings: Settings) -> SignInLimits:
    auth = settings.auth
    return SignInLimits(
        by_name_and_place=auth.login_attempts,
        by_place=auth.login_attempts_per_address,
        by_name=auth.login_attempts_per_name,
        in_all=auth.login_attempts_in_all,
        waiting=auth.logins_waiting,
        waiting_of_place=auth.logins_waiting_per_address,
    )


def _invitation_terms(settings: Settings) -> InvitationTerms:
    return InvitationTerms(
        lifetime=timedelta(days=settings.auth.invitation_days),
        address=(settings.server.public_url or "").rstrip("/"),
        newcomers=settings.auth.invite_newcomers,
    )


def _mailer(settings: Settings) -> SmtpMailer | None:
    mail = settings.mail
    if mail.host is None or mail.sender is None:
        return None
    return SmtpMailer(
        SmtpServer(
            host=mail.host,
            port=mail.port,
            security=mail.security,
            sender=mail.sender,
            seconds=mail.seconds,
            username=mail.username,
            password=mail.password.get_secret_value() if mail.password else None,
        )
    )
